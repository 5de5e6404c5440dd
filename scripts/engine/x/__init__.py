"""The X loop: compile, fan out, judge, retry, prune, promote (see stream.py)."""
