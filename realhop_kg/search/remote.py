"""Searches through a server that others run: `POST /retrieve` with `queries` and `topk`.

Source: the form of Search-R1's retrieval server; answers are `{"result": [[...], ...]}` with a
document, or a document and its score, per passage.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from http.client import HTTPException
from typing import NoReturn
from urllib.parse import urlsplit

from pydantic import JsonValue

from realhop_kg.errors import InputError, ProviderError
from realhop_kg.model.trajectory import Document
from realhop_kg.search.corpora import titled
from realhop_kg.search.retriever import LONGEST_QUERY

__all__ = ["Remote"]

_LONGEST_ANSWER = 64 * 1024 * 1024
_SHOWN = 200


class _Unavailable(Exception):
    """The server may answer when it is asked again."""


class Remote:
    """A retrieval server.

    Attributes:
        url: address of its `/retrieve`.
    """

    def __init__(self, url: str, timeout: float = 60.0, attempts: int = 4) -> None:
        """Say where it is; nothing is sent yet.

        Args:
            url: address of the server, with or without `/retrieve`.
            timeout: seconds that one try may take.
            attempts: tries of one search.

        Raises:
            InputError: if it is no http or https address, or holds a password.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(f"{url!r} is no address; write http://HOST:PORT/retrieve")
        if parts.username or parts.password:
            raise InputError("the address of the retriever holds a name or password; leave it out")
        bare = url.rstrip("/")
        self.url = bare if bare.endswith("/retrieve") else f"{bare}/retrieve"
        self._timeout, self._attempts = timeout, attempts

    @property
    def settings(self) -> dict[str, JsonValue]:
        """What is known of it."""
        return {"kind": "remote", "url": self.url}

    def search(self, queries: Sequence[str], k: int) -> list[list[Document]]:
        """Return what the server finds; at most k passages per query.

        Raises:
            ProviderError: if it cannot be reached in any try, or answers in another form.
        """
        from tenacity import Retrying, retry_if_exception_type, stop_after_attempt
        from tenacity.wait import wait_random_exponential

        asked = [query[:LONGEST_QUERY] for query in queries]
        body = json.dumps({"queries": asked, "topk": k, "return_scores": True}).encode()
        retrying = Retrying(
            retry=retry_if_exception_type(_Unavailable),
            stop=stop_after_attempt(self._attempts),
            wait=wait_random_exponential(multiplier=0.2, max=10),
            reraise=True,
        )
        try:
            answer = retrying(self._post, body)
        except _Unavailable as error:
            raise ProviderError(
                f"the retriever at {self.url} cannot be asked: {error}; run again when it answers"
            ) from error
        return self._read(answer, len(asked), k)

    def has_title(self, title: str) -> bool | None:
        """Return None: only the server knows its corpus."""
        return None

    def _post(self, body: bytes) -> object:
        request = urllib.request.Request(
            self.url, body, {"Content-Type": "application/json"}, method="POST"
        )
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as response:
                content = response.read(_LONGEST_ANSWER + 1)
        except urllib.error.HTTPError as error:
            told = f"HTTP {error.code} {error.read(_SHOWN).decode('utf-8', 'replace')}".strip()
            if error.code in (408, 425, 429) or error.code >= 500:
                raise _Unavailable(told) from error
            raise ProviderError(f"the retriever at {self.url} refuses: {told}") from error
        except (OSError, HTTPException) as error:
            raise _Unavailable(str(error) or type(error).__name__) from error
        if len(content) > _LONGEST_ANSWER:
            raise ProviderError(f"the retriever at {self.url} answers with more than 64 MiB")
        try:
            value: object = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise ProviderError(f"the retriever at {self.url} answers with no JSON") from error
        return value

    def _read(self, answer: object, count: int, k: int) -> list[list[Document]]:
        rows = answer.get("result", answer.get("results")) if isinstance(answer, dict) else answer
        if not isinstance(rows, list) or len(rows) != count:
            raise ProviderError(
                f"the retriever at {self.url} gives no `result` with a list for each of {count} "
                "queries"
            )
        return [
            [self._document(each, rank) for rank, each in enumerate(row[:k])]
            if isinstance(row, list)
            else self._odd("a result is no list")
            for row in rows
        ]

    def _document(self, entry: object, rank: int) -> Document:
        given = entry if isinstance(entry, dict) else {}
        inner = given.get("document", given)
        data = inner if isinstance(inner, dict) else {}
        score = given.get("score", data.get("score", -rank))
        text = data.get("text", data.get("contents"))
        title = data.get("title", "")
        if not isinstance(text, str) or not isinstance(score, int | float):
            self._odd("a document has no text, or a score that is no number")
        if not isinstance(title, str) or not title:
            title, text = titled(text)
        name = data.get("id", data.get("docid", title))
        return Document(id=str(name), title=title, text=text, score=float(score))

    def _odd(self, what: str) -> NoReturn:
        raise ProviderError(f"the retriever at {self.url} answers in another form: {what}")
