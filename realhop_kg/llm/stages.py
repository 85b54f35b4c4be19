"""Reads which model fills which stage, and with which parameters, from what a user says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import get_args

from pydantic import JsonValue

from realhop_kg.errors import InputError
from realhop_kg.settings import MODEL_STAGES, Backend, StageModel

__all__ = ["asks_models", "read_backend", "read_parameters", "read_stages", "refuse_parameter"]

_JSON_MODES = ("auto", "schema", "object", "off")

_FORBIDDEN = ("model", "messages", "stream", "api_base", "base_url", "n")

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_HEADERS = frozenset(("header", "headers", "cookie", "cookies"))
_SECRET = frozenset(
    ("authorization", "auth", "secret", "secrets", "token", "key", "keys", "apikey", "password",
     "passwd", "bearer", "credential", "credentials")
)  # fmt: skip
"""Words in the name of what holds a key; `tokens` is a number of them."""

_HARMLESS = frozenset(("prompt_cache_key",))
"""Names with such a word that providers take and that hold no key."""

_KEY_SHAPE = re.compile(r"^\s*(?:Bearer|Basic)\s+\S|\b(?:sk|pk|rk)-[\w-]{16,}", re.IGNORECASE)


def read_backend(text: str, stages: Sequence[str] = MODEL_STAGES) -> dict[str, Backend]:
    """Return who fills each stage.

    Args:
        text: `rules`, `llm`, or stages with one of them: `route=llm,audit=llm`; stages that are
            not named are filled by rules, as without the option.
        stages: the stages that there are.

    Raises:
        InputError: if a stage or backend is unknown, or rules would follow on a plan that they
            cannot read.

    Examples:
        >>> read_backend("route=llm")["route"], read_backend("route=llm")["plan"]
        ('llm', 'rules')
    """
    if text in get_args(Backend):
        return dict.fromkeys(stages, "llm" if text == "llm" else "rules")
    found: dict[str, Backend] = dict.fromkeys(stages, "rules")
    for part in text.split(","):
        stage, equals, who = part.strip().partition("=")
        if stage not in found or not equals or who not in get_args(Backend):
            raise InputError(
                f"--backend {part.strip()!r}: write rules, llm, or STAGE=rules|llm with a stage of "
                f"{', '.join(stages)}"
            )
        found[stage] = "rules" if who == "rules" else "llm"
    if found.get("plan") == "llm" and found["compete"] == "rules":
        raise InputError(
            "--backend plan=llm needs compete=llm: the catalogue has no near-misses of relations "
            "that a model words"
        )
    return found


def asks_models(
    text: str, given: Mapping[str, object], stages: Sequence[str] = MODEL_STAGES
) -> bool:
    """Return whether a backend asks any model.

    Args:
        text: as for `read_backend`.
        given: values of the options that are for models alone, by the name of the option.
        stages: the stages that there are.

    Raises:
        InputError: if it asks none and such an option is given, or as `read_backend` does.
    """
    if "llm" in read_backend(text, stages).values():
        return True
    named = ", ".join(option for option, value in given.items() if value)
    if named:
        raise InputError(
            f"--backend {text} asks no model, so {named} would do nothing; choose --backend llm or "
            "leave that out"
        )
    return False


def read_stages(
    backend: Mapping[str, Backend],
    model: str,
    stage_models: Sequence[str],
    parameters: Sequence[str],
    json_mode: Callable[[str], str],
) -> dict[str, StageModel]:
    """Return the model of each stage that a model fills.

    Args:
        backend: who fills each stage.
        model: the model of every stage that has none of its own.
        stage_models: `STAGE=MODEL`.
        parameters: `NAME=VALUE` for all stages or `STAGE.NAME=VALUE` for one; values are JSON or
            plain text. The name `json` is how to ask for JSON: auto, schema, object or off.
        json_mode: tells what a model supports, for `json=auto`, which is the default.

    Raises:
        InputError: if a stage has no model, or something is not of this form.
    """
    wanted = [stage for stage in backend if backend[stage] == "llm"]
    models = dict.fromkeys(wanted, model)
    for entry in stage_models:
        stage, _, own = entry.partition("=")
        if stage not in backend or not own:
            raise InputError(f"--stage-model {entry!r}: write STAGE=MODEL")
        if stage in models:
            models[stage] = own
    bare = next((stage for stage, name in models.items() if not name), None)
    if bare:
        raise InputError(f"stage {bare} has no model; name one with --model or --stage-model")
    settings = read_parameters(parameters, tuple(backend))
    return {
        stage: _stage_model(models[stage], dict(settings[stage]), json_mode) for stage in wanted
    }


def read_parameters(
    entries: Sequence[str], stages: Sequence[str]
) -> dict[str, dict[str, JsonValue]]:
    """Return the parameters of each stage.

    Args:
        entries: `NAME=VALUE` for all stages or `STAGE.NAME=VALUE` for one, which goes before what
            is said of all; values are JSON or plain text.
        stages: names of the stages.

    Raises:
        InputError: if something is not of this form.

    Examples:
        >>> read_parameters(["top_p=1", "judge.top_p=0.5"], ["solver", "judge"])
        {'solver': {'top_p': 1}, 'judge': {'top_p': 0.5}}
    """
    found: dict[str, dict[str, JsonValue]] = {stage: {} for stage in stages}
    read = [_parameter(entry, stages) for entry in entries]
    for stage, name, value in sorted(read, key=lambda entry: entry[0] != ""):
        for each in [stage] if stage else stages:
            found[each][name] = value
    return found


def refuse_parameter(name: str, value: JsonValue) -> None:
    """Refuse a parameter that is not a user's to set, or that may hold a key.

    Parameters go into the reply store and the manifest, and those are passed on.

    Raises:
        InputError: naming it, without its value.
    """
    place = name if name.casefold() in _FORBIDDEN else _secret_in(name, value)
    if place:
        raise InputError(f"--param {place} is not for here; keys come from the environment")


def _secret_in(name: str, value: JsonValue) -> str:
    """Return the place in a parameter that may hold a key, or nothing."""
    parts: list[tuple[str, str, JsonValue]] = [(name, name, value)]
    while parts:
        place, own, part = parts.pop()
        words = {word.casefold() for word in _WORD.findall(own)}
        if words & _HEADERS or (words & _SECRET and own not in _HARMLESS and _holds_text(part)):
            return place
        if isinstance(part, dict):
            parts += [(f"{place}.{inner}", inner, each) for inner, each in part.items()]
        elif isinstance(part, list):
            parts += [(place, "", each) for each in part]
        elif isinstance(part, str) and _KEY_SHAPE.search(part):
            return place
    return ""


def _holds_text(value: JsonValue) -> bool:
    """Return whether a value can be a key: the ids of tokens, say, cannot."""
    if isinstance(value, list):
        return any(map(_holds_text, value))
    return isinstance(value, str | dict)


def _stage_model(
    model: str, settings: dict[str, JsonValue], json_mode: Callable[[str], str]
) -> StageModel:
    mode = settings.pop("json", "auto")
    if mode not in _JSON_MODES:
        raise InputError(f"--param json={mode}: there are: {', '.join(_JSON_MODES)}")
    return StageModel.model_validate(
        {
            "model": model,
            "parameters": settings,
            "json_mode": json_mode(model) if mode == "auto" else mode,
        }
    )


def _parameter(entry: str, stages: Collection[str]) -> tuple[str, str, JsonValue]:
    name, equals, text = entry.partition("=")
    stage, dot, own = name.partition(".")
    if not equals or not name or (dot and (stage not in stages or not own)):
        raise InputError(f"--param {entry!r}: write NAME=VALUE or STAGE.NAME=VALUE")
    try:
        value: JsonValue = json.loads(text)
    except ValueError:
        value = text
    refuse_parameter(own or name, value)
    return (stage, own, value) if dot else ("", name, value)
