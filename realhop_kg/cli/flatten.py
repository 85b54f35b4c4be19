"""Groups of options that several commands share, written once as a dataclass."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from inspect import Parameter
from typing import Any, get_type_hints

__all__ = ["flattened"]


def flattened(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command in whose options each group, a dataclass of options, stands by its fields.

    Typer reads options from a signature; so the groups are in the signature that it sees, and the
    command gets them filled.

    Args:
        command: a function whose parameters are options, arguments and groups of options.
    """
    own = inspect.signature(command, eval_str=True)
    annotations: dict[str, Any] = {name: each.annotation for name, each in own.parameters.items()}
    groups: dict[str, Any] = {
        name: group for name, group in annotations.items() if is_dataclass(group)
    }

    @functools.wraps(command)
    def whole(**given: Any) -> None:  # noqa: ANN401 - values of options
        for name, group in groups.items():
            given[name] = group(**{each.name: given.pop(each.name) for each in fields(group)})
        command(**given)

    shown = [
        each
        for name, given in own.parameters.items()
        for each in (_options(groups[name]) if name in groups else [given])
    ]
    shown = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in shown]
    whole.__signature__ = own.replace(parameters=shown)  # type: ignore[attr-defined]
    whole.__annotations__ = {each.name: each.annotation for each in shown}
    return whole


def _options(group: type[Any]) -> list[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        Parameter(
            each.name, Parameter.KEYWORD_ONLY, default=each.default, annotation=hints[each.name]
        )
        for each in fields(group)
    ]
