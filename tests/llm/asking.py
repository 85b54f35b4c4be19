"""Asks a stub server through the real client."""

from __future__ import annotations

import asyncio
from pathlib import Path

from realhop_kg.llm.client import Client
from realhop_kg.llm.limits import Limits, Totals
from realhop_kg.llm.provider import Provider
from realhop_kg.llm.records import ModelRequest, Reply
from realhop_kg.llm.replies import ReplyStore

QUICK = Limits(call_timeout=8.0, attempts=3, longest_wait=0.2)


def ask_all(
    url: str, store: Path, requests: list[ModelRequest], limits: Limits = QUICK
) -> tuple[list[Reply | BaseException], Totals]:
    """Ask all requests at once; errors are returned in the place of their replies."""

    async def run() -> tuple[list[Reply | BaseException], Totals]:
        with ReplyStore(store, write=True) as opened:
            async with Client(opened, Provider(url, limits.call_timeout), limits) as client:
                asked = (client.ask(request) for request in requests)
                replies = await asyncio.gather(*asked, return_exceptions=True)
            return list(replies), client.totals

    return asyncio.run(run())


def ask(url: str, store: Path, request: ModelRequest, limits: Limits = QUICK) -> Reply:
    """Ask one request; an error is raised."""
    [reply], _ = ask_all(url, store, [request], limits)
    if isinstance(reply, BaseException):
        raise reply
    return reply
