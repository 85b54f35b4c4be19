"""Draws the chain of a question: how many hops lie before its seed, which pages they cross."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from itertools import chain as joined
from itertools import pairwise
from random import Random

from realhop_kg.errors import ContractError
from realhop_kg.graph.hyperlinks.coherence import Coherence
from realhop_kg.graph.hyperlinks.walk import Choice, Walk, Walker
from realhop_kg.ids import digest
from realhop_kg.model.refusal import WalkSettings
from realhop_kg.model.refusal_item import (
    Defect,
    RefusalChain,
    RefusalCode,
    RefusalItem,
    StepWording,
    SurfaceAudit,
    Topology,
)
from realhop_kg.refusal.annotate import Annotated
from realhop_kg.refusal.clauses import plain_title
from realhop_kg.refusal.plan import Cell
from realhop_kg.refusal.topology import middle, root, terminal
from realhop_kg.refusal.voices import LinkVoices

__all__ = ["ChainDraws", "Drawn", "item_id"]


def item_id(chain: RefusalChain) -> str:
    """Return the key of a question: a digest of its seed, topology and pages."""
    return f"refusal/{digest(chain.defect.seed, str(chain.topology), *chain.pages)}"


@dataclass(frozen=True, slots=True)
class Drawn:
    """A chain that was drawn, and what is needed to word it.

    Attributes:
        found: its seed.
        cell: what it was drawn for.
        chain: the chain.
        prefix: pages of the hops before the seed, the first of them named in the question.
        suffix: pages of the hops behind it.
        start: the first entity as it stands in a sentence.
        hidden_names: names of the pages that may not be named.
    """

    found: Annotated
    cell: Cell
    chain: RefusalChain
    prefix: tuple[int, ...]
    suffix: tuple[int, ...]
    start: str
    hidden_names: tuple[str, ...]

    @property
    def links(self) -> list[tuple[int, int]]:
        """The hops by their pages, in reading order."""
        return [*pairwise(self.prefix), *pairwise(self.suffix)]

    def item(
        self,
        question: str,
        backend: str,
        tries: int,
        *,
        steps: tuple[StepWording, ...] = (),
        audit: SurfaceAudit | None = None,
        rationale: str = "",
    ) -> RefusalItem:
        """Return the chain as a question.

        Args:
            question: its wording.
            backend: who worded it.
            tries: how many chains were drawn for it.
            steps: wording of the hops, where rules worded them.
            audit: what the wording says, where a model worded it; depth and position are its own.
            rationale: why there is no answer, where the audit put it otherwise.
        """
        before, after = len(self.chain.prefix), len(self.chain.suffix)
        if audit is not None:
            before, after = audit.expressed(before + 1)
        return RefusalItem(
            id=item_id(self.chain),
            question=question,
            cause=self.found.seed.cause,
            topology=self.cell.topology,
            depth=before + after + 1,
            hops=before + after,
            broken_step=before + 1,
            rationale=rationale or self.found.rationale,
            starts_from=self.start,
            chain=self.chain,
            steps=steps,
            audit=audit,
            hidden_names=self.hidden_names,
            backend=backend,
            tries=tries,
            redistributable=self.found.seed.terms.redistributable,
        )


class ChainDraws:
    """Draws chains on one index."""

    def __init__(
        self,
        voices: LinkVoices,
        coherence: Coherence,
        settings: WalkSettings | None = None,
        says: Callable[[int, int], bool] | None = None,
        says_onward: Callable[[int, int], bool] | None = None,
    ) -> None:
        """Prepare.

        Args:
            voices: the index, with names and wordings.
            coherence: ranks candidates where nobody else does.
            settings: which links may be taken.
            says: whether a link may be part of a prefix; any may by default.
            says_onward: the same of a suffix.
        """
        self._voices = voices
        self._back = Walker(voices.graph, coherence, settings, says)
        self._on = Walker(voices.graph, coherence, settings, says_onward)

    def steps(
        self, found: Annotated, cell: Cell, draws: Random
    ) -> Generator[Choice, list[int], Drawn]:
        """Draw one chain; whoever drives the generator ranks the candidates of each step.

        Raises:
            ContractError: W1, W2 or P1 if there is no such path; L4 if the name of its first page
                could mean something else.
        """
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
            prefix = yield from self._back.prefix_steps(found.anchor, before, draws, kept_out)
        if bridge is not None:
            barred = (found.anchor, *(prefix.pages if prefix else ()))
            suffix = yield from self._on.suffix_steps(bridge, hops - before, draws, barred)
        return self._drawn(found, cell, prefix, suffix)

    def _drawn(
        self, found: Annotated, cell: Cell, prefix: Walk | None, suffix: Walk | None
    ) -> Drawn:
        defect = self._defect(found)
        before, after = (walk.links if walk else () for walk in (prefix, suffix))
        if not after:
            chain = terminal(before, defect)
        elif not before:
            chain = root(defect, after)
        else:
            chain = middle(before, defect, after)
        if plain_title(chain.start) != chain.start:
            message = f"{chain.start!r} shares its name with other things; walk again"
            raise ContractError(RefusalCode.L4, message, (found.seed.id,))
        led, onward = (walk.pages if walk else () for walk in (prefix, suffix))
        hidden = dict.fromkeys(joined(led[1:], onward))
        names = dict.fromkeys(name for page in hidden for name in self._voices.names(page))
        start = self._voices.surface(led[0]) if led else found.voice.mention
        return Drawn(found, cell, chain, led, onward, start, tuple(names))

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
