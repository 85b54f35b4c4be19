"""Finds the right store by its address, and opens it."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

from realhop_kg.errors import InputError
from realhop_kg.stores.store import Store

__all__ = ["open_store"]

_BOLT = frozenset(
    f"{scheme}{security}" for scheme in ("neo4j", "bolt") for security in ("", "+s", "+ssc")
)


def open_store(address: str, *, writing: bool = True) -> Store:
    """Open a store.

    Args:
        address: `neo4j://host:port/database` (also bolt, and +s or +ssc for TLS; user, password
            and database come from the environment), `neo4j` for the address in
            REALHOP_NEO4J_URI, `embedded:PATH`, or `memory`.
        writing: whether anything is to be written; an embedded store is locked only then.

    Raises:
        InputError: if the address is of no such form.
        StoreError: if the store cannot be opened.

    Examples:
        >>> with open_store("memory") as store:
        ...     store.run("RETURN 1 AS one").rows
        [(1,)]
    """
    if address == "neo4j":
        address = os.environ.get("REALHOP_NEO4J_URI", "")
        if not address:
            raise InputError("set REALHOP_NEO4J_URI to the address of the server, or name it")
    scheme, separator, rest = address.partition(":")
    if address == "memory":
        from realhop_kg.stores.embedded import EmbeddedStore

        return EmbeddedStore(None)
    if scheme == "embedded" and rest:
        from realhop_kg.stores.embedded import EmbeddedStore

        return EmbeddedStore(Path(rest), writing=writing)
    if separator and scheme in _BOLT and urlsplit(address).hostname:
        from realhop_kg.stores.neo4j import Neo4jStore

        return Neo4jStore(address)
    raise InputError(
        f"{address!r} names no store; use neo4j://HOST, bolt://HOST, embedded:PATH or memory"
    )
