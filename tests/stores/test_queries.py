"""The query library: headers, parameters, and the subset of Cypher that both engines run."""

from __future__ import annotations

import pytest

from realhop_kg.errors import InputError
from realhop_kg.stores.address import open_store
from realhop_kg.stores.dialect import apart, lint, quote_reserved
from realhop_kg.stores.queries import bound, load_query, parse_query, query_names

HEADER = (
    "// Answers.\n//\n// param n: integer = 3 - a number\n// returns x - a thing\n\nRETURN 1 AS x"
)


def test_the_library_has_what_is_promised() -> None:
    wanted = {
        "gold_chain",
        "competitor_paths",
        "gold_versus_competitors",
        "descendants",
        "regenerated_set",
        "strict_coverage",
        "strict_contract_violations",
        "flexible_contract_violations",
        "forbidden_host_violations",
        "near_miss_with_continuation",
        "untraced_facts",
        "evidence_for_hop",
        "alternative_answers",
        "post_drop_survivors",
        "shared_hosts",
        "host_load",
        "entity_leaks",
        "substitutions",
        "items_by_topology",
        "endpoint_hits",
        "bnr_by_hop",
        "drop_survivors",
        "refusal_chain",
        "refusal_cells",
        "walk_candidates",
    }
    assert wanted <= set(query_names())


@pytest.mark.parametrize("name", query_names())
def test_every_file_has_a_header_and_keeps_to_the_common_subset(name: str) -> None:
    query = load_query(name)
    assert query.answers.endswith(".")
    assert list(lint(query.cypher)) == []
    for param in query.params:
        assert f"${param.name}" in query.cypher


@pytest.mark.parametrize(
    ("cypher", "says"),
    [
        ("MATCH (n) RETURN COLLECT { MATCH (m) RETURN m.node } AS x", "COLLECT"),
        ("MATCH p = SHORTEST 1 (a)-[:R]->(b) RETURN 1 AS x", "shortest"),
        ("MATCH ((a)-[:R]->(b)){1,3} RETURN 1 AS x", "quantified"),
        ("MATCH (a)-[:R]->+(b) RETURN 1 AS x", "quantified"),
        ("/* why */ RETURN 1 AS x", "comments"),
        ("MATCH (n:A&B) RETURN n.node AS x", "label operators"),
        ("MATCH (n:!A) RETURN n.node AS x", "label operators"),
        ("CALL { RETURN 1 AS x } IN TRANSACTIONS RETURN x", "transactions"),
        ("RETURN timestamp() AS x", "clock"),
        ("MATCH (n) WHERE isEmpty(n.slots) RETURN n.node AS x", "isEmpty"),
        ("RETURN apoc.version() AS x", "plugins"),
        ("MATCH (a)-[:R*]->(b) RETURN a.node AS x", "unbounded"),
        ("MATCH (a)-[:R*2..]->(b) RETURN a.node AS x", "unbounded"),
        ("MATCH (a)-[:R*1..12]->(b) RETURN a.node AS x", "over 10"),
        ("MATCH (n) RETURN n.name AS x", "made up"),
        ("MATCH (n) RETURN n.`title` AS x", "made up"),
        ("MATCH (n) RETURN properties(n) AS x", "explicit"),
        ("MATCH (n) RETURN id(n) AS x", "ids of the engine"),
        ("CREATE (n) RETURN 1 AS x", "only reads"),
        ("MATCH (n) SET n.x = 1 RETURN 1 AS x", "only reads"),
        ("MATCH (n) WHERE n.node =~ 'a.*' RETURN n.node AS x", "regular"),
    ],
)
def test_the_lint_names_what_differs_between_the_engines(cypher: str, says: str) -> None:
    assert any(says in line for line in lint(f"{cypher} ORDER BY x"))


def test_the_lint_wants_an_order_and_forgives_strings_and_comments() -> None:
    assert list(lint("RETURN 'CREATE .name [*]' AS x // CREATE\nORDER BY x")) == []
    assert any("order" in line for line in lint("RETURN 1 AS x"))


