"""Writes a folder whole or not at all, so that no half dataset ever bears the final name."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from realhop_kg.errors import InputError, OutputExistsError
from realhop_kg.ids import digest

__all__ = ["Replaceable", "atomic_folder", "stranger"]


@dataclass(frozen=True, slots=True)
class Replaceable:
    """What a command may replace by force: what the same command wrote, and nothing added to it."""

    noun: str
    """What messages call it: dataset, index."""
    why_not: Callable[[Path], str]
    """Returns why a folder that is not empty is none; nothing if it is one."""


_NOTHING = Replaceable("folder", lambda folder: "it is not empty")


def stranger(folder: Path, files: Collection[str], folders: Collection[str] = ()) -> str:
    """Return why a folder holds something that was not written with it; nothing if all was.

    Args:
        folder: the folder.
        files: names of its own files.
        folders: names of its own folders.
    """
    for entry in sorted(folder.iterdir()):
        own = folders if entry.is_dir() and not entry.is_symlink() else files
        if entry.name not in own:
            return f"it holds {entry.name}, which was not written with it"
    return ""


@contextmanager
def atomic_folder(
    target: Path,
    force: bool = False,
    replaceable: Replaceable = _NOTHING,
    *,
    durable: bool = True,
) -> Iterator[Path]:
    """Give a hidden folder beside `target` to write into, and rename it to `target` at the end.

    On any exception, an interrupt included, it is removed and `target` stays as it was. What a
    killed run left behind (`.NAME.partial-HOST-PID-N`) is removed at the next run for the same
    target on the same host, once its process is gone.

    Args:
        target: the final folder; missing parents are made.
        force: replace what is there. It is moved aside and removed after success.
        replaceable: what may be replaced so; by default an empty folder alone.
        durable: whether all of it is on the disk before it is renamed; what can be written again
            at any time need not wait for that.

    Yields:
        The folder to write into, on the same file system as `target`.

    Raises:
        OutputExistsError: if `target` exists and `force` is not set.
        InputError: if `target` may not be replaced even so (a file, or a folder that is neither
            empty nor `replaceable`), or if nothing can be written there.
    """
    with _clean_errors(target):
        target = target.resolve()
        _recover(target)
        _check_free(target, force, replaceable)
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = _claim(target, "partial")
        partial.mkdir()
    try:
        yield partial
        with _clean_errors(target):
            if durable:
                _sync(partial)
            _check_free(target, force, replaceable)
            _move(partial, target)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


@contextmanager
def _clean_errors(target: Path) -> Iterator[None]:
    """Turn what the file system says into one line for the user."""
    try:
        yield
    except (OSError, RuntimeError) as error:  # resolve() raises RuntimeError on a loop of links
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{target} cannot be written: {reason}; choose another folder") from error


def _check_free(target: Path, force: bool, replaceable: Replaceable) -> None:
    if not target.exists():
        return
    if not force:
        raise OutputExistsError(
            f"{target} exists; choose another folder, or replace it with --force"
        )
    if not target.is_dir():
        raise InputError(f"{target} is a file; choose another folder")
    why_not = replaceable.why_not(target) if any(target.iterdir()) else ""
    if why_not:
        raise InputError(
            f"{target} is no {replaceable.noun} that --force may replace: {why_not}; choose "
            "another folder, or remove it yourself"
        )


def _prefix(target: Path, use: str) -> str:
    return f".{target.name}.{use}-"


def _host() -> str:
    """Name of this machine, hashed: a process id means nothing on another one."""
    return digest(platform.node(), length=8)


def _claim(target: Path, use: str) -> Path:
    """Return a free path beside the target that names its owner."""
    owned = f"{_prefix(target, use)}{_host()}-{os.getpid()}"
    return next(
        path
        for number in count()
        if not os.path.lexists(path := target.with_name(f"{owned}-{number}"))
    )


def _abandoned(target: Path, use: str) -> list[Path]:
    """Return what dead processes of this host left beside the target, by name."""
    prefix = f"{_prefix(target, use)}{_host()}-"
    if not target.parent.is_dir():
        return []
    with os.scandir(target.parent) as entries:
        names = sorted(entry.name for entry in entries if entry.name.startswith(prefix))
    owners = {name: name.removeprefix(prefix).partition("-")[0] for name in names}
    return [
        target.with_name(name)
        for name, owner in owners.items()
        if owner.isdecimal() and not _alive(int(owner))
    ]


def _alive(process: int) -> bool:
    if os.name != "posix":  # elsewhere signal 0 is no harmless question
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _recover(target: Path) -> None:
    """Clean up after killed runs, and put back a dataset that one had just moved aside."""
    for aside in _abandoned(target, "replaced"):
        if target.exists():
            shutil.rmtree(aside, ignore_errors=True)
        else:
            aside.rename(target)
    for partial in _abandoned(target, "partial"):
        shutil.rmtree(partial, ignore_errors=True)


def _sync(folder: Path) -> None:
    """Flush files and folders to the disk, so that the rename cannot overtake them."""
    for path in (*sorted(folder.rglob("*")), folder):
        if path.is_file() or (path.is_dir() and os.name == "posix"):
            handle = os.open(path, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def _move(partial: Path, target: Path) -> None:
    aside = None
    if target.exists():
        aside = _claim(target, "replaced")
        target.rename(aside)
    try:
        partial.rename(target)
    except BaseException:
        if aside is not None and not target.exists():
            aside.rename(target)
        raise
    if aside is not None:
        shutil.rmtree(aside, ignore_errors=True)
    if os.name == "posix":
        handle = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
