"""Lookup: which place a name means."""
