"""Data goes to standard output, progress to standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import typer

__all__ = ["counting", "echo", "echo_json", "running", "tallying", "tracked"]

Element = TypeVar("Element")


def echo(text: str = "") -> None:
    """Print a line of data; a reader that has gone (`| head`) is no error of the command.

    What the encoding of the output cannot hold is escaped.
    """
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        typer.echo(text.encode(encoding, "backslashreplace").decode(encoding))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def echo_json(value: Any) -> None:  # noqa: ANN401 - anything that JSON can hold
    """Print a value as indented JSON."""
    echo(json.dumps(value, indent=2, ensure_ascii=False, sort_keys=False))


@contextmanager
def _bar(task: str, total: int | None) -> Iterator[Any]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(TextColumn):
        """Items per second so far."""

        def render(self, task: Any) -> Text:  # noqa: ANN401 - rich's own task type
            return Text(f"{task.finished_speed or task.speed or 0:,.1f}/s")

    console = Console(file=sys.stderr, force_terminal=None)
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(""),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as progress:
        yield progress, progress.add_task(task, total=total)


def tracked(elements: Iterable[Element], task: str, total: int | None = None) -> Iterator[Element]:
    """Yield the elements, with a progress bar on a terminal's standard error.

    Args:
        elements: what is worked on.
        task: what is done, for the bar.
        total: how many there are, if known.
    """
    with _bar(task, total) as (progress, bar):
        for element in elements:
            yield element
            progress.advance(bar)


@contextmanager
def counting(task: str) -> Iterator[Callable[[int, int], None]]:
    """Give a function that moves a progress bar to (done, total)."""
    with _bar(task, None) as (progress, bar):

        def advance(done: int, total: int) -> None:
            progress.update(bar, completed=done, total=total)

        yield advance


@contextmanager
def running(task: str) -> Iterator[Callable[[int, str], None]]:
    """Give a function that shows how many are done, and a text of running totals beside it."""
    with _bar(task, None) as (progress, bar):

        def show(done: int, text: str) -> None:
            progress.update(bar, completed=done, description=f"{task} ({text})")

        yield show


@contextmanager
def tallying(task: str) -> Iterator[Callable[[int, int, str], None]]:
    """Give a function that moves a bar to (done, total), with running totals beside it."""
    with _bar(task, None) as (progress, bar):

        def show(done: int, total: int, text: str) -> None:
            said = f"{task} ({text})" if text else task
            progress.update(bar, completed=done, total=total or None, description=said)

        yield show
