"""`realhop audit`: ask models under Full, Drop and Control, and keep every answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from realhop_kg.cli.options import AsJson, Limit
from realhop_kg.cli.output import counting, echo, echo_json, tracked

if TYPE_CHECKING:
    from realhop_kg.audit.auditable import Auditable
    from realhop_kg.audit.batch import Batch
    from realhop_kg.audit.judge import Judge
    from realhop_kg.audit.plan import AuditSettings
    from realhop_kg.audit.run import Outcome
    from realhop_kg.audit.solvers import Solver
    from realhop_kg.freeze.reader import FrozenDataset
    from realhop_kg.llm.prompts import Template
    from realhop_kg.model.record import Record

__all__ = ["audit_command"]

_ABLATIONS = ("both", "gold_only", "flexible_only", "strict_only")


def audit_command(
    path: Annotated[
        Path, typer.Argument(metavar="DATASET", help="Frozen dataset folder, or a source file.")
    ],
    model: Annotated[
        list[str],
        typer.Option(
            "--model",
            help="Who answers; repeat for several. scripted/reader, scripted/recaller, "
            "scripted/cue and scripted/lexical need no model; any other name answers by --batch.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="Folder of the run; resumed if it exists.")],
    dataset: Annotated[
        str, typer.Option("--dataset", help="Form of a source file, as for `validate`.")
    ] = "",
    side: Annotated[
        str, typer.Option("--side", help="source, constructed or both; all there are by default.")
    ] = "",
    conditions: Annotated[
        str,
        typer.Option(
            "--conditions",
            help="Of full, drop, control, drop_premise, mask, closed_book, and the ablations "
            "gold_only, flexible_only, strict_only; comma-separated.",
        ),
    ] = "full,drop,control",
    trials: Annotated[int, typer.Option("--trials", min=1, help="Answers per context.")] = 1,
    unit: Annotated[
        str,
        typer.Option("--unit", help="What a Drop of a constructed hop removes: passage or spans."),
    ] = "passage",
    budget: Annotated[
        str, typer.Option("--budget", help="What a Control matches: tokens or characters.")
    ] = "tokens",
    closure: Annotated[
        bool, typer.Option("--closure", help="Drop sentences that name both ends of a hop too.")
    ] = False,
    mask_shape: Annotated[
        str, typer.Option("--mask-shape", help="circular, or inside the context.")
    ] = "circular",
    judge: Annotated[
        str,
        typer.Option(
            "--judge",
            help="offline, offline:THRESHOLD (token F1), exact, or a model by --batch.",
        ),
    ] = "offline",
    template: Annotated[
        list[str] | None,
        typer.Option(
            "--template",
            help="NAME=FILE, or NAME=BUNDLED as in solver=longcontext.v1; names are solver, "
            "closed_book and judge.",
        ),
    ] = None,
    batch: Annotated[
        Path | None,
        typer.Option("--batch", help="Folder: prompts.jsonl out, responses.jsonl in."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the draw of controls.")] = 0,
    limit: Limit = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Count prompts and tokens; ask and store nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Audit items by deleting evidence; every answer is stored, and a stopped run goes on."""
    from realhop_kg.audit.batch import Batch
    from realhop_kg.audit.folder import RunFolder
    from realhop_kg.audit.judge import local_judge
    from realhop_kg.audit.run import run_audit
    from realhop_kg.audit.sources import FROZEN, SourceFile, frozen_items, open_verified, sides_of

    frozen = path.is_dir()
    sides = sides_of(side, frozen)
    kinds, ablations = _conditions(conditions)
    templates = _templates(template or [])
    opened: FrozenDataset | None = None
    if frozen:
        with counting("verifying") as advance:
            opened = open_verified(path, advance)
    settings = _settings(
        source=path.name,
        source_digest=opened.manifest.digest if opened else _file_digest(path),
        form=FROZEN if frozen else dataset,
        sides=sides,
        conditions=kinds,
        ablations=ablations,
        models=tuple(dict.fromkeys(model)),
        trials=trials,
        unit=unit,
        closure=closure,
        budget=budget,
        mask_shape=mask_shape,
        seed=seed,
        limit=limit,
        judge=local.name if (local := local_judge(judge)) else judge,
        templates={each.name: each.hash for each in templates.values()},
    )
    items: Callable[[], Iterable[Auditable]]
    excluded: Callable[[], Iterable[Record]]
    if opened:
        base = opened
        items, excluded = lambda: frozen_items(base, sides, settings.unit, limit), tuple
    else:
        file = SourceFile(_outcomes(path, dataset, limit))
        items, excluded = file.items, lambda: file.excluded
    if dry_run:
        _estimate(items(), settings, as_json)
        return
    with ExitStack() as stack:
        channel = stack.enter_context(Batch(batch)) if batch else None
        solvers = [_solver(name, opened, channel) for name in settings.models]
        grader = _judge(judge, templates, channel)
        if grader.name in settings.models:
            typer.echo(f"warning: {grader.name} judges its own answers", err=True)
        run = RunFolder.start(out, settings)
        progress = stack.enter_context(counting("auditing"))
        outcome = run_audit(run, items, solvers, grader, templates, progress, excluded)
    _tell(out, outcome, run.excluded(), channel, as_json)


