"""What can be laid over the map: sectors, weather, zones, observation, supply, command, lines of sight, reach, aims."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.decision import Refusal
from fronte.engine.overlay import ZONE, Asked, Layer, Overlay
from fronte.games.caporetto import artillery, movement, observation
from fronte.games.caporetto import command as commanding
from fronte.games.caporetto import supply as supplying
from fronte.games.caporetto.counters import QUARTERS
from fronte.games.caporetto.seating import seat_of
from fronte.games.caporetto.sightings import is_foggy, known, of_seat
from fronte.games.caporetto.state import NOBODY, State, zone_of
from fronte.games.caporetto.tables import HIGH, LOW, MIDDLE
from fronte.games.caporetto.terrain import COMMON, LEFT, RIGHT, SIDES
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

OVERLAYS = (
    "zones",
    "weather",
    "observation",
    "sight",
    "sectors",
    "objectives",
    "command",
    "supply",
    "reach",
    "range",
    "all_supply",
    "all_ranges",
)
OF_PIECES = ("command", "supply", "reach", "range")
USUAL = ("command",)
BANDS = {LOW: "low", MIDDLE: "middle", HIGH: "high"}


def overlay(rules: Caporetto, state: State, seat: int, name: str, about: Asked) -> Overlay | Refusal:
    """An overlay by its name; those about a piece are for its owner."""
    if name == "objectives":
        return Overlay(name, (Layer(values=dict(rules.setting.objectives)),))
    if name == "sectors":
        return sectors(rules)
    if name == "weather":
        return weather(rules, state)
    if name == "zones":
        return zones(rules, state)
    if name == "observation":
        return observed(rules, state, seat)
    if name == "sight":
        return sight(rules, state, about.hex)
    if name == "all_supply":
        return all_supply(rules, state, seat)
    if name == "all_ranges":
        return all_ranges(rules, state, seat)
    if name not in OF_PIECES:
        return Refusal("", "no_overlay", {"name": name})
    unit = rules.number.get(about.piece, NOBODY)
    if unit < 0:
        return rules.unknown_unit(about.piece)
    if seat < 0 or seat_of(rules, rules.force[unit]) != seat:
        return Refusal("24.1", "not_yours", {"unit": about.piece})
    if state.at[unit] < 0 and not rules.hqs >> unit & 1:
        return Refusal("16.1", "gone", {"unit": about.piece})
    if name == "command":
        return command(rules, state, unit)
    if name == "supply":
        return supply(rules, state, unit)
    return reach(rules, state, unit) if name == "reach" else gun_range(rules, state, unit)


def _force(rules: Caporetto, unit: int) -> str:
    return rules.scene.forces[rules.force[unit]]


# Of the whole map


def sectors(rules: Caporetto) -> Overlay | Refusal:
    """24.3: the two sectors and the hexes of both."""
    if not rules.scene.sectors:
        return Refusal("24.3", "no_sectors", {})
    inside = {word: rules.ground.extent & rules.ground.sector[word] for word in (LEFT, RIGHT, COMMON)}
    return Overlay("sectors", tuple(Layer(rules.hex_ids(bits(hexes)), kind=word) for word, hexes in inside.items()))


def weather(rules: Caporetto, state: State) -> Overlay:
    """8.1, 24.11: the hexes of fog, rain, clouds and blizzard now."""
    found: dict[str, int] = {}
    for band, word in enumerate(rules.tables.weather[state.turn - 1]):
        found[word] = found.get(word, 0) | rules.bands[band] & rules.ground.extent
    layers = [Layer(rules.hex_ids(bits(hexes)), kind=word) for word, hexes in found.items() if hexes]
    told = {BANDS[band]: word for band, word in enumerate(rules.tables.weather[state.turn - 1])}
    return Overlay("weather", tuple(layers), told)


def zones(rules: Caporetto, state: State) -> Overlay:
    """3.0: the zones of control of both sides; who is in a hex all can see."""
    layers = [
        Layer(rules.hex_ids(bits(zone_of(rules, state, side))), _any_force(rules, side), ZONE)
        for side in range(len(SIDES))
    ]
    return Overlay("zones", tuple(layers))


def observed(rules: Caporetto, state: State, seat: int) -> Overlay:
    """12.1.1: the hexes that each side observes by those who are in command, as in defence. Whose guns may fire there
    is another question. Of others only those count whom one knows (22.0), with fog of war none (22.3)."""
    fit = ~state.ooc & (of_seat(rules, seat) if is_foggy(rules) else known(rules, state, seat))
    layers = []
    for side in range(len(SIDES)):
        found = 0
        for h in bits(observation.posts(rules, state, side, fit)):
            found |= observation.seen_from(rules, state, h)
        layers.append(Layer(rules.hex_ids(bits(found & rules.ground.extent)), _any_force(rules, side), "observed"))
    return Overlay("observation", tuple(layers))


def _any_force(rules: Caporetto, side: int) -> str:
    """A force of a side, for its colour."""
    return rules.scene.forces[rules.scene.force_side.index(side)]


def sight(rules: Caporetto, state: State, name: str) -> Overlay | Refusal:
    """8.1, 12.1.1: what is seen from a hex in the weather of the turn."""
    h = rules.grid.index.get(name, NOBODY)
    if h < 0:
        return rules.unknown_hex(name)
    hexes = [there for there in bits(observation.seen_from(rules, state, h) & rules.ground.extent) if there != h]
    data = {"hex": name, "n": len(hexes), "weather": rules.weather_at(state.turn, h)}
    return Overlay("sight", (Layer(rules.hex_ids(hexes)),), data)


# Of a piece


def command(rules: Caporetto, state: State, unit: int) -> Overlay | Refusal:
    """7.1, 7.6: of a formation that acts what its headquarters reaches; of one that does not, where that could be."""
    formation = rules.formation_of[unit]
    if formation < 0:
        return Refusal("2.2.3", "independent", {"unit": rules.ids[unit]})
    one = rules.formations[formation]
    data = {"formation": one.id, "range": one.command}
    if formation in state.formations and state.reach:
        inside = state.at[unit] >= 0 and bool(state.commanded >> unit & 1)
        layer = Layer(rules.hex_ids(bits(state.reach)), _force(rules, unit), "reach")
        return Overlay("command", (layer,), data | {"inside": "in" if inside else "out"})
    hexes = commanding.hq_hexes(rules, state, formation)
    layer = Layer(rules.hex_ids(bits(hexes)), _force(rules, unit), "places")
    return Overlay("command", (layer,), data | {"inside": "idle", "n": hexes.bit_count()})


def supply(rules: Caporetto, state: State, unit: int) -> Overlay | Refusal:
    """9.2: the line of supply of a unit, and where its force would be supplied."""
    here = state.at[unit]
    if here < 0:
        return Refusal("16.1", "gone", {"unit": rules.ids[unit]})
    lines = supplying.lines_of(rules, state, rules.force[unit], supplying.where_lines_run(rules, state, unit))
    fed = supplying.supplied(rules.ground, lines)
    line = supplying.line_from(rules.ground, lines, here)
    layers = [Layer(rules.hex_ids(bits(fed)), _force(rules, unit))]
    if line is not None:
        off, road = line
        layers.append(Layer(path=rules.hex_ids([here, *off, *road]), force=_force(rules, unit), kind="line"))
    return Overlay("supply", tuple(layers), {"supplied": "yes" if line is not None else "no"})


def all_supply(rules: Caporetto, state: State, seat: int) -> Overlay:
    """9.2: where one's own units stand that would be supplied now, and those that would not."""
    where: dict[bool, set[int]] = {}
    fed: dict[tuple[int, int], int] = {}
    for unit, h in enumerate(state.at):
        force = rules.force[unit]
        if h < 0 or seat < 0 or seat_of(rules, force) != seat or rules.hqs >> unit & 1:
            continue
        key = force, supplying.where_lines_run(rules, state, unit)
        if key not in fed:
            fed[key] = supplying.supplied(rules.ground, supplying.lines_of(rules, state, *key))
        where.setdefault(bool(fed[key] >> h & 1), set()).add(h)
    kinds = ((True, "supplied"), (False, "unsupplied"))
    layers = [Layer(rules.hex_ids(sorted(where[found])), kind=kind) for found, kind in kinds if found in where]
    return Overlay("all_supply", tuple(layers))


