from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer
from typer.testing import CliRunner

from realhop_kg.cli.flatten import flattened
from realhop_kg.cli.model_options import DEFAULT_LIMITS, LimitOptions
from realhop_kg.llm.limits import Limits


@dataclass(frozen=True, kw_only=True)
class Size:
    width: Annotated[int, typer.Option("--width", min=1, help="Columns.")] = 3
    height: Annotated[int | None, typer.Option("--height", help="Rows.")] = None


@flattened
def draw(
    name: Annotated[str, typer.Argument(metavar="NAME")],
    before: Annotated[bool, typer.Option("--before")] = False,
    size: Size = Size(),
    after: Annotated[str, typer.Option("--after")] = "",
) -> None:
    """Draw it."""
    typer.echo(f"{name} {before} {size} {after}")


APP = typer.Typer()
APP.command()(draw)


def said(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(APP, list(words))
    return result.exit_code, result.output


def test_a_group_is_filled_from_its_options_and_defaults() -> None:
    assert said("x") == (0, "x False Size(width=3, height=None) \n")
    words = ("x", "--height", "5", "--width", "2", "--before", "--after", "y")
    assert said(*words) == (0, "x True Size(width=2, height=5) y\n")


def test_a_group_keeps_its_checks_and_its_place_in_the_help() -> None:
    assert said("x", "--width", "0")[0] == 2
    _, text = said("--help")
    assert text.index("--before") < text.index("--width") < text.index("--height")
    assert text.index("--height") < text.index("--after")
    assert "--size" not in text


def test_options_of_limits_have_the_defaults_of_limits() -> None:
    assert DEFAULT_LIMITS.read() == Limits()
    assert LimitOptions(max_calls=3, run_timeout=1.5).read() == Limits(max_calls=3, run_timeout=1.5)
