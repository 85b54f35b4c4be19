"""Freezes constructed items into a dataset folder, reads it, and verifies it from its files."""
