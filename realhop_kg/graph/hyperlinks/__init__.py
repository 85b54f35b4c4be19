"""The hyperlink graph of a whole Wikipedia, on disk, and the walks on it."""
