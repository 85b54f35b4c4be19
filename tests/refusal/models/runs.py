"""Builds refusal questions with models against the stub server, in process or as users do."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from realhop_kg.freeze.manifest import Manifest
from realhop_kg.graph.hyperlinks.index import PageGraph
from realhop_kg.llm.asking import Models
from realhop_kg.llm.client import Client
from realhop_kg.llm.limits import Limits
from realhop_kg.llm.provider import Provider
from realhop_kg.llm.replies import ReplyStore
from realhop_kg.llm.stages import read_backend, read_stages
from realhop_kg.model.refusal import Seed
from realhop_kg.refusal.build import BuildRequest
from realhop_kg.refusal.models.build import build_refusals_with_models
from realhop_kg.refusal.plan import parse_plan
from realhop_kg.resources import resource_folder
from realhop_kg.settings import REFUSAL_STAGES

SCRIBE = "tests.refusal.models.scribe"
LIMITS = Limits(concurrency=32, call_timeout=5.0, attempts=8, longest_wait=0.2)


def bare_seeds(path: Path) -> Path:
    """Write the bundled seeds without what the model is to find, and return their file."""
    source = resource_folder("data") / "refusal_seeds.jsonl"
    rows = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
    kept = ("id", "cause", "question", "licence")
    text = "".join(json.dumps({name: row[name] for name in kept}) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")
    return path


def build(
    url: str, graph: PageGraph, seeds: list[Seed], out: Path, plan: str, backend: str = "llm"
) -> tuple[Manifest, Models]:
    """Build a dataset in this process through the real client."""
    who = read_backend(backend, REFUSAL_STAGES)
    stages = read_stages(who, "openai/scribe", [], ["json=off"], lambda model: "off")

    async def run() -> tuple[Manifest, Models]:
        with ReplyStore(out.with_suffix(".sqlite"), write=True) as store:
            async with Client(store, Provider(url, LIMITS.call_timeout), LIMITS) as client:
                models = Models(client, stages, folder="refusal")
                request = BuildRequest(parse_plan(plan))
                manifest = await build_refusals_with_models(graph, seeds, out, request, models, who)
                return manifest, models

    return asyncio.run(run())


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
