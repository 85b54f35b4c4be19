"""Two valid items that the contract tests start from: a chain, and a question of two branches."""

from __future__ import annotations

from realhop_kg.graph.schema import HopNode, PathKind, PathNode
from realhop_kg.model.entity import EntityRole
from tests.contracts.world import World

GOLD = PathNode(
    id="path:g", path_kind=PathKind.GOLD, protected_hop=0, break_hop=0, endpoint="", candidate=1
)
STRICT, FLEXIBLE = PathKind.STRICT, PathKind.FLEXIBLE

CHAIN_PASSAGES = [
    (
        "Penrow Bridge",
        "Penrow Bridge crosses the Lune near Skelby. Alan Trask designed the bridge in 1931. "
        "Carts and trams used it until the war.",
    ),
    ("Alan Trask", "Alan Trask was an engineer. Trask grew up in Eddleton and drew four bridges."),
    (
        "Skelby",
        "Skelby is a market town on the Lune. Harold Finch rebuilt the market hall of Skelby. "
        "It has a brewery.",
    ),
    ("Lune", "The Lune rises on the moor above Skelby. The water is soft."),
    ("Harold Finch", "Harold Finch was a builder from Skelby. He left two sons."),
    ("Trams of the Lune valley", "Lines: Skelby to Eddleton; Skelby to the quarry"),
    ("Eddleton", "Eddleton has a mill and a school. Penrow Bridge lies a mile to the south."),
    ("Quarry railway", "The quarry railway carried slate to Skelby. Horses drew the wagons."),
]


def _hop(
    index: int, relation: str, support: int, kind: str, source: str, **more: object
) -> HopNode:
    step, answer = source.split(" = ")
    fields = {
        "slots": ["x"],
        "terminal": False,
        "multi_valued": False,
        "definite": True,
        "wording": step,
        **more,
    }
    return HopNode.model_validate(
        {
            "id": f"h{index}",
            "index": index,
            "relation": relation,
            "required": relation,
            "source_step": step,
            "source_answer": answer,
            "support": support,
            "asked_kind": kind,
            **fields,
        }
    )


def chain() -> World:
    """Return a valid item of two hops, the terminal one split, with six competitor paths."""
    world = World(
        question="In which town was the architect of the Orlen Bridge born?",
        source_question="In which town was the architect of Penrow Bridge born?",
        passages=list(CHAIN_PASSAGES),
        hops={
            1: _hop(1, "architect", 0, "person", "Penrow Bridge >> architect = Alan Trask"),
            2: _hop(2, "birthplace", 1, "town", "where was #1 born = Eddleton", terminal=True),
        },
        depends={1: {}, 2: {"x": 1}},
    )
    world.relation(
        "architect",
        {"x": "bridge"},
        "person",
        {
            "": ("{x} was designed by {y}.", "{x} was designed under {k}.", "{k} went to {y}."),
            "inspector": (
                "{x} was inspected by {y}.",
                "{x} was inspected under {k}.",
                "The inspector named in {k} is {y}.",
            ),
            "painter": (
                "{x} was painted by {y}.",
                "{x} was painted under {k}.",
                "The painter named in {k} is {y}.",
            ),
            "toll": (
                "{x} was leased by {y}.",
                "{x} was leased under {k}.",
                "The leaseholder named in {k} is {y}.",
            ),
        },
    )
    world.relation(
        "birthplace",
        {"x": "person"},
        "town",
        {
            name: (
                f"{{x}} {verb} in {{y}}.",
                f"The {noun} of {{x}} is recorded in {{k}}.",
                f"The {noun} recorded in {{k}} took place in {{y}}.",
            )
            for name, verb, noun in (
                ("", "was born", "birth"),
                ("school", "was schooled", "schooling"),
                ("training", "was apprenticed", "apprenticeship"),
                ("wedding", "was married", "wedding"),
            )
        },
    )
    world.entity("e:q1", "Orlen Bridge", "bridge", EntityRole.QUESTION, "Penrow Bridge", "the")
    world.entity("e:h1", "Mirela Castane", "person", EntityRole.BRIDGE, "Alan Trask")
    world.entity("e:h2", "Calder", "town", EntityRole.ANSWER, "Eddleton")
    world.paths["path:g"] = GOLD.model_copy(update={"endpoint": "Calder"})
    world.gold(1, {"x": "e:q1"})
    world.gold(2, {}, key="register leaf 41-A")
    for kind, hop, candidate, miss, steps in (
        (STRICT, 1, 1, "inspector", {1: ("Dorian Hask", "", 0), 2: ("Wexmoor", "72-C", 2)}),
        (STRICT, 1, 2, "painter", {1: ("Joren Vale", "", 3), 2: ("Tessaro", "58-F", 4)}),
        (FLEXIBLE, 1, 1, "toll", {1: ("Tamsin Orrel", "", 5), 2: ("Ostrey", "63-B", 6)}),
        (STRICT, 2, 1, "school", {2: ("Harlan", "85-D", 7)}),
        (STRICT, 2, 2, "training", {2: ("Dunmore", "94-E", 2)}),
        (FLEXIBLE, 2, 1, "wedding", {2: ("Brenholt", "37-G", 3)}),
    ):
        keyed = {
            at: (name, f"register leaf {key}" if key else "", host)
            for at, (name, key, host) in steps.items()
        }
        world.branch(kind, hop, candidate, miss, keyed)
    inside = CHAIN_PASSAGES[2][1]
    world.offsets["u:s2b.h2.1"] = inside.index(" Harold")
    return world


