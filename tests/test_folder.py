from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from realhop_kg.errors import InputError, OutputExistsError
from realhop_kg.folder import Replaceable, atomic_folder, stranger

OWN = Replaceable("dataset", lambda folder: stranger(folder, {"manifest.json"}, {"sub"}))

ROOT = Path(__file__).resolve().parents[1]


def write(folder: Path, text: str) -> None:
    (folder / "manifest.json").write_text(text)
    (folder / "sub").mkdir()
    (folder / "sub" / "more.txt").write_text(text)


def dataset(folder: Path, text: str = "old") -> Path:
    folder.mkdir(parents=True)
    write(folder, text)
    return folder


def content(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_text() for path in files}


def whole(text: str) -> dict[str, str]:
    return {"manifest.json": text, "sub/more.txt": text}


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def fill(target: Path, then: Callable[[], object], force: bool = False) -> None:
    """Write a new dataset to `target`, and do something else before it is whole."""
    with atomic_folder(target, force, OWN) as partial:
        write(partial, "new")
        then()


def stop(error: type[BaseException]) -> Callable[[], object]:
    def raising() -> None:
        raise error

    return raising


def run_and_kill(target: Path, moment: str, force: bool = False) -> None:
    """Let another process write to `target` and kill it at a moment, so that nothing is tidied."""
    script = f"""
import os, shutil, signal, sys
from pathlib import Path
from realhop_kg import folder
own = folder.Replaceable("dataset", lambda found: "")
def die(*_, **__): os.kill(os.getpid(), signal.SIGKILL)
if {moment!r} == "aside":
    folder.Path.rename = (lambda old: lambda self, to:
        old(self, to) if "replaced" in to.name else die())(folder.Path.rename)
if {moment!r} == "after":
    folder.shutil.rmtree = die
with folder.atomic_folder(Path(sys.argv[1]), force={force}, replaceable=own) as partial:
    (partial / "manifest.json").write_text("new")
    if {moment!r} == "inside": die()
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", script, str(target)], env=environment, check=False)
    assert done.returncode == -signal.SIGKILL


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "made" / "data"


def test_the_folder_appears_whole_and_nothing_else_is_left(target: Path):
    with atomic_folder(target) as partial:
        write(partial, "new")
        assert partial.parent == target.parent
        assert not target.exists()
    assert content(target) == whole("new")
    assert names(target.parent) == ["data"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_exception_leaves_nothing(target: Path, error: type[BaseException]):
    with pytest.raises(error):
        fill(target, stop(error))
    assert names(target.parent) == []


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_exception_leaves_the_dataset_that_was_to_be_replaced(
    target: Path, error: type[BaseException]
):
    dataset(target)
    with pytest.raises(error):
        fill(target, stop(error), force=True)
    assert content(target) == whole("old")
    assert names(target.parent) == ["data"]


def test_a_target_that_exists_is_refused_before_anything_is_written(target: Path):
    dataset(target)
    with pytest.raises(OutputExistsError, match="--force"), atomic_folder(target):
        pytest.fail("the body must not run")
    assert content(target) == whole("old")
    assert names(target.parent) == ["data"]


def test_force_replaces_a_dataset_and_keeps_none_of_its_files(target: Path):
    dataset(target)
    (target / "sub" / "stale.txt").write_text("old")
    with atomic_folder(target, force=True, replaceable=OWN) as partial:
        write(partial, "new")
        assert (target / "sub" / "stale.txt").exists()
    assert content(target) == whole("new")
    assert names(target.parent) == ["data"]


def test_force_fills_an_empty_folder(target: Path):
    target.mkdir(parents=True)
    with atomic_folder(target, force=True, replaceable=OWN) as partial:
        write(partial, "new")
    assert content(target) == whole("new")


def test_force_needs_nothing_to_replace(target: Path):
    with atomic_folder(target, force=True, replaceable=OWN) as partial:
        write(partial, "new")
    assert content(target) == whole("new")


def test_force_does_not_touch_a_folder_that_is_no_dataset(target: Path):
    target.mkdir(parents=True)
    (target / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match="no dataset"), atomic_folder(target, True, OWN):
        pytest.fail("the body must not run")
    assert content(target) == {"thesis.txt": "mine"}


@pytest.mark.parametrize("name", ["replies.sqlite", ".hidden"])
def test_force_does_not_touch_what_holds_something_more(target: Path, name: str):
    dataset(target)
    (target / name).write_text("paid")
    with (
        pytest.raises(InputError, match=rf"no dataset that --force may replace: .*{name}"),
        atomic_folder(target, True, OWN),
    ):
        pytest.fail("the body must not run")
    assert content(target) == {**whole("old"), name: "paid"}
    assert names(target.parent) == ["data"]


def test_force_replaces_nothing_where_the_command_does_not_say_what(target: Path):
    dataset(target)
    with pytest.raises(InputError, match="not empty"), atomic_folder(target, force=True):
        pytest.fail("the body must not run")
    assert content(target) == whole("old")


def test_a_file_in_the_place_of_the_folder_is_refused(target: Path):
    target.parent.mkdir()
    target.write_text("mine")
    with pytest.raises(InputError, match="is a file"), atomic_folder(target, True, OWN):
        pytest.fail("the body must not run")
    assert target.read_text() == "mine"


def test_a_file_in_the_place_of_a_parent_is_refused_in_one_line(target: Path):
    target.parent.write_text("mine")
    with (
        pytest.raises(InputError, match=r"^[^\n]*cannot be written: [^\n]*$"),
        atomic_folder(target),
    ):
        pytest.fail("the body must not run")


def test_a_target_that_appears_meanwhile_is_not_overwritten(target: Path):
    with pytest.raises(OutputExistsError):
        fill(target, lambda: dataset(target, "another run's"))
    assert content(target) == whole("another run's")
    assert names(target.parent) == ["data"]


def test_a_link_to_a_dataset_is_followed(target: Path, tmp_path: Path):
    dataset(target)
    link = tmp_path / "link"
    link.symlink_to(target)
    with atomic_folder(link, force=True, replaceable=OWN) as partial:
        write(partial, "new")
    assert link.is_symlink()
    assert content(target) == whole("new")


def test_a_name_relative_to_the_working_folder_is_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    with atomic_folder(Path("data")) as partial:
        write(partial, "new")
    assert content(tmp_path / "data") == whole("new")


# killed runs


def test_a_killed_run_leaves_no_dataset_and_the_next_run_tidies_up(target: Path):
    run_and_kill(target, "inside")
    assert not target.exists()
    [left] = names(target.parent)
    assert left.startswith(".data.partial-")
    with atomic_folder(target) as partial:
        write(partial, "new")
    assert names(target.parent) == ["data"]


def test_what_a_running_process_writes_is_left_alone(target: Path):
    with atomic_folder(target) as other:
        write(other, "first")
        with atomic_folder(target) as partial:
            write(partial, "second")
        assert content(other) == whole("first")
        target.rename(target.parent / "second")
    assert content(target) == whole("first")
    assert content(target.parent / "second") == whole("second")


def test_what_another_target_or_host_left_is_left_alone(target: Path):
    run_and_kill(target, "inside")
    [left] = target.parent.iterdir()
    prefix, host, rest = left.name.partition("-")[0], *left.name.split("-", 2)[1:]
    other_host = left.with_name(f"{prefix}-{'0' * len(host)}-{rest}")
    left.rename(other_host)
    run_and_kill(target.with_name("data2"), "inside")
    with atomic_folder(target) as partial:
        write(partial, "new")
    assert len(names(target.parent)) == 3


def test_a_dataset_moved_aside_by_a_killed_run_is_put_back(target: Path):
    dataset(target)
    run_and_kill(target, "aside", force=True)
    assert not target.exists()
    with pytest.raises(OutputExistsError), atomic_folder(target):
        pytest.fail("the body must not run")
    assert content(target) == whole("old")
    assert names(target.parent) == ["data"]


def test_a_replaced_dataset_that_a_killed_run_did_not_remove_is_removed(target: Path):
    dataset(target)
    run_and_kill(target, "after", force=True)
    assert content(target) == {"manifest.json": "new"}
    assert len(names(target.parent)) == 2
    with atomic_folder(target, force=True, replaceable=OWN) as partial:
        write(partial, "newer")
    assert content(target) == whole("newer")
    assert names(target.parent) == ["data"]
