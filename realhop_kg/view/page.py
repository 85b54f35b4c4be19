"""The page of one item: a self-contained HTML file, or one that uses the files of a site."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from realhop_kg.audit.context import render
from realhop_kg.errors import ContractError, InputError
from realhop_kg.graph.certificates import Certificates, certify
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.model.frozen import FrozenItem
from realhop_kg.relations.predicates import Predicates
from realhop_kg.view.answers import Asked, Run, hits
from realhop_kg.view.chains import Chains, Fact, Part, path_name, read_chains
from realhop_kg.view.grid import place
from realhop_kg.view.html import asset, page, policy, safe_json
from realhop_kg.view.layout import lay_out
from realhop_kg.view.marked import marked_passages
from realhop_kg.view.pagedata import page_data
from realhop_kg.view.palette import BREAK
from realhop_kg.view.scene import Scene
from realhop_kg.view.spacing import COMPACT, SCREEN

__all__ = ["SCRIPTS", "ItemView", "item_page", "read_item"]

SCRIPTS = ("cytoscape.min.js", "theme.js", "look.js", "item.js", "answers.js")
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


def item_page(view: ItemView, *, site: str = "") -> str:
    """Return the HTML page of an item.

    Args:
        view: the item.
        site: path from the page to its site's folder (`..`); empty for a page that stands alone.
    """
    alone = not site
    style = asset("page.css") if alone else ""
    scripts = [(name, asset(name)) for name in SCRIPTS]
    scene = _scene(view.chains)
    data = page_data(view.graph, view.chains, view.proved, scene)
    return page(
        "item.html.jinja",
        {
            "item": view.item,
            "chains": view.chains,
            "proved": view.proved,
            "passages": marked_passages(view.item, view.chains, view.proved.dropped),
            "path_name": path_name,
            "hosts": _hosts,
            "stated": _stated,
            "answer": _answer,
            "asked": view.asked,
            "models": list(view.asked[0].answers) if view.asked else (),
            "hits": partial(hits, view.graph),
            "cross": BREAK,
            "width": round(scene.width),
            "height": round(scene.height),
            "data": safe_json({**data, "removed": _removed(view)}),
            "site": site,
            "style": style,
            "scripts": scripts,
            "policy": policy([text for _, text in scripts], [style], files=False)
            if alone
            else policy(files=True),
        },
    )


def _scene(chains: Chains) -> Scene:
    wide = place(chains).columns > _COLUMNS
    scene = lay_out(chains, COMPACT if wide else SCREEN)
    return scene if scene.width <= _BESIDE else lay_out(chains, COMPACT)


def _removed(view: ItemView) -> list[list[tuple[int, int, int]]]:
    """Return what each condition removed: (passage, start, end) in code points of its text.

    Nothing where another context was asked about than the one that the page shows.
    """
    context = render(view.item.passages)
    return [
        [(part.passage, part.start, part.end) for part in context.parts(asked.removed)]
        if asked.side == "constructed"
        else []
        for asked in view.asked
    ]


def _hosts(fact: Fact) -> tuple[int, ...]:
    """Return the passages that state a fact."""
    return tuple(sorted({span.passage for part in fact.parts for span in part.spans}))


def _stated(part: Part) -> str:
    return " ".join(span.exact for span in part.spans)


def _answer(chains: Chains, entity: str) -> str:
    return chains.entities[entity].surface
