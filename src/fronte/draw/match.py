"""A match as a picture: the board with its counters, as all may see it or as one seat does. For notebooks."""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from xml.sax.saxutils import escape

from fronte.engine.match import Match
from fronte.engine.pack import Pack
from fronte.engine.rules import Rules
from fronte.engine.view import Piece, View

from . import counters
from .board import board_layers, joined, symbols
from .curves import number
from .labels import SANS, SERIF
from .sheet import Sheet, read_sheet
from .signs import draw_signs
from .tokens import TOKENS

WIDTH = 1100
"""How wide the picture is shown, in pixels."""
SHARE = 0.74
"""How much of a hex's height a counter takes."""


def match_svg(match: Match, seat: str | None = None) -> str:
    """The match as one SVG: what both sides may see, or all that one seat sees."""
    view = match.rules.public_view(match.state) if seat is None else match.view(seat)
    return view_svg(match.rules, view)


def view_svg(rules: Rules[Any], view: View) -> str:
    """A view as one SVG: the board as it stands, counters in their stacks, and one line of where the game is."""
    sheet, ground, names = _board(rules.pack)
    width, height = sheet.about["picture"]["width"], sheet.about["picture"]["height"]
    foot = sheet.size * 0.62
    body = ground + _signs(sheet, view) + _stacks(rules, sheet, view) + names + _line(rules, view, width, height, foot)
    shown = number(WIDTH * (height + foot) / width)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="fronte-match" viewBox="0 0 {width} {number(height + foot)}" '
        f'width="{WIDTH}" height="{shown}"><title>{escape(_where(rules, view))}</title>{body}</svg>'
    )


@lru_cache(maxsize=8)
def _board(pack: Pack) -> tuple[Sheet, str, str]:
    """The board, what lies under the counters, and the names over them."""
    sheet = read_sheet(pack)
    layers = board_layers(sheet, table=True)
    names = {"names": layers.pop("names")}
    return sheet, symbols(sheet) + joined(layers), joined(names)


def _signs(sheet: Sheet, view: View) -> str:
    return f'<g fill="none">{draw_signs(sheet, view.signs)}</g>'


def _stacks(rules: Rules[Any], sheet: Sheet, view: View) -> str:
    """The counters of every hex, the one on top last; a number says how many lie there where that is known."""
    stacks: dict[str, list[Piece]] = {}
    for piece in view.pieces:
        if piece.at in sheet.rows:
            stacks.setdefault(piece.at, []).append(piece)
    size = sheet.size * SHARE / 60
    out = []
    for hex_id, pieces in sorted(stacks.items()):
        x, y = sheet.centre(hex_id)
        shown = sorted(pieces, key=lambda piece: piece.order)[-4:]
        for k, piece in enumerate(shown):
            lift = (k - (len(shown) - 1) / 2) * sheet.size * 0.06
            out.append(counters.frame(counters.draw_counter(sheet, rules.pack, piece), x + lift, y - lift, size))
        if len(pieces) > 1:
            out.append(_how_many(len(pieces), x + sheet.size * 0.06, y + sheet.size * 0.43, sheet.size))
    return "".join(out)


def _how_many(many: int, x: float, y: float, s: float) -> str:
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(s * 0.13)}" fill="{TOKENS["paper"]}" '
        f'stroke="{TOKENS["ink"]}"/><text x="{number(x)}" y="{number(y + s * 0.065)}" font-size="{number(s * 0.18)}" '
        f'font-family="{SANS}" font-weight="bold" text-anchor="middle">{many}</text>'
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
    if rules.handicap is not None:
        parts.append(f"handicap: {texts.word('side', rules.handicap.seat)} +{rules.handicap.points}")
    parts.append(f"as {texts.word('side', view.seat)} see it" if view.seat else "as both sides see it")
    return " — ".join(parts)


def _line(rules: Rules[Any], view: View, width: float, height: float, foot: float) -> str:
    return (
        f'<rect x="0" y="{number(height)}" width="{number(width)}" height="{number(foot)}" '
        f'fill="{TOKENS["paper"]}"/>'
        f'<text x="{number(foot * 0.4)}" y="{number(height + foot * 0.68)}" font-size="{number(foot * 0.52)}" '
        f'font-family="{SERIF}">{escape(_where(rules, view))}</text>'
    )