@pytest.mark.parametrize(
    ("cypher", "says"),
    [
        ("MATCH (p:Passage)\nRETURN p.title AS x", ["line 2: name, title, type and label"]),
        ("MATCH (a)-[:R*]->(b) RETURN a.node AS x", ["line 1: no unbounded paths"]),
        ("MATCH (n) RETURN keys(n) AS x, id(n) AS y", ["explicit", "ids of the engine"]),
        ("MATCH (a)-[r]->(b) RETURN type(r) AS x, labels(a) AS y, a.page_title AS z", []),
        ("CREATE (n:Item {id: '.title'}) // n.name", []),
        ("CALL { RETURN 1 AS x } IN TRANSACTIONS RETURN x", []),  # refused, so no wrong rows
    ],
)
def test_what_the_embedded_engine_answers_otherwise_is_told(cypher: str, says: list[str]) -> None:
    for line, part in zip(apart(cypher), says, strict=True):
        assert part in line


@pytest.mark.parametrize(
    ("cypher", "wanted"),
    [
        ("RETURN s.end", "RETURN s.`end`"),
        ("RETURN s.`end`, s. END", "RETURN s.`end`, s. `END`"),
        ("MATCH (s {a: 1, end: 2}) SET s.end=3", "MATCH (s {a: 1, `end`: 2}) SET s.`end`=3"),
        ("RETURN {end: 1}.end", "RETURN {`end`: 1}.`end`"),
        ("RETURN CASE WHEN s.ending THEN s.start END", None),
        ("RETURN 'it\\'s .end', \".end {end:\", `x.end` // s.end", None),
        ("RETURN [s.text, end]", None),
    ],
)
def test_a_reserved_property_is_quoted_and_nothing_else(cypher: str, wanted: str | None) -> None:
    assert quote_reserved(cypher) == (wanted or cypher)


def test_parameters_are_read_by_their_type() -> None:
    query = parse_query(
        "q", HEADER.replace("\n// returns", "\n// param s: strings? - some\n// returns")
    )
    assert bound(query, {}) == {"n": 3, "s": None}
    assert bound(query, {"n": "4", "s": "a,b"}) == {"n": 4, "s": ["a", "b"]}
    assert bound(query, {"n": 4, "s": ["a,b"]}) == {"n": 4, "s": ["a,b"]}


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"m": 1}, "no parameter 'm'"),
        ({"n": "four"}, "takes a whole number"),
        ({"n": True}, "takes integer"),
        ({"n": 1.5}, "takes integer"),
        ({"n": ["1"]}, "takes integer"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(given: dict[str, object], says: str) -> None:
    with pytest.raises(InputError, match=says):
        bound(parse_query("q", HEADER), given)


def test_a_missing_parameter_is_named_with_its_meaning() -> None:
    with pytest.raises(InputError, match="needs scope: name under which"):
        bound(load_query("walk_candidates"), {"page": "x"})


@pytest.mark.parametrize("name", ["gold_chian", "../schema", "/etc/passwd", ""])
def test_an_unknown_query_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="no query"):
        load_query(name)


@pytest.mark.parametrize(
    "text",
    [
        "RETURN 1 AS x",
        "// Answers.\n// param n integer - x\n// returns x - a\n\nRETURN 1 AS x",
        "// Answers.\n// param n: float - x\n// returns x - a\n\nRETURN 1 AS x",
        "// Answers.\n\nRETURN 1 AS x",
        "// Answers.\n// returns x - a\n\n",
    ],
)
def test_a_file_without_a_proper_header_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="query q"):
        parse_query("q", text)


def test_a_hostile_parameter_stays_a_value() -> None:
    with open_store("memory") as store:
        store.prepare()
        query = load_query("gold_chain")
        for text in ("' OR 1=1 //", "\\", "`", "$item", "x" * 1_000_000, "\n"):
            assert store.run(query.cypher, bound(query, {"item": text})).rows == []
