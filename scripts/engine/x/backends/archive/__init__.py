"""X search over posts on disk: read files, index them, answer queries."""
