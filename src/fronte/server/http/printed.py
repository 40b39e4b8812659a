"""Endpoints of what is printed: games, boards, rules, pictures, lessons. It does not change, so browsers keep it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from starlette.responses import Response

from fronte.games.registry import GAMES
from fronte.server import printed
from fronte.server.http import packing
from fronte.server.http.endpoint import Call, endpoint
from fronte.server.problem import Problem


def _printed(call: Call, page: printed.Page, media: str = "application/json") -> Response:
    """Something that does not change: a browser that has it already is told so."""
    headers = {"etag": page.tag, "cache-control": "no-cache"}
    if page.tag in call.request.headers.get("if-none-match", ""):
        return Response(None, 304, headers)
    return packing.answer(page.body, headers, media, packing.accepts(call.request.headers))


def _game(call: Call) -> tuple[str, tuple[Path, ...]]:
    """The game that is asked for, and the folders of one's own data for it."""
    name: str = call.request.path_params["game"]
    if name not in GAMES:
        raise Problem(404, f"no game {name!r}; the games are {', '.join(GAMES)}")
    return name, call.server.settings.folders(name)


@endpoint("GET", "/api/games", "The games, and what can be chosen when a match is begun")
async def list_games(call: Call) -> Response:
    """Titles, scenarios, options, seats and machine players."""
    return _printed(call, await asyncio.to_thread(printed.games, tuple(map(call.server.settings.folders, GAMES))))


@endpoint("GET", "/api/games/{game}/board", "Everything printed: board, counters, tables, words", query=("scenario",))
async def show_board(call: Call) -> Response:
    """What does not change during a match of a scenario; of the game's first one if none is named."""
    game, packs = _game(call)
    try:
        page = await asyncio.to_thread(printed.board, game, packs, call.word("scenario"))
    except ValueError as wrong:
        raise Problem(404, str(wrong)) from None
    return _printed(call, page)


@endpoint("GET", "/api/games/{game}/rules", "The rules reference", query=("language",))
async def show_rules(call: Call) -> Response:
    """The rules in our own words."""
    return _printed(call, await asyncio.to_thread(printed.rules_reference, *_game(call), call.language))


@endpoint("GET", "/api/games/{game}/picture", "The relief picture of the board", media="image/*")
async def show_picture(call: Call) -> Response:
    """The picture under the hexes."""
    page, media = await asyncio.to_thread(printed.picture, *_game(call))
    return _printed(call, page, media)


@endpoint("GET", "/api/games/{game}/picture/small", "The relief picture, small", media="image/*")
async def show_small_picture(call: Call) -> Response:
    """For a list of games."""
    page, media = await asyncio.to_thread(printed.small_picture, *_game(call))
    return _printed(call, page, media)


@endpoint("GET", "/api/games/{game}/map/{fingerprint}", "The drawn board, to lay under a match", media="image/svg+xml")
async def show_map(call: Call) -> Response:
    """Hexes, terrain, works, places and names, and every sign; under its own fingerprint it never changes."""
    page = await asyncio.to_thread(printed.drawing, *_game(call))
    answer = _printed(call, page, "image/svg+xml")
    if call.request.path_params["fingerprint"] == page.fingerprint:
        answer.headers["cache-control"] = "public, max-age=31536000, immutable"
    return answer


@endpoint("GET", "/api/games/{game}/lessons/{lesson}", "A lesson on a corner of the board")
async def show_lesson(call: Call) -> Response:
    """The position and the steps of a lesson of the game's course."""
    (game, packs), name = _game(call), call.request.path_params["lesson"]
    page = await asyncio.to_thread(printed.lesson, game, packs, name)
    if page is None:
        raise Problem(404, f"{game} has no lesson {name!r}")
    return _printed(call, page)


@endpoint("GET", "/api/games/{game}/puzzles/{puzzle}", "A puzzle out of a machine game")
async def show_puzzle(call: Call) -> Response:
    """The position, what is asked, and what is known of the enemy there."""
    (game, packs), name = _game(call), call.request.path_params["puzzle"]
    page = await asyncio.to_thread(printed.puzzle, game, packs, name)
    if page is None:
        raise Problem(404, f"{game} has no puzzle {name!r}")
    return _printed(call, page)
