"""Draws a sample of refusal questions as a sheet to read and rows to fill in.

The questions of the sheet are those of the manual audit: is the chain resolvable, does the suffix
depend on the broken step, is the cause the one that is given, does nothing hidden show?
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from realhop_kg.ids import digest
from realhop_kg.model.record import Record
from realhop_kg.model.refusal_item import RefusalItem
from realhop_kg.quality.markup import (
    Asked,
    Label,
    closing,
    judgement,
    opening,
    sheet_folder,
    tag,
)
from realhop_kg.refusal.reader import RefusalDataset

__all__ = ["ReadChain", "draw", "item_lines", "write_sheet"]

_ASKED = (
    Asked("resolvable", "Does each step before the broken one lead to one thing, by its sentence?"),
    Asked("depends", "Do the steps behind the broken one depend on it, and make sense?"),
    Asked("cause_holds", "Is the cause the first reason why there is no answer, at that step?"),
    Asked("nothing_shown", "Does the question name its first entity only, and show no other?"),
    Asked("natural", "Is the question grammatical, and something a person might ask?"),
)
_ADVICE = (
    "Judge each question by its steps and the sentences behind them, which stand in reading order; "
    "the broken step has no answer on purpose, for the cause and reason given."
)
_BROKEN = "BROKEN"


class ReadChain(Record):
    """One question of a sheet, with the labels to fill."""

    id: str
    resolvable: Label = ""
    depends: Label = ""
    cause_holds: Label = ""
    nothing_shown: Label = ""
    natural: Label = ""
    reader: str = ""
    comment: str = ""
    question: str
    cause: str
    topology: str
    depth: int
    rationale: str
    steps: tuple[str, ...]
    """The chain in reading order, the broken step among it."""
    digest: str
    """Of the dataset that was read."""
    seed: int
    """Of the sample."""


def draw(dataset: RefusalDataset, n: int, seed: int) -> list[RefusalItem]:
    """Return a sample that takes turns over causes and topologies, so that each is read.

    A question's rank depends on seed and key alone: a larger sample contains the smaller one.

    Args:
        dataset: the dataset.
        n: how many questions.
        seed: of the draw.
    """
    ranked = sorted(dataset.items(), key=lambda item: digest(seed, "reading", item.id))
    turns: Counter[tuple[str, str]] = Counter()
    placed = []
    for rank, item in enumerate(ranked):
        cell = str(item.cause), str(item.topology)
        placed.append((turns[cell], rank, item))
        turns[cell] += 1
    return [item for _, _, item in sorted(placed, key=lambda entry: entry[:2])[:n]]


def item_lines(item: RefusalItem) -> Iterator[str]:
    """Yield the chain of a question in reading order, each step with the sentence behind it."""
    chain = item.chain
    for link in chain.prefix:
        yield f"{link.source} -> {link.target}: {link.sentence}"
    yield f"{_BROKEN} ({item.cause}) {chain.defect.question} {item.rationale}"
    for link in chain.suffix:
        yield f"{link.source} -> {link.target}: {link.sentence}"


def write_sheet(dataset: RefusalDataset, n: int, seed: int, out: Path) -> list[RefusalItem]:
    """Write `reading.html`, and `reading.jsonl` to fill in; return what was drawn.

    Args:
        dataset: the dataset.
        n: how many questions.
        seed: of the draw.
        out: folder to write.

    Raises:
        OutputExistsError: if the folder exists, since a sheet there may be filled in.
        InputError: if the dataset cannot be read or the folder not be written.
    """
    with sheet_folder(out) as sheet:
        items = draw(dataset, n, seed)
        manifest = dataset.manifest
        said = f"{len(items)} of {manifest.counts.constructed} questions, by cause and topology"
        sheet.page.write(opening(manifest.name, manifest.digest, seed, said, _ASKED, _ADVICE))
        for number, item in enumerate(items, 1):
            row = _row(item, manifest.digest, seed)
            sheet.add(_section(number, len(items), row), row)
        sheet.page.write(closing())
    return items


def _row(item: RefusalItem, dataset_digest: str, seed: int) -> ReadChain:
    return ReadChain(
        id=item.id,
        question=item.question,
        cause=str(item.cause),
        topology=str(item.topology),
        depth=item.depth,
        rationale=item.rationale,
        steps=tuple(item_lines(item)),
        digest=dataset_digest,
        seed=seed,
    )


def _section(number: int, total: int, row: ReadChain) -> str:
    steps = (
        tag("li", tag("b", step) if step.startswith(_BROKEN) else step, class_="step")
        for step in row.steps
    )
    said = f"{row.id} · {row.cause}, {row.topology}, depth {row.depth}"
    section = tag(
        "section",
        tag("h2", f"{number} of {total} ", tag("small", said)),
        tag("p", row.question, class_="question"),
        tag("h3", "Its chain"),
        tag("ol", *steps),
        tag("h3", "Judgement"),
        judgement(number, _ASKED),
        id=f"item-{number}",
    )
    return f"{section}\n"
