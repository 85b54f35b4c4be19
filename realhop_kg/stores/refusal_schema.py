"""Nodes and edges of refusal questions and hyperlink pages, as stores hold them."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from realhop_kg.model.record import Record

__all__ = [
    "REFUSAL_EDGES",
    "REFUSAL_NODES",
    "PageNode",
    "RefusalEdge",
    "RefusalKind",
    "RefusalNode",
]


class RefusalKind(StrEnum):
    """Label of a node."""

    PAGE = "Page"
    REFUSAL = "Refusal"


class RefusalEdge(StrEnum):
    """Type of an edge."""

    LINKS_TO = "LINKS_TO"
    """Page to page: a hyperlink; `lead` where it stands in the opening paragraphs."""
    STEP = "STEP"
    """Refusal question to page: the walked chain; `part` is prefix, defect or suffix."""


class PageNode(Record):
    """One page of the hyperlink graph."""

    kind: ClassVar[RefusalKind] = RefusalKind.PAGE
    id: str
    page_title: str
    degree: int | None = None
    """Links in and out, as the walk's filter counts them; absent where only questions are known."""


class RefusalNode(Record):
    """One question that has no answer."""

    kind: ClassVar[RefusalKind] = RefusalKind.REFUSAL
    id: str
    question: str
    seed: str
    """The seed question whose defect it keeps."""
    cause: str
    """AU (answer unknown), FP (false premise) or UC (underspecified context)."""
    topology: str
    """root, middle or terminal."""
    depth: int
    """Chain depth, the unanswerable step included."""
    rationale: str


REFUSAL_NODES: dict[RefusalKind, type[Record]] = {
    RefusalKind.PAGE: PageNode,
    RefusalKind.REFUSAL: RefusalNode,
}
"""Payload model by node kind."""

REFUSAL_EDGES: dict[RefusalEdge, tuple[RefusalKind, RefusalKind, dict[str, type]]] = {
    RefusalEdge.LINKS_TO: (
        RefusalKind.PAGE,
        RefusalKind.PAGE,
        {"lead": bool, "sentence": str},
    ),
    RefusalEdge.STEP: (
        RefusalKind.REFUSAL,
        RefusalKind.PAGE,
        {"order": int, "part": str},
    ),
}
"""Ends and properties by edge kind."""
