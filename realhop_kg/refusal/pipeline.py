"""Builds refusal questions: annotate, walk, set in, fuse, check, audit - the paper's way, in order.

Each question is drawn by a generator of its own, seeded by (seed, seed question, cell, attempt), so
the same index, seeds and settings give the same questions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from random import Random

from realhop_kg.errors import ContractError
from realhop_kg.graph.hyperlinks.coherence import Bm25Coherence, Coherence
from realhop_kg.graph.hyperlinks.walk import ranked
from realhop_kg.ids import digest, rng
from realhop_kg.model.refusal import Seed, WalkSettings
from realhop_kg.model.refusal_item import (
    LeftOutSeed,
    RefusalCode,
    RefusalFinding,
    RefusalItem,
    StepWording,
    Topology,
)
from realhop_kg.refusal.annotate import Annotated, Annotator, Unlinked
from realhop_kg.refusal.balance import CROWDED, Balance, Spare, relation_of
from realhop_kg.refusal.draw import ChainDraws, Drawn
from realhop_kg.refusal.frames import frames
from realhop_kg.refusal.fuse import Fuser
from realhop_kg.refusal.plan import Cell, Quotas
from realhop_kg.refusal.quality import check_question
from realhop_kg.refusal.repair import Repairs
from realhop_kg.refusal.voices import LinkVoices

__all__ = ["BuildTally", "Builder", "left_out"]

_ALIKE = 1
"""Hops of a chain worded alike, two of four; more in the second half and the last quarter."""
_TURNS = 2
"""Turns without a question after which a seed gets no more of them in a cell."""
_OTHERWISE = 32
"""Other wordings of one chain that are tried."""


def _otherwise(ways: Sequence[Sequence[StepWording]]) -> Iterator[list[StepWording]]:
    """Yield the hops of a chain with some of them said otherwise, one changed before two."""
    places = [range(len(way)) for way in ways]
    for chosen in sorted(product(*places), key=lambda chosen: (sum(map(bool, chosen)), chosen)):
        if any(chosen):
            yield [way[place] for way, place in zip(ways, chosen, strict=True)]


def _varied(ways: Sequence[Sequence[StepWording]], draws: Random) -> list[tuple[StepWording, ...]]:
    """Return the hops' wordings with another one first where an earlier hop is said alike."""
    used: Counter[str] = Counter()
    turned = []
    for way in ways:
        if way:
            group = frames()[way[0].frame].alike or way[0].frame
            if group not in used:
                used[group] = draws.randrange(len(way))
            first = used[group] % len(way)
            used[group] += 1
            way = (*way[first:], *way[:first])
        turned.append(tuple(way))
    return turned


@dataclass(slots=True)
class BuildTally:
    """What became of seeds and draws.

    Attributes:
        seeds: seeds by (source, what became of them).
        draws: draws by outcome: kept, or the code of what did not hold.
        repairs: questions that failed a check: adjusted, rebuilt, rejected.
    """

    seeds: Counter[tuple[str, str]] = field(default_factory=Counter)
    draws: Counter[str] = field(default_factory=Counter)
    repairs: Counter[str] = field(default_factory=Counter)


