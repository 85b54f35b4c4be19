"""A local server that speaks the OpenAI chat API with scripted replies and scripted faults.

Start it as `python -m tests.llm.stub_server --script replies.json`; it prints its address. The
script is a JSON list of `{"when": [texts], "reply": text}`: the first entry whose texts all stand
in the messages answers. `--writer module:Class` names a class of the tests whose `reply(body)`
answers instead. It counts what it was asked at `GET /_stats`. Standard library only.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import importlib
import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

TRANSIENT = ("limited", "limited_bare", "error", "reset", "slow", "empty", "hang")
"""Faults that go away when the call is repeated."""

SPOILT = ("cut", "broken", "schema", "filtered")
"""Replies that come and are of no use."""


def digest(body: dict[str, Any]) -> str:
    """Return what tells one question to a model from another."""
    asked = [body["model"].removeprefix("openai/"), [
        [message["role"], message.get("content"), *message.get("tool_calls", ())]
        for message in body["messages"]
    ]]  # fmt: skip
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


class Script:
    """Scripted replies."""

    def __init__(self, path: Path | None, writer: str = "") -> None:
        self.entries = json.loads(path.read_text(encoding="utf-8")) if path else []
        module, _, name = writer.partition(":")
        self.writer = getattr(importlib.import_module(module), name)() if writer else None

    def reply(self, body: dict[str, Any]) -> Any:
        """Return the reply to a request, text or whole message; None if none is scripted."""
        if self.writer is not None:
            return self.writer.reply(body)
        text = "\n".join(message.get("content") or "" for message in body["messages"])
        for entry in self.entries:
            if all(part in text for part in entry["when"]):
                reply = entry["reply"]
                return reply if isinstance(reply, str) else json.dumps(reply)
        return None if self.entries else "ok"


def completion(
    body: dict[str, Any], content: Any, finish: str = "stop", choices: bool = True
) -> dict[str, Any]:
    """Return an answer in the form of the chat completions API.

    The content is a text, or a whole message: with `tool_calls`, say.
    """
    prompt = sum(len(message.get("content") or "") for message in body["messages"]) // 4
    message = content if isinstance(content, dict) else {"content": content}
    given = len(message.get("content") or "") // 4 + sum(
        len(call["function"]["arguments"]) // 4 for call in message.get("tool_calls") or ()
    )
    if message.get("tool_calls") and finish == "stop":
        finish = "tool_calls"
    choice = {
        "index": 0,
        "message": {"role": "assistant", **message},
        "finish_reason": finish,
    }
    return {
        "id": "chatcmpl-stub",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [choice] if choices else [],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": given,
            "total_tokens": prompt + given,
        },
    }


def answer_batch(batch: Path, script: Script) -> list[dict[str, Any]]:
    """Return the result lines of a batch file, as the batch API gives them."""
    results = []
    for line in batch.read_text(encoding="utf-8").splitlines():
        asked = json.loads(line)
        content = script.reply(asked["body"])
        results.append(
            {
                "id": f"batch_req_{len(results)}",
                "custom_id": asked["custom_id"],
                "response": {
                    "status_code": 200,
                    "request_id": "r",
                    "body": completion(asked["body"], content),
                },
                "error": None,
            }
        )
    return results


class Server:
    """Answers, and counts what it was asked."""

    def __init__(self, script: Script, options: argparse.Namespace) -> None:
        self.script = script
        self.options = options
        self.calls: Counter[str] = Counter()
        self.good: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.unscripted: list[str] = []
        self.busy = 0
        self.busiest = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        try:
            while line := await reader.readline():
                method, path, _ = line.decode().split(" ", 2)
                headers = {}
                while (header := (await reader.readline()).decode().strip()) != "":
                    name, _, value = header.partition(":")
                    headers[name.lower()] = value.strip()
                size = int(headers.get("content-length", 0))
                content = await reader.readexactly(size)
                if not await self._answer(method, path, headers, content, writer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError, ValueError):
            pass
        finally:
            writer.close()

    async def _answer(
        self,
        method: str,
        path: str,
        headers: dict[str, str],
        content: bytes,
        writer: asyncio.StreamWriter,
    ) -> bool:
        if method == "GET":
            stats = {
                "calls": self.calls,
                "good": self.good,
                "faults": self.faults,
                "unscripted": self.unscripted,
                "busiest": self.busiest,
            }
            return await _send(writer, 200, stats)
        body = json.loads(content)
        key = digest(body)
        self.calls[key] += 1
        key_given = headers.get("authorization", "").removeprefix("Bearer ")
        if key_given.startswith("bad"):
            return await _send(
                writer, 401, _error(f"Incorrect API key provided: {key_given}", "invalid_api_key")
            )
        if "missing" in body["model"]:
            return await _send(writer, 404, _error("The model does not exist", "model_not_found"))
        self.busy += 1
        self.busiest = max(self.busiest, self.busy)
        try:
            fault = self._fault(key)
            if fault:
                self.faults[fault] += 1
                return await self._fail(fault, body, writer)
            return await self._good(key, body, writer)
        finally:
            self.busy -= 1

    async def _good(self, key: str, body: dict[str, Any], writer: asyncio.StreamWriter) -> bool:
        await asyncio.sleep(self.options.delay)
        reply = self.script.reply(body)
        if reply is None:
            self.unscripted.append(body["messages"][-1]["content"][-2000:])
            return await _send(writer, 400, _error("nothing is scripted for this", "unscripted"))
        if self.options.echo_key:
            reply = json.dumps({"key": self.options.echo_key})
        sent = await _send(writer, 200, completion(body, reply))
        self.good[key] += 1
        return sent

    def _fault(self, key: str) -> str:
        """Return the fault of a call: it depends on what is asked and how often it was."""
        options = self.options
        if not options.faults:
            return ""
        if self.calls[key] > options.faulty_calls:
            return ""
        drawn = hashlib.sha256(f"{options.seed} {key} {self.calls[key]}".encode()).digest()
        if drawn[0] >= options.fault_rate * 256:
            return ""
        return str(options.faults[drawn[1] % len(options.faults)])

    async def _fail(self, fault: str, body: dict[str, Any], writer: asyncio.StreamWriter) -> bool:
        given = self.script.reply(body) or ""
        reply = given if isinstance(given, str) else json.dumps(given)
        if fault == "limited":
            return await _send(
                writer, 429, _error("slow down", "rate_limit_exceeded"), self.options.retry_after
            )
        if fault == "limited_bare":
            return await _send(writer, 429, _error("slow down", "rate_limit_exceeded"))
        if fault == "limited_quota":
            said = "You exceeded your current quota of requests per minute"
            return await _send(writer, 429, _error(said, "RESOURCE_EXHAUSTED"))
        if fault == "quota":
            return await _send(writer, 429, _error("You exceeded your quota", "insufficient_quota"))
        if fault == "error":
            return await _send(writer, 500, _error("oh dear", "server_error"))
        if fault == "bad":
            return await _send(writer, 400, _error("that is wrong", "invalid_request_error"))
        if fault == "withheld":
            return await _send(writer, 400, _error("that was not nice", "content_filter"))
        if fault == "overflow":
            message = "This model's maximum context length is 10 tokens."
            return await _send(writer, 400, _error(message, "context_length_exceeded"))
        if fault == "reset":
            transport = writer.transport
            transport.abort()
            return False
        if fault == "hang":
            await asyncio.sleep(3600)
            return False
        if fault == "slow":
            await asyncio.sleep(self.options.slow)
            return await _send(writer, 200, completion(body, given))
        if fault == "empty":
            return await _send(writer, 200, completion(body, None, choices=False))
        if fault == "null":
            return await _send(writer, 200, completion(body, None))
        if fault == "blank":
            return await _send(writer, 200, completion(body, ""))
        if fault == "called":
            call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
            message = {"content": None, "tool_calls": [call]}
            return await _send(writer, 200, completion(body, message))
        if fault == "cut":
            return await _send(writer, 200, completion(body, reply[: len(reply) // 2], "length"))
        if fault == "broken":
            return await _send(writer, 200, completion(body, reply[: len(reply) // 2]))
        if fault == "filtered":
            return await _send(writer, 200, completion(body, None, "content_filter"))
        return await _send(writer, 200, completion(body, '{"color": "blue"}'))


def _error(message: str, code: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": code, "code": code, "param": None}}


async def _send(
    writer: asyncio.StreamWriter, status: int, body: object, retry_after: str = ""
) -> bool:
    content = json.dumps(body).encode()
    wait = f"Retry-After: {retry_after}\r\n" if retry_after else ""
    head = (
        f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\n{wait}"
        f"Content-Length: {len(content)}\r\nConnection: keep-alive\r\n\r\n"
    )
    writer.write(head.encode() + content)
    await writer.drain()
    return True


async def main() -> None:
    """Serve until the standard input ends."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--script", type=Path)
    parser.add_argument("--writer", default="", help="module:Class with reply(body)")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before a good reply")
    parser.add_argument("--slow", type=float, default=0.5, help="seconds of a slow reply")
    parser.add_argument("--faults", default="", help="names, separated by commas")
    parser.add_argument("--fault-rate", type=float, default=1.0)
    parser.add_argument("--faulty-calls", type=int, default=10**9, help="first calls that may fail")
    parser.add_argument("--retry-after", default="0.3")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--echo-key", default="", help="answer with this")
    options = parser.parse_args()
    options.faults = [fault for fault in options.faults.split(",") if fault]
    server = Server(Script(options.script, options.writer), options)
    listening = await asyncio.start_server(server.serve, "127.0.0.1", options.port, limit=2**24)
    port = listening.sockets[0].getsockname()[1]
    print(f"http://127.0.0.1:{port}/v1", flush=True)
    # The parent's end of the pipe closes however the parent ends, so no server is left behind.
    await asyncio.to_thread(sys.stdin.read)
    os._exit(0)  # hanging answers would keep it


if __name__ == "__main__":
    asyncio.run(main())
