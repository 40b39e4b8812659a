"""Registration: from the kilometre plane to the hex plane so that every anchor falls in its printed hex."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import RBFInterpolator

from .geo import Array
from .hexgrid import Grid


@dataclass(frozen=True)
class Anchor:
    """A real place and the hex (or the hexes that meet there) where the rulebook puts it."""

    name: str
    point: Array
    hexes: tuple[str, ...]


@dataclass(frozen=True)
class Linear:
    """hex = matrix @ km + shift."""

    matrix: Array
    shift: Array

    def __call__(self, points: Array) -> Array:
        return points @ self.matrix.T + self.shift


class Warp:
    """A linear map plus a thin-plate correction, with its inverse by iteration."""

    def __init__(self, linear: Linear, at: Array, moved: Array) -> None:
        self.linear = linear
        self._bend = RBFInterpolator(at, moved, kernel="thin_plate_spline", degree=1)
        self._back = np.linalg.inv(linear.matrix)

    def to_hex(self, points: Array) -> Array:
        """Kilometre plane to hex plane."""
        flat = points.reshape(-1, 2)
        out: Array = (self.linear(flat) + self._bend(flat)).reshape(points.shape)
        return out

    def to_km(self, points: Array) -> Array:
        """Hex plane to kilometre plane."""
        flat = points.reshape(-1, 2)
        guess = (flat - self.linear.shift) @ self._back.T
        for _ in range(60):
            miss = flat - self.to_hex(guess)
            guess = guess + miss @ self._back.T
            if np.abs(miss).max() < 1e-4:
                break
        return guess.reshape(points.shape)


def similarity(anchors: list[Anchor], targets: Array) -> Linear:
    """Least squares rotation, scale and shift (north is up in one plane, y is down in the other)."""
    rows, values = [], []
    for anchor, target in zip(anchors, targets, strict=True):
        e, n = anchor.point
        rows += [[e, n, 1, 0], [-n, e, 0, 1]]
        values += [target[0], target[1]]
    (a, b, c, d), *_ = np.linalg.lstsq(np.array(rows), np.array(values), rcond=None)
    # the y axis points down on the board: the map is a rotation seen in a mirror
    return Linear(np.array([[a, b], [b, -a]]), np.array([c, d]))


def affine(anchors: list[Anchor], targets: Array) -> Linear:
    """Least squares affine map: two scales and a shear besides."""
    points = np.array([anchor.point for anchor in anchors])
    design = np.column_stack([points, np.ones(len(points))])
    solution, *_ = np.linalg.lstsq(design, targets, rcond=None)
    return Linear(solution[:2].T, solution[2])


def printed_points(grid: Grid, anchors: list[Anchor]) -> Array:
    """Where the anchors are on the board: the middle of their hex, or the point where their hexes meet."""
    return np.array([np.mean([grid.centre(h) for h in a.hexes], axis=0) for a in anchors])


def pull_into_hex(grid: Grid, hex_id: str, point: Array, margin: float) -> Array:
    """The point of a hex, shrunk by the margin, that is nearest to where the linear map puts an anchor."""
    centre = grid.centre(hex_id)
    inside = (grid.samples(hex_id, 61) - centre) * (1 - margin) + centre
    nearest: Array = inside[int(np.argmin(((inside - point) ** 2).sum(axis=1)))]
    return nearest


def register(grid: Grid, anchors: list[Anchor], linear: Linear, margin: float = 0.45) -> Warp:
    """Bend the linear map as little as needed for every anchor to fall well inside its hex."""
    at = np.array([a.point for a in anchors])
    fitted = linear(at)
    targets = printed_points(grid, anchors)
    for i, anchor in enumerate(anchors):
        if len(anchor.hexes) == 1:
            targets[i] = pull_into_hex(grid, anchor.hexes[0], fitted[i], margin)
    return Warp(linear, at, targets - fitted)


def residuals(grid: Grid, anchors: list[Anchor], linear: Linear) -> list[tuple[str, float]]:
    """How far, in hexes, the linear map leaves each anchor from its printed place."""
    miss = linear(np.array([a.point for a in anchors])) - printed_points(grid, anchors)
    return [(a.name, float(np.hypot(*m))) for a, m in zip(anchors, miss, strict=True)]
