"""Generated pages in KILT's form, and what one would write for them with json and networkx."""

from __future__ import annotations

import json
import random
from pathlib import Path

import networkx as nx

__all__ = ["generated_pages", "networkx_index"]

_VOCABULARY = (
    "river town mill bridge harbour school painter novel valley council engine record island "
    "trade railway garden market voyage theatre festival charter copper weaver captain"
)
_WORDS = _VOCABULARY.split()


def generated_pages(path: Path, count: int) -> Path:
    """Write pages like KILT's: 24 links each, a few of them to pages that are read much."""
    draws = random.Random(7)
    with path.open("w", encoding="utf-8") as stream:
        for number in range(count):
            text, anchors = [f"Page {number}\n"], []
            for paragraph in range(1, 9):
                if paragraph == 4:
                    text.append("Section::::History.\n")
                    continue
                words = draws.choices(_WORDS, k=110)
                for place in sorted(draws.sample(range(110), 4 if paragraph < 4 else 3)):
                    skewed = int(count * draws.random() ** 2)
                    words[place] = f"page {skewed}"
                item, at = " ".join(words), 0
                for word in words:
                    if word.startswith("page "):
                        href = word.replace(" ", "%20")
                        anchors.append(
                            {"text": word, "href": href, "paragraph_id": paragraph,
                             "start": at, "end": at + len(word)}
                        )  # fmt: skip
                    at += len(word) + 1
                text.append(f"{item}.\n")
            page = {
                "_id": str(number), "wikipedia_id": str(number),
                "wikipedia_title": f"Page {number}", "text": text, "anchors": anchors,
                "categories": "Generated", "history": {"revid": number}, "wikidata_info": {},
            }  # fmt: skip
            stream.write(json.dumps(page) + "\n")
    return path


def networkx_index(pages: Path) -> nx.DiGraph:
    """Return the graph of a file of pages, each link with its place, all of it in memory."""
    graph = nx.DiGraph()
    numbers: dict[str, int] = {}
    found = []
    with pages.open(encoding="utf-8") as stream:
        for line in stream:
            page = json.loads(line)
            text = page["text"]
            heads = (n for n, item in enumerate(text) if item.startswith("Section::::"))
            first = next(heads, len(text))
            numbers[page["wikipedia_title"]] = len(numbers)
            found.append([
                (a["href"].replace("%20", " ").replace("p", "P", 1), a["paragraph_id"] < first,
                 (a["paragraph_id"], a["start"], a["end"]))
                for a in page["anchors"]
                if text[a["paragraph_id"]][a["start"] : a["end"]] == a["text"]
            ])  # fmt: skip
    for source, links in enumerate(found):
        for title, lead, place in links:
            target = numbers.get(title)
            if target is not None and target != source and not graph.has_edge(source, target):
                graph.add_edge(source, target, lead=lead, place=place)
    return graph
