"""A whole board as one SVG picture, and as PNG where the optional `resvg-py` is installed."""

from __future__ import annotations

import importlib
from pathlib import Path
from xml.sax.saxutils import escape

from fronte.files import write_bytes, write_text

from . import ground, signs, works
from .curves import number
from .labels import Desk
from .sheet import Sheet, read_sheet

SERIF = "font-family:'DejaVu Serif',Georgia,serif"
SANS = "font-family:'DejaVu Sans',Arial,sans-serif"


def style(size: float, within: str = "") -> str:
    """The style sheet; halos grow with the hexes. `within` keeps it to one picture of a page that holds others."""

    def halo(share: float) -> str:
        return f"stroke-width:{number(size * share)}"

    rules = {
        "text": f"{SERIF};fill:#1d1a16;paint-order:stroke;stroke:#f7f1df;stroke-linejoin:round;{halo(0.034)}",
        ".id": f"{SANS};fill:#4b463c;stroke:none;opacity:.75",
        ".level": f"{SANS};fill:#5d3c1c;stroke:none;opacity:.8",
        ".local": f"font-style:italic;fill:#4d473d;{halo(0.026)}",
        ".town": f"font-weight:bold;{halo(0.038)}",
        ".peakname": "font-style:italic;fill:#54260f",
        ".fort": f"{SANS};{halo(0.026)}",
        ".points": f"{SANS};font-weight:bold;fill:#fff;stroke:none",
        ".water": f"font-style:italic;fill:#164f8c;stroke:#eef3f5;{halo(0.028)}",
        "path": "fill:none;stroke-linecap:round;stroke-linejoin:round",
        ".cliff": "fill:#6e5a4c",
        "path.ticks": "stroke-linecap:butt",
    }
    return "".join(f"{within}{selector}{{{how}}}" for selector, how in rules.items())


def board_layers(sheet: Sheet) -> str:
    """Everything that is printed on the board."""
    picture = sheet.about["picture"]
    desk = Desk(picture["width"], picture["height"])
    symbols = signs.draw_symbols(sheet, desk)
    signs.draw_names(sheet, desk)
    layers = [
        ground.draw_picture(sheet),
        ground.draw_ground(sheet),
        ground.draw_streams(sheet),
        ground.draw_water(sheet),
        ground.draw_hexes(sheet),
        ground.draw_crags(sheet),
        ground.draw_slopes(sheet),
        works.draw_routes(sheet),
        works.draw_crossings(sheet),
        works.draw_trenches(sheet),
        works.draw_sectors(sheet),
        symbols,
        "".join(desk.text),
        signs.draw_points(sheet),
        signs.draw_compass(sheet),
    ]
    return "".join(layers)


def board_svg(sheet: Sheet) -> str:
    """The board with everything that is printed on it."""
    width, height = sheet.about["picture"]["width"], sheet.about["picture"]["height"]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    title = escape(str(sheet.about.get("title", "")))
    return f"{head}<title>{title}</title><style>{style(sheet.size)}</style>{board_layers(sheet)}</svg>"


def board_png(svg: str, width: int | None = None) -> bytes:
    """The picture as PNG; needs the optional package `resvg-py` (extra `png`)."""
    try:
        resvg = importlib.import_module("resvg_py")
    except ModuleNotFoundError as missing:
        raise RuntimeError("PNG output needs the package resvg-py: pip install 'fronte[png]'") from missing
    return bytes(resvg.svg_to_bytes(svg_string=svg, width=width))


def render(folder: Path, out: Path, width: int | None = None) -> None:
    """Draw the board of a data folder into an .svg or .png file."""
    svg = board_svg(read_sheet(folder))
    if out.suffix == ".png":
        write_bytes(out, board_png(svg, width))
    else:
        write_text(out, svg)
