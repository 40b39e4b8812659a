"""The page of a report and its figures: one HTML file that needs nothing else, and the figures as files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from fronte.draw.board import board_png
from fronte.files import write_bytes, write_text
from fronte.study import maps

CHART_WIDTH, MAP_WIDTH = 1400, 1000
"""Of the PNG files, in pixels."""
STYLE = """
body{font:16px/1.55 'DejaVu Sans','Segoe UI',Arial,sans-serif;color:#222;background:#fff;max-width:60rem;
margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;line-height:1.25}h2{margin-top:2.6rem;border-bottom:2px solid #222;padding-bottom:.2rem}
h3{margin-top:2rem}figure{margin:1rem 0;overflow-x:auto}figcaption,.note{color:#444;font-size:.92rem}
svg{max-width:100%;height:auto;display:block}.board{background-size:100% auto;background-repeat:no-repeat}
table{border-collapse:collapse;margin:1rem 0;font-size:.92rem}th,td{padding:.25rem .8rem .25rem 0;text-align:left;
border-bottom:1px solid #ddd;vertical-align:top}td.n,th.n{text-align:right;white-space:nowrap}
tr.main td{font-weight:bold}.two{display:flex;flex-wrap:wrap;gap:0 3rem}nav ul{columns:2}code{background:#f2f2f2;
padding:.1rem .3rem;overflow-wrap:anywhere}.verdict{font-size:1.08rem;border-left:5px solid #222;padding-left:1rem}
"""


class Figure(NamedTuple):
    """A figure: the name of its files, and its picture; for a map what is drawn on the board."""

    name: str
    title: str
    text: str
    svg: str = ""
    drawn: str = ""


def write_figure(figure: Figure, game: str, folder: Path) -> None:
    """Write a figure as SVG and as PNG."""
    folder.mkdir(exist_ok=True)
    svg = figure.svg or maps.map_picture(game, figure.title, figure.drawn)
    write_text(folder / f"{figure.name}.svg", svg)
    width = CHART_WIDTH
    if figure.drawn:
        width = MAP_WIDTH
        svg = maps.map_picture(game, figure.title, figure.drawn, width)
    write_bytes(folder / f"{figure.name}.png", board_png(svg, width))


def figure_html(figure: Figure, game: str) -> str:
    """A figure in the page. Maps share one board, which is the background of all."""
    caption = f"<h3>{escape(figure.title)}</h3><p>{escape(figure.text)}</p>"
    if not figure.drawn:
        return f'{caption}<figure id="{figure.name}">{_inline(figure.svg)}</figure>'
    width, height = maps.size_of(game)
    box = f'viewBox="0 0 {width} {height + maps.LEGEND}" role="img" font-family="sans-serif"'
    inside = f"<svg {box}><title>{escape(figure.title)}</title>{figure.drawn}</svg>"
    return f'{caption}<figure id="{figure.name}"><div class="board">{inside}</div></figure>'


def _inline(svg: str) -> str:
    return svg.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1)


def table_html(rows: Iterable[Sequence[str]], heading: Sequence[str] = (), main: int = -1) -> str:
    """A table; all columns but the first hold numbers if it has a heading."""
    kind = ' class="n"' if heading else ""
    parts = ["<table>"]
    if heading:
        cells = "".join(f"<th{kind if k else ''}>{escape(cell)}</th>" for k, cell in enumerate(heading))
        parts.append(f"<tr>{cells}</tr>")
    for number, row in enumerate(rows):
        cells = "".join(f"<td{kind if k else ''}>{escape(cell)}</td>" for k, cell in enumerate(row))
        begin = '<tr class="main">' if number == main else "<tr>"
        parts.append(f"{begin}{cells}</tr>")
    return "".join(parts) + "</table>"


def whole_page(title: str, language: str, game: str, parts: Iterable[str]) -> str:
    """The page. The board is in it once, under all maps."""
    board = f".board{{background-image:url('{maps.board_data(game)}')}}"
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    page = f'<!doctype html><html lang="{language}"><head>{head}<style>{STYLE}{board}</style></head><body>'
    return page + "\n".join(parts) + "</body></html>\n"
