"""Builds refusal questions: annotate, walk, set in, fuse, check, audit - the paper's way, in order.

Each question is drawn by a generator of its own, seeded by (seed, seed question, cell, attempt), so
the same index, seeds and settings give the same questions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain as joined
from itertools import pairwise
from random import Random

from realhop_kg.errors import ContractError
from realhop_kg.graph.hyperlinks.coherence import Bm25Coherence, Coherence
from realhop_kg.graph.hyperlinks.walk import Walk, Walker
from realhop_kg.ids import digest, rng
from realhop_kg.model.refusal import Seed, WalkSettings
from realhop_kg.model.refusal_item import (
    Defect,
    LeftOutSeed,
    RefusalChain,
    RefusalCode,
    RefusalItem,
    Topology,
)
from realhop_kg.refusal.annotate import Annotated, Annotator, Unlinked
from realhop_kg.refusal.clauses import plain_title
from realhop_kg.refusal.fuse import Fuser
from realhop_kg.refusal.plan import Cell, Quotas
from realhop_kg.refusal.quality import check_question
from realhop_kg.refusal.topology import middle, root, terminal
from realhop_kg.refusal.voices import LinkVoices

__all__ = ["BuildTally", "Builder", "item_id"]

_ALIKE = 2
"""Hops of a chain that may be worded alike; one more once half of the draws are used up."""
_REPAIRS = 2
"""Times that a question which fails a check is built anew."""


def item_id(chain: RefusalChain) -> str:
    """Return the key of a question: a digest of its seed, topology and pages."""
    return f"refusal/{digest(chain.defect.seed, str(chain.topology), *chain.pages)}"


@dataclass(slots=True)
class BuildTally:
    """What became of seeds and draws.

    Attributes:
        seeds: seeds by (source, what became of them).
        draws: draws by outcome: kept, or the code of what did not hold.
    """

    seeds: Counter[tuple[str, str]] = field(default_factory=Counter)
    draws: Counter[str] = field(default_factory=Counter)


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
        ranked = coherence or Bm25Coherence()
        self._back = Walker(voices.graph, ranked, settings, voices.says)
        self._on = Walker(voices.graph, ranked, settings, voices.says_onward)
        self._wordings: set[str] = set()
        self._paths: set[str] = set()
        self._spent: set[tuple[str, Cell]] = set()

    def build(self, seeds: Iterable[Seed], quotas: Quotas) -> Iterator[RefusalItem]:
        """Yield questions until the quotas are filled or no seed gives one more.

        Args:
            seeds: the seeds, each used once per cell and round.
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
            if not found:
                return

    def _linked(self, seeds: Iterable[Seed]) -> Iterator[Annotated]:
        for seed in seeds:
            found = self._annotator.annotate(seed)
            if isinstance(found, Unlinked):
                self.tally.seeds[seed.source, str(found.code)] += 1
                self._leave_out(seed, found.code, found.message)
                continue
            self.tally.seeds[seed.source, "linked"] += 1
            yield found

    def _fill(
        self, linked: Sequence[Annotated], cell: Cell, quotas: Quotas, rounds: int
    ) -> Iterator[RefusalItem]:
        usable = [
            found
            for found in linked
            if found.seed.cause is cell.cause and (found.seed.id, cell) not in self._spent
        ]
        # Seeds take turns: which one comes first differs from cell to cell.
        rng(self._seed, "order", str(cell), rounds).shuffle(usable)
        for found in usable:
            if not quotas.missing(cell):
                return
            item = self._use(found, cell, rounds)
            if item is not None:
                quotas.add(cell)
                yield item

    def _use(self, found: Annotated, cell: Cell, rounds: int) -> RefusalItem | None:
        """Return one question of a seed in a cell, or None; the last reason is kept."""
        reason = (RefusalCode.W1, "no path")
        if cell.topology is not Topology.TERMINAL and found.bridge is None:
            reason = (RefusalCode.L2, found.no_bridge)
            self.tally.draws[str(reason[0])] += 1
            self._spent.add((found.seed.id, cell))
            self._leave_out(found.seed, *reason, cell)
            return None
        repairs = 0
        for attempt in range(self._tries):
            draws = rng(self._seed, found.seed.id, str(cell), rounds, attempt)
            try:
                item = self._drawn(found, cell, draws, attempt + 1)
            except ContractError as error:
                reason = (RefusalCode(error.code), error.message)
                self.tally.draws[str(error.code)] += 1
                continue
            findings = check_question(item)
            if not findings and self._is_new(item):
                self.tally.draws["kept"] += 1
                return item
            code = findings[0].code if findings else RefusalCode.W3
            reason = (code, findings[0].message if findings else "it was asked before")
            self.tally.draws[str(code)] += 1
            repairs += bool(findings)
            if repairs > _REPAIRS:
                break
        self._spent.add((found.seed.id, cell))
        if not rounds:
            self._leave_out(found.seed, *reason, cell)
        return None

    def _drawn(self, found: Annotated, cell: Cell, draws: Random, tries: int) -> RefusalItem:
        """Return one question, not checked yet.

        Raises:
            ContractError: if there is no path, or it cannot be set in or worded.
        """
        chain, pages = self._chain(found, cell, draws)
        if plain_title(chain.start) != chain.start:
            message = f"{chain.start!r} shares its name with other things; walk again"
            raise ContractError(RefusalCode.L4, message, (found.seed.id,))
        walked = [*pairwise(pages[0]), *pairwise(pages[1])]
        steps = [step for link in walked if (step := self._voices.wording(*link)) is not None]
        alike = Counter(step.frame for step in steps).most_common(1)
        if alike and alike[0][1] > (_ALIKE if tries <= self._tries // 2 else _ALIKE + 1):
            message = f"{alike[0][1]} of its hops are worded alike ({alike[0][0]}); walk again"
            raise ContractError(RefusalCode.L4, message, (found.seed.id,))
        prefix = pages[0]
        start = self._voices.surface(prefix[0]) if prefix else found.voice.mention
        question = self._fuser.fuse(chain, steps, start)
        hidden = dict.fromkeys(joined(prefix[1:], pages[1]))
        names = dict.fromkeys(name for page in hidden for name in self._voices.names(page))
        return RefusalItem(
            id=item_id(chain),
            question=question,
            cause=found.seed.cause,
            topology=cell.topology,
            depth=chain.depth,
            hops=chain.hops,
            broken_step=len(chain.prefix) + 1,
            rationale=found.rationale,
            starts_from=start,
            chain=chain,
            steps=tuple(steps),
            hidden_names=tuple(names),
            backend=self._fuser.name,
            tries=tries,
            redistributable=found.seed.terms.redistributable,
        )

    def _chain(
        self, found: Annotated, cell: Cell, draws: Random
    ) -> tuple[RefusalChain, tuple[tuple[int, ...], tuple[int, ...]]]:
        hops = cell.depth - 1
        before = {
            Topology.ROOT: 0,
            Topology.TERMINAL: hops,
            Topology.MIDDLE: draws.randint(1, max(1, hops - 1)),
        }[cell.topology]
        prefix: Walk | None = None
        suffix: Walk | None = None
        bridge = found.bridge if before < hops else None
        if before:
            kept_out = () if bridge is None else (bridge,)
            prefix = self._back.prefix(found.anchor, before, draws, kept_out)
        if bridge is not None:
            barred = (found.anchor, *(prefix.pages if prefix else ()))
            suffix = self._on.suffix(bridge, hops - before, draws, barred)
        defect = self._defect(found)
        links = prefix.links if prefix else (), suffix.links if suffix else ()
        if not suffix:
            chain = terminal(links[0], defect)
        elif not prefix:
            chain = root(defect, links[1])
        else:
            chain = middle(links[0], defect, links[1])
        return chain, (prefix.pages if prefix else (), suffix.pages if suffix else ())

    def _defect(self, found: Annotated) -> Defect:
        seed, titles = found.seed, self._voices.graph.titles
        return Defect(
            seed=seed.id,
            source=seed.source,
            cause=seed.cause,
            question=seed.question,
            rationale=found.rationale,
            anchor=titles[found.anchor],
            bridge="" if found.bridge is None else titles[found.bridge],
            voice=found.voice,
            terms=seed.terms,
        )

    def _is_new(self, item: RefusalItem) -> bool:
        wording = digest(item.question.casefold())
        if wording in self._wordings or item.id in self._paths:
            return False
        self._wordings.add(wording)
        self._paths.add(item.id)
        return True

    def _leave_out(
        self, seed: Seed, code: RefusalCode, message: str, cell: Cell | None = None
    ) -> None:
        self.left_out.append(
            LeftOutSeed(
                id=seed.id,
                source=seed.source,
                cause=seed.cause,
                topology=cell.topology if cell else "",
                depth=cell.depth if cell else 0,
                code=code,
                message=message,
                question=seed.question,
            )
        )
