"""A page in a browser, with everything it asks for and complains about written down."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["Watched", "opened"]

CY = "document.getElementById('graph')._cyreg.cy"


@dataclass
class Watched:
    """An open page."""

    page: Page
    said: list[str] = field(default_factory=list)
    """Console messages, errors and dialogs."""
    requests: list[str] = field(default_factory=list)

    def ids(self, selector: str) -> set[str]:
        """Return the ids of what is drawn and visible."""
        return set(
            self.page.evaluate(f"{CY}.elements({selector!r}).filter(':visible').map(e => e.id())")
        )

    def place(self, element: str) -> tuple[float, float]:
        """Return where on the window a node of the picture is."""
        at = self.page.evaluate(f"{CY}.getElementById({element!r}).renderedPosition()")
        frame = self.page.locator("#graph").bounding_box()
        assert frame is not None
        return frame["x"] + at["x"], frame["y"] + at["y"]

    def inside(self, folder: Path) -> bool:
        """Return whether every request was for a file of a folder."""
        return all(url.startswith(folder.as_uri()) for url in self.requests)


@contextmanager
def opened(browser: Browser, path: Path, **context: Any) -> Iterator[Watched]:
    """Open a file in a browser and watch it."""
    made = browser.new_context(viewport={"width": 1400, "height": 900}, **context)
    watched = Watched(made.new_page())
    page = watched.page
    page.on("console", lambda message: watched.said.append(message.text))
    page.on("pageerror", lambda error: watched.said.append(str(error)))
    page.on("dialog", lambda dialog: watched.said.append(f"dialog {dialog.message}"))
    page.on("request", lambda request: watched.requests.append(request.url))
    page.goto(path.as_uri())
    try:
        yield watched
    finally:
        made.close()
