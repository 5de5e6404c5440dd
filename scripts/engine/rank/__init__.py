"""Ranking: one idea a file."""
