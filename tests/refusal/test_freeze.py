"""A frozen set verifies from its files alone, is the same twice, and every change is named."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from realhop_kg.errors import InputError, OutputExistsError
from realhop_kg.freeze.manifest import FILES, QUALITY, read_manifest
from realhop_kg.freeze.report import VerifyReport
from realhop_kg.graph.hyperlinks.index import PageGraph
from realhop_kg.jsonl import canonical
from realhop_kg.model.refusal import Seed, SeedTerms
from realhop_kg.model.refusal_item import RefusalFigures
from realhop_kg.refusal.build import BuildRequest, build_refusals
from realhop_kg.refusal.freeze import refusal_writer
from realhop_kg.refusal.plan import parse_plan, spread
from realhop_kg.refusal.verify import verifier_of, verify_refusal


@pytest.fixture(scope="module")
def frozen(
    world: PageGraph, world_seeds: list[Seed], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    out = tmp_path_factory.mktemp("frozen") / "set"
    build_refusals(world, world_seeds, out, BuildRequest(spread(11)))
    return out


@pytest.fixture
def copy(frozen: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(frozen, tmp_path / "copy"))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_set_is_whole_and_verifies(frozen: Path) -> None:
    report = verify_refusal(frozen)
    assert report.ok, report.discrepancies
    assert verifier_of(frozen) is verify_refusal
    assert {path.name for path in frozen.iterdir()} == set(FILES) - {QUALITY}
    manifest = read_manifest(frozen)
    assert report.counts == manifest.counts
    assert manifest.counts.constructed == len(lines(frozen / "items.jsonl")) == 11
    figures = RefusalFigures.model_validate(manifest.config)
    assert sum(row["filled"] for row in figures.cells.values()) == 11
    assert figures.draws["kept"] == 11
    assert "| AU | root |" in (frozen / "README.md").read_text(encoding="utf-8")


def test_the_same_inputs_give_the_same_bytes(
    frozen: Path, world: PageGraph, world_seeds: list[Seed], tmp_path: Path
) -> None:
    build_refusals(world, world_seeds, tmp_path / "again", BuildRequest(spread(11)))
    for name in set(FILES) - {QUALITY}:
        assert (tmp_path / "again" / name).read_bytes() == (frozen / name).read_bytes(), name


Damage = Callable[[dict[str, Any]], None]


def edited(folder: Path, change: Damage, file: str = "items.jsonl") -> VerifyReport:
    records = lines(folder / file)
    change(records[0])
    text = "".join(f"{canonical(record)}\n" for record in records)
    (folder / file).write_text(text, encoding="utf-8")
    return verify_refusal(folder)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda r: r.update(rationale="Stale."), "K5"),
        (lambda r: r.update(depth=9), "K5"),
        (lambda r: r.update(question=r["question"][:-1] + " at all?"), "K2"),
        (lambda r: r["chain"]["defect"].update(question="Which town is it?"), "K4"),
        (lambda r: r["steps"][0].update(phrase="the lair of {S}"), "K3"),
        (lambda r: r.update(hidden_names=[r["starts_from"]]), "K1"),
    ],
)
def test_a_changed_question_breaks_its_check(copy: Path, change: Damage, code: str) -> None:
    report = edited(copy, change)
    assert code in {found.code for found in report.discrepancies}
    assert any(found.trouble == "hash" for found in report.discrepancies)


def test_what_differs_between_files_is_named(copy: Path) -> None:
    report = edited(copy, lambda r: r.update(id="refusal/0"), "graphs.jsonl")
    assert any("not the one in graphs.jsonl" in found.message for found in report.discrepancies)
    report = edited(copy, lambda r: r.update(redistributable=False))
    assert any(found.field == "redistributable" for found in report.discrepancies)


def test_hostile_files_are_reported_and_never_crash(copy: Path) -> None:
    (copy / "items.jsonl").write_bytes(b'{"id": 1}\n\xff\xfe\n[]\n' + b"[" * 100_000 + b"\n")
    (copy / "excluded.jsonl").write_bytes(b"{}\n")
    report = verify_refusal(copy)
    assert not report.ok
    assert sum(found.trouble == "unreadable" for found in report.discrepancies) == 5


def test_two_questions_of_one_wording_are_found(copy: Path) -> None:
    for name in ("items.jsonl", "graphs.jsonl"):
        text = (copy / name).read_text(encoding="utf-8")
        (copy / name).write_text(text + text.splitlines()[0] + "\n", encoding="utf-8")
    assert "W3" in {found.code for found in verify_refusal(copy).discrepancies}


def test_seeds_that_may_not_be_passed_on_are_marked_or_left_out(
    world: PageGraph, world_seeds: list[Seed], tmp_path: Path
) -> None:
    closed = SeedTerms(licence="CC-BY-NC-4.0", redistributable=False)
    seeds = [
        *world_seeds[:1],
        world_seeds[3].model_copy(update={"terms": closed, "source": "worldsense"}),
    ]
    plan = parse_plan("AU:terminal:*=3")
    manifest = build_refusals(world, seeds, tmp_path / "all", BuildRequest(plan))
    assert "Not to be passed on: questions from worldsense" in manifest.terms.attribution
    marks = {r["chain"]["defect"]["source"]: r["redistributable"]
             for r in lines(tmp_path / "all" / "items.jsonl")}  # fmt: skip
    assert marks == {"plain": True, "worldsense": False}
    free = build_refusals(world, seeds, tmp_path / "free", BuildRequest(plan, free_only=True))
    assert "worldsense" not in free.terms.attribution
    assert RefusalFigures.model_validate(free.config).sources["worldsense"].barred == 1
    assert verify_refusal(tmp_path / "free").ok


def test_what_cannot_be_built_says_so_and_leaves_nothing(
    world: PageGraph, world_seeds: list[Seed], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with pytest.raises(InputError, match="no seed is left"):
        build_refusals(world, [], out, BuildRequest(spread(3)))
    with pytest.raises(InputError, match="no_such is not installed"):
        build_refusals(world, world_seeds, out, BuildRequest(spread(3), language_model="no_such"))
    assert list(tmp_path.iterdir()) == []
    out.mkdir()
    (out / "mine").write_text("kept")
    with pytest.raises(OutputExistsError), refusal_writer(out):
        pass
    assert (out / "mine").read_text() == "kept"
