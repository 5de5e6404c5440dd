"""A finished brief: how it is read, and what it is held against, one idea a file."""
