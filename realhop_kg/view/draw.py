"""`draw`: the picture of an item for a paper, in any format; and as notebooks show it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.graph.schema import ItemNode, Side
from realhop_kg.relations.predicates import Predicates
from realhop_kg.view.chains import read_chains
from realhop_kg.view.diagrams import Captions, captions_of, dot_text, mermaid_text
from realhop_kg.view.figure import figure
from realhop_kg.view.layout import lay_out
from realhop_kg.view.printed import printed
from realhop_kg.view.scene import Scene
from realhop_kg.view.strokes import drawing
from realhop_kg.view.svg import svg_text

__all__ = ["Form", "Picture", "picture"]


class Form(StrEnum):
    """Format of a picture."""

    SVG = "svg"
    PNG = "png"
    PDF = "pdf"
    DOT = "dot"
    MERMAID = "mermaid"

    @property
    def is_text(self) -> bool:
        """Whether it can stand on a terminal."""
        return self not in (Form.PNG, Form.PDF)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of an item; the last expression of a notebook cell shows itself."""

    captions: Captions
    """Its texts, which the scenes have in wrapped lines."""
    whole: Scene
    """All of it side by side: what other tools lay out anew."""
    scene: Scene
    """The same as wide as was asked for, in decks where that is narrow."""
    description: str
    """What it shows, for readers who do not see it."""

    def _repr_svg_(self) -> str:
        return self.write(Form.SVG).decode()

    def write(self, form: Form | str) -> bytes:
        """Return the picture as the content of a file.

        Raises:
            InputError: if PNG or PDF is asked for, and matplotlib is not installed.
            ValueError: if there is no such format.
        """
        match Form(form):
            case Form.SVG:
                text = svg_text(drawing(self.scene), self.description, "pt")
            case Form.DOT:
                text = dot_text(self.captions, self.whole)
            case Form.MERMAID:
                text = mermaid_text(self.captions, self.whole)
            case Form.PNG:
                return printed(drawing(self.scene), "png")
            case Form.PDF:
                return printed(drawing(self.scene), "pdf")
        return text.encode()


def picture(
    graph: ReasoningGraph,
    predicates: Predicates | None = None,
    *,
    width: float | None = None,
    paths: Collection[str] | None = None,
    source: bool = True,
    premises: bool = True,
) -> Picture:
    """Return the picture of an item: gold against its competitors.

    Args:
        graph: the constructed graph of the item.
        predicates: its predicates, for their wordings; without them their ids stand there.
        width: in points; None for the first of a column, a page, and what it takes.
        paths: names of the competitor paths to show (`s1a`); None for all of them.
        source: whether to show the source entities.
        premises: whether to show the keys that join premises.

    Raises:
        InputError: if the width is too small, or there is no such path.
        KeyError: as `read_chains`.
    """
    chains = read_chains(graph, predicates if predicates is not None else Predicates(()))
    scene = figure(chains, width, paths=paths, source=source, premises=premises)
    whole = lay_out(chains, paths=paths, source=source, premises=premises)
    asked = [node for node in graph.nodes(ItemNode) if node.side is Side.CONSTRUCTED]
    told = f"{asked[0].question} {asked[0].answer}: " if asked else ""
    rivals = len({box.path for box in whole.boxes if box.kind in ("strict", "flexible")})
    told += f"the gold path and {rivals} competitor paths"
    return Picture(captions_of(chains, whole), whole, scene, told)
