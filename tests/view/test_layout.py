"""Pictures of every shape: columns line up, and nothing lies on anything else."""

from __future__ import annotations

from itertools import combinations

import pytest

from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.graph.dependency import topological
from realhop_kg.view.chains import Chains, read_chains
from realhop_kg.view.layout import lay_out
from realhop_kg.view.lettering import BOLD, LINE, text_width, wrap
from realhop_kg.view.scene import Label, Scene
from realhop_kg.view.spacing import COMPACT, SCREEN, Sizes

Area = tuple[float, float, float, float]


@pytest.fixture(scope="module")
def items(bundled: FrozenDataset) -> dict[str, Chains]:
    return {
        item.id: read_chains(bundled.graph(item.id), bundled.predicates_of(item.id))
        for item in bundled.items()
    }


def areas(scene: Scene) -> dict[str, Area]:
    """Return left, top, right and bottom of everything that has to be read."""
    found = {f"box {box.id}": _around(box.x, box.y, box.width, box.height) for box in scene.boxes}
    for number, label in enumerate(scene.labels):
        found[f"label {number} {label.lines}"] = _of_label(label, scene.font)
    for mark in scene.marks:
        found[f"mark {mark.fact}"] = _around(mark.x, mark.y, scene.font, scene.font)
    for key in scene.keys:
        found[f"key {key.id}"] = _around(key.x, key.y, scene.font * 0.8, scene.font * 0.8)
    return found


def _around(x: float, y: float, width: float, height: float) -> Area:
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def _of_label(label: Label, font: float) -> Area:
    size = font if label.role == "column" else font * 0.85
    bold = BOLD if label.role in ("column", "path") else 1.0
    width = max(text_width(line, size) for line in label.lines) * bold
    x = label.x if label.centred else label.x + width / 2
    return _around(x, label.y, width, len(label.lines) * size * LINE)


def overlap(one: Area, other: Area) -> bool:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across > 0.5 and down > 0.5


@pytest.mark.parametrize("sizes", [SCREEN, COMPACT, Sizes(6.5, 60, 60, stacked=True)])
def test_nothing_lies_on_anything_else(items: dict[str, Chains], sizes: Sizes) -> None:
    assert len(items) == 24
    for name, chains in items.items():
        scene = lay_out(chains, sizes)
        placed = areas(scene)
        for (one, first), (other, second) in combinations(placed.items(), 2):
            assert not overlap(first, second), f"{name}: {one} lies on {other}"
        for what, (left, top, right, bottom) in placed.items():
            assert left >= 0, (name, what)
            assert top >= 0, (name, what)
            assert right <= scene.width, (name, what)
            assert bottom <= scene.height, (name, what)


def test_hops_are_columns_from_the_question_to_the_answers(items: dict[str, Chains]) -> None:
    for chains in items.values():
        scene = lay_out(chains)
        x_of = {box.id: box.x for box in scene.boxes}
        columns: dict[int, set[float]] = {}
        for box in scene.boxes:
            if box.fact:
                columns.setdefault(chains.facts[box.fact].hop, set()).add(box.x)
        assert all(len(found) == 1 for found in columns.values())
        first = min(x_of.values())
        assert all(box.x == first for box in scene.boxes if box.kind == "gold" and not box.fact)
        order = [columns[hop].pop() for hop in topological(chains.depends_on)]
        assert max(order) == order[-1] == max(x_of.values())
        for line in scene.lines:
            assert line.points[0][0] <= line.points[-1][0]
        shown = {" ".join(box.lines) for box in scene.boxes if box.is_answer}
        assert shown >= {path.endpoint for path in chains.paths}


def test_every_fact_of_every_path_has_a_line_and_every_near_miss_a_cross(
    items: dict[str, Chains],
) -> None:
    for chains in items.values():
        scene = lay_out(chains)
        assert {line.fact for line in scene.lines if line.fact} == chains.facts.keys()
        broken = {fact for fact, held in chains.facts.items() if held.status == "break"}
        assert {mark.fact for mark in scene.marks} == broken
        parts = {part.id for fact in chains.facts.values() for part in fact.parts}
        assert {line.part for line in scene.lines if line.part} == parts
        shared = {line.fact for line in scene.lines if line.shared}
        assert shared == {fact for path in chains.paths for fact in path.inherited}


def test_paths_source_and_premises_can_be_left_out(items: dict[str, Chains]) -> None:
    chains = items["musique/4hop1__fict_016"]
    few = lay_out(chains, paths={"s1a", "f2a"}, source=False, premises=False)
    assert {box.path for box in few.boxes} == {"g", "s1a", "f2a"}
    assert few.keys == ()
    assert few.height < lay_out(chains).height


def test_words_that_do_not_fit_are_cut_and_reading_directions_dropped() -> None:
    assert wrap("a bc def", 25, 10, 4) == ("a bc", "def")
    assert wrap("x" * 9, 20, 10, 9) == ("xxx", "xxx", "xxx")
    assert wrap("fifth-largest", 50, 10, 4) == ("fifth-", "largest")
    assert wrap("one two three four", 30, 10, 2) == ("one", "two…")
    # The gap of a relation begins no line.
    assert wrap("linking … and …", 65, 10, 4) == ("linking …", "and …")
    assert wrap("a\u202eb\x00c\nd", 1000, 10, 1) == ("a b c d",)
    assert all(text_width(line, 10) <= 50 for line in wrap("word " * 10**5, 50, 10, 3))
