"""Whether every link of the built site that stays in it leads to a file and a place in it: python docs/links.py site.

mkdocs checks the links that are written in Markdown; this one also those of pages that are made, of the gallery's
3-D pages, of pictures and of the navigation. It needs no network, and leaves addresses elsewhere alone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

VIEWER = ("t=", "camera=", "light=")
"""How what the 3-D page is told in an address begins; no place in a page."""


class Page(HTMLParser):
    """Links and places of an HTML text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = {"", "__comments"}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Called by the parser."""
        for name, value in attrs:
            if name == "id" or (name == "name" and tag == "a"):
                self.places.add(value or "")
            elif name in ("href", "src") and value:
                self.links.append(value)


def broken(site: Path) -> Iterator[str]:
    """Links that lead nowhere: page, link and why."""
    pages = {file: Page(file.read_text("utf-8")) for file in sorted(site.resolve().rglob("*.html"))}
    for file, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or parts.path.startswith("/"):
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            target = target / "index.html" if target.is_dir() else target
            place = unquote(parts.fragment)
            if not target.is_file():
                yield f"{file.relative_to(site.resolve())}: {link}: no such file"
            elif target in pages and place not in pages[target].places and not place.startswith(VIEWER):
                yield f"{file.relative_to(site.resolve())}: {link}: no such place in it"


if __name__ == "__main__":
    sys.exit("\n".join(broken(Path(sys.argv[1]))) or None)
