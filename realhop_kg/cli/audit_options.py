"""Options of an audit that `realhop audit` and `realhop estimate` share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "Addresses",
    "Batch",
    "BatchForm",
    "Choices",
    "Closure",
    "Conditions",
    "ControlBudget",
    "JudgeModel",
    "MaskShape",
    "Models",
    "Params",
    "Side",
    "Templates",
    "Trials",
    "Unit",
]

Models = Annotated[
    list[str],
    typer.Option(
        "--model",
        help="Who answers; repeat for several. Any name that litellm knows (openai/gpt-4o-mini); "
        "scripted/reader (constructed items only), scripted/recaller, scripted/cue and "
        "scripted/lexical need no model.",
    ),
]
Side = Annotated[
    str, typer.Option("--side", help="source, constructed or both; all there are by default.")
]
Conditions = Annotated[
    str,
    typer.Option(
        "--conditions",
        help="Of full, drop, control, drop_premise, mask, closed_book, and the ablations "
        "gold_only, flexible_only, strict_only; comma-separated.",
    ),
]
Trials = Annotated[int, typer.Option("--trials", min=1, help="Answers per context.")]
Unit = Annotated[
    str,
    typer.Option(
        "--unit",
        help="What a Drop of a constructed hop removes: passage, or spans as by default in FRAMES "
        "and in long carriers.",
        show_default=False,
    ),
]
ControlBudget = Annotated[
    str, typer.Option("--budget", help="What a Control matches: tokens or characters.")
]
Choices = Annotated[
    Path | None,
    typer.Option(
        "--choices",
        help="Options that `realhop long choices` froze: constructed questions are asked as "
        "multiple choice, items without four options are left out by name.",
    ),
]
Closure = Annotated[
    bool, typer.Option("--closure", help="Drop sentences that name both ends of a hop too.")
]
MaskShape = Annotated[str, typer.Option("--mask-shape", help="circular, or inside the context.")]
JudgeModel = Annotated[
    str,
    typer.Option(
        "--judge",
        "--judge-model",
        help="offline, offline:THRESHOLD (token F1), exact, or a model.",
    ),
]
Templates = Annotated[
    list[str] | None,
    typer.Option(
        "--template",
        help="NAME=FILE, or NAME=BUNDLED as in solver=longcontext.v1; names are solver, "
        "closed_book and judge.",
    ),
]
Params = Annotated[
    list[str] | None,
    typer.Option(
        "--param",
        help="NAME=VALUE, solver.NAME=VALUE or judge.NAME=VALUE (temperature=0, "
        "judge.max_tokens=200); may be repeated.",
    ),
]
Addresses = Annotated[
    list[str] | None,
    typer.Option(
        "--api-base",
        help="Address of an OpenAI-compatible server, or MODEL=URL for one model or the judge; may "
        "be repeated.",
    ),
]
Batch = Annotated[
    Path | None,
    typer.Option("--batch", help="Write missing requests as files there; call nobody."),
]
BatchForm = Annotated[
    str,
    typer.Option(
        "--batch-form",
        help="openai (batch API files), plain (prompts.jsonl out, responses.jsonl in) or both.",
    ),
]
