"""The lines of pictures, for any shape of question: none runs through a box or a text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.graph.dependency import regenerated
from realhop_kg.graph.schema import EntityNode, FactStatus, HopNode, PathKind
from realhop_kg.model.entity import EntityRole, Origin
from realhop_kg.view.chains import Chains, Fact, Part, Path, read_chains
from realhop_kg.view.grid import decks
from realhop_kg.view.layout import lay_out
from realhop_kg.view.scene import Point, Scene
from realhop_kg.view.spacing import COMPACT, SCREEN, Sizes
from tests.view.test_layout import areas, overlap

Deps = Mapping[int, tuple[int, ...]]


def entity(key: str, role: EntityRole) -> EntityNode:
    return EntityNode(
        id=key,
        surface=f"Name of {key}",
        entity_type="place",
        asked_kind="place",
        role=role,
        origin=Origin.VIRTUAL,
    )


def hop_node(index: int, last: int) -> HopNode:
    return HopNode(
        id=f"h{index}",
        index=index,
        relation="near",
        required="near",
        wording="",
        source_step="",
        source_answer="",
        support=0,
        asked_kind="place",
        slots=["x"],
        terminal=index == last,
        multi_valued=False,
        definite=True,
    )


def chains_of(deps: Deps, anchored: frozenset[int]) -> Chains:
    """Return an item of any dependency graph; `anchored` hops take a name of the question too."""
    last = max(deps)
    facts: dict[str, Fact] = {}
    paths = [Path("g", PathKind.GOLD, 0, 0, "", tuple(f"g.{h}" for h in deps), (), len(deps))]
    for hop in deps:
        for kind in (PathKind.STRICT, PathKind.FLEXIBLE):
            own = tuple(f"{kind[0]}{hop}a.{h}" for h in sorted(regenerated(deps, hop)))
            left = tuple(f"g.{h}" for h in deps if h not in regenerated(deps, hop))
            paths.append(Path(f"{kind[0]}{hop}a", kind, hop, hop, "", own, left, len(deps)))
    for path in paths:
        for fact_id in path.own:
            hop = int(fact_id.rpartition(".")[2])
            held = {int(own.rpartition(".")[2]) for own in path.own}
            subjects = [
                f"e:{path.name if before in held else 'g'}.{before}" for before in deps[hop]
            ]
            subjects += [f"q{hop}"] if hop in anchored or not deps[hop] else []
            value = f"e:{fact_id}"
            status = FactStatus.BREAK if hop == path.break_hop else FactStatus.CONTINUATION
            parts: tuple[Part, ...] = (Part(fact_id, tuple(subjects), value, ()),)
            if hop % 2:
                key = f"k:{fact_id}"
                parts = (
                    Part(f"{fact_id}.1", tuple(subjects), key, ()),
                    Part(f"{fact_id}.2", (key,), value, ()),
                )
            facts[fact_id] = Fact(
                id=fact_id,
                hop=hop,
                path=path.name,
                kind=path.kind,
                status=status if path.name != "g" else FactStatus.GOLD,
                predicate="near",
                words="lies not far from" if hop % 2 else "is",
                subjects=tuple(subjects),
                value=value,
                parts=parts,
                contracts=(),
            )
    names = {name for fact in facts.values() for name in (*fact.subjects, fact.value)}
    names |= {key for fact in facts.values() for key in fact.keys}
    role = {"q": EntityRole.QUESTION, "k": EntityRole.KEY, "e": EntityRole.BRIDGE}
    return Chains(
        hops={hop: hop_node(hop, last) for hop in deps},
        depends_on=dict(deps),
        entities={name: entity(name, role[name[0]]) for name in sorted(names)},
        paths=tuple(paths),
        facts=facts,
        sources={},
    )


@st.composite
def questions(draw: st.DrawFn) -> tuple[Deps, frozenset[int]]:
    """Draw a dependency graph of up to five hops in which every hop reaches the last one."""
    count = draw(st.integers(1, 5))
    deps: dict[int, set[int]] = {hop: set() for hop in range(1, count + 1)}
    for hop in range(1, count):
        deps[draw(st.integers(hop + 1, count))].add(hop)
    for hop in range(2, count + 1):
        deps[hop] |= draw(st.sets(st.integers(1, hop - 1), max_size=2))
    anchored = draw(st.frozensets(st.integers(1, count), max_size=2))
    return {hop: tuple(sorted(earlier)) for hop, earlier in deps.items()}, anchored


def segments(scene: Scene) -> Iterator[tuple[str, str, str, Point, Point]]:
    for line in scene.lines:
        for start, end in zip(line.points, line.points[1:], strict=False):
            yield line.id, line.source, line.target, start, end


def struck(scene: Scene) -> Iterator[str]:
    """Yield what a line runs through: boxes that are not its ends, and texts."""
    placed = {
        what: area for what, area in areas(scene).items() if not what.startswith(("mark", "key"))
    }
    for name, source, target, (x1, y1), (x2, y2) in segments(scene):
        run = (min(x1, x2) - 0.3, min(y1, y2) - 0.3, max(x1, x2) + 0.3, max(y1, y2) + 0.3)
        for what, area in placed.items():
            if what in (f"box {source}", f"box {target}"):
                continue
            if overlap(run, area):
                yield f"{name} runs through {what}"


@pytest.mark.parametrize("sizes", [SCREEN, COMPACT])
def test_no_line_runs_through_a_box_or_a_text(bundled: FrozenDataset, sizes: Sizes) -> None:
    for item, graph, predicates in bundled.whole():
        scene = lay_out(read_chains(graph, predicates), sizes)
        assert list(struck(scene)) == [], item.id


@settings(deadline=None, max_examples=60)
@given(questions())
def test_any_shape_of_question_can_be_drawn(question: tuple[Deps, frozenset[int]]) -> None:
    chains = chains_of(*question)
    for sizes in (SCREEN, COMPACT):
        scene = lay_out(chains, sizes)
        assert {line.fact for line in scene.lines} == chains.facts.keys()
        placed = list(areas(scene).items())
        for at, (one, first) in enumerate(placed):
            for other, second in placed[at + 1 :]:
                assert not overlap(first, second), f"{one} lies on {other}"
        assert list(struck(scene)) == []
        centres = {box.id: box.x for box in scene.boxes}
        for line in scene.lines:
            if line.source in centres and line.target in centres:
                assert centres[line.source] < centres[line.target]
        # One line of a premise goes on to its end; two dashed ones on one another look solid.
        for part in {line.part for line in scene.lines}:
            assert sum(not line.joins for line in scene.lines if line.part == part) == 1
        for deck in decks(chains, 2):
            part = lay_out(chains, sizes, deck=deck)
            assert list(struck(part)) == []
            assert {box.fact for box in part.boxes if box.fact} == {
                line.fact for line in part.lines
            }
