"""Finds where two JSON values differ."""

from __future__ import annotations

from collections.abc import Iterator

from realhop_kg.jsonl import canonical

__all__ = ["differences"]

_SHOWN = 60


def differences(left: object, right: object, path: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield (dotted path, left, right) for each innermost place where two JSON values differ.

    Examples:
        >>> list(differences({"hops": [{"answer": "Ask"}]}, {"hops": [{"answer": "Orm"}]}))
        [('hops.0.answer', '"Ask"', '"Orm"')]
        >>> list(differences({"a": 1}, {}))
        [('a', '1', 'nothing')]
        >>> list(differences(["a"], []))
        [('', '1 entries', '0 entries')]
    """
    if isinstance(left, dict) and isinstance(right, dict):
        for key in sorted(left.keys() | right.keys()):
            place = f"{path}.{key}" if path else key
            if key in left and key in right:
                yield from differences(left[key], right[key], place)
            else:
                yield place, _entry(left, key), _entry(right, key)
    elif isinstance(left, list) and isinstance(right, list):
        if len(left) != len(right):
            yield path, f"{len(left)} entries", f"{len(right)} entries"
        for index, (one, other) in enumerate(zip(left, right, strict=False)):
            yield from differences(one, other, f"{path}.{index}" if path else str(index))
    elif left != right or type(left) is not type(right):
        here, there = _around(left, right)
        yield path, here, there


def _entry(value: dict[str, object], key: str) -> str:
    return _shown(value[key]) if key in value else "nothing"


def _around(left: object, right: object) -> tuple[str, str]:
    """Show two values; of long texts, the part where they begin to differ."""
    if isinstance(left, str) and isinstance(right, str):
        pairs = enumerate(zip(left, right, strict=False))
        at = next((at for at, (one, other) in pairs if one != other), min(len(left), len(right)))
        if at > _SHOWN // 2:
            start = at - _SHOWN // 4
            return _shown("…" + left[start:]), _shown("…" + right[start:])
    return _shown(left), _shown(right)


def _shown(value: object) -> str:
    text = canonical(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
