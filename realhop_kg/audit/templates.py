"""Loads prompt templates with their front matter and renders them as messages."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, ValidationError

from realhop_kg.errors import InputError
from realhop_kg.model.record import Record
from realhop_kg.resources import resource_folder

if TYPE_CHECKING:
    import jinja2

__all__ = ["Message", "Template", "TemplateHead", "load_template"]


class Message(Record):
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


class TemplateHead(Record):
    """The front matter of a template."""

    name: str
    version: int = Field(ge=1)
    purpose: str = ""
    variables: tuple[str, ...]


@dataclass(frozen=True)
class Template:
    """A template: what its front matter says, and its text.

    Attributes:
        head: the front matter.
        body: the Jinja text with blocks `user` and, where there is one, `system`.
        sha256: of the whole file.
    """

    head: TemplateHead
    body: str
    sha256: str

    @property
    def id(self) -> str:
        """Name and version: `audit/judge.v1`."""
        return f"{self.head.name}.v{self.head.version}"

    @cached_property
    def _parsed(self) -> jinja2.Template:
        import jinja2

        environment = jinja2.Environment(
            undefined=jinja2.StrictUndefined, autoescape=False, keep_trailing_newline=True
        )
        # `tojson` escapes for HTML by default; a model should read the text as it is.
        environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
        try:
            return environment.from_string(self.body)
        except jinja2.TemplateSyntaxError as error:
            raise InputError(
                f"template {self.id}, line {error.lineno} of its text: {error.message}; mend it"
            ) from error

    def messages(self, **values: Any) -> tuple[Message, ...]:  # noqa: ANN401 - texts and lists
        """Return the messages for some values.

        Raises:
            InputError: if the template is no valid Jinja, has no block `user`, or uses a variable
                that is not given.
        """
        import jinja2

        given = {name: values[name] for name in self.head.variables if name in values}
        roles: tuple[Literal["system", "user"], ...] = ("system", "user")
        blocks = self._parsed.blocks
        if "user" not in blocks:
            raise InputError(f"template {self.id} has no block `user`; write one")
        try:
            return tuple(
                Message(role=role, content="".join(blocks[role](self._parsed.new_context(given))))
                for role in roles
                if role in blocks
            )
        except jinja2.UndefinedError as error:
            raise InputError(
                f"template {self.id}: {error.message}; it may use {', '.join(values)}, named in "
                "`variables` of its front matter"
            ) from error


def load_template(name: str, path: Path | None = None) -> Template:
    """Return a bundled template, or a user's own in its place.

    Args:
        name: stage, name and version: `audit/judge.v1`.
        path: a file of the same form to use instead.

    Raises:
        InputError: if the file cannot be read or has no valid front matter.
    """
    file = path or resource_folder("prompts") / f"{name}.jinja"
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"template {file} cannot be read: {error}; name a UTF-8 file") from error
    return Template(*_parts(file, text), hashlib.sha256(text.encode()).hexdigest())


def _parts(file: Path, text: str) -> tuple[TemplateHead, str]:
    import yaml

    opening, separator, rest = text.partition("---\n")
    head, closing, body = rest.partition("\n---\n")
    if opening.strip() or not separator or not closing:
        raise InputError(f"template {file} lacks front matter between two lines of ---; add it")
    try:
        return TemplateHead.model_validate(yaml.safe_load(head)), body
    except (yaml.YAMLError, ValidationError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(
            f"template {file}: its front matter cannot be used ({reason}); give name, version and "
            "variables"
        ) from error
