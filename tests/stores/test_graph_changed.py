"""A dataset that was changed since it was frozen goes into no store unasked."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from realhop_kg.cli.graph import graph_app
from realhop_kg.errors import VerificationError
from realhop_kg.stores.address import open_store
from realhop_kg.stores.load import remove_scope
from tests.freeze.samples import write_dataset
from tests.stores.conftest import NEO4J, needs_neo4j

FACTS = "MATCH (f:Fact) WHERE f.scope = $scope RETURN DISTINCT f.predicate AS p ORDER BY p"


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("frozen") / "sample"
    write_dataset(target, items=2, excluded=0)
    return target


@pytest.fixture
def changed(frozen: Path, tmp_path: Path) -> Path:
    """The dataset with another predicate at one place: all of it can still be read."""
    target = tmp_path / "changed"
    shutil.copytree(frozen, target)
    _edit(target / "graphs.jsonl")
    return target


def _edit(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    data = json.loads(text.splitlines()[0])
    old = next(node["predicate"] for node in data["nodes"] if node["kind"] == "Fact")
    path.write_text(text.replace(f'"predicate":"{old}"', '"predicate":"planted"', 1), "utf-8")


@pytest.fixture(params=["embedded", pytest.param("neo4j", marks=needs_neo4j)])
def address(request: pytest.FixtureRequest, tmp_path: Path, scope: str) -> Iterator[str]:
    if request.param == "embedded":
        yield f"embedded:{tmp_path / 'x.kgl'}"
        return
    yield NEO4J
    with open_store(NEO4J) as store:
        remove_scope(store, scope)


def _invoke(*words: object) -> Result:
    return CliRunner().invoke(graph_app, [str(word) for word in words])


def _predicates(address: str, scope: str) -> list[str]:
    with open_store(address, writing=False) as store:
        return [row[0] for row in store.run(FACTS, {"scope": scope}).rows]


def test_a_changed_dataset_is_refused_and_what_is_stored_stays(
    frozen: Path, changed: Path, address: str, scope: str
) -> None:
    there = ("--store", address, "--scope", scope)
    assert _invoke("load", frozen, *there).exit_code == 0
    before = _predicates(address, scope)
    done = _invoke("load", changed, *there)
    assert isinstance(done.exception, VerificationError)
    assert done.exception.exit_code == 1
    said = str(done.exception)
    assert "was changed since it was frozen, so it is not loaded: graphs.jsonl:" in said
    assert f"`realhop verify {changed}`" in said
    assert "--as-is" in said
    assert "\n" not in said
    assert _predicates(address, scope) == before


def test_a_changed_dataset_is_loaded_as_it_is_where_that_is_wanted(
    changed: Path, address: str, scope: str
) -> None:
    done = _invoke("load", changed, "--store", address, "--scope", scope, "--as-is", "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["loaded"] == 2
    assert done.stderr.startswith("changed since it was frozen: graphs.jsonl: does not match")
    assert done.stderr.count("\n") == 1
    assert "planted" in _predicates(address, scope)


def test_a_refused_load_leaves_no_store_behind(changed: Path) -> None:
    done = _invoke("load", changed)
    assert isinstance(done.exception, VerificationError)
    assert [path.name for path in changed.parent.iterdir()] == ["changed"]


def test_every_changed_file_is_counted(changed: Path) -> None:
    with (changed / "items.jsonl").open("a") as stream:
        stream.write(" ")
    said = str(_invoke("load", changed, "--store", "memory").exception)
    assert "items.jsonl: does not match" in said
    assert "(and 1 more)" in said


def test_as_is_says_nothing_of_a_dataset_that_is_as_it_was_frozen(frozen: Path) -> None:
    done = _invoke("load", frozen, "--store", "memory", "--as-is")
    assert (done.exit_code, done.stderr) == (0, "")


def test_exports_of_a_changed_dataset_warn_and_end_with_1(changed: Path, frozen: Path) -> None:
    done = _invoke("export", changed, "--format", "json")
    assert done.exit_code == 1
    assert done.stderr.startswith("changed since it was frozen: graphs.jsonl")
    assert len(json.loads(done.stdout)) == 2
    sound = _invoke("export", frozen, "--format", "json")
    assert (sound.exit_code, sound.stderr) == (0, "")


def test_shapes_of_a_changed_dataset_warn_too(changed: Path) -> None:
    done = _invoke("shapes", changed)
    assert done.exit_code == 1
    assert "ok: every shape holds" in done.stdout
    assert done.stderr.startswith("changed since it was frozen: graphs.jsonl")
