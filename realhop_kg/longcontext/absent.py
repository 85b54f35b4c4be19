"""Finds which of many names a long text holds, in one pass of an Aho-Corasick automaton."""

from __future__ import annotations

from collections.abc import Iterable

from realhop_kg.contracts.occurrence import Haystack

__all__ = ["names_held"]


def names_held(names: Iterable[str], texts: Iterable[str]) -> frozenset[str]:
    """Return the names that occur in some texts, as contract R3 understands it.

    Case is folded, and no letter or digit may touch a name. The automaton reads the folded texts
    once for all names; what it finds is then looked at closely.

    Args:
        names: none empty.
        texts: the passages of a carrier.
    """
    from ahocorasick_rs import AhoCorasick, Implementation

    folded: dict[str, list[str]] = {}
    for name in names:
        key = name.casefold().strip()
        if key:
            folded.setdefault(key, []).append(name)
    if not folded:
        return frozenset()
    keys = list(folded)
    automaton = AhoCorasick(keys, implementation=Implementation.ContiguousNFA)
    found: set[str] = set()
    for text in texts:
        # Overlapping, since a name that is part of another must not hide it.
        near = {
            keys[at]
            for at, _, _ in automaton.find_matches_as_indexes(text.casefold(), overlapping=True)
        } - found
        if near:
            haystack = Haystack(text)
            found |= {key for key in near if haystack.holds(key)}
    return frozenset(name for key in found for name in folded[key])
