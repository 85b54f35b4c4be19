"""Draws a sample of refusal questions as a sheet to read and rows to fill in.

The questions of the sheet are those of the manual audit: is the chain resolvable, does the suffix
depend on the broken step, is the cause the one that is given, does nothing hidden show?
"""

from __future__ import annotations

import html
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from realhop_kg.errors import OutputExistsError
from realhop_kg.folder import atomic_folder
from realhop_kg.ids import digest
from realhop_kg.model.record import Record
from realhop_kg.model.refusal_item import RefusalItem
from realhop_kg.refusal.reader import RefusalDataset

__all__ = ["READING_HTML", "READING_ROWS", "ReadChain", "draw", "item_lines", "write_sheet"]

READING_HTML = "reading.html"
READING_ROWS = "reading.jsonl"

_ASKED = {
    "resolvable": "Does each step before the broken one lead to one thing, by its sentence?",
    "depends": "Do the steps behind the broken one depend on it, and make sense?",
    "cause_holds": "Is the cause the first reason why there is no answer, at that step?",
    "nothing_shown": "Does the question name its first entity only, and give no other away?",
    "natural": "Is the question grammatical, and something a person might ask?",
}
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}"
    "section{border-top:1px solid #999;padding:1rem 0}.q{font-size:1.2rem}"
    "li.broken{font-weight:600}blockquote{margin:.2rem 0;color:#444}"
)
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

Label = Literal["", "yes", "no", "unsure"]


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
    yield f"BROKEN ({item.cause}) {chain.defect.question} {item.rationale}"
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
    if out.exists():
        raise OutputExistsError(
            f"{out} exists, and a sheet there may be filled in; choose another --out"
        )
    items = draw(dataset, n, seed)
    rows = [_row(item, dataset.manifest.digest, seed) for item in items]
    with atomic_folder(out) as folder:
        page = "\n".join(_page(rows, dataset.manifest.name))
        (folder / READING_HTML).write_text(page, encoding="utf-8", errors="backslashreplace")
        lines = (json.dumps(row.model_dump(mode="json"), ensure_ascii=False) for row in rows)
        text = "".join(f"{line}\n" for line in lines)
        (folder / READING_ROWS).write_text(text, encoding="utf-8", errors="backslashreplace")
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


def _page(rows: list[ReadChain], name: str) -> Iterator[str]:
    yield "<!doctype html><html lang=en><meta charset=utf-8>"
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield f"<title>Reading sheet of {html.escape(name)}</title><style>{_STYLE}</style>"
    yield f"<h1>{len(rows)} questions of {html.escape(name)}</h1><ol>"
    yield from (f"<li><b>{key}</b>: {html.escape(asked)}" for key, asked in _ASKED.items())
    yield f"</ol><p>Fill in {READING_ROWS}: yes, no or unsure."
    for number, row in enumerate(rows, 1):
        yield f"<section><h2>{number}. {row.cause}, {row.topology}, depth {row.depth}</h2>"
        yield f"<p class=q>{html.escape(row.question)}</p><ol>"
        for step in row.steps:
            mark = " class=broken" if step.startswith("BROKEN") else ""
            yield f"<li{mark}>{html.escape(step)}"
        yield f"</ol><p><code>{html.escape(row.id)}</code></section>"
