"""An rdflib graph that parses each SPARQL text once, however often it is asked.

pySHACL asks the same text for every focus node, and parsing takes ten times as long as answering.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rdflib import Graph
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.sparql import Query
from rdflib.query import Result

__all__ = ["PreparedGraph"]


@lru_cache(maxsize=64)
def _prepared(text: str, namespaces: tuple[tuple[str, Any], ...]) -> Query:
    return prepareQuery(text, initNs=dict(namespaces))


class PreparedGraph(Graph):
    """A graph whose queries are prepared; values come as bindings."""

    def query(  # type: ignore[override]
        self,
        query_object: str | Query,
        processor: str = "sparql",
        result: str = "sparql",
        initNs: Mapping[str, Any] | None = None,
        initBindings: Mapping[str, Any] | None = None,
        use_store_provided: bool = True,
        **kwargs: Any,  # noqa: ANN401
    ) -> Result:
        """Answer a query, as `rdflib.Graph.query` does."""
        if isinstance(query_object, str):
            spaces = initNs or dict(self.namespaces())
            query_object = _prepared(query_object, tuple(spaces.items()))
        return super().query(
            query_object, processor, result, initNs, initBindings, use_store_provided, **kwargs
        )
