"""The background picture: shaded relief with elevation tints and woods, seen through the same warp as the hexes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image
from scipy.ndimage import gaussian_filter
from scipy.spatial import cKDTree

from .board import Draft
from .geo import Array
from .hexgrid import COLUMN

SMALL = 360
"""How wide the picture for a list of games is."""
MARGIN = 0.75
# metres and colour, after the hypsometric tints of old Alpine maps
TINTS = [
    (0, (196, 214, 158)),
    (100, (208, 220, 164)),
    (220, (226, 226, 172)),
    (400, (234, 224, 166)),
    (650, (226, 208, 148)),
    (900, (212, 186, 128)),
    (1200, (192, 164, 114)),
    (1600, (184, 158, 128)),
    (2000, (206, 192, 180)),
    (2500, (238, 234, 230)),
]
PAPER = np.array([247, 241, 223])
WOOD = np.array([134, 168, 104])


@dataclass(frozen=True)
class Look:
    """How the picture lies under the hexes, in pixels."""

    file: str
    width: int
    height: int
    x0: float
    y0: float
    dx: float
    dy: float

    def toml(self) -> str:
        """The [picture] table of board.toml."""
        return (
            "# x = x0 + dx * (column - first column); y = y0 + dy * (row - first row), half a dy more in low columns\n"
            f'[picture]\nfile = "{self.file}"\nwidth = {self.width}\nheight = {self.height}\n'
            f"x0 = {self.x0:.3f}\ny0 = {self.y0:.3f}\ndx = {self.dx:.3f}\ndy = {self.dy:.3f}\n"
        )


def look_of(draft: Draft, per_hex: int, file: str) -> Look:
    """The geometry of a picture with so many pixels per hex."""
    grid = draft.grid
    low = grid.centres.min(axis=0)
    high = grid.centres.max(axis=0)
    size = (high - low + 2 * MARGIN) * per_hex
    top = (grid.first_row - low[1] + MARGIN) * per_hex
    return Look(file, round(size[0]), round(size[1]), MARGIN * per_hex, top, COLUMN * per_hex, per_hex)


def shade(heights: Array, km: Array, coarse: Array) -> Array:
    """Hill shading with the light from the upper left of the board, stronger where the data have lost their edges."""
    metres = float(np.hypot(*(km[1:, :-1] - km[:-1, :-1]).transpose(2, 0, 1)).mean()) * 1000
    down, right = np.gradient(heights, metres)
    steep = 2.1 + 0.7 * coarse
    down, right = down * steep, right * steep
    light = (right * 0.52 + down * 0.52 + 0.68) / np.sqrt(down**2 + right**2 + 1)
    out: Array = 0.56 + 0.66 * np.clip(light, 0, 1.2)
    return out


def tint(heights: Array) -> Array:
    """Elevation tints."""
    levels = [level for level, _ in TINTS]
    channels = [np.interp(heights, levels, [colour[i] for _, colour in TINTS]) for i in range(3)]
    return np.stack(channels, axis=-1)


def paint(draft: Draft, folder: Path, per_hex: int, quality: int = 74) -> Look:
    """Draw the picture and store it; returns its geometry."""
    look = look_of(draft, per_hex, "background.webp")
    low = draft.grid.centres.min(axis=0) - MARGIN
    x = low[0] + (np.arange(look.width) + 0.5) / per_hex
    y = low[1] + (np.arange(look.height) + 0.5) / per_hex
    # the warp is smooth: solve it on a coarse net and interpolate
    coarse = net_through_warp(draft, x, y)
    lat, lon = draft.plane.degrees(coarse)
    heights = draft.height.at(lat, lon)
    wood = gaussian_filter((draft.cover.at(lat, lon, smooth=False) == 1).astype(float), per_hex / 24)
    rough = coarseness(draft, lat, lon, per_hex)
    heights = soften(heights, rough, per_hex)
    colours = tint(heights)
    colours = colours * (1 - 0.42 * wood[..., None]) + WOOD * 0.42 * wood[..., None]
    colours = colours * shade(heights, coarse, rough)[..., None]
    colours = fade_outside(draft, colours, x, y)
    image = Image.fromarray(np.clip(colours, 0, 255).astype(np.uint8))
    image.save(folder / look.file, quality=quality, method=6)
    small = image.resize((SMALL, round(look.height * SMALL / look.width)), Image.Resampling.LANCZOS)
    small.save((folder / look.file).with_stem(f"{Path(look.file).stem}-small"), quality=55, method=6)
    return look


def fade_outside(draft: Draft, colours: Array, x: Array, y: Array) -> Array:
    """Paper instead of relief where the board has no hexes, with a soft edge."""
    net_x, net_y = x[::8], y[::8]
    grid_x, grid_y = np.meshgrid(net_x, net_y)
    away = cKDTree(draft.grid.centres).query(np.stack([grid_x, grid_y], axis=-1))[0]
    across = np.array([np.interp(x, net_x, line) for line in away])
    full = np.array([np.interp(y, net_y, column) for column in across.T]).T
    share = np.clip((full - 0.7) / 0.5, 0, 1)[..., None]
    out: Array = colours * (1 - share) + PAPER * share
    return out


def coarseness(draft: Draft, lat: Array, lon: Array, per_hex: int) -> Array:
    """From 0 where the elevation data are fine to 1 where they are coarse, with a soft seam."""
    if draft.quality is None:
        return np.zeros(lat.shape)
    out: Array = gaussian_filter((draft.quality.at(lat, lon, smooth=False) == 2).astype(float), per_hex / 4)
    return out


def soften(heights: Array, coarse: Array, per_hex: int) -> Array:
    """Smooth the relief a little, and more where the elevation data are coarse (steps and dots would show)."""
    fine: Array = gaussian_filter(heights, per_hex / 18)
    if not coarse.any():
        return fine
    out: Array = fine * (1 - coarse) + gaussian_filter(heights, per_hex / 10) * coarse
    return out


def net_through_warp(draft: Draft, x: Array, y: Array) -> Array:
    """Kilometre coordinates of every pixel."""
    every = 16
    net_x = np.append(x[::every], x[-1])
    net_y = np.append(y[::every], y[-1])
    grid_x, grid_y = np.meshgrid(net_x, net_y)
    solved = draft.warp.to_km(np.stack([grid_x, grid_y], axis=-1))
    out = np.empty((len(y), len(x), 2))
    for i in range(2):
        across = np.array([np.interp(x, net_x, line) for line in solved[..., i]])
        out[..., i] = np.array([np.interp(y, net_y, column) for column in across.T]).T
    return out
