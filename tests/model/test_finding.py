from __future__ import annotations

from realhop_kg.model.finding import CONTRACTS, Code, Severity


def test_every_code_has_a_contract_with_a_sentence_and_a_fix() -> None:
    assert set(CONTRACTS) == set(Code)
    for contract in CONTRACTS.values():
        assert contract.holds_when.strip()
        assert contract.fix.strip()
        assert not contract.fix.endswith(".")  # it goes on inside a message


def test_only_the_contracts_about_survival_and_style_do_not_block() -> None:
    diagnostic = {code for code in Code if CONTRACTS[code].severity is Severity.DIAGNOSTIC}
    assert diagnostic == {Code.V1, Code.V2, Code.A1}


def test_a_code_is_written_as_the_design_writes_it() -> None:
    assert [str(code) for code in (Code.S5A, Code.S5B, Code.Q1)] == ["S5a", "S5b", "Q1"]
    assert Code("S5a") is Code.S5A
