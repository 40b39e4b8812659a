"""9: supply lines. Off the road at most five hexes, then along it to a source, worked out for all hexes at once.

What a line is made of is given as sets of hexes, so that the same functions serve units in the Supply Phase (9.1), the
placing of headquarters (9.4) and whoever asks what would be.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from fronte.games.caporetto.counters import GERMAN
from fronte.games.caporetto.state import State, zone_of
from fronte.games.caporetto.tables import MIDDLE
from fronte.games.caporetto.terrain import COMMON, Ground
from fronte.hexes import Reach, bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted

OFF_ROAD = 5
"""9.2: so many hexes a line may run off the road."""


class Lines(NamedTuple):
    """What the supply lines of a side depend on at one moment; all are sets of hexes but the bridges."""

    sources: int
    inside: int
    """Where lines may run: the scenario's area, in scenario 1 the sector of the wing and the common hexes (24.3)."""
    friends: int
    """Own units, which annul zones off the road (9.2.1)."""
    enemies: int
    """Enemy units of every kind."""
    zones: int
    """The zones of the enemy's combat units."""
    standing: int
    """The printed bridges that stand, by their numbers."""
    built: tuple[tuple[int, int], ...] = ()
    """21.1: bridges that were built where none is printed; no road leads over them."""
    interdicted: int = 0
    """9.4.1: hexes whose roads enemy guns deny to a headquarters."""
    off_road: int = OFF_ROAD
    cutters: int | None = None
    """9.2.1, `supply_road_adjacency`: the enemies next to whom no road goes on; None: all of them."""


def road_net(ground: Ground, lines: Lines) -> int:
    """9.2, 9.2.1: the road hexes along which supply comes: joined to a source, none of them next to an enemy unit.

    Roads cross no footbridge and no bridge that is down (9.2.1, 19.2.2).
    """
    cutters = lines.enemies if lines.cutters is None else lines.cutters
    free = lines.inside & ~lines.enemies & ~ground.around(cutters) & ~lines.interdicted
    return ground.over_roads(lines.standing).flood(lines.sources, free)


def junctions(ground: Ground, lines: Lines, net: int) -> int:
    """9.2: the road hexes at which the part off the road may end: those of the net and those one step from it.

    The part on the road begins with the hex after them (3.0 counts no hex from which a way is measured), so they
    may lie next to an enemy unit themselves.
    """
    near = net | ground.over_roads(lines.standing)(net) | lines.sources
    return near & lines.inside & ~lines.enemies


def supplied(ground: Ground, lines: Lines) -> int:
    """9.2: every hex in which a unit would be supplied, and a headquarters may be placed (9.4)."""
    found = ground.supplied.get(lines)
    if found is None:
        found = ground.supplied.keep(lines, _within_reach(ground, lines, _ends(ground, lines)))
    return found


def _ends(ground: Ground, lines: Lines) -> int:
    """9.2: the junctions, which neither friends nor zones change."""
    key = lines.sources, lines.inside, lines.enemies, lines.standing, lines.interdicted, lines.cutters
    found = ground.junctions.get(key)
    if found is None:
        found = ground.junctions.keep(key, junctions(ground, lines, road_net(ground, lines)))
    return found


def interdicted(ground: Ground, guns: Iterable[tuple[int, int]], reach: Reach, hidden: int = 0) -> int:
    """9.4.1: the hexes whose roads enemy guns deny to the headquarters of Italians and Austro-Hungarians.

    For each gun in fire mode its hex and its range are given; it must see the road itself, in this weather and out of
    the `hidden` hexes of fog and blizzard.
    """
    found = 0
    for here, far in guns:
        if not hidden >> here & 1:
            found |= ground.sight.seen(here, reach) & ground.grid.within(here, far)
    return found & ~hidden


def _within_reach(ground: Ground, lines: Lines, ends: int) -> int:
    """9.2.1, 9.2.2: the hexes from which at most five steps off the road lead to these ends.

    A hex on the way must hold no enemy, and be out of his zones or hold a friend; the unit's own hex need not, and may
    lie on the left bank (21.7). A cliff is crossed by the first step alone.
    """
    open_hexes = lines.inside & ~lines.enemies & (~lines.zones | lines.friends)
    found = layer = ends & open_hexes
    reached, step, below = ends, ground.on_foot(lines.standing, lines.built), 0
    for _ in range(lines.off_road):
        near = step(layer)
        reached |= near
        below |= layer
        layer = near & open_hexes & ~found
        found |= layer
    return (reached | ground.over_cliffs(below)) & (lines.inside | ground.left_bank) & ~lines.enemies


