"""The Neo4j store, over Bolt by the official driver."""

from __future__ import annotations

import logging
import os
import ssl
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit, urlunsplit

from realhop_kg.errors import InputError
from realhop_kg.stores.rows import PackedGraph
from realhop_kg.stores.schema import schema_statements
from realhop_kg.stores.statements import in_one_statement
from realhop_kg.stores.store import (
    TOO_LARGE,
    WOULD_WRITE,
    ConflictError,
    Statement,
    StoreError,
    Table,
)

if TYPE_CHECKING:
    from neo4j import Driver, ManagedTransaction, Session

__all__ = ["Neo4jStore"]

USER, PASSWORD = "REALHOP_NEO4J_USER", "REALHOP_NEO4J_PASSWORD"
DATABASE, CERTIFICATE = "REALHOP_NEO4J_DATABASE", "REALHOP_NEO4J_CA"

_RETRY = 20.0
"""Seconds for which the driver tries a transaction again: a restarting server is back by then."""

_FORBIDDEN = ("Neo.ClientError.Security.Forbidden", "ReadOnly", "NotALeader")
"""Codes, or parts of them, by which a server says that we may not write."""

_EXISTS = "AlreadyExists"
"""How the codes end that say that an index, a constraint or a name of one is there."""

_TWICE = "Neo.ClientError.Schema.ConstraintValidationFailed"
"""Code of an id that is there already."""

_SCHEMA_TRIES = 5