class Builder:
    """Builds questions from seeds on one index.

    Attributes:
        tally: what became of seeds and draws.
        left_out: seeds, and uses of seeds, that gave no question.
    """

    def __init__(
        self,
        voices: LinkVoices,
        annotator: Annotator,
        fuser: Fuser,
        *,
        seed: int = 0,
        settings: WalkSettings | None = None,
        coherence: Coherence | None = None,
        tries: int = 12,
    ) -> None:
        """Prepare to build.

        Args:
            voices: the index, with the wordings of its links.
            annotator: links seeds to pages.
            fuser: words chains.
            seed: seed of every draw.
            settings: which links walks may take.
            coherence: ranks the candidates of a step.
            tries: walks that are drawn for one use of a seed.
        """
        self.tally = BuildTally()
        self.left_out: list[LeftOutSeed] = []
        self._voices, self._annotator, self._fuser = voices, annotator, fuser
        self._seed, self._tries = seed, tries
        self._coherence = coherence or Bm25Coherence()
        self._chains = ChainDraws(voices, self._coherence, settings, self._says, self._says_onward)
        self._balance = Balance()
        self._avoided = Balance().crowded()
        self._wordings: set[str] = set()
        self._paths: set[str] = set()
        self._failed: Counter[tuple[str, Cell]] = Counter()
        self._unused: dict[tuple[str, Cell], LeftOutSeed] = {}

    def build(self, seeds: Iterable[Seed], quotas: Quotas) -> Iterator[RefusalItem]:
        """Yield questions until the quotas are filled or no seed gives one more.

        Args:
            seeds: the seeds, each used once per cell and round at most.
            quotas: how many questions are wanted; what is yielded is counted there.
        """
        linked = list(self._linked(seeds))
        rounds = 0
        while any(quotas.missing(cell) for cell in quotas.wanted):
            found = 0
            for cell in quotas.open_cells():
                for item in self._fill(linked, cell, quotas, rounds):
                    found += 1
                    yield item
            rounds += 1
            if not found and rounds >= _TURNS:
                break
        self.left_out.extend(self._unused.values())

    def _linked(self, seeds: Iterable[Seed]) -> Iterator[Annotated]:
        for seed in seeds:
            found = self._annotator.annotate(seed)
            if isinstance(found, Unlinked):
                self.tally.seeds[seed.source, str(found.code)] += 1
                self.left_out.append(left_out(seed, found.code, found.message))
                continue
            self.tally.seeds[seed.source, "linked"] += 1
            yield found

    def _fill(
        self, linked: Sequence[Annotated], cell: Cell, quotas: Quotas, rounds: int
    ) -> Iterator[RefusalItem]:
        usable = [
            found
            for found in linked
            if found.seed.cause is cell.cause and self._failed[found.seed.id, cell] < _TURNS
        ]
        # Seeds take turns: which one comes first differs from cell to cell.
        rng(self._seed, "order", str(cell), rounds).shuffle(usable)
        spares: list[Spare] = []
        for found in usable:
            if not quotas.missing(cell):
                return
            made = self._use(found, cell, rounds)
            if made is not None and made.excess:
                spares.append(made)
            elif made is not None:
                quotas.add(cell)
                yield self._kept(made.item)
        # What leans on crowded relations comes last, where no other seed could fill the cell.
        for made in sorted(spares, key=lambda spare: spare.excess):
            if quotas.missing(cell) and self._is_new(made.item):
                quotas.add(cell)
                self.tally.draws[CROWDED] -= 1
                yield self._kept(made.item)

    def _use(self, found: Annotated, cell: Cell, rounds: int) -> Spare | None:
        """Return one question of a seed in a cell, or None; the last reason is kept."""
        reason = (RefusalCode.W1, "no path")
        use = found.seed.id, cell
        if cell.topology is not Topology.TERMINAL and found.bridge is None:
            self.tally.draws[str(RefusalCode.L2)] += 1
            self._failed[use] = _TURNS
            self._unused[use] = left_out(found.seed, RefusalCode.L2, found.no_bridge, cell)
            return None
        repairs = Repairs(self.tally.repairs)
        spare: Spare | None = None
        # Every other walk may go anywhere: there may be no other way.
        for attempt, way in product(range(self._tries), ((), ("freely",))):
            self._avoided = (Balance() if way else self._balance).crowded()
            draws = rng(self._seed, found.seed.id, str(cell), rounds, attempt, *way)
            try:
                item, findings = self._mended(found, cell, draws, attempt + 1, repairs)
            except ContractError as error:
                reason = (RefusalCode(error.code), error.message)
                self.tally.draws[str(error.code)] += 1
                continue
            if not findings and self._is_new(item):
                made = Spare(self._balance.excess(item), item)
                spare = made if spare is None else min(spare, made, key=lambda one: one.excess)
                if not made.excess:
                    break
                self.tally.draws[CROWDED] += 1
                continue
            code = findings[0].code if findings else RefusalCode.W3
            reason = (code, findings[0].message if findings else "it was asked before")
            self.tally.draws[str(code)] += 1
            if findings and not repairs.rebuild():
                break
        if spare is not None:
            self._unused.pop(use, None)
            repairs.settle()
            return spare
        repairs.reject()
        self._failed[use] += 1
        if not rounds:
            self._unused[use] = left_out(found.seed, *reason, cell)
        return None

    def _mended(
        self, found: Annotated, cell: Cell, draws: Random, tries: int, repairs: Repairs
    ) -> tuple[RefusalItem, list[RefusalFinding]]:
        """Return one question and what does not hold of it, its hops said otherwise if need be.

        Raises:
            ContractError: if there is no path, or it cannot be set in or worded.
        """
        drawn = ranked(self._chains.steps(found, cell, draws), self._coherence)
        ways = _varied([self._voices.wordings(*link) for link in drawn.links], draws)
        said = [way[0] for way in ways if way]
        alike = Counter(frames()[step.frame].alike or step.frame for step in said).most_common(1)
        if alike and alike[0][1] > self._allowed(len(ways), tries):
            message = f"{alike[0][1]} of its hops are worded alike ({alike[0][0]}); walk again"
            raise ContractError(RefusalCode.L4, message, (found.seed.id,))
        item = self._worded(drawn, said, tries)
        findings = check_question(item)
        others = list(islice(_otherwise(ways), _OTHERWISE)) if findings else []
        if others and repairs.adjust():
            for other in others:
                changed = self._worded(drawn, other, tries)
                if not check_question(changed):
                    return changed, []
        return item, findings

    def _allowed(self, hops: int, tries: int) -> int:
        """Return how many hops of a chain may be worded alike at a draw."""
        return _ALIKE + (hops > 3) + (tries > self._tries // 2) + (tries > self._tries * 3 // 4)

    def _worded(self, drawn: Drawn, steps: Sequence[StepWording], tries: int) -> RefusalItem:
        question = self._fuser.fuse(drawn.chain, steps, drawn.start)
        return drawn.item(question, self._fuser.name, tries, steps=tuple(steps))

    def _says(self, source: int, target: int) -> bool:
        return self._voices.says(source, target) and self._is_free(source, target)

    def _says_onward(self, source: int, target: int) -> bool:
        return self._voices.says_onward(source, target) and self._is_free(source, target)

    def _is_free(self, source: int, target: int) -> bool:
        (relations, links), titles = self._avoided, self._voices.graph.titles
        step = self._voices.wording(source, target)
        if step is None or relation_of(step) in relations:
            return step is None
        return not links or (titles[source], titles[target]) not in links

    def _is_new(self, item: RefusalItem) -> bool:
        wording = digest(item.question.casefold())
        return wording not in self._wordings and item.id not in self._paths

    def _kept(self, item: RefusalItem) -> RefusalItem:
        """Return a question, and remember it."""
        self._wordings.add(digest(item.question.casefold()))
        self._paths.add(item.id)
        self._balance.take(item)
        self.tally.draws["kept"] += 1
        return item


def left_out(seed: Seed, code: RefusalCode, message: str, cell: Cell | None = None) -> LeftOutSeed:
    """Return a seed, or its use in one cell, as what a dataset lists as left out."""
    return LeftOutSeed(
        id=seed.id,
        source=seed.source,
        cause=seed.cause,
        topology=cell.topology if cell else "",
        depth=cell.depth if cell else 0,
        code=code,
        message=message,
        question=seed.question,
    )
