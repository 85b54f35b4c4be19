"""Six questions in the form of FRAMES, written by hand: a table, saved pages, and chains."""

from __future__ import annotations

import json
from pathlib import Path

LINK = "https://en.wikipedia.org/wiki/"

PAGES = {
    "The Tallow Road": "The Tallow Road was written by Henrike Sollas. Dealers sold 900 copies.",
    "Henrike Sollas": "Henrike Sollas was a novelist. Henrike Sollas was born in Brannock. In 1921 "
    "Henrike Sollas bought a printing press.",
    "Piet Corvin": "Piet Corvin was a painter. Piet Corvin was born in Ulstow. In 1930 Piet Corvin "
    "sold a boat to Anna Merrow.",
    "Ulstow": "Ulstow is a town. The mayor of Ulstow is Berta Lomax. In 1950 Ulstow held a fair.",
    "Salt Meadow": "Salt Meadow is a novel by Otto Grane. In 1960 Salt Meadow won praise.",
    "Otto Grane": "Otto Grane attended Fenner College. In 1961 Otto Grane moved to Brannock.",
    "Fenner College": "Fenner College is a college. Fenner College was founded by Ida Pravost. In "
    "1970 Fenner College built a hall.",
    "Ota Renn": "Ota Renn is a cyclist. The brother of Ota Renn is Milo Renn. In 1999 Ota Renn "
    "rode to Ulstow.",
    "Milo Renn": "Milo Renn plays for Hollin Rovers. In 2001 Milo Renn broke a record.",
    "Hollin Rovers": "Hollin Rovers is a team. The head coach of Hollin Rovers is Sven Adler. In "
    "2005 Hollin Rovers toured Ulstow.",
    "Velk 20": "The Velk 20 is a hand drill. The Velk 20 is made by Orrin Works. In 1980 Ida "
    "Pravost tested the Velk 20.",
    "Orrin Works": "Orrin Works is a maker of tools. The parent company of Orrin Works is Maxel "
    "Group. In 1985 Orrin Works moved.",
    "Maxel Group": "Maxel Group is a company. Maxel Group has its head office in Quarnford. In "
    "1990 Maxel Group grew.",
    "Dara Vell": "Dara Vell is an actor. The mother of Dara Vell is Ruta Vell. In 1977 Dara Vell "
    "sang in Ulstow. Ruta Vell was born in Sandrovia, and Ruta Vell lived there.\n\nSandrovia is a "
    "country. The official language of Sandrovia is Sandric. In 1944 Sandrovia changed its flag.",
}  # fmt: skip

FILLERS = ("Lorn Mill", "Castle Dree", "Wenlow Pier", "Aska Bridge", "Tolm Abbey", "Perrin Square")

Hop = tuple[str, str, str, str]
"""Step, answer, quote, title."""

QUESTIONS: list[tuple[str, str, list[Hop]]] = [
    ("In which town was the author of The Tallow Road born?", "Brannock", [
        ("The Tallow Road >> author", "Henrike Sollas",
         "The Tallow Road was written by Henrike Sollas.", "The Tallow Road"),
        ("#1 >> place of birth", "Brannock", "Henrike Sollas was born in Brannock.",
         "Henrike Sollas")]),
    ("Who is the mayor of the town where Piet Corvin was born?", "Berta Lomax", [
        ("in which town was Piet Corvin born", "Ulstow", "Piet Corvin was born in Ulstow.", ""),
        ("who is the mayor of #1", "Berta Lomax", "The mayor of Ulstow is Berta Lomax.", "")]),
    ("Who founded the college attended by the author of Salt Meadow?", "Ida Pravost", [
        ("Salt Meadow >> author", "Otto Grane", "Salt Meadow is a novel by Otto Grane.", ""),
        ("#1 >> educated at", "Fenner College", "Otto Grane attended Fenner College.", ""),
        ("who founded #2", "Ida Pravost", "Fenner College was founded by Ida Pravost.", "")]),
    ("Who is the head coach of the team that the sibling of Ota Renn plays for?", "Sven Adler", [
        ("Ota Renn >> sibling", "Milo Renn", "The brother of Ota Renn is Milo Renn.", ""),
        ("#1 >> member of sports team", "Hollin Rovers", "Milo Renn plays for Hollin Rovers.", ""),
        ("who is the head coach of #2", "Sven Adler", "The head coach of Hollin Rovers is Sven "
         "Adler.", "")]),
    ("In which city is the parent company of the Velk 20 maker headquartered?", "Quarnford", [
        ("Velk 20 >> manufacturer", "Orrin Works", "The Velk 20 is made by Orrin Works.", ""),
        ("#1 >> parent company", "Maxel Group", "The parent company of Orrin Works is Maxel Group.",
         ""),
        ("#2 >> headquarters location", "Quarnford", "Maxel Group has its head office in Quarnford",
         "Maxel Group")]),
    ("What is the official language of the country where Dara Vell's mother was born?", "Sandric", [
        ("Dara Vell >> mother", "Ruta Vell", "The mother of Dara Vell is Ruta Vell.", "Dara Vell"),
        ("in which country was #1 born", "Sandrovia", "Ruta Vell was born in Sandrovia",
         "Dara Vell"),
        ("what is the official language of #2", "Sandric",
         "The official language of Sandrovia is Sandric.", "Dara Vell")]),
]  # fmt: skip


def write_world(folder: Path) -> tuple[Path, Path, Path]:
    """Write table, saved pages and chains; return their paths."""
    pages = folder / "pages"
    pages.mkdir(parents=True)
    for number, title in enumerate(FILLERS):
        said = f"In {1900 + number} Anna Merrow described {title}. Jon Tarn painted {title}."
        _save(pages, title, said)
    for title, text in PAGES.items():
        _save(pages, title, text)
    table, chains = folder / "frames.tsv", folder / "chains.jsonl"
    rows, lines = ["\tPrompt\tAnswer\twiki_links"], []
    for number, (question, answer, hops) in enumerate(QUESTIONS):
        needed = [t for t in PAGES if any(quote in PAGES[t] for _, _, quote, _ in hops)]
        links = [f"{LINK}{title.replace(' ', '_')}" for title in (*needed, *FILLERS)]
        rows.append(f"{number}\t{question}\t{answer}\t{links}")
        steps = [
            {"question": step, "answer": said, "quote": quote, "title": title}
            for step, said, quote, title in hops
        ]
        lines.append(json.dumps({"id": str(number), "hops": steps}))
    table.write_text("\n".join(rows), encoding="utf-8")
    chains.write_text("\n".join(lines), encoding="utf-8")
    return table, pages, chains


def _save(folder: Path, title: str, text: str) -> None:
    body = "".join(f"<p>{part}</p>" for part in text.split("\n\n"))
    page = f"<h1 id=firstHeading>{title}</h1><div id=mw-content-text>{body}</div>"
    (folder / f"{title.replace(' ', '_')}.html").write_text(page, encoding="utf-8")
