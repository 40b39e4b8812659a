"""The inputs: elevation and land cover grids, rivers, roads, railways and places, on a flat kilometre plane."""

from __future__ import annotations

import csv
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
KM_PER_DEGREE = 111.195


@dataclass(frozen=True)
class Plane:
    """A tangent plane: kilometres east and north of a point. Over 60 km its error is far below a hex."""

    lat0: float
    lon0: float

    def km(self, lat: Any, lon: Any) -> Array:
        """Latitude and longitude to (east, north)."""
        east = (np.asarray(lon, float) - self.lon0) * KM_PER_DEGREE * math.cos(math.radians(self.lat0))
        north = (np.asarray(lat, float) - self.lat0) * KM_PER_DEGREE
        return np.stack([east, north], axis=-1)

    def degrees(self, points: Array) -> tuple[Array, Array]:
        """(East, north) to latitude and longitude."""
        lon = points[..., 0] / (KM_PER_DEGREE * math.cos(math.radians(self.lat0))) + self.lon0
        return points[..., 1] / KM_PER_DEGREE + self.lat0, lon


@dataclass(frozen=True)
class Raster:
    """A north-up grid in degrees, sampled between cell centres."""

    cells: Array
    north: float
    west: float
    step: float

    def at(self, lat: Array, lon: Array, smooth: bool = True) -> Array:
        """Values at points: bilinear, or the nearest cell where `smooth` is false (codes)."""
        rows = (self.north - lat) / self.step - 0.5
        cols = (lon - self.west) / self.step - 0.5
        high, wide = self.cells.shape
        rows, cols = np.clip(rows, 0, high - 1.001), np.clip(cols, 0, wide - 1.001)
        if not smooth:
            near: Array = self.cells[np.rint(rows).astype(int), np.rint(cols).astype(int)]
            return near
        r, c = np.floor(rows).astype(int), np.floor(cols).astype(int)
        v, u = rows - r, cols - c
        value: Array = (
            self.cells[r, c] * (1 - v) * (1 - u)
            + self.cells[r, c + 1] * (1 - v) * u
            + self.cells[r + 1, c] * v * (1 - u)
            + self.cells[r + 1, c + 1] * v * u
        )
        return value


@dataclass(frozen=True)
class Line:
    """One piece of a waterway, road or railway."""

    kind: str
    name: str
    tunnel: bool
    points: Array


@dataclass(frozen=True)
class Place:
    """A settlement or summit of today's map."""

    name: str
    kind: str
    elevation: float | None
    point: Array


def raster(path: Path) -> Raster:
    """A .npy grid with the .json beside it."""
    about = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return Raster(np.load(path).astype(float), about["north"], about["west"], about["cell_deg"])


def lines(path: Path, plane: Plane) -> list[Line]:
    """All pieces of a GeoJSON file of lines."""
    found = []
    for feature in json.loads(path.read_text(encoding="utf-8"))["features"]:
        about, shape = feature["properties"], feature["geometry"]
        parts = shape["coordinates"] if shape["type"] == "MultiLineString" else [shape["coordinates"]]
        for part in parts:
            lonlat = np.asarray(part, float)
            if len(lonlat) > 1:
                tunnel = about.get("brunnel") == "tunnel"
                points = plane.km(lonlat[:, 1], lonlat[:, 0])
                found.append(Line(about.get("class", ""), about.get("name", "") or "", tunnel, points))
    return found


def places(path: Path, plane: Plane) -> list[Place]:
    """The settlements and peaks of a CSV file."""
    with path.open(encoding="utf-8", newline="") as stream:
        return [
            Place(
                row["name"],
                row["kind"],
                float(row["elev"]) if row["elev"] else None,
                plane.km(float(row["lat"]), float(row["lon"])),
            )
            for row in csv.DictReader(stream)
        ]
