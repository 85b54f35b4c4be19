"""Sentences of the pages of people, and of what they did and made."""

from __future__ import annotations

from collections.abc import Iterator

from words import Facts, Text, an, listed

__all__ = ["events", "meanings", "people", "ships", "works"]


def ships(world: Facts) -> Iterator[tuple[str, Text]]:
    """Yield the pages of the ships."""
    for name, (builder, captain, year) in world["ships"].items():
        told = [what for what, facts in world["works"].items() if facts[3] == name]
        log = f" Its first voyage is told in [[{told[0]}]]." if told else ""
        yield (
            name,
            [
                f"The {name} was a sailing ship built by [[{builder}]] in [[Korrum]] in {year}. "
                f"Its captain was [[{captain}]].{log}",
                "It sailed from [[Pellamar]] along the coast of [[Brannoch]]"
                + (
                    " and took its bearings from the [[Saltgate Lighthouse]]."
                    if year > 1779
                    else "."
                ),
                "Section::::Fate.",
                "The ship was broken up on the [[Ludwen]]; its bell hangs in the "
                "[[Korrum School of Navigation]], and its figurehead stands in "
                "[[Lanthorn Library]].",
            ],
        )


def events(world: Facts) -> Iterator[tuple[str, Text]]:
    """Yield the pages of the events."""
    for name, (town, year, kind, person) in world["events"].items():
        region, water, *_ = world["towns"][town]
        shown = [what for what, facts in world["works"].items() if facts[3] == name]
        heard = [what for what, facts in world["works"].items() if facts[4] == name]
        art = f" It is the subject of {listed(shown)}." if shown else ""
        art += f" Later it was the first stage of {listed(heard)}." if heard else ""
        others = [o for o, facts in world["events"].items() if facts[3] == person and o != name]
        yield (
            name,
            [
                f"The {name} was {an(kind)} in [[{town}]], [[{region}]], in {year}. "
                f"[[{person}]] had the leading part in it.{art}",
                f"It took place by the [[{water}]] in [[Ardessa]]"
                + (f" in the time of the {listed(others)}." if others else "."),
                "Section::::Memory.",
                "A stone for it was set up by [[Corin Aldwyn]], and [[Anselm Brike]] marked the "
                "place in the [[Atlas of the Imbrel]]."
                if year < 1800
                else "A stone for it was set up by [[Hale Verrin]], and [[Veda Lorne]] painted the "
                "scene for the [[Lanthorn Library]].",
            ],
        )


def people(world: Facts) -> Iterator[tuple[str, Text]]:
    """Yield the pages of the people."""
    for name, facts in world["people"].items():
        trade, town, school, teacher, spouse, born, died = facts
        region = world["towns"][town][0]
        made = [what for what, facts in world["works"].items() if facts[1] == name]
        made += [what for what, facts in world["buildings"].items() if facts[1] == name]
        made += [what for what, facts in world["firms"].items() if facts[1] == name]
        led = [what for what, facts in world["events"].items() if facts[3] == name]
        led += [what for what, facts in world["ships"].items() if facts[1] == name]
        pupils = [who for who, facts in world["people"].items() if facts[3] == name]
        lead = f"{name} ({born}–{died}) was {an(trade)} born in [[{town}]], [[{region}]]."
        if school:
            lead += f" {name} studied at [[{school}]]"
            lead += f" under [[{teacher}]]." if teacher else "."
        elif teacher:
            lead += f" {name} learned the trade from [[{teacher}]]."
        more = f"{name} is known for {listed((made + led)[:5])}." if made + led else ""
        if pupils:
            more += f" Pupils of {name} include {listed(pupils)}."
        if spouse:
            linked = f"[[{spouse}]]" if spouse in world["people"] else spouse
            more += f" {name} was married to {linked}."
        ends = world["towns"]
        last = sorted(ends, key=lambda other: (len(other) * born + died) % 97)[0]
        yield (
            name,
            [
                lead,
                more.strip(),
                "Section::::Life.",
                f"{name} lived for some years in [[{last}]] and was made a citizen of "
                f"[[Ardessa]]. Letters of {name} are kept at [[Lanthorn Library]] and at "
                "[[Ilsbury Academy]].",
            ],
        )


def works(world: Facts) -> Iterator[tuple[str, Text]]:
    """Yield the pages of the works."""
    for name, (kind, maker, year, about, first) in world["works"].items():
        trade, town, *_ = world["people"][maker]
        printed = {
            "Lanthorn Press": "was printed by",
            "Lanthorn Library": "hangs in",
            "Orrel Instruments": "was written for the organs of",
            "Korrum School of Navigation": "was first read at",
        }.get(first, "was first heard at")
        others = [w for w, facts in world["works"].items() if facts[1] == maker and w != name]
        rival = [w for w, facts in world["works"].items() if facts[0] == kind and facts[1] != maker]
        yield (
            name,
            [
                f"{name} is {an(kind)} of {year} by the {trade} [[{maker}]]. Its subject is "
                f"[[{about}]].",
                f"It {printed} [[{first}]]"
                + (f" and is often named together with {listed(others)}." if others else "."),
                "Section::::Reception.",
                f"In [[{town}]], where [[{maker}]] was born, the {kind} is known to every child. "
                + (f"Critics compared it with {listed(rival[:3])}. " if rival else "")
                + "A first copy lies in [[Lanthorn Library]].",
            ],
        )


def meanings(world: Facts) -> Iterator[tuple[str, Text]]:
    """Yield a page that only says what its name may mean."""
    yield (
        "Lanthorn",
        [
            "Lanthorn may refer to:",
            "BULLET::::- [[Edda Lanthorn]], a publisher",
            "BULLET::::- [[Lanthorn Press]], the firm",
            "BULLET::::- [[Lanthorn Library]], in Marrowick",
        ],
    )
