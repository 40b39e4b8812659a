"""Pictures of finished boards for the documentation: `python -m mapmaking.gallery isonzo ...`."""

from __future__ import annotations

import argparse
import io

from PIL import Image

from fronte.draw.board import board_png, board_svg
from fronte.draw.sheet import read_sheet
from fronte.games.registry import board_pack

from .board import PROJECT


def hang(game: str, width: int) -> None:
    """Draw one board into docs/boards."""
    sheet = read_sheet(board_pack(game))
    image = Image.open(io.BytesIO(board_png(board_svg(sheet), width))).convert("RGB")
    folder = PROJECT / "docs" / "boards"
    folder.mkdir(parents=True, exist_ok=True)
    image.save(folder / f"{game}.webp", quality=80, method=6)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--width", type=int, default=2300)
    options = parser.parse_args()
    for name in options.games:
        hang(name, options.width)
