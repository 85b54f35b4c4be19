"""Retrievers over passages: BM25, dense vectors, or a server that others run."""
