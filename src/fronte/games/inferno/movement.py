"""Chapter 4, movement: what a step costs, what bars it, where a unit can go, and the Movement Phase itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine import panel
from fronte.engine.decision import AUTO, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Argument, Chapter
from fronte.games.common.windows import rest_waits
from fronte.games.inferno import cites
from fronte.games.inferno.effectiveness import why_no_recovery
from fronte.games.inferno.frames import BRIDGES, REST, WHO, phasing, units_side, why_no_way
from fronte.games.inferno.ground import ISONZO, Edge
from fronte.games.inferno.infiltration import uses_any_road
from fronte.games.inferno.known_ways import ways_json
from fronte.games.inferno.stacking import overstacked, put_on_top, why_not_on_top
from fronte.games.inferno.state import DONE, MOV, MOVED, RECOVERED, RESERVE, State, place
from fronte.games.inferno.zoc import enter_exit_cost, road_barrier, zoc
from fronte.hexes import bits, flood, trace

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

CHAPTER = Chapter()

SIXTHS = 6
"""4.2.a: movement points are counted in sixths."""


class Move(Action, frozen=True):
    """4: move a unit along a path of adjacent hexes (those it enters, in order)."""

    form = "move {unit} {path:-}"
    unit: str
    path: tuple[str, ...]


class Recover(Action, frozen=True):
    """4.4, 10.3: a unit spends 4 movement points where it stands and recovers one level of effectiveness."""

    form = "recover {unit}"
    unit: str


class Show(Action, frozen=True):
    """5.3: of several units with the largest attack in a stack, lay this one on top."""

    form = "show {unit}"
    unit: str


class End(Action, frozen=True):
    """3.1: the phase is over. Artillery named in `keep` stays on its Mov side (12.3.h/12.3.f)."""

    form = "end[ keep {keep}]"
    keep: tuple[str, ...] = ()


# What a step costs and what bars it


def route_usable(rules: Inferno, state: State, unit: int, a: int, edge: Edge, roadblock: int) -> bool:
    """Isonzo 4.5, 4.5.1/6.3.a, Isonzo 12.4.b: may the unit use the road, trail or railway on this step?"""
    if not edge.route:
        return False
    barred = roadblock >> edge.to & 1 or (rules.roads_check_hex_left and roadblock >> a & 1)
    if barred and not uses_any_road(rules, unit):
        return False
    return rules.route_open(state, edge)


def step_cost(rules: Inferno, state: State, unit: int, a: int, edge: Edge, ezoc: int, roadblock: int) -> int:
    """4.2: the price of one step in sixths: terrain and hexside or road, and enemy zones."""
    cost = edge.route if edge.route and route_usable(rules, state, unit, a, edge, roadblock) else edge.ground
    if ezoc >> a & 1 or ezoc >> edge.to & 1:
        cost += enter_exit_cost(rules, state, unit, a, edge.to, ezoc)
    return cost


def open_ground(rules: Inferno, state: State, unit: int) -> int:
    """4.2: the hexes between which nothing but the ground counts for a step of this unit: no enemy stands in them or
    beside, and nothing there bars it. What such a step costs is on the board (`Edge.plain`)."""
    if rules.only_recovers(state, unit):
        return 0
    enemies = state.occ[1 - rules.side[unit]]
    return ~(enemies | rules.board.beside(enemies) | rules.barred_to[unit])


def why_not_enter(rules: Inferno, state: State, unit: int, h: int) -> Refusal | None:
    """4.1.b/4.1.a, 12.3.f/12.3.e: no entry into enemy combat units; artillery alone is overrun by any unit."""
    if state.fight[1 - rules.side[unit]] >> h & 1:
        return Refusal(cites.ENEMY_HEX, "enemy_combat_unit", {"hex": rules.hex_id(h)})
    return None


def why_not_there(rules: Inferno, h: int) -> Refusal:
    """4.2: a scenario of some columns ends where they end."""
    return Refusal(cites.PATH, "outside", {"hex": rules.hex_id(h)})


def why_no_move(rules: Inferno, state: State, unit: int) -> Refusal | None:
    """4, 4.3.b/4.3: may this unit move or spend movement points at all now?"""
    name = rules.ids[unit]
    if rules.side[unit] != state.active:
        return Refusal(cites.PLAYER_TURN, "not_yours", {"unit": name})
    if state.at[unit] < 0:
        return Refusal(cites.MOVEMENT, "off_map", {"unit": name})
    if state.flags[unit] & DONE:
        return Refusal(cites.MOVEMENT, "move_over", {"unit": name})
    return rules.frozen(state, unit)


def points_left(rules: Inferno, state: State, unit: int) -> int:
    """4.1: the movement points the unit still has, in sixths."""
    return state.left if state.mover == unit else rules.face(state, unit).ma * SIXTHS


def is_fresh(rules: Inferno, state: State, unit: int) -> bool:
    """4.3: has the unit spent no movement points yet?"""
    return not state.flags[unit] & (MOVED | RECOVERED)


def why_not_path(rules: Inferno, state: State, unit: int, path: list[int]) -> Refusal | None:
    """4.2: walk a path and find the first thing wrong with it."""
    here = state.at[unit]
    left = points_left(rules, state, unit)
    ezoc = zoc(rules, state, 1 - rules.side[unit])
    roadblock = road_barrier(rules, state, rules.side[unit])
    plain = open_ground(rules, state, unit)
    fresh = is_fresh(rules, state, unit)
    for k, there in enumerate(path):
        edge = rules.board.edge_to[here].get(there)
        if edge is None:
            return why_no_edge(rules, here, there)
        cost = edge.plain if plain >> here & plain >> there & 1 else 0
        if not cost:
            barred = rules.why_no_step(state, unit, here, edge, roadblock)
            if barred is not None:
                return barred
            if edge.water == ISONZO and rules.takes_whole_move(state, unit, here, edge, roadblock):
                if not (fresh and k == 0 and len(path) == 1):
                    return Refusal(cites.RIVER_CROSSING, "crossing_is_whole_move")
                return None
            cost = step_cost(rules, state, unit, here, edge, ezoc, roadblock)
        if cost > left:
            if fresh and len(path) == 1:
                return None  # 4.3: the minimum move
            return Refusal(cites.MOVEMENT_POINTS, "too_dear", {"to": rules.hex_id(there), "need": cost, "have": left})
        left -= cost
        here = there
    return None


def why_no_edge(rules: Inferno, here: int, there: int) -> Refusal:
    """4.2, Altipiani 4.5: why no step leads from one hex to the other."""
    if rules.board.has_crag(here, there):
        return Refusal(cites.CRAG, "crag", {"from": rules.hex_id(here), "to": rules.hex_id(there)})
    return Refusal(cites.PATH, "not_adjacent", {"from": rules.hex_id(here), "to": rules.hex_id(there)})


class Going:
    """Where the units of one side can go now. What steps cost is worked out once for all units of a kind.

    Where friends screen a hex, steps next to a unit's own hex are worked out once for all that stand there: the unit
    is no friend of its own.
    """

    def __init__(self, rules: Inferno, state: State, side: int) -> None:
        self.rules, self.state = rules, state
        self.ezoc = zoc(rules, state, 1 - side)
        self.roadblock = road_barrier(rules, state, side)
        self._land: dict[tuple[bool, bool, bool, int], dict[int, list[tuple[int, int]]]] = {}

    def _steps(self, unit: int, here: int, edges: tuple[Edge, ...]) -> list[tuple[int, int]]:
        rules, state = self.rules, self.state
        return [
            (edge.to, step_cost(rules, state, unit, here, edge, self.ezoc, self.roadblock))
            for edge in edges
            if rules.why_no_step(state, unit, here, edge, self.roadblock) is None
        ]

    def flood(self, unit: int, start: int, left: int) -> tuple[dict[int, int], dict[int, int]]:
        """From a hex and with so many sixths: what each hex in reach costs, and the hex before it."""
        rules, state = self.rules, self.state
        board = rules.board
        stands = state.at[unit]
        kind = rules.gun[unit], rules.infiltrates[unit], rules.only_recovers(state, unit)
        anywhere = self._land.setdefault((*kind, -1), {})
        around = self._land.setdefault((*kind, stands), {})
        near = board.grid.ring[stands] | 1 << stands if rules.friends_screen else 0

        def edges(here: int) -> list[tuple[int, int]]:
            known = around if near >> here & 1 else anywhere
            steps = known.get(here)
            if steps is None:
                steps = known[here] = self._steps(unit, here, board.land[here])
            if board.across[here]:
                block = self.roadblock
                bridged = tuple(
                    e for e in board.across[here] if not rules.takes_whole_move(state, unit, here, e, block)
                )
                return steps + self._steps(unit, here, bridged) if bridged else steps
            return steps

        return flood((start,), left, edges)

    def ways(self, unit: int) -> tuple[dict[int, int], dict[int, int]]:
        """Every hex the unit can go to now: what is left there in sixths, and the hex before it; the cheapest first."""
        rules, state = self.rules, self.state
        if state.flags[unit] & RECOVERED and not rules.recovery_then_move:
            return {}, {}
        start = state.at[unit]
        left = points_left(rules, state, unit)
        cost, before = self.flood(unit, start, left)
        found = {h: left - cost[h] for h in sorted(cost, key=cost.__getitem__)}  # what comes before costs less
        if is_fresh(rules, state, unit):
            for h, _ in self._steps(unit, start, rules.board.edges[start]):
                if h not in found:  # 4.3, 14.2.b: a minimum move, a crossing with an engineer
                    found[h], before[h] = 0, start
        del found[start]
        return found, before

    def reach(self, unit: int) -> dict[int, tuple[int, tuple[int, ...]]]:
        """The same with the ways."""
        left, before = self.ways(unit)
        found: dict[int, tuple[int, tuple[int, ...]]] = {}
        for h, rest in left.items():
            way = found.get(before[h])
            found[h] = rest, (*way[1], h) if way else (h,)
        return found


def reach(rules: Inferno, state: State, unit: int) -> dict[int, tuple[int, tuple[int, ...]]]:
    """Every hex the unit can go to now: what is left there in sixths, and the cheapest way."""
    return Going(rules, state, rules.side[unit]).reach(unit)


def way_through(rules: Inferno, state: State, unit: int, via: list[int]) -> tuple[list[int], int] | Refusal:
    """4.2: the cheapest path of a unit through these hexes in this order, and the sixths left at its end."""
    going = Going(rules, state, rules.side[unit])
    path: list[int] = []
    here, left = state.at[unit], points_left(rules, state, unit)
    for goal in via:
        cost, before = going.flood(unit, here, left)
        if goal in cost:
            path += trace(before, goal)
            left -= cost[goal]
        elif not path and goal in rules.board.edge_to[here]:
            path, left = [goal], 0  # 4.3, 14.2.b: a minimum move, a crossing with an engineer
        else:
            data = {"from": rules.hex_id(here), "to": rules.hex_id(goal), "have": left}
            return Refusal(cites.MOVEMENT_POINTS, "out_of_reach", data)
        here = goal
    return path, left


# Carrying out a move


def start_moving(rules: Inferno, state: State, unit: int) -> None:
    """4: a move is finished when another unit is moved."""
    if state.mover == unit:
        return
    if state.mover >= 0:
        state.flags[state.mover] |= DONE
    state.mover = unit
    state.left = rules.face(state, unit).ma * SIXTHS


def _not_marching(rules: Inferno, state: State, frame: Frame) -> str:
    """4: the unit that moves, and the rest of its way. Of an enemy that moves unseen neither is known."""
    unit, path, _ = frame.args
    unseen = state.mover < 0 and not path
    if (unit != state.mover and not unseen) or rules.side[unit] != state.active or state.at[unit] < 0:
        return f"{rules.ids[unit]} is not moving"
    return why_no_way(rules, state.at[unit], path)


@CHAPTER.step(
    cites.PATH,
    on="movement",
    secrets=units_side,
    takes=(WHO, REST, Argument("down", BRIDGES)),
    fault=_not_marching,
    phases="movement",
)
def march(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """4.2: go along a path until its end, or until something interrupts; then the rest waits its turn.

    14.4.b: who finds a bridge on the rest of its way gone stops, and the player is asked anew.
    """
    unit, path, down = frame.args
    side = rules.side[unit]
    shown_before = rules.shows(state, unit)
    walked = [state.at[unit]]
    depth = len(state.frames)
    ezoc = zoc(rules, state, 1 - side)
    roadblock = road_barrier(rules, state, side)
    plain = open_ground(rules, state, unit)
    eventful = rules.eventful(state, side)
    last = path[-1] if path else -1
    if _bridge_gone(rules, state, unit, path, down):
        _halt(rules, state, unit, (cites.DEMOLITION, cites.PATH), out)
        return
    for there in path:
        if state.outcome or len(state.frames) != depth:
            break
        here = walked[-1]
        edge = rules.board.edge_to[here][there]
        cost = edge.plain if plain >> here & plain >> there & 1 else 0
        if not cost:
            whole = edge.water == ISONZO and rules.takes_whole_move(state, unit, here, edge, roadblock)
            barred = whole and not is_fresh(rules, state, unit)
            if barred or rules.why_no_step(state, unit, here, edge, roadblock) is not None:
                place(rules, state, unit, here)
                _halt(rules, state, unit, (cites.PATH,), out)
                break
            if whole:
                state.left = 0
                state.flags[unit] |= DONE
            else:
                cost = step_cost(rules, state, unit, here, edge, ezoc, roadblock)
        if cost > state.left:
            if not is_fresh(rules, state, unit):
                place(rules, state, unit, here)
                break
            state.flags[unit] |= DONE  # 4.3: a minimum move ends what the unit does with its points
        state.left = max(0, state.left - cost)
        rules.step_taken(state, unit, here, edge)
        state.flags[unit] |= MOVED
        walked.append(there)
        if there == last or eventful >> there & 1:  # else it goes on as if it had been there
            rules.enter(state, (unit,), there, out)
    _tell(rules, state, unit, walked, shown_before, out)
    rest = path[len(walked) - 1 :]
    if rest:
        rest_waits(state, depth, "march", unit, rest, down)


def _bridge_gone(rules: Inferno, state: State, unit: int, path: Iterable[int], down: int) -> bool:
    """14.4.b: has a bridge on this way gone down since the move was declared? `down` are those that were down then."""
    gone = rules.bridges_down(state) & ~down
    if not gone:
        return False
    here = state.at[unit]
    for there in path:
        bridge = rules.board.edge_to[here][there].bridge
        if bridge >= 0 and gone >> bridge & 1:
            return True
        here = there
    return False


def _halt(rules: Inferno, state: State, unit: int, because: tuple[str, ...], out: list[Event]) -> None:
    """4.2: a move ends before its path does; only its owner knew the rest of the path."""
    data = {"unit": rules.ids[unit], "hex": rules.hex_id(state.at[unit])}
    out.append(Event("halted", because, data, 1 << rules.side[unit]))


def _tell(rules: Inferno, state: State, unit: int, walked: list[int], shown: bool, out: list[Event]) -> None:
    """5.4: the enemy sees which unit moved only if it lay on top where it left or lies on top where it stands."""
    if len(walked) == 1:
        return
    data = {"unit": rules.ids[unit], "path": [rules.hex_id(h) for h in walked]}
    if shown or rules.shows(state, unit):
        out.append(Event("moved", (cites.MOVEMENT,), data))
    else:
        out.append(Event("moved", (cites.MOVEMENT,), data, 1 << rules.side[unit], {"unit": "", "path": data["path"]}))


@CHAPTER.choice(on="combat_phase", seats=phasing, phases="movement")
class Movement(Choice["Inferno", State]):
    """3.1.A-3/3.1.3: the phasing player moves his units, lets them recover, and ends the phase."""

    name = "movement"
    panel = panel.MOVE
    rules = (cites.MOVEMENT, cites.MOVEMENT_PHASE, cites.RECOVERY)
    verbs = (Move, Recover, Show, End)

    def legal(self, rules: Inferno, state: State, frame: Frame) -> Iterator[Action]:
        going = Going(rules, state, state.active)
        for unit in movers(rules, state):
            name = rules.ids[unit]
            if why_no_recovery(rules, state, unit, points_left(rules, state, unit)) is None:
                yield Recover(name)
            near = rules.board.edge_to[state.at[unit]]
            for h, (_, way) in sorted(going.reach(unit).items()):
                yield Move(name, rules.hex_ids(way))
                if len(way) > 1 and h in near:
                    if why_not_path(rules, state, unit, [h]) is None:
                        yield Move(name, rules.hex_ids([h]))
        yield from _shows(rules, state)
        guns = rules.unit_ids(rules.may_unlimber(state, state.active))
        for size in range(len(guns) + 1):
            for keep in combinations(guns, size):
                yield End(keep)

    def why_not(self, rules: Inferno, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, End):
            return _why_not_end(rules, state, action)
        assert isinstance(action, (Move, Recover, Show))
        unit = rules.number.get(action.unit, -1)
        if unit < 0:
            return rules.unknown_unit(action.unit)
        if isinstance(action, Show):
            if rules.side[unit] != state.active or state.at[unit] < 0:
                return Refusal(cites.TOP_UNIT, "not_yours_on_map", {"unit": action.unit})
            return why_not_on_top(rules, state, unit)
        refusal = why_no_move(rules, state, unit)
        if refusal is not None:
            return refusal
        if isinstance(action, Recover):
            return why_no_recovery(rules, state, unit, points_left(rules, state, unit))
        if state.flags[unit] & RECOVERED and not rules.recovery_then_move:
            return Refusal(cites.RECOVERY_COST, "has_recovered", {"unit": action.unit})
        path = rules.hexes(action.path)
        if isinstance(path, Refusal):
            return path
        if not path:
            return Refusal(cites.PATH, "empty_path")
        return why_not_path(rules, state, unit, path)

    def apply(self, rules: Inferno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        if isinstance(action, End):
            state.frames.pop()
            if state.mover >= 0:
                state.flags[state.mover] |= DONE
            state.mover, state.left = -1, 0
            rules.end_movement(state, rules.known(action.keep), out)
            return
        assert isinstance(action, (Move, Recover, Show))
        unit = rules.number[action.unit]
        if isinstance(action, Show):
            put_on_top(rules, state, unit)
            out.append(Event("shown", (cites.TOP_UNIT,), {"unit": action.unit, "hex": rules.hex_id(state.at[unit])}))
            return
        start_moving(rules, state, unit)
        if isinstance(action, Recover):
            state.left -= rules.mp["recover_ce"]
            state.ce[unit] -= 1
            state.flags[unit] |= RECOVERED
            rules.pay_recovery(state, unit)
            data = {"unit": action.unit, "hex": rules.hex_id(state.at[unit]), "ce": state.ce[unit]}
            out.append(Event("recovered", (cites.RECOVERY, cites.RECOVERY_COST), data, 1 << rules.side[unit]))
            return
        path = tuple([rules.grid_index[name] for name in action.path])
        state.frames.append(Frame("march", AUTO, (unit, path, rules.bridges_down(state))))

    def sample(self, rules: Inferno, state: State, frame: Frame, rng: Random) -> Action:
        units = movers(rules, state)
        for _ in range(3):
            pick = rng.randrange(len(units) + 1)
            if pick == len(units):
                break
            unit = units[pick]
            if state.ce[unit] and rng.random() < 0.5:
                if why_no_recovery(rules, state, unit, points_left(rules, state, unit)) is None:
                    return Recover(rules.ids[unit])
            path = _wander(rules, state, unit, rng)
            if path:
                return Move(rules.ids[unit], rules.hex_ids(path))
        return End()

    def about(self, rules: Inferno, state: State, frame: Frame) -> dict[str, Any]:
        moving = rules.ids[state.mover] if state.mover >= 0 else None
        return {"moving": moving, "left": state.left if moving else None}

    def offer(self, rules: Inferno, state: State, frame: Frame) -> dict[str, Any]:
        going = Going(rules, state, state.active)
        return self._offer(rules, state, lambda unit: _reach_by_name(rules, going, unit))

    def offer_json(self, rules: Inferno, state: State, frame: Frame) -> bytes:
        """Where a unit can go is worked out only if something that matters for it is as it never was before."""
        going = Going(rules, state, state.active)

        def reach(unit: int) -> msgspec.Raw:
            left, fresh = points_left(rules, state, unit), is_fresh(rules, state, unit)
            return msgspec.Raw(ways_json(rules, state, going, unit, left, fresh))

        return msgspec.json.encode(self._offer(rules, state, reach, "ways"))

    def _offer(self, rules: Inferno, state: State, reach: Callable[[int], Any], field: str = "reach") -> dict[str, Any]:
        units = {}
        others: list[Action] = []
        for unit in movers(rules, state):
            left = points_left(rules, state, unit)
            if why_no_recovery(rules, state, unit, left) is None:
                others.append(Recover(rules.ids[unit]))
            units[rules.ids[unit]] = {"left": left, field: reach(unit)}
        guns = list(rules.unit_ids(rules.may_unlimber(state, state.active)))
        crowded = list(rules.hex_ids(overstacked(rules, state, state.active)))
        return {
            "units": units,
            "actions": [msgspec.to_builtins(action) for action in (*others, *_shows(rules, state), End())],
            "warnings": {"overstacked": crowded},
            "named": {"keep": guns},
        }


def _shows(rules: Inferno, state: State) -> Iterator[Action]:
    """5.3: the units that may be put on top of their stacks."""
    for h in bits(state.occ[state.active]):
        for unit in state.stacks[h] if len(state.stacks[h]) > 1 else ():
            if why_not_on_top(rules, state, unit) is None:
                yield Show(rules.ids[unit])


def _reach_by_name(rules: Inferno, going: Going, unit: int) -> dict[str, dict[str, Any]]:
    """Every hex the unit can go to, with what is left there and the cheapest way."""
    ids = rules.board.grid.ids
    name = ids.__getitem__
    found = sorted(going.reach(unit).items())
    return {ids[h]: {"left": rest, "path": [*map(name, way)]} for h, (rest, way) in found}


def _why_not_end(rules: Inferno, state: State, action: End) -> Refusal | None:
    able = rules.unit_ids(rules.may_unlimber(state, state.active))
    for name in action.keep:
        if name not in able:
            return Refusal(cites.TO_BATTERY, "cannot_unlimber", {"unit": name})
    if len(set(action.keep)) != len(action.keep):
        return Refusal(cites.TO_BATTERY, "gun_named_twice")
    return None


def movers(rules: Inferno, state: State) -> list[int]:
    """The units that can still move or recover in this phase."""
    at, flags = state.at, state.flags
    over = DONE | RESERVE
    able = [unit for unit in rules.of_side[state.active] if at[unit] >= 0 and not flags[unit] & over]
    return [unit for unit in able if rules.frozen(state, unit) is None] if rules.freezes(state) else able


def _wander(rules: Inferno, state: State, unit: int, rng: Random) -> list[int]:
    """A random legal path, drawn without searching for all of them."""
    side = rules.side[unit]
    if state.flags[unit] & RECOVERED and not rules.recovery_then_move:
        return []
    here = state.at[unit]
    left = points_left(rules, state, unit)
    ezoc = zoc(rules, state, 1 - side)
    roadblock = road_barrier(rules, state, side)
    plain = open_ground(rules, state, unit)
    fresh = is_fresh(rules, state, unit)
    edges = rules.board.edges
    path: list[int] = []
    for _ in range(rng.randrange(1, 7)):
        edge = rng.choice(edges[here])
        there = edge.to
        cost = edge.plain if plain >> here & plain >> there & 1 else 0
        if not cost:
            if rules.why_no_step(state, unit, here, edge, roadblock) is not None:
                continue
            if edge.water == ISONZO and rules.takes_whole_move(state, unit, here, edge, roadblock):
                return [there] if fresh and not path else path
            cost = step_cost(rules, state, unit, here, edge, ezoc, roadblock)
        if cost > left:
            if fresh and not path:
                return [there]
            continue
        left -= cost
        path.append(there)
        here = there
    return path


def turn_to_battery(rules: Inferno, state: State, guns: list[int], out: list[Event]) -> None:
    """12.3.h/12.3.f: turn artillery to its battery side."""
    for gun in guns:
        state.flags[gun] &= ~MOV
        data = {"unit": rules.ids[gun], "hex": rules.hex_id(state.at[gun]), "mov": False}
        out.append(Event("flipped", (cites.TO_BATTERY,), data, 1 << rules.side[gun]))
