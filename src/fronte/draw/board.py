"""A whole board as one SVG picture, and as PNG where the optional `resvg-py` is installed.

Every layer is a group with a class, so that whoever shows the picture can leave layers out. Colours and letters are
attributes: the browser's policy forbids style sheets inside a page, and a picture in a notebook has none that could
reach beyond it.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from xml.sax.saxutils import escape

from fronte.engine.pack import Pack
from fronte.engine.view import Sign
from fronte.files import write_bytes, write_text

from . import branches, ground, places, signs, works
from .labels import Desk
from .sheet import Sheet, read_sheet

ROUND = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'


def board_layers(sheet: Sheet, picture: str = "", table: bool = False, scenario: str = "") -> dict[str, str]:
    """Everything that is printed on the board, layer by layer from the ground up.

    For a `table` names keep off the counters that will lie on the hexes, and what changes in play is left out. Bridges
    that are down at the start of some scenarios only are drawn so where the board calls the `scenario` by this word.
    """
    desk = Desk(sheet.about["picture"]["width"], sheet.about["picture"]["height"], sheet.size)
    symbols = places.draw_symbols(sheet, desk, around=table)
    names = places.draw_names(sheet, desk, around=table)
    layers = {
        "relief": ground.draw_picture(sheet, picture),
        "terrain": ground.draw_ground(sheet),
        "water": ground.draw_water(sheet),
        "grid": ground.draw_grid(sheet),
        "crags": ground.draw_crags(sheet),
        "slopes": ground.draw_slopes(sheet),
        "routes": works.draw_routes(sheet),
        "crossings": works.draw_crossings(sheet) + works.draw_aqueducts(sheet),
        "trenches": works.draw_trenches(sheet),
        "sectors": works.draw_sectors(sheet),
        "places": works.draw_stations(sheet) + symbols,
        "numbers": ground.draw_numbers(sheet),
        "levels": ground.draw_levels(sheet, 0.2 if table else 0.13),
        "rivers": places.draw_lesser_names(sheet, desk, around=table),
        "names": names,
        "compass": places.draw_compass(sheet),
    }
    if not table:
        layers["signs"] = signs.draw_signs(sheet, printed_signs(sheet, scenario))
        layers["points"] = places.draw_points(sheet)
    return layers


def printed_signs(sheet: Sheet, scenario: str = "") -> list[Sign]:
    """Signs that lie on the board before anybody plays: bridges that are down, always or in this scenario."""
    down = [row for row in sheet.sides if row.get("destroyed") or scenario in (row.get("blown") or "").split()]
    return [Sign("destroyed", f"{row['a']}/{row['b']}") for row in down]


def joined(layers: dict[str, str]) -> str:
    """The layers as groups."""
    texts = ("numbers", "levels", "rivers", "names")
    return "".join(
        f'<g class="{name}"{"" if name in texts else " " + ROUND}>{drawn}</g>' for name, drawn in layers.items()
    )


def symbols(sheet: Sheet) -> str:
    """Every sign and branch, drawn once."""
    return f"<defs>{signs.sign_symbols(sheet)}{branches.branch_symbols()}</defs>"


def opened(sheet: Sheet) -> str:
    """The head of a picture of the whole sheet."""
    width, height = sheet.about["picture"]["width"], sheet.about["picture"]["height"]
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    title = escape(str(sheet.about.get("title", "")))
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><title>{title}</title>'


def board_svg(sheet: Sheet, scenario: str = "") -> str:
    """The board with everything that is printed on it; the file stands alone."""
    return f"{opened(sheet)}{symbols(sheet)}{joined(board_layers(sheet, scenario=scenario))}</svg>"


def board_png(svg: str, width: int | None = None) -> bytes:
    """The picture as PNG; needs the optional package `resvg-py` (extra `png`)."""
    try:
        resvg = importlib.import_module("resvg_py")
    except ModuleNotFoundError as missing:
        raise RuntimeError("PNG output needs the package resvg-py: pip install 'fronte[png]'") from missing
    return bytes(resvg.svg_to_bytes(svg_string=svg, width=width))


def word_for(pack: Pack, scenario: str) -> str:
    """By which word the board calls a scenario of the pack: its number where it has one; ValueError for no scenario."""
    found = {key: data for key, data in pack.toml("scenarios.toml").items() if isinstance(data, dict)}
    if scenario not in found:
        raise ValueError(f"no scenario {scenario!r}; the scenarios are {', '.join(found)}")
    return str(found[scenario].get("number", scenario))


def render(pack: Pack, out: Path, width: int | None = None, scenario: str = "") -> None:
    """Draw the board of a pack into an .svg or .png file, with what a scenario changes on it if one is named."""
    svg = board_svg(read_sheet(pack), word_for(pack, scenario) if scenario else "")
    if out.suffix == ".png":
        write_bytes(out, board_png(svg, width))
    else:
        write_text(out, svg)
