"""Placement and checks in a carrier of two megabytes: time and memory."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.memory import peak_of
from bench.rows import Row, fastest
from realhop_kg.construct.outcome import Constructed
from realhop_kg.construct.worlds.settings import WorldSettings
from realhop_kg.construct.worlds.world import draw_world
from realhop_kg.contracts.check import check_item
from realhop_kg.errors import RealHopError
from realhop_kg.graph.operators.write import insertions_of
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import EntityNode, PassageNode
from realhop_kg.longcontext.build import construct_in
from realhop_kg.longcontext.carriers import Carrier, chunks_of
from realhop_kg.longcontext.documents import Document
from realhop_kg.longcontext.generated import generated_documents
from realhop_kg.model.entity import Origin
from realhop_kg.model.item import SourceItem
from realhop_kg.model.text import Passage
from realhop_kg.relations.catalogue import catalogue

__all__ = ["rows"]

_BYTES = 2_000_000
_SMALL = 100_000


def rows(quick: bool) -> Iterator[Row]:
    """Yield the rows of this figure."""
    documents = _documents(_BYTES)
    carrier = Carrier(tuple(documents), sum(each.tokens for each in documents))
    chunks = chunks_of(carrier)
    relations = catalogue()
    settings = WorldSettings(answers="names", passages=0, ambiguity=0, shapes=("1>2,2>3,3>4",))
    questions = [draw_world(settings, number, relations) for number in range(1, 3 if quick else 6)]
    built = [_built(question, chunks) for question in questions]

    def ours() -> None:
        for question in questions:
            _built(question, chunks)

    def checks() -> None:
        for graph in built:
            check_item(graph, relations.predicates, relations.types.parents, plan_time=True)

    def plain() -> None:
        for graph in built:
            plain_placement(graph)

    turns = 2 if quick else 5
    placed, checked, found = (
        spent / len(built) for spent in fastest(ours, checks, plain, repeats=turns)
    )
    yield Row(
        "4 hops in a 2 MB carrier",
        f"{placed:.3f} s an item",
        f"{found:.3f} s",
        f"{placed / found:.1f}x its time",
        f"plan, coin, place and check ({checked:.3f} s of it all {_codes()} codes); under 1 s: "
        f"{'yes' if placed < 1 else 'NO'}. Peer: str.find for each name in the text, and the same "
        "sentences set in by slices and found again, nothing planned and nothing proved",
    )
    with tempfile.TemporaryDirectory() as folder:
        small, large = (_peak(Path(folder), size) for size in (_SMALL, _BYTES))
    times = (large - small) / (_BYTES - _SMALL)
    yield Row(
        "peak memory of realhop long construct, 2 MB",
        f"{large / 2**20:.1f} MiB",
        f"{small / 2**20:.1f} MiB",
        f"{times:.1f}x the carrier",
        f"peer: itself with a carrier of 0.1 MB; under 10x: {'yes' if times < 10 else 'NO'}",
    )


def _codes() -> int:
    from realhop_kg.contracts.check import CHECKS

    return len(CHECKS)


def _documents(size: int) -> list[Document]:
    """Return generated documents of about as many characters, for ASCII text bytes, together."""
    documents = generated_documents(size // 5, seed=1)
    kept: list[Document] = []
    total = 0
    for each in documents:
        if total >= size:
            break
        kept.append(each)
        total += len(each.text)
    return kept


def _built(question: SourceItem, chunks: tuple[Passage, ...]) -> ReasoningGraph:
    outcome = construct_in(question, chunks, catalogue(), seed=0)
    if not isinstance(outcome, Constructed):
        raise RealHopError(f"the bench's own item was excluded: {outcome.message}")
    return outcome.graph


def plain_placement(graph: ReasoningGraph) -> int:
    """Look for the names of an item in its carrier, set its sentences in and find them again.

    Returns:
        How many names and sentences were looked for.
    """
    passages = sorted(graph.nodes(PassageNode), key=lambda node: node.index)
    text = "\n\n".join(passage.text for passage in passages)
    names = [e.surface for e in graph.nodes(EntityNode) if e.origin is Origin.VIRTUAL]
    folded = text.casefold()
    held = [name for name in names if folded.find(name.casefold()) >= 0]
    starts: dict[int, int] = {}
    at = 0
    for passage in passages:
        starts[passage.index] = at
        at += len(passage.text) + 2
    added = [
        (starts[index] + each.offset, each.order, each.text)
        for index, some in insertions_of(graph).items()
        for each in some
    ]
    for offset, _, sentence in sorted(added, reverse=True):
        text = text[:offset] + sentence + text[offset:]
    missing = [sentence for _, _, sentence in added if text.find(sentence) < 0]
    if held or missing:
        raise RealHopError(f"names held {held}, sentences missing {missing}")
    return len(names) + len(added)


def _peak(folder: Path, size: int) -> int:
    text = folder / str(size)
    text.mkdir()
    order = _documents(size)
    random.Random(0).shuffle(order)
    for number, each in enumerate(order):
        (text / f"{number}.txt").write_text(each.text, encoding="utf-8")
    tokens = sum(each.tokens for each in order) * 9 // 10
    words: Sequence[str] = ("long", "construct", str(text), "--items", "2")
    return peak_of(*words, "--target-tokens", str(tokens), "--out", str(folder / f"out-{size}"))