BRANCH_PASSAGES = [
    ("Ferro Kite", "The Ferro Kite is a bicycle. Bolland made the Ferro Kite from the start."),
    ("Ashby Works", "The Ashby Works stand by the canal. Crail bought the works at auction."),
    ("Bolland", "Bolland and Crail shared a foundry. The foundry opened in 1908."),
    ("Crail", "Crail was a maker of lamps. Bolland supplied the brass."),
    ("Canal", "The canal froze every winter. Boats lay idle for weeks."),
    ("Foundry", "Bells were cast at the foundry. Each bell took a month."),
    ("Auction house", "The auction house sold mills and works. Few buyers came."),
    ("Bicycles", "Bicycles were dear at first. Clubs bought them by the dozen."),
]


def branches() -> World:
    """Return a valid item of three hops, two of which meet in the two slots of the third."""
    world = World(
        question="When did the Sabre Wren maker and the Lumeno Works owner open a joint foundry?",
        source_question="When did the Ferro Kite maker and the Ashby Works owner open a joint "
        "foundry?",
        passages=list(BRANCH_PASSAGES),
        hops={
            1: _hop(1, "maker", 0, "company", "Ferro Kite >> manufacturer = Bolland"),
            2: _hop(2, "owner", 1, "company", "Ashby Works >> owned by = Crail"),
            3: _hop(
                3,
                "opened",
                2,
                "year",
                "when did #1 and #2 open a joint foundry = 1908",
                terminal=True,
                slots=["x", "w"],
            ),
        },
        depends={1: {}, 2: {}, 3: {"x": 1, "w": 2}},
    )
    for relation, verbs in (
        ("maker", {"": "made", "seller": "sold", "tester": "tested", "repairer": "repaired"}),
        ("owner", {"": "owned", "insurer": "insured", "guard": "guarded", "fuel": "heated"}),
    ):
        world.relation(
            relation,
            {"x": "product" if relation == "maker" else "place"},
            "company",
            {
                name: (
                    f"{{x}} is {verb} by {{y}}.",
                    f"{{x}} is {verb} under {{k}}.",
                    "The company named in {k} is {y}.",
                )
                for name, verb in verbs.items()
            },
        )
    world.relation(
        "opened",
        {"x": "company", "w": "company"},
        "year",
        {
            name: (
                f"{{x}} and {{w}} {verb} a joint foundry in {{y}}.",
                f"{{k}} names the joint foundry {{x}} and {{w}} {verb}.",
                f"The foundry named in {{k}} was {verb} in {{y}}.",
            )
            for name, verb in (
                ("", "opened"),
                ("insured", "insured"),
                ("planned", "surveyed"),
                ("sold", "mortgaged"),
            )
        },
    )
    world.entity("e:q1", "Sabre Wren", "product", EntityRole.QUESTION, "Ferro Kite", "the")
    world.entity("e:q2", "Lumeno Works", "place", EntityRole.QUESTION, "Ashby Works", "the")
    world.entity("e:h1", "Halberg", "company", EntityRole.BRIDGE, "Bolland")
    world.entity("e:h2", "Brask", "company", EntityRole.BRIDGE, "Crail")
    world.entity("e:h3", "1967", "year", EntityRole.ANSWER, "1908")
    world.paths["path:g"] = GOLD.model_copy(update={"endpoint": "1967"})
    world.gold(1, {"x": "e:q1"}, key="trade file AB")
    world.gold(2, {"x": "e:q2"})
    world.gold(3, {}, key="trade file AC")
    for kind, hop, candidate, miss, name, year, key, hosts in (
        (STRICT, 1, 1, "seller", "Vandor", "1954", "AD", (0, 3)),
        (STRICT, 1, 2, "tester", "Ostrix", "1948", "AE", (4, 5)),
        (FLEXIBLE, 1, 1, "repairer", "Kelvora", "1971", "AF", (6, 7)),
        (STRICT, 2, 1, "insurer", "Tavano", "1939", "AG", (1, 4)),
        (STRICT, 2, 2, "guard", "Drennick", "1943", "AH", (6, 7)),
        (FLEXIBLE, 2, 1, "fuel", "Solvane", "1959", "AJ", (3, 5)),
    ):
        first = f"trade file {key}X" if hop == 1 else ""
        steps = {hop: (name, first, hosts[0]), 3: (year, f"trade file {key}", hosts[1])}
        world.branch(kind, hop, candidate, miss, steps)
    for kind, candidate, miss, year, key, host in (
        (STRICT, 1, "insured", "1963", "AK", 3),
        (STRICT, 2, "planned", "1935", "AL", 5),
        (FLEXIBLE, 1, "sold", "1976", "AM", 6),
    ):
        world.branch(kind, 3, candidate, miss, {3: (year, f"trade file {key}", host)})
    return world
