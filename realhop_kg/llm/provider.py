"""The one module that imports litellm: sends one request and says what came of it."""

from __future__ import annotations

import json
import logging
import os
import re
import time
import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from realhop_kg.errors import InputError, ProviderError
from realhop_kg.llm.faults import LastingFault, TransientFault, asked_wait, reached
from realhop_kg.llm.records import REFUSED, WITHHELD, ModelRequest, Reply, ReplyStatus

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["JsonMode", "Price", "Provider", "loaded_litellm"]

JsonMode = str
"""`schema`, `object` or `off`: how a model is told to answer in JSON."""

_SECRET = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$")
_KEY_SHAPE = re.compile(r"\b(?:sk|pk|rk|key)-[\w*-]{6,}")
_WITHHELD = re.compile(rf"\b(?:{'|'.join(WITHHELD)})\b")
_SHORTEST_SECRET = 8
_UNKNOWN_OUTPUT = 4096
"""Output tokens assumed where neither request nor price list says how many there may be."""


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per token."""

    prompt: float
    completion: float
    longest: int
    """Output tokens that the model can give."""


@cache
def loaded_litellm() -> ModuleType:
    """Return litellm, loaded without a look at the network and without a log of its own."""
    # Without this it fetches its price list from the network when it is imported.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    # Its lazily loaded parts define types that pydantic comments on: noise among a run's messages.
    warnings.filterwarnings("ignore", category=UserWarning, message=".*`ReadOnly` qualifier")
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    # Its own log can hold requests with their headers.
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "httpx"):
        logging.getLogger(name).setLevel(logging.ERROR)
    return litellm


def _unlogged() -> None:
    """Spare this task's calls the record that litellm makes of each for listeners.

    Nobody listens here, and it takes a fifth of the time of a call. litellm spares its own nested
    calls in this way; a version that does not know it makes the record.
    """
    with suppress(ImportError, AttributeError):
        from litellm._internal_context import is_internal_call

        is_internal_call.set(True)


class Provider:
    """Sends requests through litellm, which takes its keys from the environment."""

    def __init__(
        self,
        api_base: str = "",
        timeout: float = 300.0,
        addresses: Mapping[str, str] | None = None,
    ) -> None:
        """Say where to send; nothing is imported or sent yet.

        Args:
            api_base: address of an OpenAI-compatible server, or empty for the model's own.
            timeout: seconds that one try may take.
            addresses: address by model, of models that another server answers for.

        Raises:
            InputError: if an address holds a name or password.
        """
        self._addresses = dict(addresses or {})
        if any("@" in address for address in (api_base, *self._addresses.values())):
            raise InputError(
                "the address of the server holds a password; give keys in the environment"
            )
        self._api_base = api_base
        self._timeout = timeout
        self._ready = False
        self._secrets = sorted(
            {
                value
                for name, value in os.environ.items()
                if _SECRET.search(name.upper()) and len(value) >= _SHORTEST_SECRET
            },
            key=len,
            reverse=True,
        )

    async def prepare(self, model: str) -> None:
        """Load everything that the first call would load, so that no timeout counts it."""
        if not self._ready:
            self._ready = True
            messages = [{"role": "user", "content": "-"}]
            with suppress(Exception):  # a wrong model's name is told by the call itself
                await loaded_litellm().acompletion(
                    model=model, messages=messages, mock_response="-"
                )

    def check(self, model: str) -> None:
        """Say at once what the first call would say of a model's name.

        Raises:
            InputError: if no provider is known for it.
        """
        try:
            loaded_litellm().get_llm_provider(model)
        except Exception as error:  # litellm raises what its providers raise
            raise InputError(
                f"nobody serves a model {model!r}; write PROVIDER/NAME, as in openai/gpt-4o-mini "
                "(any server of the OpenAI form: openai/NAME with --api-base)"
            ) from error

    async def send(self, request: ModelRequest) -> Reply:
        """Send one try and return the reply, without any key in it.

        Raises:
            TransientFault: if another try may succeed.
            LastingFault: if it will not.
            ProviderError: if no request of this run can succeed (wrong key or model).
        """
        litellm = loaded_litellm()
        _unlogged()
        start = time.perf_counter()
        try:
            answer = await litellm.acompletion(
                model=request.model,
                messages=[message.sent() for message in request.messages],
                num_retries=0,
                max_retries=0,
                timeout=self._timeout,
                **self._address(request.model),
                **request.parameters,
            )
        except Exception as error:
            fault = self._fault(litellm, error, request.model)
        else:
            return self._reply(request, answer, time.perf_counter() - start)
        # Raised here, for an error keeps the one that was being handled, and that may hold a key.
        raise fault

    def price(self, model: str) -> Price | None:
        """Return the price of a model, or None if it is not known."""
        try:
            info = loaded_litellm().get_model_info(model)
        except Exception:  # litellm raises a bare Exception for what it does not know
            return None
        prompt, completion = info.get("input_cost_per_token"), info.get("output_cost_per_token")
        if prompt is None or completion is None:
            return None
        return Price(prompt, completion, info.get("max_output_tokens") or _UNKNOWN_OUTPUT)

    def tokens(self, request: ModelRequest) -> int:
        """Return how many tokens the rendered messages have, by the model's own encoding."""
        messages = [message.sent() for message in request.messages]
        return int(loaded_litellm().token_counter(model=request.model, messages=messages))

    def json_mode(self, model: str) -> JsonMode:
        """Return how a model can be told to answer in JSON, as far as litellm knows it."""
        litellm = loaded_litellm()
        try:
            litellm.get_model_info(model)
            if litellm.supports_response_schema(model):
                return "schema"
            supported = litellm.get_supported_openai_params(model) or []
        except Exception:  # an unknown model, often a local one
            return "off"
        return "object" if "response_format" in supported else "off"

    def plain_parameters(self, model: str) -> dict[str, JsonValue]:
        """Return what makes a model decode greedily and not think, as far as it takes that."""
        found: dict[str, JsonValue] = {"temperature": 0}
        with suppress(Exception):  # an unknown model, often a local one
            if loaded_litellm().supports_reasoning(model):
                found["reasoning_effort"] = "none"
        return found

    def clean(self, text: str) -> str:
        """Return a text without any key of the environment and nothing that looks like one."""
        for secret in self._secrets:
            text = text.replace(secret, "[key]")
        return _KEY_SHAPE.sub("[key]", text)

    def _address(self, model: str) -> dict[str, str]:
        address = self._addresses.get(model, self._api_base)
        if not address:
            return {}
        # A local server needs no key, but the client library insists on one.
        bare = model.startswith("openai/") and not os.environ.get("OPENAI_API_KEY")
        return {"api_base": address, **({"api_key": "none"} if bare else {})}

    def _reply(self, request: ModelRequest, answer: Any, seconds: float) -> Reply:  # noqa: ANN401
        choice = answer.choices[0] if answer.choices else None
        text = (choice.message.content if choice else None) or ""
        finish = str((choice.finish_reason if choice else None) or "")
        # Who offers no tools has no use for a call of one.
        offered = bool(request.parameters.get("tools"))
        calls = offered and bool(choice and getattr(choice.message, "tool_calls", None))
        usage = getattr(answer, "usage", None)
        return Reply(
            key=request.key,
            status=ReplyStatus.of(text, finish, calls),
            text=self._secretless(text),
            finish_reason=finish,
            model=str(answer.model or ""),
            prompt_tokens=getattr(usage, "prompt_tokens", None),
            completion_tokens=getattr(usage, "completion_tokens", None),
            cost=answer._hidden_params.get("response_cost"),
            latency=seconds,
            # Escaped, since what a model says may hold half of a character (a lone surrogate).
            raw=self._secretless(json.dumps(answer.model_dump(mode="json"), separators=(",", ":"))),
        )

    def _secretless(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, "[key]")
        return text

    def _fault(self, litellm: Any, error: Exception, model: str) -> Exception:  # noqa: ANN401
        known = litellm.exceptions
        message = self._message(error)
        hopeless = (
            known.AuthenticationError,
            known.PermissionDeniedError,
            known.NotFoundError,
            known.PaymentRequiredError,
            known.UnsupportedParamsError,
        )
        # Some providers call a limit per minute a quota, too; this code alone means that money or
        # a plan has run out.
        quota = "insufficient_quota" in f"{getattr(error, 'body', '')} {message}"
        nowhere = "LLM Provider NOT provided" in message
        if isinstance(error, hopeless) or quota or nowhere:
            return ProviderError(
                f"{model} cannot be asked: {message}; mend the model's name, its parameters or "
                "the key in the environment, and run again"
            )
        withheld = _WITHHELD.search(f"{getattr(error, 'body', '')} {message}")
        if isinstance(error, known.ContentPolicyViolationError) or (
            withheld and isinstance(error, known.BadRequestError)
        ):
            return LastingFault(message, ReplyStatus.FILTERED)
        if isinstance(error, known.BadRequestError | known.UnprocessableEntityError):
            return LastingFault(f"{REFUSED}: {message}")
        return TransientFault(message, asked_wait(error), reached=reached(error))

    def _message(self, error: Exception) -> str:
        # litellm puts the names of its classes in front, twice.
        text = " ".join(str(error).split()).rsplit("Exception - ", 1)[-1]
        return self.clean(f"{type(error).__name__}: {text[:300]}")
