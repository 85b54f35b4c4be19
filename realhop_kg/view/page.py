"""The page of one item: a self-contained HTML file, or one that uses the files of a site."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from realhop_kg.errors import ContractError, InputError
from realhop_kg.graph.certificates import Certificates, certify
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.model.frozen import FrozenItem
from realhop_kg.model.text import Passage
from realhop_kg.relations.predicates import Predicates
from realhop_kg.view.answers import Asked, Run, grouped, hits
from realhop_kg.view.chains import Chains, Fact, Part, path_name, read_chains
from realhop_kg.view.grid import decks
from realhop_kg.view.html import frame, page, safe_json
from realhop_kg.view.layout import lay_out
from realhop_kg.view.marked import marked_passages
from realhop_kg.view.pagedata import page_data
from realhop_kg.view.palette import BREAK
from realhop_kg.view.removed import removed_parts
from realhop_kg.view.scene import Scene
from realhop_kg.view.spacing import COMPACT, SCREEN

__all__ = ["SCRIPTS", "ItemView", "item_page", "read_item", "shown_parts"]

SCRIPTS = ("cytoscape.min.js", "theme.js", "look.js", "canvas.js", "item.js", "answers.js")
"""The scripts of an item page, in the order in which they run."""

_BESIDE = 900
"""Widest picture, in pixels, that leaves room for the passages beside it."""

_COLUMNS = 3
"""Most columns that may fit so in full width."""


@dataclass(frozen=True, slots=True)
class ItemView:
    """An item, read for its page."""

    item: FrozenItem
    graph: ReasoningGraph
    chains: Chains
    proved: Certificates
    asked: tuple[Asked, ...] = ()
    """After an audit: the conditions under which models were asked, with their answers."""


def read_item(
    item: FrozenItem, graph: ReasoningGraph, predicates: Predicates, run: Run | None = None
) -> ItemView:
    """Read what the page of an item shows.

    Args:
        item: the frozen record.
        graph: its graph.
        predicates: all that the graph may use.
        run: an audit of its dataset, if there is one.

    Raises:
        InputError: if its graph lacks what a picture needs.
    """
    try:
        asked = run.of(item.id) if run else ()
        chains, proved = read_chains(graph, predicates), certify(graph, predicates)
        return ItemView(item, graph, chains, proved, asked)
    except (KeyError, ContractError) as error:
        reason = error.args[0] if isinstance(error, KeyError) else error
        raise InputError(
            f"{item.id} cannot be drawn: {reason}; `realhop verify` says what is wrong with it"
        ) from error


def item_page(view: ItemView, *, site: str = "", differs: Sequence[str] = ()) -> str:
    """Return the HTML page of an item.

    Args:
        view: the item.
        site: path from the page to its site's folder (`..`); empty for a page that stands alone.
        differs: what of the dataset is not as it was frozen, for a warning.
    """
    return page(
        "item.html.jinja",
        {
            **shown_parts(
                view.graph,
                view.chains,
                view.proved,
                view.item.passages,
                site,
                removed=removed_parts(view.item, view.asked),
            ),
            "item": view.item,
            "differs": differs,
            "asked": view.asked,
            "models": list(view.asked[0].answers) if view.asked else (),
            "grouped": grouped,
            "hits": partial(hits, view.graph),
            "dropped": 0,
        },
    )


def shown_parts(
    graph: ReasoningGraph,
    chains: Chains,
    proved: Certificates,
    passages: tuple[Passage, ...],
    site: str,
    removed: Sequence[Sequence[tuple[int, int, int]]] = (),
) -> dict[str, Any]:
    """Return what every page of a constructed graph shows: picture, passages, paths, certificates.

    Args:
        graph: the graph.
        chains: the same, read for drawing.
        proved: its certificates.
        passages: as they are realized.
        site: path from the page to its site's folder; empty for a page that stands alone.
        removed: by condition of an audit, the (passage, start, end) that it removed.
    """
    scene = _scene(chains)
    return {
        "chains": chains,
        "proved": proved,
        "passages": marked_passages(passages, chains, proved.dropped),
        "path_name": path_name,
        "hosts": _hosts,
        "stated": _stated,
        "answer": _answer,
        "cross": BREAK,
        "data": safe_json({**page_data(graph, chains, proved, scene), "removed": removed}),
        **frame(SCRIPTS, site),
    }


def _scene(chains: Chains) -> Scene:
    ((_, last),) = decks(chains, len(chains.hops))
    wide = last >= _COLUMNS
    scene = lay_out(chains, COMPACT if wide else SCREEN)
    return scene if scene.width <= _BESIDE else lay_out(chains, COMPACT)


def _hosts(fact: Fact) -> tuple[int, ...]:
    """Return the passages that state a fact."""
    return tuple(sorted({span.passage for part in fact.parts for span in part.spans}))


def _stated(part: Part) -> str:
    return " ".join(span.exact for span in part.spans)


def _answer(chains: Chains, entity: str) -> str:
    return chains.entities[entity].surface
