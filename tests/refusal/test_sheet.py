"""A reading sheet holds every cause and topology, with the sentences behind each step."""

from __future__ import annotations

import html
import json
from collections import Counter
from pathlib import Path

import pytest

from realhop_kg.errors import InputError, OutputExistsError
from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.graph.hyperlinks.index import PageGraph
from realhop_kg.model.refusal import Seed
from realhop_kg.refusal.build import BuildRequest, build_refusals
from realhop_kg.refusal.plan import parse_plan
from realhop_kg.refusal.reader import RefusalDataset
from realhop_kg.refusal.sheet import ReadChain, draw, write_sheet


@pytest.fixture(scope="module")
def dataset(
    world: PageGraph, world_seeds: list[Seed], tmp_path_factory: pytest.TempPathFactory
) -> RefusalDataset:
    out = tmp_path_factory.mktemp("sheet") / "set"
    build_refusals(world, world_seeds, out, BuildRequest(parse_plan("*:*:3=2")))
    return RefusalDataset.open(out)


def test_a_sample_takes_turns_and_a_larger_one_holds_the_smaller(dataset: RefusalDataset) -> None:
    nine = draw(dataset, 9, 0)
    assert set(Counter((item.cause, item.topology) for item in nine).values()) == {1}
    assert len(nine) == 9
    assert [item.id for item in draw(dataset, 14, 0)][:9] == [item.id for item in nine]
    assert [item.id for item in draw(dataset, 9, 1)] != [item.id for item in nine]


def test_a_sheet_has_rows_to_fill_and_a_page_to_read(
    dataset: RefusalDataset, tmp_path: Path
) -> None:
    items = write_sheet(dataset, 5, 0, tmp_path / "sheet")
    text = (tmp_path / "sheet" / "reading.jsonl").read_text(encoding="utf-8")
    rows = [ReadChain.model_validate(json.loads(line)) for line in text.splitlines()]
    assert [row.id for row in rows] == [item.id for item in items]
    page = (tmp_path / "sheet" / "reading.html").read_text(encoding="utf-8")
    for row, item in zip(rows, items, strict=True):
        assert (row.resolvable, row.digest) == ("", dataset.manifest.digest)
        assert html.escape(item.question) in page
        assert page.count(f'name="resolvable-{items.index(item) + 1}"') == 3  # boxes to tick
        links = (*item.chain.prefix, *item.chain.suffix)
        assert len(row.steps) == len(links) + 1
        assert all(any(link.sentence in step for step in row.steps) for link in links)
        assert sum(step.startswith("BROKEN") for step in row.steps) == 1
    with pytest.raises(OutputExistsError):
        write_sheet(dataset, 5, 0, tmp_path / "sheet")


def test_what_holds_no_refusal_questions_is_refused(
    dataset: RefusalDataset, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="no frozen dataset"):
        RefusalDataset.open(tmp_path)
    with pytest.raises(InputError, match="have no answer"):
        FrozenDataset.open(dataset.folder)
    first = next(dataset.items())
    assert dataset.item(first.id.removeprefix("refusal/")) == first
    with pytest.raises(InputError, match="no question 'gone'"):
        dataset.item("gone")
