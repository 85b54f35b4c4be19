"""Builds refusal questions with models: the way of the rules, its slots filled by models.

Uses of seeds go in waves: as many as questions are missing are under way at a time, and what they
give is taken in the order in which they were begun. So the questions depend on the replies alone,
and not on which of them came first.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from realhop_kg.errors import ContractError
from realhop_kg.ids import digest, rng
from realhop_kg.llm.asking import Models
from realhop_kg.llm.batch import WaitingError
from realhop_kg.model.refusal import Seed, WalkSettings
from realhop_kg.model.refusal_item import LeftOutSeed, RefusalCode, RefusalItem, Topology
from realhop_kg.refusal.annotate import Annotated, Unlinked
from realhop_kg.refusal.models.make import ItemMaker
from realhop_kg.refusal.pipeline import BuildTally, left_out
from realhop_kg.refusal.plan import Cell, Quotas
from realhop_kg.refusal.voices import LinkVoices
from realhop_kg.settings import Backend

__all__ = ["AsyncAnnotator", "ModelBuilder"]

_WAVE = 256
"""Uses of seeds that are under way at a time."""


class AsyncAnnotator(Protocol):
    """Links seeds to pages, and may have to wait for it."""

    async def annotate(self, seed: Seed) -> Annotated | Unlinked:
        """Return a seed with its pages, or why it has none."""
        ...


@dataclass(frozen=True, slots=True)
class _Lost:
    """A use of a seed that gave no question."""

    seed: Seed
    code: RefusalCode
    message: str
    whole: bool
    """Whether the seed can be used nowhere."""


class ModelBuilder:
    """Builds questions from seeds on one index with models.

    Attributes:
        tally: what became of seeds and draws.
        left_out: seeds, and uses of seeds, that gave no question.
        waiting: questions that wait for a reply, by stage.
    """

    def __init__(
        self,
        voices: LinkVoices,
        annotator: AsyncAnnotator,
        models: Models,
        backend: Mapping[str, Backend],
        *,
        seed: int = 0,
        settings: WalkSettings | None = None,
        tries: int = 12,
    ) -> None:
        """Prepare to build.

        Args:
            voices: the index, with names and the rules' wordings.
            annotator: links seeds to pages.
            models: the models.
            backend: who fills each stage.
            seed: seed of every draw.
            settings: which links walks may take.
            tries: chains that are drawn for one use of a seed.
        """
        self.tally = BuildTally()
        self.left_out: list[LeftOutSeed] = []
        self.waiting: Counter[str] = Counter()
        self._annotator, self._seed = annotator, seed
        self._maker = ItemMaker(
            voices, models, backend, self.tally, seed=seed, settings=settings, tries=tries
        )
        self._annotated: dict[str, Annotated | Unlinked] = {}
        self._asking: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._told: set[str] = set()
        self._lost: set[str] = set()
        self._spent: set[tuple[str, Cell]] = set()
        self._wordings: set[str] = set()
        self._paths: set[str] = set()

    async def build(self, seeds: Sequence[Seed], quotas: Quotas) -> AsyncIterator[RefusalItem]:
        """Yield questions until the quotas are filled, no seed gives one more, or one must wait.

        Args:
            seeds: the seeds.
            quotas: how many questions are wanted; what is yielded is counted there.

        Raises:
            ProviderError: if the run has to stop.
        """
        rounds = 0
        while any(quotas.missing(cell) for cell in quotas.wanted):
            turns = {cell: self._turns(seeds, cell, rounds) for cell in quotas.open_cells()}
            found = 0
            while wave := self._wave(turns, quotas):
                outcomes = await self._outcomes(wave, rounds)
                for (seed, cell), outcome in zip(wave, outcomes, strict=True):
                    item = self._taken(seed, cell, outcome, quotas, rounds)
                    if item is not None:
                        found += 1
                        yield item
                if self.waiting:
                    return
            rounds += 1
            if not found:
                return

    def _turns(self, seeds: Sequence[Seed], cell: Cell, rounds: int) -> Iterator[Seed]:
        usable = [seed for seed in seeds if seed.cause is cell.cause]
        rng(self._seed, "order", str(cell), rounds).shuffle(usable)
        return (
            seed
            for seed in usable
            if seed.id not in self._lost and (seed.id, cell) not in self._spent
        )

    def _wave(self, turns: dict[Cell, Iterator[Seed]], quotas: Quotas) -> list[tuple[Seed, Cell]]:
        wave: list[tuple[Seed, Cell]] = []
        for cell, seeds in turns.items():
            for _ in range(quotas.missing(cell)):
                seed = next(seeds, None) if len(wave) < _WAVE else None
                if seed is None:
                    break
                wave.append((seed, cell))
        return wave

    async def _outcomes(
        self, wave: Sequence[tuple[Seed, Cell]], rounds: int
    ) -> list[RefusalItem | _Lost | WaitingError]:
        found = await asyncio.gather(
            *(self._use(seed, cell, rounds) for seed, cell in wave), return_exceptions=True
        )
        outcomes: list[RefusalItem | _Lost | WaitingError] = []
        for outcome in found:
            if isinstance(outcome, BaseException) and not isinstance(outcome, WaitingError):
                raise outcome
            outcomes.append(outcome)
        return outcomes

    def _taken(
        self,
        seed: Seed,
        cell: Cell,
        outcome: RefusalItem | _Lost | WaitingError,
        quotas: Quotas,
        rounds: int,
    ) -> RefusalItem | None:
        """Return a question that is new and fits a quota; note everything else."""
        if isinstance(outcome, WaitingError):
            self.waiting[str(outcome)] += 1
            return None
        if isinstance(outcome, _Lost):
            self._note_lost(seed, cell, outcome, rounds)
            return None
        self._note_linked(seed)
        # The wording decides where a question counts, whatever it was drawn for.
        own = Cell(outcome.cause, outcome.topology, outcome.depth)
        wording = digest(outcome.question.casefold())
        if wording in self._wordings or outcome.id in self._paths:
            lost = _Lost(seed, RefusalCode.W3, "it was asked before", False)
        elif not quotas.missing(own):
            message = f"its wording has depth {own.depth}, of which there are enough"
            lost = _Lost(seed, RefusalCode.K2, message, False)
        else:
            self._wordings.add(wording)
            self._paths.add(outcome.id)
            self.tally.draws["kept"] += 1
            quotas.add(own)
            return outcome
        self.tally.draws[str(lost.code)] += 1
        self._note_lost(seed, cell, lost, rounds)
        return None

    def _note_linked(self, seed: Seed) -> None:
        if seed.id not in self._told:
            self._told.add(seed.id)
            self.tally.seeds[seed.source, "linked"] += 1

    def _note_lost(self, seed: Seed, cell: Cell, lost: _Lost, rounds: int) -> None:
        if lost.whole:
            if seed.id not in self._lost:
                self._lost.add(seed.id)
                self.tally.seeds[seed.source, str(lost.code)] += 1
                self.left_out.append(left_out(seed, lost.code, lost.message))
            return
        self._note_linked(seed)
        self._spent.add((seed.id, cell))
        if not rounds:
            self.left_out.append(left_out(seed, lost.code, lost.message, cell))

    async def _use(self, seed: Seed, cell: Cell, rounds: int) -> RefusalItem | _Lost:
        async with self._asking[seed.id]:  # several cells may want one seed at a time
            if seed.id not in self._annotated:
                self._annotated[seed.id] = await self._annotator.annotate(seed)
        found = self._annotated[seed.id]
        if isinstance(found, Unlinked):
            return _Lost(seed, found.code, found.message, True)
        if cell.topology is not Topology.TERMINAL and found.bridge is None:
            self.tally.draws[str(RefusalCode.L2)] += 1
            return _Lost(seed, RefusalCode.L2, found.no_bridge, False)
        try:
            return await self._maker.make(found, cell, rounds)
        except ContractError as error:
            return _Lost(seed, RefusalCode(error.code), error.message, False)
