"""Construction steps as pure functions: graph in, new graph out, contracts enforced.

An operator that cannot keep its contract raises `ContractError` with the code; it never returns a
half-made graph, and never changes the graph it was given.
"""

from realhop_kg.graph.operators.branch import branch_flexible, branch_strict
from realhop_kg.graph.operators.drop import drop
from realhop_kg.graph.operators.factorize import factorize
from realhop_kg.graph.operators.prune import prune
from realhop_kg.graph.operators.rebind import rebind
from realhop_kg.graph.operators.route import route
from realhop_kg.graph.operators.write import write

__all__ = [
    "branch_flexible",
    "branch_strict",
    "drop",
    "factorize",
    "prune",
    "rebind",
    "route",
    "write",
]
