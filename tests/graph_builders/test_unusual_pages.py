"""Links of pages unlike any sample: odd titles, odd addresses, lists, tables, wrong places."""

from __future__ import annotations

import html
import random
import unicodedata
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from realhop_kg.graph.hyperlinks.index import PageGraph
from tests.graph.hyperlinks.kilt_pages import built

TITLES = (
    "Ærø", "東京都", "AT&T", "50% rule", "Ħal Far", "Μῆνιν ἄειδε", "O’Brien's “Third” Policeman",
    "A/B testing", "C++", "1 + 1 = 2", "Łódź (stad)", "iota", "ß-carotene", "Ünïcode", "🜍 sulphur",
    "e.e. cummings", "Vitamin B₁₂", "Zoë & Zöe", "Nguyễn Văn A", "عمان", "Wikipedia: the book",
    "M*A*S*H", "Mr. & Mrs. Smith", "L'Été", "Café", "X–ray", "The \"Quoted\"", "~tilde~", "A_B c",
)  # fmt: skip
"""Titles that addresses write in many ways; none differs from another by its first letter alone."""


def address(title: str, draws: random.Random) -> str:
    """Return one of the ways in which an address may write a title."""
    plain = title.replace("_", " ")
    way = draws.randrange(9)
    if way == 0:
        return quote(plain)
    if way == 1:
        return quote(plain.replace(" ", "_"))
    if way == 2:
        return quote(plain, safe="") + "%23" + quote("Section #2")
    if way == 3:
        return quote(html.escape(plain, quote=False), safe="")
    if way == 4:
        return quote(plain.replace(" ", "__"), safe="") + "#part"
    if way == 5:
        return "%3A" + quote(plain)
    if way == 6:
        return quote(unicodedata.normalize("NFD", plain))
    if way == 7:
        return quote(f" {plain}_ ")
    first = plain[:1].lower()
    return quote(first + plain[1:] if len(first) == 1 and first.upper() == plain[:1] else plain)


def item(words: list[str], draws: random.Random) -> tuple[str, list[int]]:
    """Return a text item that holds some words, and where each begins."""
    opening = draws.choice(["", "BULLET::::- ", "{| class=x\n|- || ", "• ", "\t", "“", "A. B. "])
    text, places = opening, []
    for word in words:
        places.append(len(text))
        text += word + draws.choice([" ", ", ", " | ", ". ", " – ", "𝔊 ", "é "])
    return text + "\n", places


def generated(seed: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return pages, and what their links come to, noted while they were made."""
    draws = random.Random(seed)
    edges: dict[tuple[str, str], bool] = {}
    pages, dropped, moved, own, dangling = [], 0, 0, 0, 0
    for title in TITLES:
        heading = draws.randrange(2, 5)
        text, anchors = [f"{title}\n"], []
        for number in range(1, 7):
            if number == heading:
                text.append("Section::::Later:Still later.\n")
                continue
            words = draws.choices([*TITLES, "nowhere at all"], k=4)
            said = [draws.choice([word, word.upper(), f"({word})", "it", "…"]) for word in words]
            content, places = item(said, draws)
            text.append(content)
            for word, shown, start in zip(words, said, places, strict=True):
                anchor: dict[str, Any] = {
                    "text": shown,
                    "href": address(word, draws),
                    "paragraph_id": number,
                    "start": start,
                    "end": start + len(shown),
                }
                fault = draws.randrange(8)
                if fault == 0:
                    anchor["start"] = draws.choice([-5, start + 10_000, 10**12])
                    moved += 1
                elif fault == 1:
                    anchor["paragraph_id"] = draws.choice([-1, 99, heading])
                    dropped += 1
                    anchors.append(anchor)
                    continue
                elif fault == 2:
                    anchor |= {"start": str(start), "end": str(start + len(shown))}
                anchors.append(anchor)
                if word == "nowhere at all":
                    dangling += 1
                elif word == title:
                    own += 1
                else:
                    lead = number < heading
                    edges[title, word] = edges.get((title, word), False) or lead
        pages.append({"wikipedia_title": title, "text": text, "anchors": anchors})
    found = {"edges": edges, "dropped": dropped, "moved": moved, "own": own, "dangling": dangling}
    return pages, found


@pytest.mark.parametrize("seed", range(12))
def test_every_link_of_an_unusual_page_leads_where_it_should(seed: int, tmp_path: Path) -> None:
    pages, expected = generated(seed)
    counts = built(tmp_path, pages).manifest.counts
    with PageGraph.open(tmp_path / "index") as graph:
        title = graph.titles
        assert list(title) == list(TITLES)
        lead = {
            (title[p], title[q]) for p in range(len(graph)) for q in graph.targets(p, lead=True)
        }
        every = {(title[p], title[q]) for p in range(len(graph)) for q in graph.targets(p)}
        for p in range(len(graph)):
            for q in graph.targets(p):
                link = graph.link(p, q)
                assert link.anchor
                assert link.anchor in link.sentence
                assert pages[p]["text"][link.paragraph][link.start : link.end] == link.anchor
    assert every == set(expected["edges"])
    assert lead == {edge for edge, opening in expected["edges"].items() if opening}
    assert counts.self_links == expected["own"]
    assert counts.dangling == expected["dangling"]
    assert counts.misplaced_anchors == expected["dropped"]
    assert counts.moved_anchors == expected["moved"]
