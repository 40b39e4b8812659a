"""Pages for players: what docs/ says of playing, hosting, dice and rulings, as web pages in the reader's language.

The texts are those of the project's folder, or, in an installed package, the copies that its wheel carries.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Route

if TYPE_CHECKING:
    from markdown_it.token import Token

HERE = Path(__file__).parent
CARRIED = HERE / "docs"
PAGES = {
    "en": {
        "playing": "playing.md",
        "hosting": "hosting.md",
        "by-file": "by-file.md",
        "dice": "dice.md",
        "rulings": "rulings.md",
    },
    "it": {
        "playing": "it/giocare.md",
        "hosting": "it/ospitare.md",
        "by-file": "it/per-file.md",
        "dice": "it/dadi.md",
        "rulings": "it/interpretazioni.md",
    },
}
"""By language and name the text of a page. The names are the same in all languages."""
WHERE = {text: (language, name) for language, pages in PAGES.items() for name, text in pages.items()}
LANGUAGES = {"en": "English", "it": "Italiano"}
FRAME = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · Fronte</title><link rel="stylesheet" href="/pages/pages.css"></head>
<body><nav><a href="/">Fronte</a>{links}</nav><main>{text}</main></body></html>
"""


def folder() -> Path:
    """Where the texts are."""
    return CARRIED if CARRIED.is_dir() else HERE.parents[2] / "docs"


@cache
def page(language: str, name: str) -> str:
    """A page as HTML."""
    from markdown_it import MarkdownIt  # only who reads a page waits for it

    source = PAGES[language][name]
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse((folder() / source).read_text("utf-8"))
    _lead(tokens, source)
    title = next(tokens[n + 1].content for n, token in enumerate(tokens) if token.type == "heading_open")
    others = [f'<a href="/pages/{one}/{name}" lang="{one}">{LANGUAGES[one]}</a>' for one in PAGES if one != language]
    text = reader.renderer.render(tokens, reader.options, {})
    return FRAME.format(language=language, title=title, links="".join(others), text=text)


def _lead(tokens: Sequence[Token], source: str) -> None:
    """Links to other pages lead to them, pictures come from here, and what is no page is named without a link."""
    open_links: list[bool] = []
    for token in tokens:
        if token.children:
            _lead(token.children, source)
        if token.type == "image":
            token.attrSet("src", f"/pages/pictures/{posixpath.basename(str(token.attrGet('src')))}")
        elif token.type == "link_open":
            href = _address(source, str(token.attrGet("href")))
            open_links.append(bool(href))
            token.attrs = {"href": href} if href else {}
            token.tag = "a" if href else "span"
        elif token.type == "link_close":
            token.tag = "a" if open_links.pop() else "span"


def _address(source: str, href: str) -> str:
    """Where a link of a text leads, empty where that is no page."""
    if href.startswith(("#", "https://", "http://")):
        return href
    path, _, part = href.partition("#")
    found = WHERE.get(posixpath.normpath(posixpath.join(posixpath.dirname(source), path)))
    return "" if found is None else "/".join(("/pages", *found)) + (f"#{part}" if part else "")


async def _show(request: Request) -> Response:
    language, name = request.path_params["language"], request.path_params["name"]
    if name not in PAGES.get(language, {}):
        raise HTTPException(404)
    return HTMLResponse(page(language, name))


async def _picture(request: Request) -> Response:
    pictures = {one.name: one for one in (folder() / "pictures").glob("*.webp")}
    found = pictures.get(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    return FileResponse(found, media_type="image/webp")


async def _style(request: Request) -> Response:
    return FileResponse(HERE / "pages.css", media_type="text/css")


ROUTES: list[BaseRoute] = [
    Route("/pages/pages.css", _style),
    Route("/pages/pictures/{name}", _picture),
    Route("/pages/{language}/{name}", _show),
]
