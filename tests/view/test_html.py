"""What keeps pages safe: escaping, data blocks, the policy, and what is vendored."""

from __future__ import annotations

import hashlib
import json
import re

import pytest

from realhop_kg.resources import resource_folder
from realhop_kg.view.html import asset, page, policy, safe_json
from tests.view.hostile import ATTACK


def test_data_cannot_end_its_block_and_reads_back() -> None:
    text = safe_json({"text": ATTACK})
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == {"text": ATTACK}


def test_the_policy_allows_what_is_in_the_page_and_nothing_else() -> None:
    allowed = policy(("run()",), (), files=False)
    digest = "sha256-AvyuiL0SD1mVY3NNxR+V2uo+lhk6RMFrytWmRt6CrJQ="
    assert f"script-src '{digest}';" in allowed
    assert "default-src 'none'" in allowed
    assert "style-src 'none'" in allowed
    assert "unsafe" not in allowed
    assert "http" not in policy((), (), files=True)


def test_templates_refuse_what_they_were_not_given() -> None:
    from jinja2 import UndefinedError

    with pytest.raises(UndefinedError):
        page("item.html.jinja", {})


def test_the_vendored_library_is_the_one_that_is_written_down() -> None:
    told = (resource_folder("view") / "assets" / "README.md").read_text(encoding="utf-8")
    found = re.search(r"SHA-256\s+`([0-9a-f]{64})`", told)
    assert found is not None
    assert hashlib.sha256(asset("cytoscape.min.js").encode()).hexdigest() == found[1]
    assert "</script" not in asset("cytoscape.min.js").lower()
    licence = resource_folder("view") / "assets" / "cytoscape.LICENSE"
    assert "Permission is hereby granted, free of charge" in licence.read_text(encoding="utf-8")
