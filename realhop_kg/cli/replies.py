"""`realhop replies`: what the reply store holds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from realhop_kg.cli.options import DEFAULT_REPLIES, AsJson, Replies
from realhop_kg.cli.output import echo, echo_json

if TYPE_CHECKING:
    from realhop_kg.llm.ledger import Filters, StageFigures

__all__ = ["replies_app"]

replies_app = typer.Typer(
    help="Look into the store of model replies, or tidy it.", no_args_is_help=True
)

Model = Annotated[str, typer.Option("--model", help="Only replies of this model.")]
Stage = Annotated[str, typer.Option("--stage", help="Only replies of this stage.")]
Template = Annotated[
    str, typer.Option("--template", help="Only replies to this template, with or without version.")
]
Item = Annotated[str, typer.Option("--item", help="Only replies for this item.")]
Status = Annotated[
    str, typer.Option("--status", help="good, truncated, filtered, empty or failed.")
]
Unusable = Annotated[bool, typer.Option("--unusable", help="Only replies that are not good.")]


def _filters(
    model: str, stage: str, template: str, item: str, status: str, unusable: bool
) -> Filters:
    from realhop_kg.errors import InputError
    from realhop_kg.llm.ledger import Filters
    from realhop_kg.llm.records import ReplyStatus

    if status and status not in set(ReplyStatus):
        raise InputError(f"unknown status {status!r}; there are: {', '.join(ReplyStatus)}")
    return Filters(
        model=model,
        stage=stage,
        template=template,
        item=item,
        status=ReplyStatus(status) if status else None,
        unusable=unusable,
    )


@replies_app.command("stats")
def stats_command(
    model: Model = "",
    stage: Stage = "",
    template: Template = "",
    item: Item = "",
    status: Status = "",
    unusable: Unusable = False,
    path: Replies = DEFAULT_REPLIES,
    as_json: AsJson = False,
) -> None:
    """Print replies by status, tokens, cost and latency, for each stage and model."""
    from realhop_kg.llm.ledger import totals
    from realhop_kg.llm.replies import ReplyStore

    with ReplyStore(path) as store:
        figures = totals(store, _filters(model, stage, template, item, status, unusable))
    if as_json:
        echo_json([each.model_dump(mode="json") for each in figures])
        return
    for line in _figure_lines(figures):
        echo(line)


def _figure_lines(figures: list[StageFigures]) -> Iterator[str]:
    for each in figures:
        counts = ", ".join(f"{status} {count}" for status, count in each.replies.items())
        yield f"{each.stage or '-'}  {each.model}  {each.template or '-'}"
        yield (
            f"  {counts}; {each.prompt_tokens} + {each.completion_tokens} tokens, "
            f"{_money(each.cost, each.unpriced)}, {each.seconds:.2f} s a reply, "
            f"{each.attempts} attempts"
        )
    whole = sum(each.cost for each in figures)
    bare = sum(each.unpriced for each in figures)
    number = sum(sum(each.replies.values()) for each in figures)
    yield f"{number} repl{'y' if number == 1 else 'ies'}, {_money(whole, bare)}"


def _money(cost: float, unpriced: int) -> str:
    return f"${cost:.4f}" + (f" and {unpriced} of unknown price" if unpriced else "")


@replies_app.command("list")
def list_command(
    model: Model = "",
    stage: Stage = "",
    template: Template = "",
    item: Item = "",
    status: Status = "",
    unusable: Unusable = False,
    path: Replies = DEFAULT_REPLIES,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="At most so many.")] = None,
    as_json: AsJson = False,
) -> None:
    """List replies, a line each, in order of arrival."""
    from realhop_kg.llm.ledger import found
    from realhop_kg.llm.replies import ReplyStore

    wanted = _filters(model, stage, template, item, status, unusable)
    with ReplyStore(path) as store:
        if as_json:
            echo_json([each.model_dump(mode="json") for each in found(store, wanted, limit)])
            return
        for each in found(store, wanted, limit):
            tokens = f"{each.prompt_tokens or 0}+{each.completion_tokens or 0}"
            echo(
                f"{each.key[:12]}  {each.status:<9}  {each.stage:<8}  {tokens:>11}  "
                f"{each.model}  {each.item}"
            )


@replies_app.command("show")
def show_reply_command(
    key: Annotated[str, typer.Argument(metavar="KEY", help="Key, or the beginning of one.")],
    path: Replies = DEFAULT_REPLIES,
    as_json: AsJson = False,
) -> None:
    """Show one request and everything that came back for it."""
    from realhop_kg.llm.ledger import key_of
    from realhop_kg.llm.replies import ReplyStore

    with ReplyStore(path) as store:
        whole = key_of(store, key)
        request, replies = store.request(whole), store.replies(whole)
    if as_json:
        dumped = [reply.model_dump(mode="json") for reply in replies]
        echo_json({"key": whole, "request": request.model_dump(mode="json"), "replies": dumped})
        return
    echo(f"{whole}\n{request.model}  {request.template}  trial {request.trial}  {request.item}")
    echo(f"parameters {request.parameters}")
    for message in request.messages:
        echo(f"--- {message.role}\n{message.content}")
    for reply in replies:
        echo(f"=== {reply.status}, {reply.finish_reason or 'no finish reason'}, {reply.received}")
        for number, attempt in enumerate(reply.attempts, 1):
            echo(f"    attempt {number}: {attempt.outcome} ({attempt.seconds:.2f} s)")
        echo(reply.text)


@replies_app.command("prune")
def prune_command(
    model: Model = "",
    stage: Stage = "",
    template: Template = "",
    item: Item = "",
    status: Status = "",
    unusable: Unusable = False,
    path: Replies = DEFAULT_REPLIES,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many.")] = False,
) -> None:
    """Remove the replies that match; at least one option must say which."""
    from realhop_kg.errors import InputError
    from realhop_kg.llm.ledger import prune
    from realhop_kg.llm.replies import ReplyStore

    if not path.is_file():
        raise InputError(f"{path} is no file; name a reply store")
    wanted = _filters(model, stage, template, item, status, unusable)
    with ReplyStore(path, write=True) as store:
        count = prune(store, wanted, dry_run=dry_run)
    echo(f"{count} {'would be ' if dry_run else ''}removed")


@replies_app.command("export")
def export_command(
    out: Annotated[
        Path | None, typer.Option("--out", help="File to write instead of standard output.")
    ] = None,
    model: Model = "",
    stage: Stage = "",
    template: Template = "",
    item: Item = "",
    status: Status = "",
    unusable: Unusable = False,
    path: Replies = DEFAULT_REPLIES,
) -> None:
    """Write requests with their replies as JSON lines, sorted by key."""
    from realhop_kg.errors import InputError
    from realhop_kg.jsonl import JsonlWriter, canonical
    from realhop_kg.llm.ledger import exported
    from realhop_kg.llm.replies import ReplyStore

    wanted = _filters(model, stage, template, item, status, unusable)
    if out is not None and out.exists():
        raise InputError(f"{out} exists; choose another --out")
    with ReplyStore(path) as store:
        lines = (each.model_dump(mode="json") for each in exported(store, wanted))
        if out is None:
            for line in lines:
                echo(canonical(line))
            return
        try:
            with JsonlWriter(out) as writer:
                for line in lines:
                    writer.write(line)
        except OSError as error:
            raise InputError(f"{out} cannot be written: {error.strerror}") from error
    typer.echo(f"{writer.count} requests written to {out}", file=sys.stderr)


@replies_app.command("import")
def import_command(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Results of the batch API, or exports.")
    ],
    path: Replies = DEFAULT_REPLIES,
    as_json: AsJson = False,
) -> None:
    """Take batch results in: any order, partial files; exit 1 if a line could not be used."""
    from realhop_kg.llm.replies import ReplyStore
    from realhop_kg.llm.results import import_results

    with ReplyStore(path, write=True) as store:
        report = import_results(store, files)
    if as_json:
        echo_json(report.model_dump(mode="json"))
    else:
        for line in report.told:
            echo(line)
        echo(
            f"{report.imported} imported, {report.duplicates} already there, "
            f"{report.unusable} unusable, {report.unknown} unknown, {report.bad} bad lines"
        )
    raise typer.Exit(1 if report.unusable or report.unknown or report.bad else 0)
