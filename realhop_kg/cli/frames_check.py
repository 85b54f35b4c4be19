"""`realhop frames check`: what the Drops of a FRAMES dataset leave."""

from __future__ import annotations

from typing import Annotated

import typer

from realhop_kg.cli.options import AsJson, DatasetFolder
from realhop_kg.cli.output import counting, echo, echo_json, tracked

__all__ = ["check_command"]


def check_command(
    folder: DatasetFolder,
    closure: Annotated[
        bool,
        typer.Option(
            "--closure/--no-closure", help="Drop sentences that name both ends of a hop too."
        ),
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Verify a dataset, and list the Drops after which its answer still follows or is named.

    Exits with 1 if a contract fails or gold still follows after a Drop.
    """
    from realhop_kg.frames.residual import residuals
    from realhop_kg.freeze.reader import FrozenDataset
    from realhop_kg.freeze.verify import verify

    with counting("verifying") as advance:
        verified = verify(folder, progress=advance)
    dataset = FrozenDataset.open(folder)
    found = list(tracked(residuals(dataset, closure), "deleting"))
    follows = [each for each in found if each.follows]
    named = [each for each in found if each.named]
    problems = list(map(str, verified.discrepancies))
    if as_json:
        echo_json(
            {
                "verified": verified.ok,
                "problems": problems,
                "drops": len(found),
                "follows": len(follows),
                "named": len(named),
                "residuals": [each.model_dump(mode="json") for each in found],
            }
        )
        raise typer.Exit(0 if verified.ok and not follows else 1)
    for problem in problems:
        echo(problem)
    for each in found:
        if each.follows:
            echo(f"{each.item} {each.target}: the answer still follows after its Drop")
        elif each.named:
            echo(f"{each.item} {each.target}, {each.side} side: the answer is named {each.named}x")
    echo(f"drops            {len(found)}, {'with' if closure else 'without'} closure")
    echo(f"gold follows     {len(follows)}")
    echo(f"answer is named  {len(named)}; Drops of earlier hops leave the last hop's own evidence")
    echo(f"verified         {'every blocking check holds' if verified.ok else 'NOT verified'}")
    raise typer.Exit(0 if verified.ok and not follows else 1)