def line_from(ground: Ground, lines: Lines, here: int) -> tuple[list[int], list[int]] | None:
    """9.2: a shortest supply line of a unit in this hex: the hexes off the road from the first step to the junction,
    then those along the road to the source; None if it has no line."""
    if not (lines.inside | ground.left_bank) >> here & 1:
        return None
    net = road_net(ground, lines)
    ends = junctions(ground, lines, net)
    open_hexes = lines.inside & ~lines.enemies & (~lines.zones | lines.friends)
    before: dict[int, int] = {}
    layer, seen, on_foot = 1 << here, 1 << here, ground.on_foot(lines.standing, lines.built)
    for step in range(lines.off_road + 1):
        met = layer & ends
        if met:
            junction = next(bits(met))
            off = _back(before, junction)
            return off, _road_from(ground, lines, net, junction)
        following = 0
        for h in bits(layer):
            near = on_foot(1 << h) | (ground.over_cliffs(1 << h) if step == 0 else 0)
            for there in bits(near & open_hexes & ~seen):
                before[there] = h
                seen |= 1 << there
                following |= 1 << there
        layer = following
    return None


def _road_from(ground: Ground, lines: Lines, net: int, junction: int) -> list[int]:
    along = ground.over_roads(lines.standing)
    before: dict[int, int] = {}
    layer, seen = 1 << junction, 1 << junction
    while layer:
        met = layer & lines.sources
        if met:
            return _back(before, next(bits(met)))
        following = 0
        for h in bits(layer):
            for there in bits(along(1 << h) & net & ~seen):
                before[there] = h
                seen |= 1 << there
                following |= 1 << there
        layer = following
    raise AssertionError("a junction is joined to a source")


def _back(before: dict[int, int], end: int) -> list[int]:
    """The way that led to a hex, without the hex where it began."""
    way = []
    while end in before:
        way.append(end)
        end = before[end]
    return way[::-1]


# Of a position


def lines_of(rules: CaporettoPrinted, state: State, force: int, inside: int, denied: int = 0) -> Lines:
    """9.2, 9.2.1: what the supply lines of a force depend on now. They run in the hexes `inside`, in scenario 1 those
    of its sector (24.3). `denied` are hexes whose roads are interdicted."""
    ground, side = rules.ground, rules.scene.force_side[force]
    enemies = state.occ[1 - side] | state.guns[1 - side]
    all_units = rules.option["supply_road_adjacency"] == "any-unit"
    return Lines(
        ground.sources[side],
        inside,
        state.occ[side] | state.guns[side],
        enemies,
        zone_of(rules, state, 1 - side),
        state.standing,
        state.built,
        denied,
        rules.off_road,
        None if all_units else state.occ[1 - side],
    )


def where_lines_run(rules: CaporettoPrinted, state: State, unit: int) -> int:
    """24.3: the sector of a unit, or all that is in play; of who begins in the other sector that one, until it has
    crossed the line."""
    home = rules.home(unit)
    across_the_line = rules.crossing >> unit & 1 and state.at[unit] >= 0 and not home >> state.at[unit] & 1
    return rules.ground.extent & ~home | rules.ground.extent & rules.ground.sector[COMMON] if across_the_line else home


def where_all_run(rules: CaporettoPrinted, state: State, force: int, units: int) -> Iterable[int]:
    """24.3: the same of some units of a force, each answer once."""
    if not units & (rules.crossing | ~rules.of_force[force]):
        return (rules.homes[force],) if units else ()
    return dict.fromkeys([where_lines_run(rules, state, unit) for unit in bits(units)])


def denied_to(rules: CaporettoPrinted, state: State, formation: int) -> int:
    """9.4.1: the hexes whose roads enemy guns in fire mode deny to the headquarters of a formation; none to Germans."""
    one = rules.formations[formation]
    if one.nation == GERMAN:
        return 0
    theirs = rules.guns & rules.of_side[1 - one.side] & state.emplaced & state.present
    if rules.option["hq_interdiction_needs_factor"]:  # 18.6: by option no gun that has none left
        theirs &= ~mask_of([u for u in bits(theirs) if state.dp[u] >= 2])
    key = state.turn, theirs, rules.gun_places(state.at)
    found = rules.denied.get(key)
    if found is None:
        guns = [(state.at[u], rules.range[u]) for u in bits(theirs)]
        weather = rules.tables.weather[state.turn - 1][MIDDLE]
        found = rules.denied.keep(key, interdicted(rules.ground, guns, rules.reach[weather], rules.blind[state.turn]))
    return found
