"""The page of one item: a self-contained HTML file, or one that uses the files of a site."""

from __future__ import annotations

from dataclasses import dataclass

from realhop_kg.errors import ContractError, InputError
from realhop_kg.graph.certificates import Certificates, certify
from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.model.frozen import FrozenItem
from realhop_kg.relations.predicates import Predicates
from realhop_kg.view.chains import Chains, Fact, Part, path_name, read_chains
from realhop_kg.view.grid import place
from realhop_kg.view.html import asset, cytoscape, page, policy, safe_json
from realhop_kg.view.layout import lay_out
from realhop_kg.view.marked import marked_passages
from realhop_kg.view.pagedata import page_data
from realhop_kg.view.palette import BREAK
from realhop_kg.view.scene import Scene
from realhop_kg.view.spacing import COMPACT, SCREEN

__all__ = ["ItemView", "item_page", "read_item"]

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


def read_item(item: FrozenItem, graph: ReasoningGraph, predicates: Predicates) -> ItemView:
    """Read what the page of an item shows.

    Raises:
        InputError: if its graph lacks what a picture needs.
    """
    try:
        return ItemView(item, graph, read_chains(graph, predicates), certify(graph, predicates))
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
    scripts = (cytoscape(), asset("item.js")) if alone else ()
    scene = _scene(view.chains)
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
            "cross": BREAK,
            "width": round(scene.width),
            "height": round(scene.height),
            "data": safe_json(page_data(view.graph, view.chains, view.proved, scene)),
            "site": site,
            "style": style,
            "scripts": scripts,
            "policy": policy(scripts, (style,) if alone else (), files=not alone),
        },
    )


def _scene(chains: Chains) -> Scene:
    wide = place(chains).columns > _COLUMNS
    scene = lay_out(chains, COMPACT if wide else SCREEN)
    return scene if scene.width <= _BESIDE else lay_out(chains, COMPACT)


def _hosts(fact: Fact) -> tuple[int, ...]:
    """Return the passages that state a fact."""
    return tuple(sorted({span.passage for part in fact.parts for span in part.spans}))


def _stated(part: Part) -> str:
    return " ".join(span.exact for span in part.spans)


def _answer(chains: Chains, entity: str) -> str:
    return chains.entities[entity].surface
