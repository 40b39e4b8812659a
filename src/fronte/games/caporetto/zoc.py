"""3.0: zones of control, as sets of hexes."""

from __future__ import annotations

from collections.abc import Sequence

from fronte.games.caporetto.terrain import Ground

Spans = Sequence[tuple[int, int]]


def zone(
    ground: Ground, side: int, holders: int, standing: int, levelled: int = 0, hidden: int = 0, built: Spans = ()
) -> int:
    """3.0, 8.1: the hexes into which a side's combat units in the hexes `holders` have their zones.

    Zones reach into no town, wood or enemy trench, across no cliff, enemy trench along a hexside or river without a
    bridge, and neither into nor out of the `hidden` hexes, those of fog and blizzard. `standing` are the bridges that
    stand, `built` those that were made in play, `levelled` the trenches along hexsides that are destroyed (17.8). Who
    may not enter a hex has no zone there: in scenario 1 whoever asks cuts the answer to the sector of the wing (24.3).
    """
    found = ground.zones(side, standing, levelled, tuple(built))(holders & ~hidden)
    return found & ground.extent & ~ground.closed_to[side] & ~hidden
