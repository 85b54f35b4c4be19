from __future__ import annotations

import pytest

from realhop_kg.errors import InputError
from realhop_kg.llm.stages import read_backend, read_stages
from realhop_kg.settings import MODEL_STAGES

LLM = read_backend("llm")


def modes(model: str) -> str:
    return "schema" if model == "openai/known" else "off"


def test_a_backend_is_one_for_all_stages_or_one_for_each() -> None:
    assert set(read_backend("rules").values()) == {"rules"}
    assert set(LLM.values()) == {"llm"}
    mixed = read_backend("plan=rules, route=rules")
    assert [stage for stage in MODEL_STAGES if mixed[stage] == "llm"] == [
        "compete",
        "realize",
        "audit",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("magic", "'magic': write rules, llm, or STAGE"),
        ("plan", "'plan': write"),
        ("prune=llm", "'prune=llm': write"),
        ("plan=gpt", "'plan=gpt': write"),
        ("compete=rules", "compete=rules needs plan=rules"),
    ],
)
def test_a_wrong_backend_is_named(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_backend(text)


def test_each_stage_has_its_model_and_parameters() -> None:
    stages = read_stages(
        LLM,
        "openai/known",
        ["audit=other/judge"],
        [
            "audit.temperature=0.5",
            "temperature=0",
            "plan.reasoning_effort=low",
            "route.json=object",
        ],
        modes,
    )
    assert list(stages) == list(MODEL_STAGES)
    assert stages["audit"].model == "other/judge"
    assert stages["audit"].parameters == {"temperature": 0.5}
    assert stages["audit"].json_mode == "off"
    assert stages["plan"].parameters == {"temperature": 0, "reasoning_effort": "low"}
    assert stages["plan"].json_mode == "schema"
    assert stages["route"].json_mode == "object"


def test_stages_of_rules_need_no_model() -> None:
    backend = read_backend("plan=rules,compete=rules,route=rules,realize=rules")
    assert list(read_stages(backend, "", ["audit=a/b"], [], modes)) == ["audit"]


@pytest.mark.parametrize(
    ("models", "parameters", "said"),
    [
        ([], [], "stage plan has no model"),
        (["prune=a/b"], [], "--stage-model 'prune=a/b'"),
        (["plan"], [], "--stage-model 'plan'"),
        (["plan=a/b"], ["temperature"], "--param 'temperature'"),
        (["plan=a/b"], ["prune.temperature=1"], "--param 'prune.temperature=1'"),
        (["plan=a/b"], ["api_key=sk-1"], "--param api_key is not for here"),
    ],
)
def test_a_wrong_setting_is_named(models: list[str], parameters: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_stages(LLM, "a/b" if parameters else "", models, parameters, modes)


def test_an_unknown_way_to_ask_for_json_is_named() -> None:
    with pytest.raises(InputError, match="json=xml"):
        read_stages(LLM, "a/b", [], ["json=xml"], modes)
