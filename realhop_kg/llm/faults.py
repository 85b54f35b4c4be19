"""What a try comes to that brings no reply: whether another one makes sense, and when."""

from __future__ import annotations

import time
from contextlib import suppress
from email.utils import parsedate_to_datetime
from math import isfinite

from realhop_kg.llm.records import ReplyStatus

__all__ = ["LastingFault", "TransientFault", "asked_wait", "reached"]


class TransientFault(Exception):
    """A try that failed and may succeed when repeated.

    Attributes:
        wait: seconds that the provider asks to wait, or None.
        reached: whether there was a server at all.
    """

    def __init__(self, message: str, wait: float | None = None, *, reached: bool = True) -> None:
        super().__init__(message)
        self.wait = wait
        self.reached = reached


class LastingFault(Exception):
    """A request that will fail again as it is; others may succeed.

    Attributes:
        status: what the reply counts as.
    """

    def __init__(self, message: str, status: ReplyStatus = ReplyStatus.FAILED) -> None:
        super().__init__(message)
        self.status = status


def reached(error: BaseException | None) -> bool:
    """Return whether a call that failed with an error came as far as a server."""
    while error is not None:
        if type(error).__name__ in ("ConnectError", "ConnectTimeout"):  # of httpx
            return False
        error = error.__cause__ or error.__context__
    return True


def asked_wait(error: Exception) -> float | None:
    """Return the seconds of a Retry-After header, given as seconds or as a date."""
    response = getattr(error, "response", None)
    headers = getattr(response, "headers", None) or getattr(error, "litellm_response_headers", None)
    value = (headers or {}).get("retry-after")
    if not value:
        return None
    with suppress(ValueError):
        seconds = float(value)
        return max(0.0, seconds) if isfinite(seconds) else None
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None
