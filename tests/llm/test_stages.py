from __future__ import annotations

import pytest

from realhop_kg.errors import InputError
from realhop_kg.llm.stages import asks_models, read_backend, read_parameters, read_stages
from realhop_kg.refusal.evaluate.settings import read_parameters as read_run_parameters
from realhop_kg.settings import MODEL_STAGES

LLM = read_backend("llm")


def modes(model: str) -> str:
    return "schema" if model == "openai/known" else "off"


def test_a_backend_is_one_for_all_stages_or_one_for_each() -> None:
    assert set(read_backend("rules").values()) == {"rules"}
    assert set(LLM.values()) == {"llm"}
    mixed = read_backend("plan=rules, compete=llm, audit=llm")
    assert [stage for stage in MODEL_STAGES if mixed[stage] == "llm"] == ["compete", "audit"]


def test_options_for_models_need_a_model() -> None:
    assert asks_models("audit=llm", {"--model": "a/b"})
    assert not asks_models("rules", {"--model": "", "--batch": None, "--offline": False})
    for text in ("rules", "audit=rules"):
        with pytest.raises(InputError, match=f"--backend {text} asks no model, so --model, --b"):
            asks_models(text, {"--model": "a/b", "--param": [], "--batch": "folder"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("magic", "'magic': write rules, llm, or STAGE"),
        ("plan", "'plan': write"),
        ("prune=llm", "'prune=llm': write"),
        ("plan=gpt", "'plan=gpt': write"),
        ("plan=llm", "plan=llm needs compete=llm"),
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
    backend = read_backend("audit=llm")
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


SECRETS = {
    'extra_headers={"Authorization": "Bearer s3cret"}': "extra_headers",
    "Headers=s3cret": "Headers",
    "default_headers={}": "default_headers",
    "API_KEY=s3cret": "API_KEY",
    "apiKey=s3cret": "apiKey",
    "aws_session_token=s3cret": "aws_session_token",
    'extra_body={"a": [{"client-secret": "s3cret"}]}': "extra_body.a.client-secret",
    'extra_body={"proxy": {"auth": {"user": "s3cret"}}}': "extra_body.proxy.auth",
    'extra_body={"note": "Bearer s3cret"}': "extra_body.note",
    "user=sk-s3cret0123456789abcdef": "user",
}


@pytest.mark.parametrize(("entry", "place"), SECRETS.items())
def test_a_parameter_that_may_hold_a_key_is_refused_without_its_value(
    entry: str, place: str
) -> None:
    for given in (entry, f"plan.{entry}"):
        with pytest.raises(InputError) as refused:
            read_parameters([given], MODEL_STAGES)
        assert str(refused.value) == (
            f"--param {place} is not for here; keys come from the environment"
        )
    with pytest.raises(InputError, match="keys come from the environment"):
        read_run_parameters([entry], {})


@pytest.mark.parametrize(
    "entry",
    [
        "max_tokens=5",
        "max_completion_tokens=5",
        'thinking={"type": "enabled", "budget_tokens": 1024}',
        'extra_body={"stop_token_ids": [1, 2], "skip_special_tokens": false}',
        "prompt_cache_key=construct",
        "monkey=business",
    ],
)
def test_parameters_that_speak_of_tokens_are_no_keys(entry: str) -> None:
    assert read_parameters([entry], ["plan"])["plan"]
    assert read_run_parameters([entry], {})


def test_an_unknown_way_to_ask_for_json_is_named() -> None:
    with pytest.raises(InputError, match="json=xml"):
        read_stages(LLM, "a/b", [], ["json=xml"], modes)
