"""Small pages in KILT's form, and an index of them; words and links are our own."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from graph_builders.kilt import KiltReport, build_index
from realhop_kg.graph.hyperlinks.index import PageGraph

Page = dict[str, Any]


def page(title: str, *items: str, links: Iterable[tuple[Any, ...]] = (), **more: Any) -> Page:
    """A page; a link is (words, href) at its first place in any item, or all five values."""
    text = [f"{title}\n", *(f"{item}\n" for item in items)]
    anchors = []
    for link in links:
        if len(link) == 2:
            words, href = link
            number = next(n for n in range(1, len(text)) if words in text[n])
            start = text[number].index(words)
            link = (words, href, number, start, start + len(words))
        names = ("text", "href", "paragraph_id", "start", "end")
        anchors.append(dict(zip(names, link, strict=True)))
    found = {
        "_id": title,
        "wikipedia_id": title,
        "wikipedia_title": title,
        "text": text,
        "anchors": anchors,
        "categories": "",
    }
    return found | more


def star(names: Iterable[str]) -> list[Page]:
    """Pages that all link to one another in their opening paragraph."""
    titles = list(names)
    return [
        page(
            title,
            f"{title} is near {', '.join(other for other in titles if other != title)}.",
            links=[(other, other) for other in titles if other != title],
        )
        for title in titles
    ]


def write_pages(path: Path, pages: Iterable[Page | bytes]) -> Path:
    lines = (p if isinstance(p, bytes) else json.dumps(p).encode() for p in pages)
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def built(folder: Path, pages: Iterable[Page | bytes], **options: Any) -> KiltReport:
    source = write_pages(folder / "pages.jsonl", pages)
    return build_index([source], folder / "index", created_by="test", **options)


def opened(folder: Path, pages: Iterable[Page | bytes], **options: Any) -> PageGraph:
    built(folder, pages, **options)
    return PageGraph.open(folder / "index")
