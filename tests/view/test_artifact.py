"""The chart of A1 says what the quality report says, or why it cannot."""

from __future__ import annotations

import json
import re
from pathlib import Path

from realhop_kg.freeze.reader import FrozenDataset
from realhop_kg.view.artifact import artifact_chart


def test_every_area_stands_on_the_chart_with_its_interval(bundled: FrozenDataset) -> None:
    report = json.loads((bundled.folder / "quality.json").read_bytes())["a1"]
    chart = artifact_chart(bundled.folder)
    wanted = [
        f"{figure['auc']:.3f} [{figure['low']:.3f}, {figure['high']:.3f}]"
        for contrast in ("all", "continuations", "near-misses")
        for figure in report["contrasts"][contrast]["figures"].values()
    ]
    assert re.findall(r"\d\.\d{3} \[\d\.\d{3}, \d\.\d{3}\]", chart.svg) == wanted
    assert chart.svg.count('class="area"') == chart.svg.count('class="interval"') == len(wanted)
    assert ("A1 holds" in chart.note) == report["holds"]


def test_what_keeps_the_chart_away_is_said(tmp_path: Path) -> None:
    chart = artifact_chart(tmp_path)
    assert (chart.svg, "has no quality.json" in chart.note) == ("", True)
    for content in ("{", "[]", '{"a1": {"holds": 3}}'):
        (tmp_path / "quality.json").write_text(content)
        chart = artifact_chart(tmp_path)
        assert (chart.svg, "cannot be read" in chart.note) == ("", True)
