"""Plans are read, spread and reported."""

from __future__ import annotations

import pytest

from realhop_kg.errors import InputError
from realhop_kg.model.refusal import Cause
from realhop_kg.model.refusal_item import Topology
from realhop_kg.refusal.plan import Cell, Quotas, cells, parse_plan, spread

FP_MIDDLE_3 = Cell(Cause.FP, Topology.MIDDLE, 3)


def test_there_are_33_cells_and_middle_begins_at_depth_3() -> None:
    assert len(cells()) == 33
    assert {cell.depth for cell in cells() if cell.topology is Topology.MIDDLE} == {3, 4, 5}


def test_a_number_is_spread_evenly() -> None:
    plan = spread(100)
    assert sum(plan.values()) == 100
    assert set(plan.values()) == {3, 4}
    assert {cell.depth for cell, count in spread(6).items() if count} == {2}


def test_a_plan_is_read_and_later_entries_override() -> None:
    plan = parse_plan("FP:*:*=2, FP:middle:3=5 AU:root:2=1")
    assert plan[FP_MIDDLE_3] == 5
    assert plan[Cell(Cause.FP, Topology.ROOT, 5)] == 2
    assert sum(plan.values()) == 10 * 2 + 5 + 1


@pytest.mark.parametrize("text", ["", "FP:middle:2=1", "XX:root:2=1", "FP:root=1", "FP:root:2=x"])
def test_a_plan_that_fits_no_cell_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_plan(text)


def test_quotas_say_what_is_missing() -> None:
    quotas = Quotas({FP_MIDDLE_3: 2})
    quotas.add(FP_MIDDLE_3)
    assert quotas.missing(FP_MIDDLE_3) == 1
    assert quotas.open_cells() == [FP_MIDDLE_3]
    quotas.add(FP_MIDDLE_3)
    assert quotas.open_cells() == []
    assert quotas.table() == {"FP:middle:3": {"wanted": 2, "filled": 2}}
