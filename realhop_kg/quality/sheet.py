"""Draws a sample of a dataset, stratified by hops, as a sheet to read and rows to fill in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.ids import digest
from realhop_kg.model.record import Record
from realhop_kg.quality.markup import READING_HTML, READING_ROWS, closing, opening, sheet_folder
from realhop_kg.quality.page import ADVICE, QUESTIONS, item_section
from realhop_kg.quality.reading import reading, shown_passages

__all__ = ["READING_HTML", "READING_ROWS", "Sample", "draw", "quotas", "write_sheet"]


class Sample(Record):
    """Which items a sheet has."""

    digest: str
    """Of the dataset."""
    seed: int
    asked: int
    """How many items were asked for."""
    of: dict[int, int]
    """Items of the dataset by number of hops."""
    drawn: dict[int, int]
    """Items of the sheet by number of hops."""
    items: tuple[str, ...]
    """Their keys, in the order of the sheet."""

    @property
    def sentence(self) -> str:
        """What the sheet holds, in words."""
        parts = ", ".join(
            f"{n} of {self.of[hops]} with {hops} hops" for hops, n in self.drawn.items()
        )
        if len(self.items) < self.asked:
            return f"all {len(self.items)} items, fewer than the {self.asked} asked for: {parts}"
        return f"{len(self.items)} of {sum(self.of.values())} items: {parts}"


def quotas(strata: Mapping[int, int], n: int) -> dict[int, int]:
    """Share out a sample over strata by largest remainder.

    Source: REALHOP, Appendix J.1, whose quotas it gives.

    Args:
        strata: size by stratum.
        n: size of the sample; if it exceeds the whole, the whole is returned.

    Examples:
        >>> quotas({2: 430, 3: 244, 4: 116}, 100)
        {2: 54, 3: 31, 4: 15}
    """
    whole = sum(strata.values())
    if n >= whole:
        return dict(sorted(strata.items()))
    shares = {stratum: divmod(n * size, whole) for stratum, size in sorted(strata.items())}
    left = n - sum(floor for floor, _ in shares.values())
    ranked = sorted(shares, key=lambda stratum: (-shares[stratum][1], stratum))
    return {stratum: floor + (stratum in ranked[:left]) for stratum, (floor, _) in shares.items()}


def draw(dataset: FrozenDataset, n: int, seed: int) -> Sample:
    """Draw items, stratified by their number of hops.

    An item's rank depends on seed and key alone: a larger sample of one stratum contains the
    smaller one, and other items do not matter.

    Args:
        dataset: the dataset.
        n: how many items.
        seed: of the draw.
    """
    ranks: dict[int, list[tuple[str, str]]] = {}
    for item in dataset.items():
        rank = digest(seed, "reading", item.id)
        ranks.setdefault(len(item.hops), []).append((rank, item.id))
    sizes = {hops: len(some) for hops, some in sorted(ranks.items())}
    wanted = quotas(sizes, n)
    # In the order of ranks, so that whoever stops early has read items of every kind.
    drawn = sorted(pair for hops, some in ranks.items() for pair in sorted(some)[: wanted[hops]])
    return Sample(
        digest=dataset.manifest.digest,
        seed=seed,
        asked=n,
        of=sizes,
        drawn=wanted,
        items=tuple(key for _, key in drawn),
    )


def write_sheet(dataset: FrozenDataset, n: int, seed: int, out: Path) -> Sample:
    """Write the reading sheet of a sample: `reading.html`, and `reading.jsonl` to fill in.

    Both have the same items in the same order. They hold no answer of any model.

    Args:
        dataset: the dataset.
        n: how many items.
        seed: of the draw.
        out: folder to write.

    Raises:
        OutputExistsError: if the folder exists, since a sheet there may be filled in.
        InputError: if the dataset cannot be read or the folder not be written.
    """
    with sheet_folder(out) as sheet:
        sample = draw(dataset, n, seed)
        name = dataset.manifest.name
        sheet.page.write(opening(name, sample.digest, seed, sample.sentence, QUESTIONS, ADVICE))
        for number, key in enumerate(sample.items, 1):
            graph = dataset.graph(key)
            row = reading(dataset.item(key), graph, dataset.predicates_of(key), sample.digest, seed)
            section = item_section(number, len(sample.items), row, shown_passages(graph))
            sheet.add(section, row)
        sheet.page.write(closing())
    return sample
