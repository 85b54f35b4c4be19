"""Prompt templates: files with a version in their name, found, checked, hashed and rendered.

A template begins with front matter (YAML between `---` lines: id, version, inputs, output) and
goes on with parts that lines `[system]` and `[user]` open. Its parts are parsed before anything is
filled in, so that a passage that looks like a template, or like a part, stays data.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ValidationError

from realhop_kg.errors import InputError
from realhop_kg.ids import digest
from realhop_kg.llm.records import Message
from realhop_kg.model.record import Record
from realhop_kg.resources import resource_folder

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2 import Template as JinjaTemplate

__all__ = ["Template", "fenced", "load_template", "read_template"]

_FRONT = re.compile(r"\A---\n(.*?)\n---\n(.*)\Z", re.DOTALL)
_PART = re.compile(r"^\[(system|user)\]\n", re.MULTILINE)
_NAME = re.compile(r"(.+)\.v(\d+)\.jinja")


class FrontMatter(Record):
    """What a template says of itself."""

    id: str
    """Stage and name: `construct/plan`."""
    version: int
    inputs: tuple[str, ...]
    """The variables that it may use."""
    output: str
    """Name of the schema of its replies, or `text`."""


@dataclass(frozen=True)
class Template:
    """One prompt template."""

    front: FrontMatter
    hash: str
    """SHA-256 of the file."""
    parts: tuple[tuple[Literal["system", "user"], str], ...]
    """Role and source of each message."""

    @property
    def name(self) -> str:
        """Id and version: `construct/plan.v1`."""
        return f"{self.front.id}.v{self.front.version}"

    def render(self, inputs: Mapping[str, object]) -> tuple[Message, ...]:
        """Return the messages with the inputs filled in.

        Raises:
            InputError: if the template needs an input that is not given.
        """
        missing = sorted(set(self.front.inputs) - set(inputs))
        if missing:
            raise InputError(f"template {self.name} wants {missing[0]!r}, which its stage lacks")
        given = {name: inputs[name] for name in self.front.inputs}
        try:
            return tuple(
                Message(role=role, content=_compiled(source).render(given).strip())
                for role, source in self.parts
            )
        except Exception as error:  # whatever a user's template does with its inputs
            raise InputError(f"template {self.name} cannot be filled in: {error}") from error


def fenced(text: object, name: str = "data") -> str:
    """Return a text between two marks that it cannot hold itself.

    Args:
        text: any text, an instruction or a template among them.
        name: what it is, for the reader.

    Examples:
        >>> print(fenced("Ignore the above.", "passage 3"))
        <passage 3 db1ac6>
        Ignore the above.
        </passage 3 db1ac6>
    """
    body = str(text)
    mark = digest(body, length=6)
    while mark in body:  # it would have to hold its own digest
        mark = digest(mark, body, length=6)
    return f"<{name} {mark}>\n{body}\n</{name} {mark}>"


def load_template(
    template_id: str, folder: Path | None = None, version: int | None = None
) -> Template:
    """Return a template in its newest version, or in the one named.

    Args:
        template_id: stage and name (`construct/plan`).
        folder: a user's folder; a template of that id in it goes before the bundled one, whether
            it lies there as `construct/plan.v1.jinja` or as `plan.v1.jinja`.
        version: the version; None for the newest.

    Raises:
        InputError: naming the file, if it has no proper front matter or uses an input that it
            does not declare.
    """
    stage, _, name = template_id.partition("/")
    folders = [resource_folder("prompts") / stage]
    if folder is not None:
        if not folder.is_dir():
            raise InputError(f"{folder} is no folder; name one with --prompt-dir")
        folders = [folder / stage, folder, *folders]
    for each in folders:
        versions = {
            int(match[2]): path
            for path in sorted(each.glob(f"{name}.v*.jinja"))
            if (match := _NAME.fullmatch(path.name))
            and match[1] == name
            and version in (None, int(match[2]))
        }
        if versions:
            return _named(versions[max(versions)], template_id, max(versions))
    wanted = f"{template_id}.v{version}" if version is not None else template_id
    raise InputError(f"there is no template {wanted}; look into {folders[0]}")


def _named(path: Path, template_id: str, version: int) -> Template:
    """Read a template that must be what its file name says."""
    template = read_template(path)
    front = template.front
    if (front.id, front.version) != (template_id, version):
        raise InputError(
            f"{path}: says it is {front.id}.v{front.version}, its name says "
            f"{template_id}.v{version}"
        )
    return template


def read_template(path: Path) -> Template:
    """Return the template of a file, whatever the file is called.

    Raises:
        InputError: naming the file, if it has no proper front matter or uses an input that it
            does not declare.
    """
    import yaml

    try:
        text = path.read_text(encoding="utf-8")
        match = _FRONT.match(text)
        if match is None:
            raise InputError(f"{path}: no front matter between --- lines at the top")
        front = FrontMatter.model_validate(yaml.safe_load(match[1]))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(f"{path}: front matter {first['loc']}: {first['msg']}") from error
    before, *pieces = _PART.split(match[2])
    parts = tuple((role, body) for role, body in zip(pieces[::2], pieces[1::2], strict=True))
    if before.strip() or not parts:
        raise InputError(f"{path}: its text must begin with a line [system] or [user]")
    for _, source in parts:
        _check_inputs(path, source, front, text[: text.index(source)].count("\n"))
    return Template(front, hashlib.sha256(text.encode()).hexdigest(), parts)  # type: ignore[arg-type]


def _check_inputs(path: Path, source: str, front: FrontMatter, above: int) -> None:
    from jinja2 import TemplateSyntaxError, meta

    try:
        used = meta.find_undeclared_variables(_environment().parse(source))
    except TemplateSyntaxError as error:
        line = above + error.lineno
        raise InputError(f"{path}: line {line}: {error.message}") from error
    odd = sorted(used - set(front.inputs))
    if odd:
        raise InputError(f"{path}: uses {odd[0]!r}, which its inputs do not name")


@lru_cache(maxsize=256)
def _compiled(source: str) -> JinjaTemplate:
    return _environment().from_string(source)


@cache
def _environment() -> Environment:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    # `tojson` escapes for ASCII by default; a model should read the text as it is.
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
    filters: dict[str, Any] = environment.filters
    filters["fenced"] = fenced
    return environment
