"""Looking ahead, as every family tells it: from sets of hexes and numbers of units to lines and layers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fronte.engine.card import Line
from fronte.engine.outlook import MOST_NAMED, SOURCE, STARVED, STRIKE, THREAT, VACANT, Outlook
from fronte.engine.overlay import Layer
from fronte.hexes import bits


class Foreseen(NamedTuple):
    """What a seat can foresee. Hexes are masks; `strikes` says by how many known enemies a hex could be attacked."""

    threat: int
    strikes: Mapping[int, int]
    vacant: int
    """Objectives of one's own on which nobody of one's own stands."""
    ground: int
    """What is worth looking at: ground of one's own, and what lies next to one's units."""
    covered: Line | None = None
    """What is not known of the enemy, and therefore left out."""
    lines: Sequence[Line] = ()
    """What the family tells first: supply, command."""
    starved: int = 0
    sources: Sequence[tuple[str, int]] = ()
    """By force its sources of supply."""


def named(key: str, field: str, names: Sequence[str], rule: str = "", **data: Any) -> Line:
    """A line that names units or hexes, the first of them, and counts the rest."""
    more = len(names) - MOST_NAMED
    return Line(key, {field: list(names[:MOST_NAMED]), "more": max(0, more), "n": len(names), **data}, rule)


def told(found: Foreseen, hex_ids: Callable[[Iterable[int]], tuple[str, ...]], foe: str) -> Outlook:
    """Lines and layers; `foe` is a force of the other side, for its colour."""
    lines = list(found.lines)
    worst = sorted(found.strikes, key=lambda h: (-found.strikes[h], h))
    lines.append(named("strikes", "hexes", hex_ids(worst)) if worst else Line("no_strikes"))
    near, rest = found.vacant & found.threat, found.vacant & ~found.threat
    if near:
        lines.append(named("vacant_near", "hexes", hex_ids(bits(near))))
    if rest:
        lines.append(named("vacant", "hexes", hex_ids(bits(rest))))
    if found.covered is not None:
        lines.append(found.covered)
    layers = [
        Layer(hex_ids(bits(found.threat & found.ground)), foe, THREAT),
        Layer(
            hex_ids(worst),
            "",
            STRIKE,
            values={name: found.strikes[h] for name, h in zip(hex_ids(worst), worst, strict=True)},
        ),
        Layer(hex_ids(bits(found.vacant)), "", VACANT),
        Layer(hex_ids(bits(found.starved)), "", STARVED),
        *(Layer(hex_ids(bits(hexes)), force, SOURCE) for force, hexes in found.sources),
    ]
    return Outlook(tuple(lines), tuple(layer for layer in layers if layer.hexes))
