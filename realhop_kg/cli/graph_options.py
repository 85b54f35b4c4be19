"""Options of `realhop graph`, and where a store is that no option names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

__all__ = [
    "AsCsv",
    "AsIs",
    "Beside",
    "Params",
    "Scope",
    "StoreAddress",
    "address_beside",
    "address_of",
    "is_embedded",
    "json_or_text",
    "pairs_of",
]

StoreAddress = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="STORE",
        help="neo4j://HOST[:PORT][/DATABASE], neo4j (the address in REALHOP_NEO4J_URI) or "
        "embedded:FILE; default: a file beside the dataset.",
    ),
]
Beside = Annotated[
    Path | None, typer.Option("--dataset", metavar="DIR", help="Use the store beside this dataset.")
]
Scope = Annotated[
    str | None,
    typer.Option("--scope", help="Name of the dataset in the store; default: its folder's name."),
]
Params = Annotated[
    list[str] | None,
    typer.Option("--param", "-p", metavar="K=V", help="A parameter; may be given many times."),
]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV instead of text.")]
AsIs = Annotated[
    bool, typer.Option("--as-is", help="Load a dataset that was changed since it was frozen, too.")
]

_SUFFIX = ".kgl"


def address_beside(folder: Path) -> str:
    """Return the embedded store of a dataset: a file beside the folder, which stays as frozen."""
    whole = folder.resolve()
    return f"embedded:{whole.with_name(f'{whole.name}{_SUFFIX}')}"


def address_of(store: str | None, dataset: Path | None) -> str:
    """Return the address of the store to ask: named, of the named dataset, or the only one here.

    Raises:
        InputError: if both are named, or neither is and not just one store lies here.
    """
    from realhop_kg.errors import InputError

    if store and dataset:
        raise InputError("give --store or --dataset, not both")
    if store:
        return store
    if dataset:
        return address_beside(dataset)
    here = sorted({*Path().glob(f"*{_SUFFIX}"), *Path().glob(f"*/*{_SUFFIX}")})
    if len(here) == 1:
        return f"embedded:{here[0]}"
    found = f"; here are {', '.join(map(str, here))}" if here else ""
    raise InputError(f"which store? give --dataset DIR or --store STORE{found}")


def is_embedded(address: str) -> bool:
    """Return whether an address is one of the embedded engine."""
    return address == "memory" or address.startswith("embedded:")


def pairs_of(given: list[str] | None) -> dict[str, str]:
    """Return parameters as they are given, `key=value` each.

    Raises:
        InputError: if one is of another form.
    """
    from realhop_kg.errors import InputError

    pairs: dict[str, str] = {}
    for text in given or ():
        key, equals, value = text.partition("=")
        if not (equals and key):
            raise InputError(f"--param {text!r} is not of the form key=value")
        pairs[key] = value
    return pairs


def json_or_text(text: str) -> Any:  # noqa: ANN401 - any JSON value
    """Return what a text says as JSON, or itself where it is none."""
    try:
        return json.loads(text)
    except ValueError:
        return text
