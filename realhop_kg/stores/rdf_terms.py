"""RDF terms and triples, and how N-Quads and Turtle write them: line by line, nothing held."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from realhop_kg.errors import InputError

__all__ = [
    "HALF",
    "OA",
    "PREFIXES",
    "PROV",
    "RDF",
    "RH",
    "XSD",
    "Iri",
    "Literal",
    "Triple",
    "quads",
    "term",
    "turtle",
]

RH = "urn:realhop:vocabulary:"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XSD = "http://www.w3.org/2001/XMLSchema#"
OA = "http://www.w3.org/ns/oa#"
PROV = "http://www.w3.org/ns/prov#"


HALF = (
    "the graph holds half a character (a lone surrogate), which RDF cannot keep; mend the source "
    "text"
)


class Iri(str):
    """An IRI, without brackets."""

    __slots__ = ()


class Literal(NamedTuple):
    """A literal value: text, whole number or truth value."""

    value: str | int | bool


Triple = tuple[Iri, Iri, Iri | Literal]


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SPECIAL = re.compile('["\\\\\x00-\x1f\x7f\x85\u2028\u2029\ufeff]')


def _escaped(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04X}"


def term(value: Iri | Literal) -> str:
    """Return a term as N-Quads and Turtle write it.

    Raises:
        InputError: if it holds half a character, which no UTF-8 file can hold.
    """
    if isinstance(value, Iri):
        return f"<{value}>"
    plain = value.value
    if isinstance(plain, bool):
        return f'"{str(plain).lower()}"^^<{XSD}boolean>'
    if isinstance(plain, int):
        return f'"{plain}"^^<{XSD}integer>'
    if not plain.isascii():
        try:
            plain.encode()
        except UnicodeEncodeError as error:
            raise InputError(HALF) from error
    return f'"{_SPECIAL.sub(_escaped, plain)}"'


def quads(triples: Iterable[Triple], graph: Iri | None = None) -> Iterator[str]:
    """Yield one N-Quads line per triple, without line end."""
    ending = f" <{graph}> ." if graph else " ."
    for subject, predicate, value in triples:
        yield f"<{subject}> <{predicate}> {term(value)}{ending}"


def turtle(triples: Iterable[Triple]) -> Iterator[str]:
    """Yield Turtle, one block per run of one subject; prefixes are the caller's."""
    last: str | None = None
    for subject, predicate, value in triples:
        if subject == last:
            yield f" ;\n  {_short(predicate)} {_short_term(value)}"
        else:
            head = " .\n" if last is not None else ""
            yield f"{head}<{subject}> {_short(predicate)} {_short_term(value)}"
        last = subject
    if last is not None:
        yield " .\n"


PREFIXES = {"rh": RH, "rdf": RDF, "xsd": XSD, "oa": OA, "prov": PROV}
_LOCAL = re.compile("[A-Za-z]\\w*", re.ASCII)


def _short(iri: str) -> str:
    if iri == f"{RDF}type":
        return "a"
    for prefix, space in PREFIXES.items():
        if iri.startswith(space) and _LOCAL.fullmatch(iri, len(space)):
            return f"{prefix}:{iri[len(space) :]}"
    return f"<{iri}>"


def _short_term(value: Iri | Literal) -> str:
    if isinstance(value, Iri):
        return _short(value)
    if isinstance(value.value, str):
        return term(value)
    return str(value.value).lower()
