"""Spans: what an intent says beside its places, cut out piece by piece."""
