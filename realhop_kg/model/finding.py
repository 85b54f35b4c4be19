"""The contract codes that checks, errors, queries, shapes and reports share, and their findings."""

from __future__ import annotations

from enum import StrEnum

from realhop_kg.model.record import Record

__all__ = ["CONTRACTS", "Code", "Contract", "Finding", "Severity"]


class Severity(StrEnum):
    """What a finding means for its item."""

    BLOCKING = "blocking"
    """The item is excluded."""
    DIAGNOSTIC = "diagnostic"
    """Reported, and nothing else."""


class Contract(Record):
    """One contract of the design, in words."""

    holds_when: str
    severity: Severity = Severity.BLOCKING
    fix: str
    """The nearest thing a user can do about a finding."""


class Code(StrEnum):
    """Name of a contract or of a refusal."""

    B1 = "B1"
    B2 = "B2"
    D1 = "D1"
    D2 = "D2"
    R1 = "R1"
    R2 = "R2"
    R3 = "R3"
    R4 = "R4"
    R5 = "R5"
    R6 = "R6"
    G1 = "G1"
    G2 = "G2"
    G3 = "G3"
    S1 = "S1"
    S2 = "S2"
    S3 = "S3"
    S4 = "S4"
    S5A = "S5a"
    S5B = "S5b"
    S6 = "S6"
    F1 = "F1"
    F2 = "F2"
    F3 = "F3"
    U1 = "U1"
    N1 = "N1"
    N2 = "N2"
    V1 = "V1"
    V2 = "V2"
    H1 = "H1"
    H2 = "H2"
    H3 = "H3"
    H4 = "H4"
    H5 = "H5"
    T1 = "T1"
    T2 = "T2"
    T3 = "T3"
    T4 = "T4"
    T5 = "T5"
    A1 = "A1"
    Q1 = "Q1"
    Q2 = "Q2"
    Q3 = "Q3"
    Q4 = "Q4"
    Q5 = "Q5"
    Q6 = "Q6"
    M1 = "M1"
    M2 = "M2"


def _contract(holds_when: str, fix: str, severity: Severity = Severity.BLOCKING) -> Contract:
    return Contract(holds_when=holds_when, fix=fix, severity=severity)


_DIAGNOSTIC = Severity.DIAGNOSTIC