def reach(rules: Caporetto, state: State, unit: int) -> Overlay:
    """10: where a unit could go by itself if it moved now, with the points that it would have left."""
    stands = bool(rules.guns & state.emplaced & 1 << unit) or not rules.points[unit] or state.at[unit] < 0
    left: dict[int, int] = {}
    if not stands:
        manner = movement.Manner(movement.OTHERS if rules.guns >> unit & 1 else movement.TACTICAL)
        points = state.left if state.mover == unit else movement.allowance(rules, state, (unit,), manner)
        left = movement.spread(rules, state, (unit,), points, manner).left
    values = {rules.grid.ids[h]: quarters // QUARTERS for h, quarters in sorted(left.items())}
    data = {"n": len(left), "stands": "yes" if stands else "no"}
    return Overlay("reach", (Layer(tuple(values), _force(rules, unit), values=values),), data)


def gun_range(rules: Caporetto, state: State, unit: int) -> Overlay | Refusal:
    """12.1, 12.1.1: the hexes that a gun in place can fire at; and those of them that somebody observes for it."""
    if not rules.guns >> unit & 1:
        return Refusal("2.2.2", "no_gun", {"unit": rules.ids[unit]})
    observed = observation.in_defence(rules, state, rules.side[unit])
    covered, seen = _fire_of(rules, state, unit, observed)
    found = {"n": covered.bit_count(), "seen": seen.bit_count()}
    return Overlay("range", _ranges(rules, covered, seen, _force(rules, unit)), found)


def all_ranges(rules: Caporetto, state: State, seat: int) -> Overlay:
    """12.1, 12.1.1: where any gun of one's own could fire from where it is; what somebody observes apart."""
    layers: list[Layer] = []
    for force, name in enumerate(rules.scene.forces):
        if seat < 0 or seat_of(rules, force) != seat:
            continue
        observed = observation.in_defence(rules, state, rules.scene.force_side[force])
        covered = seen = 0
        for gun in bits(rules.of_force[force] & rules.guns):
            if state.at[gun] >= 0:
                more, those = _fire_of(rules, state, gun, observed)
                covered, seen = covered | more, seen | those
        layers += _ranges(rules, covered, seen, name)
    return Overlay("all_ranges", tuple(layers))


def _fire_of(rules: Caporetto, state: State, gun: int, observed: int) -> tuple[int, int]:
    """What a gun can fire at, and what of it somebody observes for it."""
    covered = artillery.covers(rules, state, gun)
    return covered, covered & observation.for_gun(rules, state, gun, observed)


def _ranges(rules: Caporetto, covered: int, seen: int, force: str) -> tuple[Layer, ...]:
    return (
        Layer(rules.hex_ids(bits(covered & ~seen)), force, "unseen"),
        Layer(rules.hex_ids(bits(covered & seen)), force, "seen"),
    )
