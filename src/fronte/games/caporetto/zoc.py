"""3.0: zones of control, as sets of hexes."""

from __future__ import annotations

from collections.abc import Iterable

from fronte.games.caporetto.terrain import Ground, across


def zone(
    ground: Ground,
    side: int,
    holders: int,
    standing: int,
    levelled: int = 0,
    hidden: int = 0,
    built: Iterable[tuple[int, int]] = (),
) -> int:
    """3.0, 8.1: the hexes into which a side's combat units in the hexes `holders` have their zones.

    Zones reach into no town, wood or enemy trench, across no cliff, enemy trench along a hexside or river without a
    bridge, and neither into nor out of the `hidden` hexes, those of fog and blizzard. `standing` are the bridges that
    stand, `built` those that engineers have added (21.1), `levelled` the trenches along hexsides that are destroyed
    (17.8). Who may not enter a hex has no zone there: in scenario 1 whoever asks cuts the answer to the sector of the
    wing (24.3).
    """
    holders &= ~hidden
    return (ground.zone[side](holders) | _over_works(ground, side, holders, standing, levelled, built)) & ~hidden


def _over_works(
    ground: Ground, side: int, holders: int, standing: int, levelled: int, built: Iterable[tuple[int, int]]
) -> int:
    """The zones across hexsides that have a bridge or a trench of their own."""
    walls = set()
    found = 0
    for number, (here, there, owner, _) in enumerate(ground.side_trenches):
        way = ground.way(here, there)
        if owner != side and not levelled >> number & 1:
            walls |= {way, ground.way(there, here)}
        elif not ground.water[way] and not ground.cliff[way]:
            found |= across(here, there, holders)
    if holders & ground.bridged:
        for number, bridge in enumerate(ground.bridges):
            if standing >> number & 1 and ground.way(bridge.a, bridge.b) not in walls:
                found |= across(bridge.a, bridge.b, holders)
    for a, b in built:
        if ground.way(a, b) not in walls:
            found |= across(a, b, holders)
    return found & ground.extent & ~ground.closed_to[side]