def _estimate(items: Iterable[Auditable], settings: AuditSettings, as_json: bool) -> None:
    from realhop_kg.audit.estimate import estimate_audit

    found = estimate_audit(tracked(items, "planning"), settings)
    if as_json:
        echo_json(found.model_dump(mode="json"))
        return
    for name, value in found.contexts.items():
        echo(f"{name:<12} {value} contexts")
    echo(f"infeasible   {found.infeasible}")
    echo(f"prompts      {found.prompts}  ({found.models} models, {found.trials} trials)")
    echo(f"tokens       {found.tokens}  (words and marks; a model counts about a third more)")


def _settings(**values: object) -> AuditSettings:
    from pydantic import ValidationError

    from realhop_kg.audit.plan import AuditSettings
    from realhop_kg.errors import InputError

    try:
        return AuditSettings.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]).replace("_", "-")
        raise InputError(f"--{name} {first['input']!r}: {first['msg']}") from error


def _conditions(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the conditions and the ablations that a list names."""
    from realhop_kg.errors import InputError
    from realhop_kg.model.run import Condition

    named = [word.strip() for word in text.split(",") if word.strip()]
    known = {condition.value for condition in Condition}
    unknown = [word for word in named if word not in known and word not in _ABLATIONS]
    if unknown:
        every = ", ".join((*_known(), *_ABLATIONS[1:]))
        raise InputError(f"no condition {unknown[0]!r}; choose of {every}")
    kinds = tuple(each for each in _known() if each in named or each == "full")
    wanted = tuple(each for each in _ABLATIONS if each in named or each == "both")
    return kinds, wanted


def _known() -> tuple[str, ...]:
    """Return the names of all conditions in the order in which they are asked."""
    from realhop_kg.model.run import Condition

    return tuple(condition.value for condition in Condition)


def _templates(given: Iterable[str]) -> dict[str, Template]:
    from realhop_kg.errors import InputError
    from realhop_kg.llm.prompts import load_template, read_template

    names = {"solver": "multihop.v1", "closed_book": "closed_book.v1", "judge": "judge.v1"}
    templates: dict[str, Template] = {}
    for text in given:
        name, separator, value = text.partition("=")
        if name not in names or not separator or not value:
            raise InputError(f"--template {text!r}: write one of {', '.join(names)} = a file")
        if Path(value).is_file():
            templates[name] = read_template(Path(value))
        else:
            names[name] = value
    for name, value in names.items():
        bundled, _, version = value.partition(".v")
        if version and not version.isdecimal():
            raise InputError(f"--template {name}={value}: write NAME.vN, or name a file")
        if name not in templates:
            templates[name] = load_template(
                f"audit/{bundled}", version=int(version) if version else None
            )
    return templates


def _file_digest(path: Path) -> str:
    from realhop_kg.errors import InputError
    from realhop_kg.freeze.hashes import describe_input

    try:
        return describe_input(path).sha256
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error


def _outcomes(path: Path, dataset: str, limit: int | None) -> Callable[[], Iterator[Record]]:
    from graph_builders.base import builder, builder_names
    from realhop_kg.errors import InputError

    if not dataset:
        names = ", ".join(builder_names())
        raise InputError(f"{path} is a file; name its form with --dataset, one of {names}")
    source = builder(dataset)
    return lambda: source.read(path, limit)


def _solver(name: str, dataset: FrozenDataset | None, batch: Batch | None) -> Solver:
    from realhop_kg.audit.batch import BatchSolver
    from realhop_kg.audit.scripted import PREFIX, scripted
    from realhop_kg.errors import InputError

    if name.startswith(PREFIX):
        return scripted(name, dataset)
    if batch is None:
        raise InputError(
            f"{name} is asked through files: name a folder with --batch, or choose a model whose "
            f"name begins with {PREFIX}"
        )
    return BatchSolver(name, batch)


def _judge(given: str, templates: dict[str, Template], batch: Batch | None) -> Judge:
    from realhop_kg.audit.batch import BatchJudge
    from realhop_kg.audit.judge import local_judge
    from realhop_kg.errors import InputError

    local = local_judge(given)
    if local is not None:
        return local
    if batch is None:
        raise InputError(
            f"{given} judges through files: name a folder with --batch, or judge offline"
        )
    return BatchJudge(given, templates["judge"], batch)


def _tell(out: Path, outcome: Outcome, excluded: int, batch: Batch | None, as_json: bool) -> None:
    figures = {
        "asked": outcome.asked,
        "kept": outcome.kept,
        "failed": outcome.failed,
        "pending": outcome.pending,
        "infeasible": outcome.infeasible,
        "excluded": excluded,
        "unreadable": len(outcome.bad_lines),
    }
    for bad in outcome.bad_lines:
        typer.echo(f"trials.jsonl:{bad.line}: {bad.reason}; left out", err=True)
    for problem in batch.problems if batch else ():
        typer.echo(f"{problem}; left out", err=True)
    if as_json:
        echo_json({"out": str(out), **figures, "prompts": batch.waiting if batch else 0})
        return
    for name, value in figures.items():
        echo(f"{name:<11} {value}")
    if batch and batch.waiting:
        echo(
            f"{batch.waiting} prompts lie in {batch.folder / 'prompts.jsonl'}; put answers into "
            "responses.jsonl beside it and run the same command again"
        )
    else:
        echo(f"realhop report {out} shows what was found")
