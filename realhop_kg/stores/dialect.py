"""The Cypher that both engines run with the same rows, as a lint of query files.

Each rule is a difference that was measured between Neo4j 5 and the embedded engine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["lint"]

_RULES: tuple[tuple[str, str], ...] = (
    (r"\bCOLLECT\s*\{", "COLLECT subqueries are Neo4j's alone; collect() in a WITH"),
    (r"\bSHORTEST\b|\bshortestPath\b|\ballShortestPaths\b", "no shortest paths"),
    (r"\)\s*(?:\{\d*,?\d*\}|[+*](?=\s*(?:\(|$)))|\]->\s*[+*{]", "no quantified path patterns"),
    (r"/\*", "no /* */ comments; write //"),
    (r":\s*`?\w+`?\s*&|\(\w*\s*:\s*!", "no label operators but |"),
    (r"\bIN\s+TRANSACTIONS\b", "no CALL in transactions"),
    (r"\btimestamp\s*\(|\bdatetime\s*\(|\bdate\s*\(|\brand\s*\(", "no clock and no chance"),
    (r"\bisEmpty\s*\(", "no isEmpty(); compare size()"),
    (r"\bapoc\.|\bgds\.", "no plugins"),
    (r"\*\s*(?:\d+\s*\.\.\s*)?\]", "no unbounded paths; the embedded engine stops at 10"),
    (r"\*\s*\d*\s*\.\.\s*(?:1[1-9]|[2-9]\d|\d{3,})", "no paths over 10 edges"),
    (
        r"\.\s*`?(?:name|title|type|label)`?\b(?!\s*\()",
        "name, title, type and label are made up by the embedded engine",
    ),
    (r"\bproperties\s*\(|\bkeys\s*\(|\blabels\s*\(", "return explicit properties"),
    (r"\belementId\s*\(|\bid\s*\(", "ids of the engine differ; use n.node or n.id"),
    (
        r"\b(?:CREATE|MERGE|SET|DELETE|REMOVE|FOREACH|LOAD)\b",
        "the library only reads",
    ),
    (r"=~", "regular expressions differ between the engines"),
    (r"\bsize\s*\(\s*\w+\.(?:text|exact|surface|question)\b", "length of text differs for emoji"),
)
_COMPILED = tuple((re.compile(pattern), says) for pattern, says in _RULES)
_STRINGS = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")


def lint(cypher: str) -> Iterator[str]:
    """Yield what a query uses that is not in the common subset, each `line N: advice`.

    Examples:
        >>> list(lint("MATCH (a)-[:R*]->(b) RETURN b.node AS node"))
        ['line 1: no unbounded paths; the embedded engine stops at 10']
    """
    for number, line in enumerate(cypher.splitlines(), 1):
        bare = _STRINGS.sub("''", line).partition("//")[0]
        if "/*" in line:
            bare = line
        for pattern, says in _COMPILED:
            if pattern.search(bare):
                yield f"line {number}: {says}"
    if "ORDER BY" not in cypher:
        yield "rows need an order: end with ORDER BY over the key columns"
