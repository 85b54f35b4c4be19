"""Lets notebooks show reasoning graphs as pictures: `%load_ext realhop_kg.view.notebook`."""

from __future__ import annotations

from typing import Any

from realhop_kg.graph.reasoning import ReasoningGraph
from realhop_kg.view.draw import picture

__all__ = ["load_ipython_extension", "svg_of", "unload_ipython_extension"]


def svg_of(graph: ReasoningGraph) -> str | None:
    """Return a graph as SVG, or None where it has no gold path yet, so that its repr is shown."""
    try:
        return picture(graph).write("svg").decode()
    except KeyError:
        return None


def load_ipython_extension(ipython: Any) -> None:  # noqa: ANN401 - an InteractiveShell
    """Show every graph that is the value of a cell."""
    ipython.display_formatter.formatters["image/svg+xml"].for_type(ReasoningGraph, svg_of)


def unload_ipython_extension(ipython: Any) -> None:  # noqa: ANN401 - an InteractiveShell
    """Show graphs as text again."""
    ipython.display_formatter.formatters["image/svg+xml"].pop(ReasoningGraph, None)
