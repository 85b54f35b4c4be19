"""The `realhop` command: registers the commands and turns errors into one line and an exit code.

Exit codes: 0 ok, 1 findings or a gate failed, 2 usage or bad input, 3 provider or budget stop,
130 interrupted and resumable, 143 ended by SIGTERM, which cleans up as well. Nothing
heavy is imported before a command runs.
"""

from __future__ import annotations

import signal
import sys
from typing import Annotated

import typer

import realhop_kg
from realhop_kg.cli.audit import audit_command
from realhop_kg.cli.construct import construct_command, validate_command
from realhop_kg.cli.dataset import explain_command, show_command, verify_command
from realhop_kg.cli.demo import demo_command
from realhop_kg.cli.estimate import estimate_command
from realhop_kg.cli.frames import frames_app
from realhop_kg.cli.graph import graph_app
from realhop_kg.cli.interrupts import Interruption, Listening
from realhop_kg.cli.kilt import kilt_app
from realhop_kg.cli.long import long_app
from realhop_kg.cli.quality import quality_command, sample_command
from realhop_kg.cli.readings import agreement_command, screen_command, verdicts_command
from realhop_kg.cli.refusal import refusal_app
from realhop_kg.cli.replies import replies_app
from realhop_kg.cli.report import compare_command, report_command
from realhop_kg.cli.search import search_app
from realhop_kg.cli.view import draw_command, view_command
from realhop_kg.errors import RealHopError

__all__ = ["app", "main"]

INTERRUPTED = 130
TERMINATED = 143

app = typer.Typer(
    name="realhop",
    help="Build and audit multi-hop QA benchmarks whose every hop is needed.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"realhop-kg {realhop_kg.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Build and audit multi-hop QA benchmarks whose every hop is needed."""


app.command("demo")(demo_command)
app.command("construct")(construct_command)
app.command("estimate")(estimate_command)
app.command("validate")(validate_command)
app.command("verify")(verify_command)
app.command("show")(show_command)
app.command("explain")(explain_command)
app.command("quality")(quality_command)
app.command("sample")(sample_command)
app.command("view")(view_command)
app.command("draw")(draw_command)
app.command("audit")(audit_command)
app.command("report")(report_command)
app.command("compare")(compare_command)
app.command("verdicts")(verdicts_command)
app.command("screen")(screen_command)
app.command("agreement")(agreement_command)
app.add_typer(graph_app, name="graph")
app.add_typer(replies_app, name="replies")
app.add_typer(kilt_app, name="kilt")
app.add_typer(refusal_app, name="refusal")
app.add_typer(long_app, name="long")
app.add_typer(frames_app, name="frames")
app.add_typer(search_app, name="search")


def main() -> None:
    """Run the command line; errors of ours become one line on standard error."""
    try:
        with Listening():
            app()
    except RealHopError as error:
        typer.echo(f"realhop: {error}", err=True)
        sys.exit(error.exit_code)
    except Interruption as stop:
        typer.echo("realhop: interrupted; nothing was left half-written", err=True)
        sys.exit(TERMINATED if stop.signum == signal.SIGTERM else INTERRUPTED)


if __name__ == "__main__":
    main()
