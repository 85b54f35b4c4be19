"""Build and audit multi-hop QA benchmarks as typed knowledge graphs."""

__version__ = "0.1.0"
