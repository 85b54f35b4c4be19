"""What commands do with a dataset whose files are not those that were frozen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import typer

__all__ = ["refuse_changed", "warn_changed"]


def refuse_changed(folder: Path, as_is: bool) -> None:
    """Refuse a dataset that was changed since it was frozen, or warn where it is wanted as it is.

    Raises:
        VerificationError: if it was changed, and is not wanted as it is.
    """
    from realhop_kg.errors import VerificationError
    from realhop_kg.view.soundness import differing

    found = differing(folder)
    if not found:
        return
    if not as_is:
        raise VerificationError(
            f"{folder} was changed since it was frozen, so it is not loaded: {_first(found)}; "
            f"`realhop verify {folder}` says everything, --as-is loads it all the same"
        )
    warn_changed(found)


def warn_changed(found: Sequence[str]) -> None:
    """Say on standard error, in one line, what of a dataset was changed; nothing where it is none.

    Args:
        found: as `realhop_kg.view.soundness.differing` returns it.
    """
    if found:
        typer.echo(f"changed since it was frozen: {_first(found)}", err=True)


def _first(found: Sequence[str]) -> str:
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return f"{found[0]}{more}"
