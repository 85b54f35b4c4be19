"""`prefix` and `suffix`: paths that lead to a page, and paths that lead on from one.

A step takes a link of the opening paragraphs to a page that was not visited and whose degree is
within bounds, ranks what is left by coherence, and draws one of the best five evenly
(HopRefusalBench, construction of paths).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple, TypeVar

import networkx as nx

from realhop_kg.errors import ContractError
from realhop_kg.graph.hyperlinks.adjacency import candidate_columns
from realhop_kg.graph.hyperlinks.coherence import Coherence, PageText
from realhop_kg.graph.hyperlinks.index import PageGraph
from realhop_kg.ids import rng
from realhop_kg.model.refusal import Hyperlink, WalkSettings

__all__ = [
    "INCOMPLETE",
    "Candidates",
    "Choice",
    "Walk",
    "WalkTally",
    "Walker",
    "distinct_walks",
    "ranked",
    "walked_graph",
]

INCOMPLETE = "W1"
"""Code of a walk that could not be finished."""


class Candidates:
    """The links that a walk may take: those of an index that settings allow, filtered before."""

    def __init__(self, graph: PageGraph, settings: WalkSettings) -> None:
        prepared = settings.model_copy(
            update={name: getattr(graph.manifest.walk, name) for name in ("top", "pool")}
        )
        names = [f"walk_{way}_{part}" for way in ("out", "in") for part in ("pages", "bounds")]
        if prepared == graph.manifest.walk:
            columns = [graph.column(name) for name in names]
        else:
            found = candidate_columns(graph.folder, settings)
            columns = [found[name].data for name in names]
        self._out, self._out_bounds, self._in, self._in_bounds = columns

    def onward(self, page: int) -> list[int]:
        """Return the allowed pages that a page links to."""
        bounds = self._out_bounds
        return self._out[bounds[page] : bounds[page + 1]].tolist()

    def backward(self, page: int) -> list[int]:
        """Return the allowed pages that link to a page."""
        bounds = self._in_bounds
        return self._in[bounds[page] : bounds[page + 1]].tolist()


@dataclass(frozen=True, slots=True)
class _Read:
    """A page as a ranking sees it, read when it is looked at."""

    graph: PageGraph
    page: int

    @property
    def title(self) -> str:
        title: str = self.graph.titles[self.page]
        return title

    @property
    def lead(self) -> str:
        return self.graph.lead(self.page)


@dataclass(frozen=True, slots=True)
class Walk:
    """One complete path of pages, each linking to the next.

    Attributes:
        kind: prefix (it ends where it was asked to) or suffix (it starts there).
        pages: in reading order, one more than links.
        links: the links between them, with their sentences.
    """

    kind: Literal["prefix", "suffix"]
    pages: tuple[int, ...]
    links: tuple[Hyperlink, ...]


class Choice(NamedTuple):
    """One step of a walk, for whoever ranks where it may go."""

    page: PageText
    """Where the walk is."""
    candidates: Sequence[PageText]
    """Where it may go."""
    top: int
    """How many are ranked at most."""


Result = TypeVar("Result")


def ranked(steps: Generator[Choice, list[int], Result], coherence: Coherence) -> Result:
    """Return what a walk comes to when a ranking decides each of its steps.

    Args:
        steps: gives choices, and takes the places of the best candidates.
        coherence: ranks them.
    """
    try:
        choice = next(steps)
        while True:
            choice = steps.send(coherence.rank(*choice))
    except StopIteration as end:
        result: Result = end.value
        return result


class Walker:
    """Walks on one index with one set of rules; each walk gets the generator it draws from."""

    def __init__(
        self,
        graph: PageGraph,
        coherence: Coherence,
        settings: WalkSettings | None = None,
        admits: Callable[[int, int], bool] | None = None,
    ) -> None:
        """Prepare to walk.

        Args:
            graph: the index.
            coherence: ranks candidates.
            settings: which links may be taken; the paper's by default.
            admits: whether a link, by its two pages, may be part of a path; all may by default.
        """
        self.graph = graph
        self._admits = admits
        self.settings = settings or WalkSettings()
        self._coherence = coherence
        self._candidates = Candidates(graph, self.settings)

    def prefix(
        self, anchor: int, hops: int, draws: random.Random, visited: Collection[int] = ()
    ) -> Walk:
        """Return a path of links that ends at a page (the backward anchor).

        Args:
            anchor: the page.
            hops: number of links.
            draws: generator of the draws.
            visited: pages that the path may not enter.

        Raises:
            ContractError: W1, if a step has no candidate.
        """
        return ranked(self.prefix_steps(anchor, hops, draws, visited), self._coherence)

    def prefix_steps(
        self, anchor: int, hops: int, draws: random.Random, visited: Collection[int] = ()
    ) -> Generator[Choice, list[int], Walk]:
        """Walk as `prefix` does, and let whoever drives the generator rank the candidates.

        Raises:
            ContractError: W1, if a step has no candidate.
        """
        pages = yield from self._walk(anchor, hops, draws, visited, self._backward)
        return self._linked("prefix", pages[::-1])

    def suffix(
        self, bridge: int, hops: int, draws: random.Random, visited: Collection[int] = ()
    ) -> Walk:
        """Return a path of links that starts at a page (the forward bridge).

        Args:
            bridge: the page.
            hops: number of links.
            draws: generator of the draws.
            visited: pages that the path may not enter.

        Raises:
            ContractError: W1, if a step has no candidate.
        """
        return ranked(self.suffix_steps(bridge, hops, draws, visited), self._coherence)

    def suffix_steps(
        self, bridge: int, hops: int, draws: random.Random, visited: Collection[int] = ()
    ) -> Generator[Choice, list[int], Walk]:
        """Walk as `suffix` does, and let whoever drives the generator rank the candidates.

        Raises:
            ContractError: W1, if a step has no candidate.
        """
        pages = yield from self._walk(bridge, hops, draws, visited, self._onward)
        return self._linked("suffix", pages)

    def _backward(self, page: int) -> list[int]:
        found, admits = self._candidates.backward(page), self._admits
        return found if admits is None else [other for other in found if admits(other, page)]

    def _onward(self, page: int) -> list[int]:
        found, admits = self._candidates.onward(page), self._admits
        return found if admits is None else [other for other in found if admits(page, other)]

    def _walk(
        self,
        start: int,
        hops: int,
        draws: random.Random,
        visited: Collection[int],
        expand: Callable[[int], list[int]],
    ) -> Generator[Choice, list[int], list[int]]:
        if hops < 1:
            raise ValueError(f"a walk of {hops} hops is none; ask for one or more")
        pages, seen = [start], {start, *visited}
        for _ in range(hops):
            free = [page for page in expand(pages[-1]) if page not in seen]
            if not free:
                titles = [self.graph.titles[page] for page in pages]
                raise ContractError(
                    INCOMPLETE,
                    f"no link to take after {len(pages) - 1} of {hops} hops, at {titles[-1]!r}; "
                    "try another seed, another page or other degrees",
                    tuple(titles),
                )
            if len(free) > self.settings.pool:
                free = sorted(draws.sample(free, self.settings.pool))
            # Links of either kind may be taken: then runs must not decide between equals.
            free = sorted(free)
            best = [0]
            if len(free) > 1:
                texts = [_Read(self.graph, candidate) for candidate in free]
                best = yield Choice(_Read(self.graph, pages[-1]), texts, self.settings.top)
            pages.append(free[draws.choice(best)])
            seen.add(pages[-1])
        return pages

    def _linked(self, kind: Literal["prefix", "suffix"], pages: list[int]) -> Walk:
        links = tuple(self.graph.link(source, target) for source, target in pairwise(pages))
        return Walk(kind, tuple(pages), links)


@dataclass(slots=True)
class WalkTally:
    """What became of the walks that were tried.

    Attributes:
        complete: walks that were kept.
        incomplete: walks that ended before their last hop.
        duplicate: walks that were kept before.
    """

    complete: int = 0
    incomplete: int = 0
    duplicate: int = 0


def distinct_walks(
    walk: Callable[[random.Random], Walk], seed: int, key: str, tries: int, tally: WalkTally
) -> Iterator[Walk]:
    """Yield complete walks that differ, each drawn by a generator of its own.

    Incomplete walks and those that came before are discarded and counted; none can be cyclic,
    because no page is entered twice.

    Args:
        walk: draws one walk, as `lambda rng: walker.prefix(page, 2, rng)` does.
        seed: seed of every draw.
        key: what the walks are for, so that other walks draw otherwise.
        tries: how many walks are drawn at most.
        tally: what is counted is added here.
    """
    seen: set[tuple[int, ...]] = set()
    for attempt in range(tries):
        try:
            drawn = walk(rng(seed, key, attempt))
        except ContractError:
            tally.incomplete += 1
            continue
        if drawn.pages in seen:
            tally.duplicate += 1
            continue
        seen.add(drawn.pages)
        tally.complete += 1
        yield drawn


def walked_graph(graph: PageGraph, walks: Collection[Walk]) -> nx.DiGraph:
    """Return walked pages and links as a networkx graph, with plain attributes.

    Returns:
        Nodes are page numbers with `page_id`, `page_title` and `degree`; edges have `lead`,
        `anchor`, `sentence` and `part` (prefix or suffix).
    """
    found: nx.DiGraph = nx.DiGraph()
    for walk in walks:
        for page in walk.pages:
            found.add_node(
                page,
                page_id=graph.ids[page],
                page_title=graph.titles[page],
                degree=graph.degree(page),
            )
        for (source, target), link in zip(pairwise(walk.pages), walk.links, strict=True):
            found.add_edge(
                source,
                target,
                lead=link.lead,
                anchor=link.anchor,
                sentence=link.sentence,
                part=walk.kind,
            )
    return found
