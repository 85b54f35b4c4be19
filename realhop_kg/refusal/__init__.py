"""Refusal questions: seeds set into walked chains, worded, checked and frozen."""
