"""What the options of an audit mean: conditions, templates, parameters, what is audited."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from realhop_kg.cli.output import counting

if TYPE_CHECKING:
    from pydantic import JsonValue

    from realhop_kg.audit.auditable import Auditable
    from realhop_kg.audit.plan import AuditSettings
    from realhop_kg.freeze.reader import FrozenDataset
    from realhop_kg.llm.prompts import Template
    from realhop_kg.model.record import Record
    from realhop_kg.model.run import AuditedSide

__all__ = ["Audited", "addresses_of", "opened", "parameters_of", "templates_of"]

_SPREAD = frozenset(("frames", "longbench"))
"""Datasets whose evidence is spread over long texts: a Drop removes its recorded spans."""

_ONE_SIDED = frozenset(("longbench",))
"""Datasets whose questions were drawn with their evidence: without it a context answers nothing."""

_ABLATIONS = ("both", "gold_only", "flexible_only", "strict_only")


@dataclass(frozen=True)
class Audited:
    """What is audited, and under which settings.

    Attributes:
        settings: of the run.
        items: gives the questions anew at each call.
        excluded: gives what could not be audited, after a pass over the items.
        templates: by what they are for.
        dataset: the frozen dataset, or None where a source file is audited.
    """

    settings: AuditSettings
    items: Callable[[], Iterable[Auditable]]
    excluded: Callable[[], Iterable[Record]]
    templates: Mapping[str, Template]
    dataset: FrozenDataset | None


def opened(
    path: Path,
    dataset: str,
    side: str,
    conditions: str,
    template: Iterable[str],
    judge: str,
    limit: int | None,
    choices: Path | None = None,
    **settings: object,
) -> Audited:
    """Return what is audited: a frozen dataset that verifies, or a source file.

    Args:
        path: folder or file.
        dataset: form of a source file.
        side: as `--side` says it.
        conditions: as `--conditions` says them.
        template: `NAME=FILE` or `NAME=BUNDLED`.
        judge: as `--judge` says it.
        limit: questions at most.
        choices: frozen options of multiple choice; constructed questions alone have them.
        settings: fields of `AuditSettings`, as the options give them.

    Raises:
        InputError: if an option or the input cannot be used.
        VerificationError: if a frozen dataset does not verify.
    """
    from realhop_kg.audit.judge import local_judge
    from realhop_kg.audit.sources import FROZEN, SourceFile, frozen_items, open_verified, sides_of
    from realhop_kg.cli.audit_choices import frozen_options
    from realhop_kg.errors import InputError

    frozen = path.is_dir()
    if choices and side not in ("", "constructed"):
        raise InputError(
            "--choices is for constructed questions; audit them with --side "
            "constructed, and the source side in a run of its own"
        )
    sides_of(side, frozen)
    kinds, ablations = _conditions(conditions)
    templates = templates_of(template, choosing=choices is not None)
    base: FrozenDataset | None = None
    # Said before a large dataset is verified, and not after it.
    local = local_judge(judge)
    if frozen:
        with counting("verifying") as advance:
            base = open_verified(path, advance)
    sides = _sides(side, base, choices)
    _check_sides(settings.get("models", ()), sides)
    if not settings.get("unit"):
        spread = base is not None and base.manifest.dataset in _SPREAD
        settings["unit"] = "spans" if spread else "passage"
    found = _settings(
        source=path.name,
        source_digest=base.manifest.digest if base else _file_digest(path),
        form=FROZEN if frozen else dataset,
        sides=sides,
        conditions=kinds,
        ablations=ablations,
        limit=limit,
        choices=_file_digest(choices) if choices else "",
        judge=local.name if local else judge,
        templates={each.name: each.hash for each in templates.values()},
        **settings,
    )
    if base is None:
        file = SourceFile(_outcomes(path, dataset, limit))
        return Audited(found, file.items, lambda: file.excluded, templates, None)
    kept = base
    given = frozen_options(choices, kept, limit) if choices else None
    options, left_out = (given.options, given.left_out) if given else (None, ())
    return Audited(
        found,
        lambda: frozen_items(kept, sides, found.unit, limit, options),
        lambda: left_out,
        templates,
        kept,
    )


def _sides(side: str, base: FrozenDataset | None, choices: Path | None) -> tuple[AuditedSide, ...]:
    """Return the sides to audit.

    Raises:
        InputError: if the source side is asked for where it holds no evidence.
    """
    from realhop_kg.audit.sources import sides_of
    from realhop_kg.errors import InputError

    one_sided = base is not None and base.manifest.dataset in _ONE_SIDED
    if one_sided and side in ("source", "both"):
        raise InputError(
            "questions in long carriers have no source side: the bare carriers hold no evidence; "
            "audit them with --side constructed"
        )
    alone = one_sided or choices is not None
    return sides_of(side or ("constructed" if alone else ""), base is not None)


def _check_sides(models: object, sides: Iterable[AuditedSide]) -> None:
    from realhop_kg.audit.solvers import answers_side
    from realhop_kg.errors import InputError

    for model in models if isinstance(models, tuple) else ():
        if not any(answers_side(model, side) for side in sides):
            raise InputError(
                f"{model} derives from the facts of constructed items and answers no source "
                "question; audit a frozen dataset with --side constructed or both, or choose "
                "another model"
            )


def parameters_of(
    given: Iterable[str], models: Iterable[str]
) -> tuple[dict[str, dict[str, JsonValue]], dict[str, JsonValue]]:
    """Return the parameters of each model that is asked, and those of the judge.

    Raises:
        InputError: if one is not of the form NAME=VALUE, solver.NAME=VALUE or judge.NAME=VALUE.
    """
    from realhop_kg.audit.asked import JUDGE, SOLVER
    from realhop_kg.audit.scripted import PREFIX
    from realhop_kg.llm.stages import read_parameters

    read = read_parameters(list(given), (SOLVER, JUDGE))
    asked = [model for model in models if not model.startswith(PREFIX)]
    return (dict.fromkeys(asked, read[SOLVER]) if read[SOLVER] else {}), read[JUDGE]


def addresses_of(given: Iterable[str]) -> tuple[str, dict[str, str]]:
    """Return the address for all models, and the addresses of single ones.

    Raises:
        InputError: if two are given for all models.
    """
    from realhop_kg.errors import InputError

    everywhere, single = "", {}
    for text in given:
        model, equals, address = text.partition("=")
        if equals and "://" not in model:
            single[model] = address
        elif everywhere:
            raise InputError(f"--api-base {text}: give MODEL=URL for all servers but one")
        else:
            everywhere = text
    return everywhere, single


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


def templates_of(given: Iterable[str], choosing: bool = False) -> dict[str, Template]:
    """Return the templates by what they are for.

    Args:
        given: `NAME=FILE` or `NAME=BUNDLED`.
        choosing: whether questions have frozen options, which the solver's template must show.

    Raises:
        InputError: if one is missing, or no template.
    """
    from realhop_kg.errors import InputError
    from realhop_kg.llm.prompts import load_template, read_template

    solver = "choice.v1" if choosing else "multihop.v1"
    names = {"solver": solver, "closed_book": "closed_book.v1", "judge": "judge.v1"}
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
    if choosing and "choices" not in templates["solver"].front.inputs:
        raise InputError(
            f"template {templates['solver'].name} shows no options; leave --template out, or name "
            "one whose inputs are question, context and choices"
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
