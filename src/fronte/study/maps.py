"""The maps of a report: the board, faded, with numbers by hex."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from functools import lru_cache

from fronte.draw.board import board_png, board_svg
from fronte.draw.sheet import Sheet, read_sheet
from fronte.games.registry import board_pack
from fronte.study.measures import Sample
from fronte.study.plot import HEAT, INK, is_dark, mix, picture, polygon, rect, text
from fronte.study.words import Words

LEGEND = 110
"""Height of the strip below the board, in its own pixels."""


@lru_cache(maxsize=2)
def sheet_of(game: str) -> Sheet:
    """The board of a game."""
    return read_sheet(board_pack(game))


def size_of(game: str) -> tuple[int, int]:
    """Width and height of the board."""
    about = sheet_of(game).about["picture"]
    return int(about["width"]), int(about["height"])


@lru_cache(maxsize=2)
def board_picture(game: str) -> str:
    """The board, faded so that what is drawn on it stands out."""
    width, height = size_of(game)
    faded = f'<g style="filter:grayscale(0.7)" opacity="0.6">{board_svg(sheet_of(game))}</g>'
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{faded}</svg>'


@lru_cache(maxsize=4)
def board_data(game: str, pixels: int = 0) -> str:
    """The board as a picture within a picture, so that its styles stay its own; with a width in pixels as PNG."""
    svg = board_picture(game)
    kind, raw = ("png", board_png(svg, pixels)) if pixels else ("svg+xml", svg.encode())
    return f"data:image/{kind};base64,{base64.b64encode(raw).decode()}"


def map_picture(game: str, title: str, drawn: str, pixels: int = 0) -> str:
    """A map of its own. In the report the board lies under all maps once and for all."""
    width, height = size_of(game)
    quickly = ' image-rendering="optimizeSpeed"' if pixels else ""  # it fits pixel by pixel
    board = f'<image href="{board_data(game, pixels)}" width="{width}" height="{height}"{quickly}/>'
    return picture(width, height + LEGEND, title, board + drawn)


def heat_map(sample: Sample, values: Mapping[str, float], label: str, words: Words) -> str:
    """Hexes coloured by a number per game, with the number written into those that have the most."""
    sheet = sheet_of(sample.plan.game)
    highest = max(values.values(), default=0.0) or 1.0
    least = highest / 40
    parts = []
    for name, value in values.items():
        if value < least or name not in sheet.rows:
            continue
        share = (value / highest) ** 0.6
        colour = mix(HEAT, share)
        hint = f"{name} {sheet.rows[name]['name']}: {words.number(value, 2)}"
        parts.append(polygon(sheet.corners(name), colour, 0.55 + 0.4 * share, hint))
        if value >= highest / 8:
            x, y = sheet.centre(name)
            ink = "#ffffff" if is_dark(colour) else INK
            parts.append(text(x, y + 9, words.number(value, 1 if highest < 20 else 0), 27, "middle", ink, bold=True))
    return "".join(parts) + _heat_legend(sample, highest, label, words)


def _heat_legend(sample: Sample, highest: float, label: str, words: Words) -> str:
    width, height = size_of(sample.plan.game)
    left, wide, at, steps = width * 0.45, width * 0.45, height + 22, 60
    parts = [text(left - 30, at + 26, label, 30, "end")]
    for k in range(steps):
        parts.append(rect(left + wide * k / steps, at, wide / steps + 1, 30, mix(HEAT, ((k + 0.5) / steps) ** 0.6)))
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        digits = 2 if highest < 4 else 1
        parts.append(text(left + wide * share, at + 62, words.number(highest * share, digits), 26, "middle"))
    return "".join(parts)
