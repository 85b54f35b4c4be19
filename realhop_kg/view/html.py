"""What every page is made of: templates that escape, data that cannot end a script, and a policy.

Item text is untrusted. It reaches a page as escaped text or as JSON in a block that browsers do
not run; the Content-Security-Policy allows the page's own scripts and styles by their digests, or
its own files, and nothing else.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from functools import cache
from typing import TYPE_CHECKING

from realhop_kg.jsonl import canonical
from realhop_kg.resources import resource_folder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from jinja2 import Environment

__all__ = ["asset", "frame", "page", "policy", "safe_json", "shown"]

_UNSAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_NOT_SHOWN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


@cache
def asset(name: str) -> str:
    """Return the text of one of our assets."""
    return (resource_folder("view") / "assets" / name).read_text(encoding="utf-8")


def safe_json(value: object) -> str:
    """Return a value as JSON that may stand inside a script element."""
    text = canonical(value)
    for char, escaped in _UNSAFE.items():
        text = text.replace(char, escaped)
    return text


def shown(text: str) -> str:
    """Return text as a page can hold it: what HTML forbids becomes U+FFFD.

    As long as the text was, so that places in it stay what they are: a parser would make one
    character of CR and LF.
    """
    text = text.replace("\r", " ")
    return text if text.isprintable() else _NOT_SHOWN.sub("\ufffd", text)


def policy(scripts: Sequence[str] = (), styles: Sequence[str] = (), *, files: bool) -> str:
    """Return the Content-Security-Policy of a page.

    Args:
        scripts: text of every script inside the page.
        styles: text of every style element inside the page.
        files: whether the page also uses the scripts and styles that lie beside it.
    """
    own = ["'self'", "file:"] if files else []
    script = " ".join([*own, *map(_digest, scripts)]) or "'none'"
    style = " ".join([*own, *map(_digest, styles)]) or "'none'"
    return (
        f"default-src 'none'; script-src {script}; style-src {style}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def frame(names: Sequence[str], site: str) -> dict[str, Any]:
    """Return what a page says of its scripts, its style and its policy.

    Args:
        names: its scripts.
        site: path to the site that has them as files; empty for a page that holds them itself.
    """
    alone = not site
    style = asset("page.css") if alone else ""
    scripts = [(name, asset(name)) for name in names]
    inside = policy([text for _, text in scripts], [style], files=False)
    return {
        "site": site,
        "style": style,
        "scripts": scripts,
        "policy": inside if alone else policy(files=True),
    }


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _templates() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(resource_folder("view") / "assets"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.finalize = _clean
    return environment


def _clean(value: object) -> object:
    return shown(value) if type(value) is str else value


def page(template: str, values: Mapping[str, object]) -> str:
    """Return a page: a template of `assets` with values, every one escaped."""
    return _templates().get_template(template).render(values)
