from __future__ import annotations

import pytest
from pydantic import ValidationError

from realhop_kg.settings import ConstructConfig


def test_the_defaults_need_no_model_and_read_everything() -> None:
    config = ConstructConfig(dataset="musique")
    assert (config.seed, config.backend, config.limit) == (0, "rules", None)


@pytest.mark.parametrize("wrong", [{"limit": 0}, {"backend": "magic"}, {"workers": 2}])
def test_a_setting_that_cannot_be_is_rejected(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ConstructConfig(dataset="musique", **wrong)  # type: ignore[arg-type]
