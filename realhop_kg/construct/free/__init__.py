"""Reads steps in plain words that no catalogue relation covers, by families of allowed phrases.

A free relation lives for one item. It is made only of phrases that `phrases/*.yaml` lists, each
read beside its bank of near-misses (`banks.yaml`); what is outside them is refused.
"""
