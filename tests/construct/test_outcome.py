from __future__ import annotations

from realhop_kg.construct.outcome import as_finding, excluded, rejected
from realhop_kg.errors import ContractError
from realhop_kg.model.finding import CONTRACTS, Code, Severity
from tests.construct.records import record


def test_an_exclusion_says_where_why_and_what_to_do() -> None:
    item = record()
    out = excluded(item, "branch", ContractError("S5b", "'Orm' is taken", ("e:h1",)))
    assert (out.id, out.dataset, out.file, out.line) == (item.key, "musique", "own.jsonl", 1)
    assert (out.stage, out.code, out.question) == ("branch", "S5b", item.question)
    assert out.message == f"'Orm' is taken; {CONTRACTS[Code.S5B].fix}"
    (finding,) = out.findings
    assert (finding.code, finding.severity) == (Code.S5B, Severity.BLOCKING)
    assert (finding.nodes, finding.message) == (("e:h1",), "'Orm' is taken")


def test_a_rejection_keeps_all_findings_and_takes_code_and_message_from_the_first() -> None:
    item = record()
    findings = [
        as_finding(item, ContractError("U1", "two answers", ("e:h1",))),
        as_finding(item, ContractError("T4", "odd words", ("f:s1a.h1",))),
    ]
    out = rejected(item, findings)
    assert (out.stage, out.code) == ("check", "U1")
    assert out.message == f"two answers; {CONTRACTS[Code.U1].fix}"
    assert [f.code for f in out.findings] == [Code.U1, Code.T4]
