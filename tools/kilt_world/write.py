"""Writes the bundled pages of Ardessa, a made-up world, in KILT's form.

Run it as `python tools/kilt_world/write.py` from the checkout; a test compares the file with what
it gives. Links are written `[[Page]]` in the sentences. The pages keep some of KILT's own habits:
nearly no link notes the id of its page, one leads nowhere, one page only says what its name may
mean.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from urllib.parse import quote

import yaml
from places import buildings, country, firms, regions, rivers, schools, towns
from stories import events, meanings, people, ships, works
from words import Facts, Text

HERE = Path(__file__).parent
OUT = HERE.parents[1] / "realhop_kg" / "data" / "kilt_world.jsonl"
FIRST_ID = 70000001

_LINK = re.compile(r"\[\[([^\]]+)\]\]")

KINDS = (
    country, regions, rivers, towns, schools, firms, buildings, ships, events, people, works,
    meanings,
)  # fmt: skip


def record(number: int, title: str, items: Text, ids: dict[str, int], articled: list[str]) -> Facts:
    """Return a page in KILT's form."""
    text, anchors = [f"{title}\n"], []
    for item in filter(None, items):
        plain, at = "The " if title in articled and item.startswith(title) else "", 0
        for match in _LINK.finditer(item):
            plain += item[at : match.start()]
            target = match[1]
            if target in articled and not plain.casefold().endswith("the "):
                plain += "the "
            anchors.append(_anchor(target, len(text), len(plain), ids, len(anchors)))
            plain += target
            at = match.end()
        text.append(f"{(plain + item[at:]).rstrip()}\n")
    return {
        "_id": str(number),
        "wikipedia_id": str(number),
        "wikipedia_title": title,
        "text": text,
        "anchors": anchors,
        "categories": "Ardessa",
        "history": {},
        "wikidata_info": {},
    }


def _anchor(target: str, paragraph: int, start: int, ids: dict[str, int], place: int) -> Facts:
    anchor: Facts = {
        "text": target,
        "href": quote(target),
        "paragraph_id": paragraph,
        "start": start,
        "end": start + len(target),
    }
    if target in ids and (ids[target] + place) % 20 == 0:
        anchor |= {"wikipedia_title": target, "wikipedia_id": str(ids[target])}
    return anchor


def pages() -> list[Facts]:
    """Return all pages."""
    world = yaml.safe_load((HERE / "facts.yaml").read_text(encoding="utf-8"))
    found = [page for kind in KINDS for page in kind(world)]
    ids = {title: number for number, (title, _) in enumerate(found, FIRST_ID)}
    return [record(ids[title], title, items, ids, world["articled"]) for title, items in found]


if __name__ == "__main__":
    lines = (json.dumps(page, ensure_ascii=False, sort_keys=True) for page in pages())
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
    out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
