"""F1 to F3: Flexible paths break where that is safe, add no answer, and spare the support."""

from __future__ import annotations

from collections.abc import Iterator

from realhop_kg.contracts.competitors import inherits, misbound, mismatches, misplaced
from realhop_kg.contracts.subject import ItemView, PathView
from realhop_kg.graph.derivation import answers
from realhop_kg.graph.schema import EdgeKind, PathKind
from realhop_kg.model.finding import Code, Finding

__all__ = ["check_flexible_breaks", "check_forbidden", "check_no_other_answer"]


def check_flexible_breaks(view: ItemView) -> Iterator[Finding]:
    """F1: a Flexible path breaks at its hop, or downstream where the protected hop stays open.

    Before pruning its continuation is complete; pruning takes single facts and leaves a fragment.
    """
    for path in view.family(PathKind.FLEXIBLE):
        misplacements = list(misplaced(view, path))
        for trouble in misplacements:
            yield view.finding(Code.F1, trouble.message, path.id)
        if misplacements:
            continue
        for message in _break_troubles(view, path):
            yield view.finding(Code.F1, message, path.id)
        for trouble in (*mismatches(view, path), *misbound(view, path)):
            yield view.finding(Code.F1, trouble.message, trouble.node)


def _break_troubles(view: ItemView, path: PathView) -> Iterator[str]:
    protected, broken = path.node.protected_hop, path.node.break_hop
    anew = view.regenerated[protected]
    hops = sorted(fact.hop for fact in path.own)
    if broken not in anew:
        yield f"{path.id} breaks at hop {broken}, on which hop {protected} has no bearing"
    elif broken != protected:
        hop = view.hops[protected]
        if not hop.multi_valued or hop.definite:
            yield f"{path.id} matches hop {protected}, which has one value only"
    complete = hops == sorted(anew)
    if not hops or len(set(hops)) < len(hops) or not anew.issuperset(hops):
        yield f"{path.id} has facts for hops {hops}, R({protected}) is {sorted(anew)}"
    elif view.plan_time and not complete:
        yield f"{path.id} has no complete continuation"
    if not inherits(view, path):
        yield f"{path.id} does not inherit the gold facts of the hops outside R(h)"


def check_no_other_answer(view: ItemView) -> Iterator[Finding]:
    """F2: Flexible facts make no further binding derivable and leave no referent open."""
    paths = view.family(PathKind.FLEXIBLE)
    for path in paths:
        if path.node.break_hop in view.regenerated.get(path.node.protected_hop, ()) and (
            path.node.break_hop != path.node.protected_hop
        ):
            # The protected relation then holds of a second value, to which the question may refer.
            message = f"{path.id} matches hop {path.node.protected_hop} with another value"
            yield view.finding(Code.F2, message, path.id)
    # A part of what is realized cannot derive what the whole does not.
    if not paths or not view.certificates.unique.alternative_bindings:
        return
    facts = [fact for path in paths for fact in path.own]
    gold = {part.id for fact in view.evidence.gold.values() for part in view.parts(fact)}
    added = {part.id for fact in facts for part in view.parts(fact)}
    before = answers(view.graph, view.predicates, gold)
    for binding in sorted(answers(view.graph, view.predicates, gold | added) - before):
        guilty = [fact.id for fact in facts if fact.value in binding]
        names = ", ".join(view.entities[entity_id].surface for entity_id in binding)
        message = f"Flexible facts make another reading of the question derivable: {names}"
        yield view.finding(Code.F2, message, *guilty)


def check_forbidden(view: ItemView) -> Iterator[Finding]:
    """F3: the protected support is forbidden to a Flexible path and to each of its facts."""
    for path in view.family(PathKind.FLEXIBLE):
        hop = view.hops.get(path.node.protected_hop)
        support = view.passages.get(hop.support) if hop else None
        if support is None:
            continue  # F1 or D2
        for node in (path.id, *(fact.id for fact in path.own)):
            if support.id not in view.targets(node, EdgeKind.FORBIDS):
                message = f"support passage {support.index} is not forbidden to {node}"
                yield view.finding(Code.F3, message, node)
