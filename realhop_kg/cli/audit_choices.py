"""Reads the options of `realhop audit --choices`: what `realhop long choices` froze."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from realhop_kg.audit.choices import Optionless
    from realhop_kg.freeze.reader import FrozenDataset

__all__ = ["FrozenOptions", "frozen_options"]


@dataclass(frozen=True)
class FrozenOptions:
    """The options of a dataset.

    Attributes:
        options: by item that has four, in the order A to D.
        left_out: the items that have none, and why.
    """

    options: dict[str, tuple[str, ...]]
    left_out: tuple[Optionless, ...]


def frozen_options(path: Path, dataset: FrozenDataset, limit: int | None) -> FrozenOptions:
    """Return the options of a file for the items of a dataset.

    Args:
        path: what `realhop long choices` wrote.
        dataset: the dataset that is audited.
        limit: items that are audited at most.

    Raises:
        InputError: if the file is none, or its options are not those of this dataset.
    """
    from itertools import islice

    from realhop_kg.audit.choices import Optionless
    from realhop_kg.errors import InputError
    from realhop_kg.longcontext.choices import LETTERS, read_choices

    found = read_choices(path)
    options: dict[str, tuple[str, ...]] = {}
    left_out = []
    for item in islice(dataset.items(), limit):
        chosen = found.get(item.id)
        if chosen is None or chosen.infeasible:
            reason = chosen.infeasible if chosen else f"{path.name} has no options for it"
            left_out.append(Optionless(id=item.id, reason=reason))
            continue
        gold = chosen.options[LETTERS.index(chosen.letter)]
        if (chosen.question, gold) != (item.question, item.answer):
            raise InputError(
                f"{path}: the options of {item.id} belong to another question or answer; write "
                f"them anew with `realhop long choices {dataset.folder}`"
            )
        options[item.id] = chosen.options
    if not options:
        raise InputError(
            f"{path} has options for no item of {dataset.folder}; write them with `realhop long "
            f"choices {dataset.folder} --out FILE`"
        )
    return FrozenOptions(options, tuple(left_out))
