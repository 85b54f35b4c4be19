"""Options of the commands that ask models."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from realhop_kg.llm.limits import Limits

__all__ = [
    "DEFAULT_LIMITS",
    "ApiBase",
    "BackendText",
    "Batch",
    "LimitOptions",
    "Model",
    "Offline",
    "Params",
    "PromptDir",
    "StageModels",
    "named",
]

_FOR_MODELS = (
    "--model", "--stage-model", "--param", "--api-base", "--prompt-dir", "--batch", "--offline"
)  # fmt: skip

_SHORTEST = 0.001
"""Seconds of a timeout; an option has no way to say `more than 0`."""


def named(*given: object) -> dict[str, object]:
    """Return the options that are for models alone, by name.

    Args:
        given: their values: model, stage models, parameters, address, prompts, batch, offline.
    """
    return dict(zip(_FOR_MODELS, given, strict=True))


BackendText = Annotated[
    str,
    typer.Option(
        "--backend",
        help="Who fills the slots: rules, llm, or by stage: realize=llm,audit=llm "
        "(stages: plan, compete, route, realize, audit; the others are filled by rules).",
    ),
]
Model = Annotated[str, typer.Option("--model", help="Model of every stage (openai/gpt-4o-mini).")]
StageModels = Annotated[
    list[str] | None, typer.Option("--stage-model", help="STAGE=MODEL; may be repeated.")
]
Params = Annotated[
    list[str] | None,
    typer.Option(
        "--param",
        help="NAME=VALUE or STAGE.NAME=VALUE (temperature=0, audit.max_tokens=4000, json=object); "
        "may be repeated.",
    ),
]
ApiBase = Annotated[str, typer.Option("--api-base", help="Address of an OpenAI-compatible server.")]
PromptDir = Annotated[
    Path | None, typer.Option("--prompt-dir", help="Folder of your own prompt templates.")
]
Batch = Annotated[
    Path | None,
    typer.Option("--batch", help="Write missing requests as batch files there; call nobody."),
]
Offline = Annotated[
    bool, typer.Option("--offline", help="Use stored replies alone; stop if one is missing.")
]


@dataclass(frozen=True, kw_only=True)
class LimitOptions:
    """How much, how fast and how long a command asks, as options; see `cli.flatten`."""

    concurrency: Annotated[int, typer.Option("--concurrency", min=1, help="Calls at a time.")] = 16
    requests_per_minute: Annotated[
        int | None,
        typer.Option("--requests-per-minute", min=1, help="At most so many calls a minute."),
    ] = None
    tokens_per_minute: Annotated[
        int | None,
        typer.Option("--tokens-per-minute", min=1, help="At most so many tokens a minute."),
    ] = None
    attempts: Annotated[int, typer.Option("--attempts", min=1, help="Tries of one call.")] = 6
    call_timeout: Annotated[
        float, typer.Option("--call-timeout", min=_SHORTEST, help="Seconds one try may take.")
    ] = 300.0
    run_timeout: Annotated[
        float | None,
        typer.Option("--run-timeout", min=_SHORTEST, help="Seconds after which the run stops."),
    ] = None
    max_calls: Annotated[
        int | None, typer.Option("--max-calls", min=0, help="Stop before more calls than these.")
    ] = None
    max_cost: Annotated[
        float | None,
        typer.Option("--max-cost", min=0, help="Stop before more US dollars than these."),
    ] = None

    def read(self) -> Limits:
        """Return them as the limits of a run."""
        from realhop_kg.llm.limits import Limits

        return Limits(**asdict(self))


DEFAULT_LIMITS = LimitOptions()
