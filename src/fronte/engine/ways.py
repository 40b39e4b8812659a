"""Ways over the map as they go over a wire: every hex once, with the hex before it, instead of every way whole.

An offer of `move` (`panel.Move`) has for each hex in reach the whole way there, and ways to neighbouring hexes share
nearly all of theirs. Sent whole they are most of what a browser is told. So they are sent as a tree, and whoever gets
it goes back from a hex to where the piece stands:

    {"hexes": ["1912", "1913", "2013"], "before": [-1, 0, 1], "left": [18, 12, -1]}

`before` is the place in the list of the hex that comes before, always an earlier one; -1 is where the piece stands.
`left` is -1 where the piece can pass but not end. A hex that comes twice is reached by two ways to different ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

START, PASSED = -1, -1
"""In `before`: where the piece stands. In `left`: it cannot end there."""


class Ways(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a piece can go, as a tree of hexes."""

    hexes: tuple[str, ...]
    before: tuple[int, ...]
    left: tuple[int, ...]


class Tree:
    """A tree that is being made, of names of hexes."""

    def __init__(self) -> None:
        self.hexes: list[str] = []
        self.before: list[int] = []
        self.left: list[int] = []

    def add(self, name: str, before: int, left: int = PASSED) -> int:
        """One more hex, after the one at this place; its own place."""
        self.hexes.append(name)
        self.before.append(before)
        self.left.append(left)
        return len(self.hexes) - 1

    def told(self) -> dict[str, list[Any]]:
        """As data."""
        return {"hexes": self.hexes, "before": self.before, "left": self.left}


def from_steps(left: Mapping[int, int], before: Mapping[int, int], ids: Sequence[str]) -> dict[str, list[Any]]:
    """The tree of hexes by number with what is left in each, and for each the hex before it, which comes earlier."""
    places = {h: place for place, h in enumerate(left)}
    return {
        "hexes": [ids[h] for h in left],
        "before": [places.get(before[h], START) for h in left],
        "left": list(left.values()),
    }


def from_paths(reach: Mapping[str, Mapping[str, Any]]) -> dict[str, list[Any]]:
    """The tree of ways that are given whole, whichever they are."""
    tree = Tree()
    places: dict[tuple[int, str], int] = {}
    for found in reach.values():
        at = START
        for name in found["path"]:
            place = places.get((at, name))
            if place is None:
                place = places[at, name] = tree.add(name, at)
            at = place
        tree.left[at] = found["left"]
    return tree.told()


def paths(ways: Mapping[str, list[Any]]) -> dict[str, dict[str, Any]]:
    """The ways whole again: by hex what is left there, and the way."""
    hexes, before, left = ways["hexes"], ways["before"], ways["left"]
    whole: list[list[str]] = []
    found = {}
    for name, at, rest in zip(hexes, before, left, strict=True):
        whole.append([*(whole[at] if at != START else ()), name])
        if rest != PASSED:
            found[name] = {"left": rest, "path": whole[-1]}
    return found


def packed(offer: dict[str, Any]) -> dict[str, Any]:
    """An offer as it goes over a wire: where it has pieces with ways, these are trees."""
    return _units(offer, "reach", lambda one: {**_rest(one, "reach"), "ways": from_paths(one["reach"])})


def unpacked(offer: dict[str, Any]) -> dict[str, Any]:
    """The offer that was packed."""
    return _units(offer, "ways", lambda one: {**_rest(one, "ways"), "reach": paths(one["ways"])})


def _rest(one: Mapping[str, Any], field: str) -> dict[str, Any]:
    return {name: value for name, value in one.items() if name != field}


def _units(offer: dict[str, Any], field: str, change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    units = offer.get("units")
    if not isinstance(units, dict):
        return offer
    told = {name: change(one) if isinstance(one, dict) and field in one else one for name, one in units.items()}
    return {**offer, "units": told}
