"""The engine behind the entry scripts: it fetches, judges, ranks and renders."""

__version__ = "0.1.0"
