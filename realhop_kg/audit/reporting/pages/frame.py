"""What every page behind a report is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from realhop_kg.view.html import shown

__all__ = ["framed", "quoted", "safe"]

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;"
    "color:#1a1a1a;background:#fff}"
    "details{margin:.3rem 0}pre{white-space:pre-wrap;background:#f5f6f8;padding:.4rem}"
    "table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}"
    "th,td{padding:.2rem .6rem .2rem 0;text-align:left;vertical-align:top;"
    "border-bottom:1px solid #ddd}td.short{white-space:nowrap}"
    "td,h2,p{overflow-wrap:anywhere;unicode-bidi:isolate}"
    "h2{font-size:1.1rem;margin:1.6rem 0 .3rem}:target{background:#fff3c4}p{margin:.3rem 0}"
)


def framed(title: str, parts: Iterable[str]) -> Iterator[str]:
    """Yield a page that runs no script and leads back to its report.

    Args:
        title: plain text.
        parts: markup of its body.
    """
    name = safe(title)
    yield f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{name}</title>'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<style>{_STYLE}</style></head><body>"
    yield f'<p><a href="../report.html">Back to the report</a></p><h1>{name}</h1>\n'
    yield from parts
    yield "</body></html>\n"


def safe(text: str) -> str:
    """Return text of data as markup that shows it."""
    return escape(shown(text))


def quoted(text: str) -> str:
    """Return text of data as an attribute with its quotes."""
    return f'"{escape(shown(text), quote=True)}"'