CONTRACTS: dict[Code, Contract] = {
    Code.B1: _contract("the source item is answerable", "leave unanswerable records out"),
    Code.B2: _contract("the record is well-formed", "mend the field that the message names"),
    Code.D1: _contract(
        "the dependency graph is a DAG with one terminal hop that every hop reaches",
        "mend the #k references of the decomposition",
    ),
    Code.D2: _contract(
        "hops have distinct support passages",
        "name one support passage per hop, each its own",
    ),
    Code.R1: _contract(
        "every entity of question, facts and answer is in the registry, with type and role",
        "use relations whose argument and value types agree",
    ),
    Code.R2: _contract(
        "substitution is one-to-one and keeps type, role and asked kind",
        "give each hop an answer of its own",
    ),
    Code.R3: _contract(
        "no virtual name occurs in the item's own text and none is part of another",
        "try another seed, or add names of that type",
    ),
    Code.R4: _contract(
        "the question shows no answer, competitor name, alias or demonym",
        "reword the question so that it names no answer",
    ),
    Code.R5: _contract(
        "every named entity of the question is rebound or kept with a reason, and every root hop "
        "has a rebound anchor",
        "name an entity in the first step that the question names too",
    ),
    Code.R6: _contract(
        "every hop answer is a fresh entity or value",
        "give the hop an answer that can be renamed",
    ),
    Code.G1: _contract(
        "each hop has one gold plan, linked to its support passage", "plan the hop once"
    ),
    Code.G2: _contract(
        "at least half of the hops, the terminal one among them, are split into premises",
        "add premise wordings for the relation",
    ),
    Code.G3: _contract(
        "a split fact follows from all its premises and from no fewer",
        "give each split fact a key entity of its own",
    ),
    Code.S1: _contract(
        "a Strict path's only mismatch is at the hop it protects",
        "use the required relation on every other hop",
    ),
    Code.S2: _contract(
        "a Strict path regenerates exactly the protected hop and its descendants",
        "regenerate those hops, all of them, and no other",
    ),
    Code.S3: _contract(
        "a Strict path keeps the gold binding of every other hop",
        "inherit the gold facts of those hops",
    ),
    Code.S4: _contract(
        "the break predicate has the right types and entails neither the annotated relation nor "
        "the relation as the question voices it",
        "choose another near-miss for the relation",
    ),
    Code.S5A: _contract(
        "two independent Strict candidates per hop were proposed",
        "add near-misses for the relation",
    ),
    Code.S5B: _contract(
        "surviving candidates have distinct new entities and endpoints, none equal to gold",
        "try another seed, or add names of that type",
    ),
    Code.S6: _contract(
        "at least one complete Strict path per hop survives pruning",
        "see the findings of the pruned paths",
    ),
    Code.F1: _contract(
        "a Flexible path breaks at its hop with a complete continuation, or later where that is "
        "safe",
        "break at the protected hop",
    ),
    Code.F2: _contract(
        "a Flexible path gives no ambiguous referent and no other valid answer",
        "choose another near-miss for the relation",
    ),
    Code.F3: _contract(
        "the protected support is forbidden to every fact of a Flexible path",
        "add the support passage to the forbidden list",
    ),
    Code.U1: _contract(
        "the only answer derivable from everything realized is the gold answer",
        "choose near-misses that entail less",
    ),
    Code.N1: _contract(
        "without any one hop the answer cannot be derived", "remove the shortcut between hops"
    ),
    Code.N2: _contract(
        "after Drop of the terminal hop no form of the gold answer is left in the text",
        "keep the gold answer out of other passages",
    ),
    Code.V1: _contract(
        "after each Drop at least one competitor path is complete",
        "host one path of the hop outside its support",
        _DIAGNOSTIC,
    ),
    Code.V2: _contract(
        "after each Drop two complete continuations lack a live prefix",
        "host one near-miss of the hop in its support",
        _DIAGNOSTIC,
    ),
    Code.H1: _contract("every retained fact and premise has a host", "route it to a passage"),
    Code.H2: _contract("no host is forbidden to its fact", "route it elsewhere"),
    Code.H3: _contract(
        "a Strict path of two or more generated facts uses two or more hosts, and its near-miss's "
        "host holds none of its continuation",
        "give the item more passages: two more than it has hops are mostly enough",
    ),
    Code.H4: _contract(
        "a gold path of three or more facts uses two or more hosts", "use distinct supports"
    ),
    Code.H5: _contract(
        "gold facts and premises stand in the original support of their hop",
        "route them to the support passage",
    ),
    Code.T1: _contract(
        "deleting the insertions restores titles, text and order byte for byte",
        "rebuild the passage from the source and insert again",
    ),
    Code.T2: _contract(
        "every generated fact and premise is written at exact spans of one passage",
        "write the missing sentence, or drop the span without a plan",
    ),
    Code.T3: _contract(
        "insertions are complete sentences at sentence boundaries",
        "insert after the end of a sentence",
    ),
    Code.T4: _contract(
        "a sentence has the names and the relation of its fact and no other entity",
        "word the fact by a declared wording of its predicate",
    ),
    Code.T5: _contract(
        "no reference crosses an insertion's edge",
        "repeat full names, or insert at the end of the passage",
    ),
    Code.A1: _contract(
        "gold and competitor sentences cannot be told apart",
        "vary wordings, hosts and positions alike",
        _DIAGNOSTIC,
    ),
    Code.Q1: _contract(
        "the question names what its steps name",
        "let question and steps name the entity alike",
    ),
    Code.Q2: _contract(
        "the question voices every hop",
        "word the question after its steps, or add the wording to the catalogue",
    ),
    Code.Q3: _contract("the source question is grammatical", "mend the question"),
    Code.Q4: _contract(
        "every root hop names an entity that can be renamed", "name one in the first step"
    ),
    Code.Q5: _contract(
        "the catalogue has the relation and near-misses enough",
        "add the relation to the catalogue",
    ),
    Code.Q6: _contract(
        "the answer has a type or format that can be coined",
        "add names or a value format for it",
    ),
    Code.M1: _contract(
        "the model gives a complete reply of the asked form",
        "see `realhop replies list --item ID`, or ask another model",
    ),
    Code.M2: _contract(
        "the semantic audit finds no broken question contract, ambiguous binding or other answer",
        "ask another model to plan the item, or leave it out",
    ),
}
"""What each code holds, whether a finding excludes the item, and what to do about one."""


class Finding(Record):
    """One broken contract, as data."""

    code: Code
    severity: Severity
    item: str
    """Key of the item."""
    nodes: tuple[str, ...] = ()
    """Ids of the graph nodes concerned."""
    message: str
