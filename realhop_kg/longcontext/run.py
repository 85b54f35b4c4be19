"""Constructs a run of fictional questions in long carriers: `realhop long construct`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path

from realhop_kg.construct.outcome import Constructed, excluded
from realhop_kg.construct.run import construct_all, packed
from realhop_kg.construct.worlds.settings import WorldSettings
from realhop_kg.construct.worlds.world import draw_world
from realhop_kg.errors import ContractError, InputError, Refusal
from realhop_kg.freeze.freeze import Packed
from realhop_kg.freeze.hashes import describe_input, folder_digest
from realhop_kg.freeze.manifest import InputFile, Provenance
from realhop_kg.freeze.terms import source_terms
from realhop_kg.ids import rng
from realhop_kg.longcontext.build import construct_in
from realhop_kg.longcontext.carriers import Carrier, Target, chunks_of, fit
from realhop_kg.longcontext.documents import Document, files_of, read_pool
from realhop_kg.longcontext.generated import generated_documents
from realhop_kg.model.finding import Code
from realhop_kg.model.frozen import ExcludedItem
from realhop_kg.model.item import SourceItem
from realhop_kg.model.record import Record
from realhop_kg.model.text import Passage
from realhop_kg.relations.catalogue import catalogue
from realhop_kg.resources import resource_folder

__all__ = ["DATASET", "LongConfig", "construct_long", "long_provenance"]

DATASET = "longbench"
"""The `dataset` of items in long carriers."""


class LongConfig(Record):
    """Settings of `realhop long construct` that can change its output."""

    dataset: str = DATASET
    worlds: WorldSettings
    seed: int = 0
    least_tokens: int | None = None
    """Wanted length of carriers in words and marks; without one, each document is a carrier."""
    most_tokens: int | None = None

    @property
    def target(self) -> Target | None:
        """The wanted lengths."""
        if self.least_tokens is None or self.most_tokens is None:
            return None
        return Target(self.least_tokens, self.most_tokens)


_DRAWS = 5
"""Questions drawn for one carrier, as long as it holds a name of them."""

_GENERATED = 2
"""Generated text is as many times as long as the longest carrier, so that carriers differ."""


def construct_long(
    config: LongConfig, carrier: Path | None, workers: int = 1
) -> Iterator[Packed | ExcludedItem]:
    """Yield one outcome per item, in order, whatever the worker count.

    Args:
        config: settings of worlds and carriers.
        carrier: the long text: a file, or a folder of files; None generates some.
        workers: number of processes; each holds the documents.

    Raises:
        InputError: if the carrier cannot be read, or is to be generated without a length.
    """
    _pool(config, carrier)
    numbered = (_numbered(number) for number in range(1, config.worlds.items + 1))
    work = partial(_construct, config, carrier)
    yield from construct_all(numbered, config.seed, workers, work)


def _numbered(number: int) -> SourceItem:
    """Return an item of which only the number is known: its question is drawn where it is built."""
    return SourceItem(
        dataset=DATASET, id=f"w{number:06}", question="", answer="", passages=(), hops=(),
        line=number,
    )  # fmt: skip


def _construct(
    config: LongConfig, carrier: Path | None, numbered: SourceItem, seed: int
) -> Packed | ExcludedItem:
    name = carrier.name if carrier else "generated text"
    place = {"dataset": DATASET, "file": name, "line": numbered.line}
    try:
        held = _carrier(config, _pool(config, carrier), numbered.line)
    except Refusal as refusal:
        found = excluded(numbered.model_copy(update=place), "plan", refusal)
        # It says what to do; the advice of the contract is for an item that has its passages.
        return found.model_copy(update={"message": refusal.message})
    try:
        chunks = chunks_of(held)
        outcome = _drawn(config, 0, chunks, place, seed)
        for again in range(1, _DRAWS):
            if not (isinstance(outcome, ExcludedItem) and outcome.code == Code.R3):
                break
            outcome = _drawn(config, again, chunks, place, seed)
    except ContractError as error:
        return excluded(numbered.model_copy(update=place), "plan", error)
    return packed(outcome)


def _drawn(
    config: LongConfig,
    again: int,
    chunks: tuple[Passage, ...],
    place: Mapping[str, object],
    seed: int,
) -> Constructed | ExcludedItem:
    """Construct the question of an item, or another that the carrier holds no name of."""
    relations = catalogue()
    worlds = config.worlds.model_copy(update={"seed": config.worlds.seed + again * 1_000_003})
    question = draw_world(worlds, int(str(place["line"])), relations)
    return construct_in(question.model_copy(update=place), chunks, relations, seed)


def _pool(config: LongConfig, carrier: Path | None) -> tuple[Document, ...]:
    if carrier is not None:
        return _read(carrier)
    if config.most_tokens is None:
        raise InputError(
            "text is generated to a length: name it with --target-tokens, or name TEXT"
        )
    return _generated(_GENERATED * config.most_tokens, config.seed)


@lru_cache(maxsize=1)
def _read(carrier: Path) -> tuple[Document, ...]:
    return tuple(read_pool(carrier)[0])


@lru_cache(maxsize=1)
def _generated(tokens: int, seed: int) -> tuple[Document, ...]:
    return tuple(generated_documents(tokens, seed))


def _carrier(config: LongConfig, pool: tuple[Document, ...], number: int) -> Carrier:
    """Return the carrier of an item.

    Raises:
        Refusal: H1 if the documents are too few for the wanted length.
    """
    if config.target is None:
        one = pool[(number - 1) % len(pool)]
        return Carrier((one,), one.tokens)
    draw = rng(config.seed, DATASET, number, "carrier")
    wanted = config.target.draw(draw)
    found = fit(pool, wanted, draw)
    if found is None:
        raise Refusal("H1", _why_none(pool, wanted))
    return found


def _why_none(pool: tuple[Document, ...], wanted: int) -> str:
    """Return why no documents make a carrier of a wanted length, and what to do."""
    held, shortest = sum(each.tokens for each in pool), min(each.tokens for each in pool)
    there = f"{len(pool):,} document{'s' if len(pool) > 1 else ''} with {held:,} tokens in all"
    if held < wanted:
        return f"{there} do not fill {wanted:,}; add text, or lower --target-tokens"
    told = f"of {there} no choice comes near {wanted:,}"
    if shortest > wanted:
        told = f"even the shortest of {there} is longer than {wanted:,}: it has {shortest:,}"
    return (
        f"{told}, and documents are taken whole; split long documents into several files, or "
        "change --target-tokens"
    )


def long_provenance(config: LongConfig, worlds: Path | None, carrier: Path | None) -> Provenance:
    """Return where a dataset in long carriers comes from.

    Raises:
        InputError: if a file cannot be read.
    """
    try:
        inputs = [describe_input(worlds)] if worlds else []
        inputs += _described(carrier) if carrier else []
    except OSError as error:
        raise InputError(f"{error.filename} cannot be read: {error.strerror}") from error
    return Provenance(
        name=f"realhop-{DATASET}",
        dataset=DATASET,
        seed=config.seed,
        config=config.model_dump(mode="json"),
        inputs=tuple(inputs),
        catalogue=folder_digest(resource_folder("relations"), resource_folder("construct")),
        terms=source_terms(DATASET if carrier else "fictional"),
    )


def _described(carrier: Path) -> list[InputFile]:
    if not carrier.is_dir():
        return [describe_input(carrier)]
    return [
        describe_input(each).model_copy(update={"file": each.relative_to(carrier).as_posix()})
        for each in files_of(carrier)
    ]
