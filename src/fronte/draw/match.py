"""A match as a picture: the board with its counters, as all may see it or as one seat does. For notebooks."""

from __future__ import annotations

import csv
import dataclasses
import io
import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from xml.sax.saxutils import escape

from fronte.engine.match import Match
from fronte.engine.pack import Pack
from fronte.engine.rules import Rules
from fronte.engine.view import Piece, View

from . import counters
from .board import SERIF, board_layers, style
from .curves import number, spot
from .sheet import Sheet, between

WIDTH = 1100
"""How wide the picture is shown, in pixels."""
WITHIN = ".fronte-match "
SHARE = 0.74
"""How much of a hex's height a counter takes."""


def match_svg(match: Match, seat: str | None = None) -> str:
    """The match as one SVG: what both sides may see, or all that one seat sees."""
    view = match.rules.common(match.state) if seat is None else match.view(seat)
    return view_svg(match.rules, view)


def view_svg(rules: Any, view: View) -> str:
    """A view as one SVG: the board as it stands, counters in their stacks, and one line of where the game is."""
    sheet, printed = _board(rules.pack, tuple(sign.at for sign in view.on("destroyed")))
    width, height = sheet.about["picture"]["width"], sheet.about["picture"]["height"]
    foot = sheet.size * 0.62
    body = printed + _pontoons(sheet, view) + _stacks(rules, sheet, view) + _line(rules, view, width, height, foot)
    shown = number(WIDTH * (height + foot) / width)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="fronte-match" viewBox="0 0 {width} {number(height + foot)}" '
        f'width="{WIDTH}" height="{shown}"><title>{escape(_where(rules, view))}</title>'
        f"<style>{style(sheet.size, WITHIN)}{counters.style(WITHIN)}</style>{body}</svg>"
    )


@lru_cache(maxsize=8)
def _board(pack: Pack, destroyed: tuple[str, ...]) -> tuple[Sheet, str]:
    """The board and its layers; the last few are kept, as they change only when a bridge falls or is mended."""
    sheet = _sheet(pack, destroyed)
    return sheet, board_layers(sheet)


def _sheet(pack: Pack, destroyed: tuple[str, ...]) -> Sheet:
    """The board of a match, an owner's own files included; bridges as they stand where the game can break them."""
    about = pack.toml("board.toml")
    files = about.get("files", {})
    hexes, sides = (
        list(csv.DictReader(io.StringIO(pack.text(files.get(name, f"{name}.csv"))))) for name in ("hexes", "hexsides")
    )
    sheet = Sheet(about, hexes, sides, pack.path(about["picture"]["file"]).read_bytes())
    rows = [row | {"destroyed": "1" if _is_on(row, destroyed) else ""} for row in sides]
    return dataclasses.replace(sheet, sides=rows)


def _is_on(row: Mapping[str, str], hexsides: tuple[str, ...]) -> bool:
    return f"{row['a']}/{row['b']}" in hexsides or f"{row['b']}/{row['a']}" in hexsides


def _pontoons(sheet: Sheet, view: View) -> str:
    """12.2: pontoons across their hexsides."""
    s = sheet.size
    out = []
    for sign in view.on("pontoon"):
        a, b = sign.at.split("/")
        (ax, ay), (bx, by) = sheet.centre(a), sheet.centre(b)
        turn = number(math.degrees(math.atan2(by - ay, bx - ax)))
        x, y = between(*sheet.side(a, b), 0.5)
        out.append(
            f'<g transform="translate({spot((x, y))}) rotate({turn})"><rect x="{number(-s * 0.17)}" '
            f'y="{number(-s * 0.055)}" width="{number(s * 0.34)}" height="{number(s * 0.11)}" fill="#8a5a2b" '
            f'stroke="#1d1a16" stroke-width="{number(s * 0.02)}"/></g>'
        )
    return "".join(out)


def _stacks(rules: Any, sheet: Sheet, view: View) -> str:
    """5: the counters of every hex, the one on top last; a number says how many lie there where that is known."""
    colours = {name: side["colour"] for name, side in rules.pack.toml("pack.toml")["sides"].items()}
    stacks: dict[str, list[Piece]] = {}
    for piece in view.pieces:
        if piece.at in sheet.rows:
            stacks.setdefault(piece.at, []).append(piece)
    size = sheet.size * SHARE / 60
    out = []
    for hex_id, pieces in sorted(stacks.items()):
        x, y = sheet.centre(hex_id)
        shown = sorted((piece for piece in pieces if piece.id), key=lambda piece: piece.order)[-4:]
        for k, piece in enumerate(shown):
            lift = k - (len(shown) - 1) / 2
            place = spot((x + lift * sheet.size * 0.06, y - lift * sheet.size * 0.06))
            drawn = counters.draw_counter(rules.counters[rules.number[piece.id]], piece, colours[piece.force])
            out.append(f'<g class="counter" transform="translate({place}) scale({size:.3f})">{drawn}</g>')
        if len(pieces) > 1:
            out.append(_how_many(len(pieces), x + sheet.size * 0.06, y + sheet.size * 0.43, sheet.size))
    return "".join(out)


def _how_many(many: int, x: float, y: float, s: float) -> str:
    return (
        f'<g class="counter"><circle cx="{number(x)}" cy="{number(y)}" r="{number(s * 0.13)}" fill="#f7f1df" '
        f'stroke="#1d1a16"/><text x="{number(x)}" y="{number(y + s * 0.065)}" font-size="{number(s * 0.18)}">{many}'
        "</text></g>"
    )


def _where(rules: Rules[Any], view: View) -> str:
    """Game, turn, phase and score in one line."""
    texts, stage, facts = rules.texts("en"), view.stage, view.facts()
    parts = [str(rules.pack.toml("board.toml").get("title", view.game)), f"turn {stage.turn}"]
    if not stage.decides:
        level = rules.level(facts.get("score", 0))
        parts.append(f"the game is over: {texts.word('level', level)}" if level else "the game is over")
    else:
        phase = texts.word("phase", stage.phase)
        parts.append(f"{texts.word('side', stage.active)}: {phase}" if stage.active else phase)
    if "score" in facts:
        parts.append(f"{facts['score']} {texts.line('vp', facts)}".strip().replace("-", "−"))
    parts.append(f"as {texts.word('side', view.seat)} see it" if view.seat else "as both sides see it")
    return " — ".join(parts)


def _line(rules: Rules[Any], view: View, width: float, height: float, foot: float) -> str:
    return (
        f'<rect x="0" y="{number(height)}" width="{number(width)}" height="{number(foot)}" fill="#f7f1df"/>'
        f'<text x="{number(foot * 0.4)}" y="{number(height + foot * 0.68)}" font-size="{number(foot * 0.52)}" '
        f'style="{SERIF}">{escape(_where(rules, view))}</text>'
    )
