"""The Cypher that both engines run with the same rows: a lint, and what lies outside of it.

Each rule is a difference that was measured between Neo4j 5 and the embedded engine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["apart", "lint", "quote_reserved"]


class _Rule(NamedTuple):
    pattern: str
    says: str
    apart: bool = False
    """Whether the embedded engine answers all the same, with other rows."""


_RULES = (
    _Rule(r"\bCOLLECT\s*\{", "COLLECT subqueries are Neo4j's alone; collect() in a WITH"),
    _Rule(r"\bSHORTEST\b|\bshortestPath\b|\ballShortestPaths\b", "no shortest paths"),
    _Rule(r"\)\s*(?:\{\d*,?\d*\}|[+*](?=\s*(?:\(|$)))|\]->\s*[+*{]", "no quantified path patterns"),
    _Rule(r"/\*", "no /* */ comments; write //"),
    _Rule(r":\s*`?\w+`?\s*&|\(\w*\s*:\s*!", "no label operators but |"),
    _Rule(r"\bIN\s+TRANSACTIONS\b", "no CALL in transactions"),
    _Rule(r"\btimestamp\s*\(|\bdatetime\s*\(|\bdate\s*\(|\brand\s*\(", "no clock and no chance"),
    _Rule(r"\bisEmpty\s*\(", "no isEmpty(); compare size()"),
    _Rule(r"\bapoc\.|\bgds\.", "no plugins"),
    _Rule(
        r"\*\s*(?:\d+\s*\.\.\s*)?\]",
        "no unbounded paths; the embedded engine stops at 10",
        apart=True,
    ),
    _Rule(r"\*\s*\d*\s*\.\.\s*(?:1[1-9]|[2-9]\d|\d{3,})", "no paths over 10 edges"),
    _Rule(
        r"\.\s*`?(?:name|title|type|label)`?\b(?!\s*\()",
        "name, title, type and label are made up by the embedded engine",
        apart=True,
    ),
    _Rule(
        r"\bproperties\s*\(|\bkeys\s*\(",
        "return explicit properties",
        apart=True,
    ),
    _Rule(r"\blabels\s*\(", "match one label; a node has no other"),
    _Rule(
        r"\belementId\s*\(|\bid\s*\(", "ids of the engine differ; use n.node or n.id", apart=True
    ),
    _Rule(
        r"\b(?:CREATE|MERGE|SET|DELETE|REMOVE|FOREACH|LOAD)\b",
        "the library only reads",
    ),
    _Rule(r"\bround\s*\(", "halves are rounded another way", apart=True),
    _Rule(r"^\s*(?:EXPLAIN|PROFILE)\b", "plans are each engine's own", apart=True),
    _Rule(r";\s*\S", "one statement at a time; the embedded engine runs the last", apart=True),
    _Rule(r"=~", "regular expressions differ between the engines", apart=True),
    _Rule(
        r"\bsize\s*\(\s*\w+\.(?:text|exact|surface|question)\b",
        "length of text differs for emoji",
        apart=True,
    ),
)
_COMPILED = tuple((re.compile(rule.pattern), rule) for rule in _RULES)
_STRING = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_STRINGS = re.compile(_STRING)
_RESERVED = re.compile(
    rf"{_STRING}|`[^`]*`|//[^\n]*|(?<=\.)(\s*)(end)\b|(?<=[{{,])(\s*)(end)(?=\s*:)",
    re.IGNORECASE,
)
"""What is left alone, or the one property of the schema whose name the embedded engine reserves."""


def lint(cypher: str) -> Iterator[str]:
    """Yield what a query uses that is not in the common subset, each `line N: advice`.

    Examples:
        >>> list(lint("MATCH (a)-[:R*]->(b) RETURN b.node AS node ORDER BY node"))
        ['line 1: no unbounded paths; the embedded engine stops at 10']
    """
    for number, rule in _broken(cypher):
        yield f"line {number}: {rule.says}"
    if "ORDER BY" not in cypher:
        yield "rows need an order: end with ORDER BY over the key columns"


def apart(cypher: str) -> Iterator[str]:
    """Yield what the embedded engine answers with other rows than Neo4j, without an error.

    Examples:
        >>> list(apart("MATCH (p:Passage) RETURN p.title AS x"))
        ['line 1: name, title, type and label are made up by the embedded engine']
    """
    for number, rule in _broken(cypher):
        if rule.apart:
            yield f"line {number}: {rule.says}"


def quote_reserved(cypher: str) -> str:
    """Return a statement as the embedded engine reads it: a property `end` in backticks.

    Examples:
        >>> quote_reserved("MATCH (s:Span {end: 3}) RETURN s.end AS x, 'a.end' AS y")
        "MATCH (s:Span {`end`: 3}) RETURN s.`end` AS x, 'a.end' AS y"
    """

    def quoted(found: re.Match[str]) -> str:
        name = found[2] or found[4]
        return f"{found[1] or found[3] or ''}`{name}`" if name else found[0]

    return _RESERVED.sub(quoted, cypher)


def _broken(cypher: str) -> Iterator[tuple[int, _Rule]]:
    """Yield the rules that a query breaks, each with the number of the line."""
    for number, line in enumerate(cypher.splitlines(), 1):
        bare = _STRINGS.sub("''", line).partition("//")[0]
        if "/*" in line:
            bare = line
        for pattern, rule in _COMPILED:
            if pattern.search(bare):
                yield number, rule