class Neo4jStore:
    """A Neo4j database; graphs of other scopes in it are left alone."""

    batch = 20
    writers = 2

    def __init__(self, address: str) -> None:
        """Connect.

        Args:
            address: `neo4j://host:port/database`; the database may be left out. User, password,
                database and the file of a private certificate authority come from
                REALHOP_NEO4J_USER, _PASSWORD, _DATABASE and _CA.

        Raises:
            InputError: if the address carries a password.
            StoreError: if the server cannot be reached or refuses us.
        """
        import neo4j

        parts = urlsplit(address)
        if parts.username or parts.password:
            raise InputError(
                f"leave user and password out of the address; set {USER} and {PASSWORD}"
            )
        self.address = urlunsplit((parts.scheme, parts.netloc, "", parts.query, ""))
        self._database = parts.path.strip("/") or os.environ.get(DATABASE) or None
        self._neo4j = neo4j
        # The driver logs every fault that it also raises; who wants the log adds a handler.
        logging.getLogger("neo4j").addHandler(logging.NullHandler())
        with self._faults():
            self._driver = self._connect()
            try:
                self._reach()
            except BaseException:
                # Nobody gets this object, so nobody else can close the driver.
                self._driver.close()
                raise

    def _connect(self) -> Driver:
        user, password = os.environ.get(USER, "neo4j"), os.environ.get(PASSWORD)
        settings: dict[str, Any] = {}
        certificate, address = os.environ.get(CERTIFICATE), self.address
        if certificate:
            # The driver takes an authority beside a plain scheme only; +s asks for the same.
            address = address.replace("+s://", "://", 1)
            settings["encrypted"] = True
            settings["trusted_certificates"] = self._neo4j.TrustCustomCAs(certificate)
        return self._neo4j.GraphDatabase.driver(
            address,
            auth=(user, password) if password else None,
            connection_timeout=10,
            max_transaction_retry_time=_RETRY,
            # Hints about labels that a dataset has none of would fill the log.
            notifications_min_severity="OFF",
            **settings,
        )

    def _reach(self) -> None:
        """Fail now, not in the middle of a load, where server, login or database is wrong."""
        self._driver.verify_connectivity()
        with self._driver.session(database=self._database) as session:
            session.run("RETURN 1").consume()

    @contextmanager
    def _faults(self) -> Iterator[None]:
        from neo4j import exceptions as known

        try:
            yield
        except known.AuthError as error:
            raise StoreError(
                f"{self.address} refused the login: {_line(error)}; check {USER} and {PASSWORD}"
            ) from error
        except known.ConfigurationError as error:
            raise InputError(f"{self.address}: {_line(error)}") from error
        except known.TransientError as error:
            raise StoreError(f"{self.address} is busy: {_line(error)}; try again") from error
        except known.DriverError as error:
            if _distrusts(error):
                raise StoreError(
                    f"{self.address} shows a certificate that nobody here vouches for; set "
                    f"{CERTIFICATE} to the file of its authority"
                ) from error
            # A routing driver does not say that it was the certificate.
            known_here = f", with a certificate known here ({CERTIFICATE})"
            secure = known_here if "+s:" in self.address else ""
            raise StoreError(
                f"{self.address} does not answer: {_line(error)}; check that it runs{secure}, then "
                "try again"
            ) from error
        except known.Neo4jError as error:
            raise self._refused(error) from error
        except OverflowError as error:
            raise InputError(TOO_LARGE) from error
        except (OSError, ValueError) as error:
            raise StoreError(f"{self.address}: {_line(error)}") from error

    def _refused(self, error: Any) -> StoreError | InputError:  # noqa: ANN401 - any server error
        code = error.code or ""
        if code == "Neo.ClientError.Statement.AccessMode":
            return InputError(WOULD_WRITE)
        if code == _TWICE:
            return ConflictError(
                f"{self.address}: another client writes the same: {_line(error)}; try again when "
                "it is done"
            )
        if any(part in code for part in _FORBIDDEN):
            user = os.environ.get(USER, "neo4j")
            return StoreError(
                f"{self.address} does not let {user} write: {_line(error)}; ask with another user "
                f"({USER}) or another database"
            )
        if code.startswith("Neo.ClientError.Statement"):
            return InputError(f"Cypher refused: {_line(error)}")
        return StoreError(f"{self.address}: {_line(error)}")

    def prepare(self) -> None:
        """Create the constraints and indexes that are not there yet, and wait for them.

        Any number of clients may do this at once.
        """
        with self._faults(), self._driver.session(database=self._database) as session:
            for statement in schema_statements():
                self._define(session, statement)
            session.run("CALL db.awaitIndexes(60)").consume()

    def _define(self, session: Session, statement: str) -> None:
        """Run one statement of the schema, which may meet the same one of another client."""
        from neo4j.exceptions import Neo4jError

        for tries_left in reversed(range(_SCHEMA_TRIES)):
            try:
                # Managed: two clients that lock each other out try again after a while.
                session.execute_write(_work, [Statement(statement, {})])
                return
            except Neo4jError as error:
                # IF NOT EXISTS looks before it locks, so another client may come in between. What
                # it made satisfies the next try; a rule that differs from ours never does.
                if not (tries_left and (error.code or "").endswith(_EXISTS)):
                    raise

    def run(self, cypher: str, params: Mapping[str, Any] | None = None) -> Table:
        """Run one reading query in a managed transaction; see `Store.run`."""
        statement = Statement(cypher, params or {})
        with (
            self._faults(),
            self._driver.session(
                database=self._database, default_access_mode=self._neo4j.READ_ACCESS
            ) as session,
        ):
            return session.execute_read(_work, [statement])[0]

    def write(self, statements: Sequence[Statement]) -> list[Table]:
        """Run statements in one managed transaction; see `Store.write`."""
        with self._faults(), self._driver.session(database=self._database) as session:
            return session.execute_write(_work, statements)

    def creations(self, graphs: Sequence[PackedGraph]) -> list[Statement]:
        """Return the statements that create graphs; see `Store.creations`."""
        return in_one_statement(graphs)

    def close(self) -> None:
        """Close the connections."""
        self._driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _work(transaction: ManagedTransaction, statements: Sequence[Statement]) -> list[Table]:
    tables = []
    for statement in statements:
        # The text is a query file, a statement made of schema names, or what a user typed.
        result = transaction.run(statement.cypher, dict(statement.params))
        columns = tuple(result.keys())
        tables.append(Table(columns, [tuple(map(_plain, record)) for record in result]))
    return tables


def _distrusts(error: BaseException | None) -> bool:
    """Return whether an error comes from a certificate that cannot be verified."""
    while error:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False


def _line(error: BaseException) -> str:
    said = getattr(error, "message", None) or str(error)
    return " ".join(str(said).split())[:400]


def _plain(value: Any) -> Any:  # noqa: ANN401 - any Cypher value
    """Return a value as plain data: a node or edge becomes its properties."""
    from neo4j.graph import Node, Path, Relationship

    if isinstance(value, Node | Relationship):
        return {key: _plain(value[key]) for key in sorted(value)}
    if isinstance(value, Path):
        return [_plain(node) for node in value.nodes]
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value
