"""Words the links of an index: what pages are called, and how each link is said in a question."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from realhop_kg.graph.hyperlinks.arrays import TextColumn
from realhop_kg.graph.hyperlinks.index import PageGraph
from realhop_kg.graph.hyperlinks.page import lead_end, lead_text
from realhop_kg.model.refusal_item import StepWording
from realhop_kg.refusal.clauses import clause_of, kind_of_page, opening_item, plain_title
from realhop_kg.refusal.frames import word_clause
from realhop_kg.refusal.kinds import Kind

__all__ = ["LinkVoices"]

_HELD = 1 << 17
"""Pages and links that are remembered."""
_LOOKED_AT = 200
"""Links to a page whose words are looked at."""
_SAMPLED = 5000
"""Pages that are looked at, evenly spread, to see which relations lead to more than one thing."""


class LinkVoices:
    """What the rules can say of the pages and links of one index.

    Attributes:
        graph: the index.
    """

    def __init__(self, graph: PageGraph) -> None:
        self.graph = graph
        self._kinds: dict[int, Kind | None] = {}
        self._wordings: dict[tuple[int, int], tuple[StepWording, ...]] = {}

    def kind(self, page: int) -> Kind | None:
        """Return what a page is about, or None where its opening does not say it plainly."""
        if page not in self._kinds:
            if len(self._kinds) > _HELD:
                self._kinds.clear()
            read = self.graph.read(page)
            self._kinds[page] = kind_of_page(read.text, read.title, lead_end(read.text))
        return self._kinds[page]

    def wording(self, source: int, target: int) -> StepWording | None:
        """Return how a link is said, or None where its sentence does not say it safely.

        Raises:
            KeyError: if there is no such link.
        """
        found = self.wordings(source, target)
        return found[0] if found else None

    def wordings(self, source: int, target: int) -> tuple[StepWording, ...]:
        """Return every way in which a link is said, the one that is used first.

        Raises:
            KeyError: if there is no such link.
        """
        key = source, target
        if key not in self._wordings:
            if len(self._wordings) > _HELD:
                self._wordings.clear()
            self._wordings[key] = self._worded(source, target)
        return self._wordings[key]

    def _worded(self, source: int, target: int) -> tuple[StepWording, ...]:
        one, other = self.kind(source), self.kind(target)
        if one is None or other is None:
            return ()
        lead, paragraph, start, end = self.graph.place(source, target)
        page = self.graph.read(source)
        first = opening_item(page.text, page.title, lead_end(page.text))
        clause = clause_of(page.text[paragraph], start, end, page.title, paragraph == first)
        return tuple(word_clause(clause, one, other)) if lead and clause else ()

    def says(self, source: int, target: int) -> bool:
        """Return whether a link may be part of a prefix."""
        return self.wording(source, target) is not None

    def says_onward(self, source: int, target: int) -> bool:
        """Return whether a link may be part of a suffix.

        It has to make sense of other things than its page, and to lead elsewhere from them: where
        every town lies in one country, `the country that contains ...` is known without the town,
        and the question would have an answer.
        """
        wording = self.wording(source, target)
        return wording is not None and wording.onward and _relation(wording) in self._varied

    @cached_property
    def _varied(self) -> frozenset[tuple[str, str, str]]:
        """Relations that lead from different pages to different targets, by a look at the index."""
        targets: dict[tuple[str, str, str], set[int]] = defaultdict(set)
        step = max(1, len(self.graph) // _SAMPLED)
        for source in range(0, len(self.graph), step):
            if self.kind(source) is None:
                continue
            for target in self.graph.targets(source, lead=True):
                wording = self.wording(source, target)
                if wording is not None:
                    targets[_relation(wording)].add(target)
        return frozenset(relation for relation, found in targets.items() if len(found) > 1)

    def surface(self, page: int) -> str:
        """Return the name of a page as it stands in a sentence: `Oslo`, `the Nile`."""
        read = self.graph.read(page)
        name = plain_title(read.title)
        opening = lead_text(read.text)
        if opening.startswith(f"The {name}") and not name.startswith("The "):
            return f"the {name}"
        return name

    def names(self, page: int) -> tuple[str, ...]:
        """Return every name of a page: titles, redirects, and the words that link to it."""
        title = self.graph.titles[page]
        found = dict.fromkeys((title, plain_title(title), title.partition(",")[0]))
        found |= dict.fromkeys(self._redirects(page))
        for source in self.graph.sources(page)[:_LOOKED_AT]:
            place = self.graph.place(source, page)
            text = self.graph.read(source).text[place.paragraph]
            found[text[place.start : place.end]] = None
        return tuple(found)

    @cached_property
    def _redirect_names(self) -> TextColumn:
        return TextColumn(self.graph.folder, "redirects")

    def _redirects(self, page: int) -> list[str]:
        import numpy as np

        column = self.graph.column("redirect_pages")
        if not len(column):
            return []
        pages = np.frombuffer(column, dtype=column.format)
        return [self._redirect_names[int(place)] for place in np.flatnonzero(pages == page)]


def _relation(wording: StepWording) -> tuple[str, str, str]:
    return wording.frame, wording.source_family, wording.noun
