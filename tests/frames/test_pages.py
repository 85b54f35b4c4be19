from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from typer.testing import CliRunner

from graph_builders.wikilinks import page_link
from realhop_kg.cli.app import app
from realhop_kg.errors import InputError, ProviderError
from realhop_kg.frames.pages import ApiPages, HtmlPages, KiltPages, MissingPage

ORM = page_link("https://en.wikipedia.org/wiki/Orm_Lake")
HTML = "<p>Orm Lake is a lake.</p><table><tr><td>1911</td><td>Ann</td></tr></table>"


class Wiki(ThreadingHTTPServer):
    """A wiki that answers as its script says: a title's HTML, a status, or bytes."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.script: dict[str, list[object]] = {}
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Wiki

    def do_GET(self) -> None:
        title = parse_qs(urlsplit(self.path).query).get("page", [""])[0]
        self.server.asked.append(title)
        script = self.server.script.get(title, [])
        step = script.pop(0) if len(script) > 1 else (script[0] if script else "missingtitle")
        status, body = 200, b""
        if isinstance(step, int):
            status = step
        elif isinstance(step, bytes):
            body = step
        elif isinstance(step, tuple):
            body = json.dumps({"parse": {"title": step[0], "text": step[1]}}).encode()
        else:
            body = json.dumps({"error": {"code": step}}).encode()
        self.send_response(status)
        if status == 429:
            self.send_header("Retry-After", "7")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def wiki() -> Iterator[Wiki]:
    server = Wiki()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_fetched_page_is_kept_and_not_asked_for_again(wiki: Wiki, tmp_path: Path) -> None:
    wiki.script["Orm Lake"] = [("Orm Lake", HTML)]
    for _ in range(2):
        page = ApiPages(wiki.base, tmp_path / "cache").page(ORM)
        assert page.paragraphs == ("Orm Lake is a lake.",)
        assert page.rows == ("1911 | Ann",)
    assert wiki.asked == ["Orm Lake"]


def test_a_busy_server_is_waited_for_as_it_asks(wiki: Wiki, tmp_path: Path) -> None:
    wiki.script["Orm Lake"] = [429, 503, b"<html>", ("Orm Lake", HTML)]
    waits: list[float] = []
    pages = ApiPages(wiki.base, tmp_path, interval=2.0, wait=waits.append)
    assert pages.page(ORM).title == "Orm Lake"
    assert waits == [7.0, 4.0, 8.0, 16.0]


def test_a_server_that_stays_away_stops_the_run_and_keeps_what_it_gave(
    wiki: Wiki, tmp_path: Path
) -> None:
    wiki.script["Orm Lake"] = [("Orm Lake", HTML)]
    wiki.script["Selby"] = [500]
    pages = ApiPages(wiki.base, tmp_path, interval=0, attempts=3)
    pages.page(ORM)
    with pytest.raises(ProviderError, match="status 500"):
        pages.page(page_link("https://en.wikipedia.org/wiki/Selby"))
    assert wiki.asked == ["Orm Lake", "Selby", "Selby", "Selby"]
    wiki.script["Selby"] = [("Selby", HTML)]
    again = ApiPages(wiki.base, tmp_path, interval=0)
    again.page(ORM)
    again.page(page_link("https://en.wikipedia.org/wiki/Selby"))
    assert wiki.asked[4:] == ["Selby"]


def test_missing_and_moved_pages_are_told_and_remembered(wiki: Wiki, tmp_path: Path) -> None:
    wiki.script["Moved"] = [("Elsewhere", HTML)]
    wiki.script["Blank"] = [("Blank", "")]
    for _ in range(2):
        pages = ApiPages(wiki.base, tmp_path, interval=0)
        for title, told in (("Gone", "does not exist"), ("Moved", "headed 'Elsewhere'"),
                            ("Blank", "has no text")):  # fmt: skip
            with pytest.raises(MissingPage, match=told):
                pages.page(page_link(f"https://en.wikipedia.org/wiki/{title}"))
    assert wiki.asked == ["Gone", "Moved", "Blank"]
    # Who follows redirects needs not ask again: the answer was kept as it came.
    following = ApiPages(wiki.base, tmp_path, interval=0, follow=True)
    moved = page_link("https://en.wikipedia.org/wiki/Moved")
    assert following.page(moved).title == "Elsewhere"
    assert wiki.asked == ["Gone", "Moved", "Blank"]


def test_a_server_that_is_not_there_is_an_outside_fault(tmp_path: Path) -> None:
    pages = ApiPages("http://127.0.0.1:9", tmp_path, interval=0, attempts=2)
    with pytest.raises(ProviderError, match="ConnectError"):
        pages.page(ORM)
    with pytest.raises(InputError, match="https://"):
        ApiPages("wikipedia.org", tmp_path)


def test_a_damaged_entry_of_the_cache_is_asked_for_again(wiki: Wiki, tmp_path: Path) -> None:
    wiki.script["Orm Lake"] = [("Orm Lake", HTML)]
    ApiPages(wiki.base, tmp_path).page(ORM)
    [kept] = tmp_path.iterdir()
    kept.write_text("{half")
    assert ApiPages(wiki.base, tmp_path).page(ORM).title == "Orm Lake"
    assert wiki.asked == ["Orm Lake"] * 2


def test_saved_pages_are_found_by_their_names_however_browsers_write_them(tmp_path: Path) -> None:
    for name, heading in (("Orm_Lake", "Orm Lake"), ("AC_DC", "AC/DC"), ("P%C3%A9", "Pé"),
                          ("Old", "New")):  # fmt: skip
        text = f"<title>{heading} - Wikipedia</title><body><p>Text.</p></body>"
        (tmp_path / f"{name}.html").write_text(text, encoding="utf-8")
    pages = HtmlPages(tmp_path)
    for link in ("Orm_Lake", "AC/DC", "P%C3%A9"):
        assert pages.page(page_link(f"https://en.wikipedia.org/wiki/{link}")).paragraphs == (
            "Text.",
        )
    for link, told in (("Old", "has moved"), ("None", "not among the saved pages")):
        with pytest.raises(MissingPage, match=told):
            pages.page(page_link(f"https://en.wikipedia.org/wiki/{link}"))
    old = page_link("https://en.wikipedia.org/wiki/Old")
    assert HtmlPages(tmp_path, follow=True).page(old).title == "New"
    with pytest.raises(InputError, match="no saved pages"):
        HtmlPages(tmp_path / "none")


def test_wanted_kilt_pages_are_found_by_title(write_lines: object) -> None:
    assert callable(write_lines)
    path = write_lines(
        {"wikipedia_title": "Orm Lake", "text": ["Orm Lake\n", "A lake.\n", "Section::::Depth\n"]},
        {"wikipedia_title": "Selby", "text": ["Selby\n", "A town.\n"]},
        "{broken",
    )
    pages = KiltPages(path, ["orm lake"])
    assert pages.page(ORM).paragraphs == ("A lake.", "Depth")
    with pytest.raises(MissingPage, match="not among the KILT pages"):
        pages.page(page_link("https://en.wikipedia.org/wiki/Selby"))


def test_the_command_assembles_what_it_can_and_lists_the_rest(wiki: Wiki, tmp_path: Path) -> None:
    table = tmp_path / "frames.tsv"
    link = "https://en.wikipedia.org/wiki"
    table.write_text(
        "id\tPrompt\tAnswer\twiki_links\n"
        f"1\tWho won in 1911?\tAnn\t['{link}/Orm_Lake']\n2\tWho?\tBo\t['{link}/Gone']\n"
        f"3\tWho?\tBo\t['https://w.wiki/x', '{link}/Orm_Lake']\n4\t\tBo\t\n",
        encoding="utf-8",
    )
    wiki.script["Orm Lake"] = [("Orm Lake", HTML)]
    out = tmp_path / "articles.jsonl"
    words = ["frames", "assemble", table, "--fetch", wiki.base, "--interval", "0", "--out", out,
             "--cache", tmp_path / "cache", "--json"]  # fmt: skip
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    counts = json.loads(result.stdout)
    assert (counts["read"], counts["assembled"], counts["excluded"]) == (4, 1, 3)
    [line] = out.read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["passages"] == [
        {"title": "Orm Lake", "text": "Orm Lake is a lake.\n\n1911 | Ann"}
    ]
    for told in ("'Gone' does not exist", "w.wiki/x", "`Prompt` is empty"):
        assert told in result.stderr
