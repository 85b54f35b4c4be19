"""Writes tables as Markdown, CSV, LaTeX and HTML; text from data never becomes markup."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Callable, Iterable, Iterator

from realhop_kg.audit.figures import Figure
from realhop_kg.audit.reporting.table import Cell, Table

__all__ = ["Link", "as_csv", "as_html", "as_latex", "as_markdown", "parts_shown", "shown"]

Link = Callable[[Table, int, int], str]
"""Address behind a cell of a table, by its row and column; empty for none."""

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_MARKDOWN = re.compile(r"([\\|`*_<>\[\]])")


def shown(cell: Cell) -> str:
    """Return a cell for the eye: fractions in percent with one decimal, intervals in brackets.

    Examples:
        >>> shown(0.8731), shown(3), shown(None)
        ('87.3', '3', '-')
    """
    if cell is None:
        return "-"
    if isinstance(cell, Figure):
        return " ".join(part for part in _parts(cell) if part)
    if isinstance(cell, float):
        return _percent(cell)
    # Nothing in data may move a terminal's cursor or break a line of a table.
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in str(cell))


def parts_shown(cell: Cell) -> tuple[str, ...]:
    """Return a cell for the eye in lines: an interval stands under its value."""
    if isinstance(cell, Figure):
        return tuple(part for part in _parts(cell) if part)
    return (shown(cell),)


def _parts(figure: Figure) -> tuple[str, str]:
    """Return a value, marked where there is a remark on it, and its interval if it has one."""
    interval = figure.interval
    mark = "*" if interval.notes else ""
    if interval.value is None:
        return f"not defined{mark}", ""
    told = _percent if figure.percent else _mean
    value = f"{told(interval.value)}{mark}"
    if interval.low is None or interval.high is None:
        return value, ""
    return value, f"[{told(interval.low)}, {told(interval.high)}]"


def _percent(value: float) -> str:
    text = f"{100 * value:.1f}"
    return "0.0" if text == "-0.0" else text


def _mean(value: float) -> str:
    return f"{value:.1f}"


def as_markdown(table: Table) -> str:
    """Return a table with its title and note."""
    lines = [
        f"## {_plain(table.title)}",
        "",
        _row(table.heads),
        _row("---" for _ in table.heads),
    ]
    lines += [_row(_plain(shown(cell)) for cell in row) for row in table.shown]
    if table.said:
        lines += ["", _plain(table.said)]
    lines += ["", f"Exact values: [tables/{table.name}.csv](tables/{table.name}.csv)"]
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def as_csv(table: Table) -> str:
    """Return a table of exact fractions; a figure takes three columns: value, low and high."""
    spread = [
        any(isinstance(row[at], Figure) for row in table.rows) for at in range(len(table.columns))
    ]
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    heads = [
        name
        for head, wide in zip(table.columns, spread, strict=True)
        for name in ((head, f"{head} low", f"{head} high") if wide else (head,))
    ]
    writer.writerow(heads)
    for row in table.rows:
        writer.writerow(
            value
            for cell, wide in zip(row, spread, strict=True)
            for value in (_three(cell) if wide else (_raw(cell),))
        )
    return stream.getvalue()


def _three(cell: Cell) -> tuple[object, object, object]:
    if isinstance(cell, Figure):
        return cell.interval.value, cell.interval.low, cell.interval.high
    return _raw(cell), None, None


def _raw(cell: Cell) -> object:
    # A spreadsheet takes a text that begins so for a formula.
    if isinstance(cell, str) and cell[:1] in "=+-@\t\r":
        return f"'{cell}"
    return cell


def as_latex(table: Table) -> str:
    """Return a table as LaTeX with booktabs rules."""
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_escaped(table.title)}}}",
        rf"\begin{{tabular}}{{{'l' * len(table.columns)}}}",
        r"\toprule",
        " & ".join(map(_escaped, table.heads)) + r" \\",
        r"\midrule",
        *(" & ".join(_escaped(shown(cell)) for cell in row) + r" \\" for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(char, char) for char in text)


_LONG = 40
"""Characters from which a cell of a page may wrap."""

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:84rem;padding:0 1rem;"
    "color:#1a1a1a;background:#fff}table{border-collapse:collapse;margin:.5rem 0;font-size:13px;"
    "font-variant-numeric:tabular-nums}"
    "th,td{padding:.25rem .45rem;text-align:left;border-bottom:1px solid #ddd;white-space:nowrap}"
    # A head may wrap, so that the last columns, BNR among them, stay on the page.
    "th{border-bottom:2px solid #888;white-space:normal;vertical-align:bottom}"
    "td.long{white-space:normal;min-width:16rem;overflow-wrap:anywhere}small{color:#555}"
    ".wide{overflow-x:auto}p.note{color:#555}"
    "td a{color:inherit;text-decoration-color:#aaa}svg{max-width:100%;height:auto}"
)


def as_html(
    title: str,
    facts: list[str],
    found: list[Table],
    drawings: dict[str, str] | None = None,
    link: Link = lambda table, row, column: "",
) -> str:
    """Return one self-contained page: no script, no request to anywhere.

    Args:
        title: of the page.
        facts: lines that stand above the tables.
        found: the tables.
        drawings: SVG text by caption.
        link: page that shows what a cell counts; empty for none.
    """
    return "".join(_page(title, facts, found, drawings or {}, link))


def _page(
    title: str, facts: list[str], found: list[Table], drawings: dict[str, str], link: Link
) -> Iterator[str]:
    name = html.escape(title)
    yield f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{name}</title>'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<style>{_STYLE}</style></head><body><main><h1>{name}</h1>\n<ul>"
    yield from (f"<li>{html.escape(fact)}</li>" for fact in facts)
    yield "</ul>\n"
    for caption, drawing in drawings.items():
        yield f"<figure>{drawing}<figcaption>{html.escape(caption)}</figcaption></figure>\n"
    for table in found:
        yield f"<h2>{html.escape(table.title)}</h2>\n<div class=wide><table><thead><tr>"
        yield from (f'<th scope="col">{html.escape(head)}</th>' for head in table.heads)
        yield "</tr></thead><tbody>\n"
        for at, row in enumerate(table.shown):
            cells = (_cell(cell, link(table, at, to)) for to, cell in enumerate(row))
            yield f"<tr>{''.join(cells)}</tr>\n"
        yield "</tbody></table></div>\n"
        if table.said:
            yield f'<p class="note">{html.escape(table.said)}</p>\n'
        file = html.escape(f"tables/{table.name}.csv")
        yield f'<p class="note">Exact values: <a href="{file}">{file}</a></p>\n'
    yield "</main></body></html>\n"


def _cell(cell: Cell, target: str) -> str:
    """Return a cell of a page: intervals stand under their values, long texts wrap."""
    if isinstance(cell, Figure):
        value, *edges = map(html.escape, parts_shown(cell))
        below = "".join(f"<br><small>{each}</small>" for each in edges)
        return f"<td>{_linked(value, target)}{below}</td>"
    text = shown(cell)
    kind = ' class="long"' if len(text) > _LONG else ""
    return f"<td{kind}>{_linked(html.escape(text), target)}</td>"


def _linked(markup: str, target: str) -> str:
    return f'<a href="{html.escape(target)}">{markup}</a>' if target else markup
