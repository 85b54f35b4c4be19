"""Sentences of the pages of places and of what stands in them."""

from __future__ import annotations

from collections.abc import Iterator

from words import Facts, Text, an, listed

__all__ = ["buildings", "country", "firms", "regions", "rivers", "schools", "towns"]


def country(world: Facts) -> Iterator[tuple[str, Text]]:
    """Yield the page of the country."""
    yield (
        "Ardessa",
        [
            f"Ardessa is an island republic of four regions, {listed(list(world['regions']))}. "
            "Its largest town is [[Marrowick]], and its oldest is [[Winsel]].",
            f"Its rivers are {listed(list(world['rivers']))}. The republic was proclaimed "
            "after the [[Treaty of Eastrith]], which ended the war that had begun with the "
            "[[Siege of Dunmaro]].",
            "Section::::Culture.",
            "Ardessan letters are known for the novels of [[Oswin Pell]] and [[Runa Castell]], "
            "most of them printed by [[Lanthorn Press]]. The [[Winsel Music Festival]] is held "
            "every summer. No page tells of the [[Ardessan tea ceremony]] yet.",
        ],
    )


def regions(world: Facts) -> Iterator[tuple[str, Text]]:
    """Yield the pages of the regions."""
    for name, (seat, known) in world["regions"].items():
        towns = [town for town, facts in world["towns"].items() if facts[0] == name]
        springs = [water for water, facts in world["rivers"].items() if facts[0] == name]
        born = [who for who, facts in world["people"].items() if facts[1] in towns]
        rise = (
            f" It is where {listed(springs)} {'rise' if len(springs) > 1 else 'rises'}."
            if springs
            else ""
        )
        yield (
            name,
            [
                f"{name} is a region of [[Ardessa]], known for its {known}. Its seat is "
                f"[[{seat}]].{rise}",
                f"The towns of {name} are {listed(towns)}.",
                "Section::::People.",
                f"Among those born in {name} are {listed(born[:6])}.",
            ],
        )


def rivers(world: Facts) -> Iterator[tuple[str, Text]]:
    """Yield the pages of the rivers."""
    for name, (source, length) in world["rivers"].items():
        towns = [town for town, facts in world["towns"].items() if facts[1] == name]
        crossed = [what for what, facts in world["buildings"].items() if facts[0] in towns]
        works = [f"[[{what}]]" for what, facts in world["works"].items() if facts[3] == name]
        more = f" It is drawn, bend by bend, in {works[0]}." if works else ""
        yield (
            name,
            [
                f"The {name} is a river of [[Ardessa]], {length} km long. It rises in [[{source}]] "
                f"and flows past {listed(towns)}.{more}",
                f"Sights on its banks are {listed(crossed)}."
                if crossed
                else f"Ships for the open sea were launched on the {name} at [[Halvick Yards]], "
                "among them the [[Grey Heron]] and the [[Saint Orla]].",
                "Section::::Navigation.",
                f"Barges go up the {name} as far as [[{towns[0]}]]. Its pilots are trained at the "
                "[[Korrum School of Navigation]], and its floods are recorded at "
                "[[Lanthorn Library]].",
            ],
        )


def towns(world: Facts) -> Iterator[tuple[str, Text]]:
    """Yield the pages of the towns."""
    for name, (region, water, kind, founded) in world["towns"].items():
        born = [who for who, facts in world["people"].items() if facts[1] == name]
        here = [
            title
            for group in ("schools", "firms", "buildings", "events")
            for title, facts in world[group].items()
            if facts[0] == name
        ]
        lead = (
            f"{name} is {an(kind)} on the [[{water}]] in [[{region}]], [[Ardessa]], founded in "
            f"{founded}."
        )
        birth = f" It is the birthplace of {listed(born[:4])}." if born else ""
        yield (
            name,
            [
                lead + birth,
                f"{name} is known for {listed(here)}.",
                "Section::::History.",
                (
                    f"After the [[Treaty of Eastrith]], {name} became a free town of the republic. "
                    if founded < 1469
                    else f"{name} was laid out under the laws of the [[Treaty of Eastrith]]. "
                )
                + (f"Later natives are {listed(born[4:])}." if born[4:] else "")
                + (
                    f"Its quarter by the [[{water}]] was redrawn by [[Corin Aldwyn]]."
                    if not born[4:]
                    else ""
                ),
            ],
        )


def schools(world: Facts) -> Iterator[tuple[str, Text]]:
    """Yield the pages of the schools."""
    for name, (town, founded, founder) in world["schools"].items():
        pupils = [who for who, facts in world["people"].items() if facts[2] == name]
        taught = [facts[3] for facts in world["people"].values() if facts[2] == name and facts[3]]
        teachers = list(dict.fromkeys(taught))
        yield (
            name,
            [
                f"{name} is a school in [[{town}]], [[Ardessa]]. It was founded in {founded} by "
                f"[[{founder}]].",
                f"Among its pupils were {listed(pupils[:5])}.",
                "Section::::Teachers.",
                (f"Teachers of the school include {listed(teachers)}. " if teachers else "")
                + "Its records went to [[Lanthorn Library]] in 1906. "
                + (f"Later pupils include {listed(pupils[5:])}." if pupils[5:] else ""),
            ],
        )


def firms(world: Facts) -> Iterator[tuple[str, Text]]:
    """Yield the pages of the firms."""
    for name, (town, founder, year, product) in world["firms"].items():
        made = [what for what, facts in world["works"].items() if facts[4] == name]
        made = made if product.startswith("maps") else []
        made += [what for what, facts in world["ships"].items() if facts[0] == name]
        school = next((s for s, facts in world["schools"].items() if facts[0] == town), "")
        goods = f" Its best known products are {listed(made)}." if made else ""
        staff = (
            f"many of its workers came from the [[{school}]]"
            if school
            else ("most of its workers came from the countryside")
        )
        region = world["towns"][town][0]
        yield (
            name,
            [
                f"{name} is a maker of {product} in [[{town}]]. It was founded in {year} by "
                f"[[{founder}]].{goods}",
                f"The firm supplied all of [[{region}]], and {staff}.",
                "Section::::Later years.",
                "Its papers lie in the [[Lanthorn Library]] of [[Marrowick]]. [[Hale Verrin]] "
                "rebuilt its offices, and [[Veda Lorne]] painted their ceiling.",
            ],
        )


def buildings(world: Facts) -> Iterator[tuple[str, Text]]:
    """Yield the pages of the buildings."""
    for name, (town, architect, year, kind) in world["buildings"].items():
        region, water, *_ = world["towns"][town]
        shown = [what for what, facts in world["works"].items() if facts[3] == name]
        held = [what for what, facts in world["works"].items() if facts[4] == name]
        art = f" It appears in {listed(shown)}." if shown else ""
        art += f" It holds {listed(held)}." if held else ""
        others = [o for o, facts in world["buildings"].items() if facts[1] == architect != name]
        others = [other for other in others if other != name]
        yield (
            name,
            [
                f"{name} is {an(kind)} in [[{town}]], [[{region}]]. It was designed by "
                f"[[{architect}]] and finished in {year}.{art}",
                f"It stands above the [[{water}]]"
                + (f" and is often compared with {listed(others)}." if others else "."),
                "Section::::Restoration.",
                f"The {kind} "
                + ("" if architect == "Hale Verrin" else "was restored by [[Hale Verrin]] and ")
                + "has windows from [[Fenwarrow Glass]] and iron from [[Dray and Sons]].",
            ],
        )
