"""FRAMES: articles put together from the pages that a question names."""
