"""Chapter 9.2, retreats: where a beaten stack can go, in what order of merit, and how it goes there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from fronte.engine.decision import AUTO, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.games.inferno.effectiveness import reduce
from fronte.games.inferno.ground import STREAM, Edge
from fronte.games.inferno.stacking import is_legal_stack, least_removals
from fronte.games.inferno.state import State
from fronte.games.inferno.zoc import zoc

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

BOTH, AVOIDS_ZOC, TOWARDS_SUPPLY, NEITHER = range(4)


class Ways(NamedTuple):
    """The paths a stack may retreat along: all of the best class, and what the retreat costs on the loss roll."""

    paths: tuple[tuple[int, ...], ...]
    rank: int
    penalty: int


def retreat_ways(
    rules: Inferno, state: State, start: int, side: int, hexes: int, visited: tuple[int, ...] = ()
) -> Ways:
    """9.2.2, 9.2.4: the best legal paths of the full length, else of the greatest length there is."""
    risky = zoc(rules, state, 1 - side) & ~state.occ[side]
    sources = rules.retreat_sources(state, side)
    for length in range(hexes, 0, -1):
        paths = _paths(rules, state, (start,), length, side, {start, *visited})
        if not paths:
            continue
        best, paths = _best(paths, start, hexes, risky, sources)
        if length == hexes:
            penalty = 0 if best == BOTH else rules.failed_penalty
        else:
            penalty = rules.partial_retreat_penalty
        return Ways(tuple(paths), best, penalty)
    return Ways((), NEITHER, rules.unable_penalty)


def _paths(
    rules: Inferno, state: State, way: tuple[int, ...], length: int, side: int, visited: set[int]
) -> list[tuple[int, ...]]:
    """9.2.4: every way of this length that meets no enemy, no unbridged river and no hex twice."""
    found: list[tuple[int, ...]] = []
    barrier = state.occ[1 - side]
    for edge in rules.board.edges[way[-1]]:
        there = edge.to
        if barrier >> there & 1 or there in visited or not rules.may_retreat_across(state, edge, side):
            continue
        if length == 1:
            found.append((*way[1:], there))
        else:
            visited.add(there)
            found += _paths(rules, state, (*way, there), length - 1, side, visited)
            visited.remove(there)
    return found


def _best(
    paths: list[tuple[int, ...]], start: int, hexes: int, risky: int, sources: Sequence[Sequence[int]]
) -> tuple[int, list[tuple[int, ...]]]:
    """9.2.2.a, 9.2.2.b: which of the two priorities can be fulfilled, and the paths that do; zones come first."""
    safe = [path for path in paths if not any(risky >> h & 1 for h in path)]
    able = safe or paths
    towards = [path for path in able if _leads_home(path, start, hexes, sources)]
    if safe:
        return (BOTH, towards) if towards else (AVOIDS_ZOC, safe)
    return (TOWARDS_SUPPLY, towards) if towards else (NEITHER, paths)


def _leads_home(path: Sequence[int], start: int, hexes: int, sources: Sequence[Sequence[int]]) -> bool:
    """9.2.2.b: does the path lead towards one of the sources?"""
    end = path[-1]
    return any(_approaches(path, start, hexes, distance) for distance in sources if distance[end] <= distance[start])


def _approaches(path: Sequence[int], start: int, hexes: int, distance: Sequence[int]) -> bool:
    """9.2.2.b: one hex must not lead away from the source; more must not do so at any step and end nearer."""
    before = distance[start]
    if hexes == 1:
        return distance[path[0]] <= before
    last = before
    for h in path:
        if distance[h] > last:
            return False
        last = distance[h]
    return last < before


def retreat_penalty(rules: Inferno, state: State, start: int, side: int, hexes: int) -> int:
    """9.4.1.d: what failing the priorities, or not getting away, adds to the loss roll."""
    return retreat_ways(rules, state, start, side, hexes).penalty


# Ordering a retreat


class Retreat(Action, frozen=True):
    """9.2.1: the whole stack goes along this path; withheld units of an attacking hex may join (7.7.a)."""

    form = "retreat {path:-}[ join {join}]"
    path: tuple[str, ...]
    join: tuple[str, ...] = ()


def order_retreat(
    rules: Inferno,
    state: State,
    units: Sequence[int],
    hexes: int,
    joiners: Sequence[int] = (),
    visited: tuple[int, ...] = (),
) -> bool:
    """9.2: make a stack retreat: ask its owner, unless there is only one way or none. False if it must stay."""
    start = state.at[units[0]]
    side = rules.side[units[0]]
    ways = retreat_ways(rules, state, start, side, hexes, visited)
    if not ways.paths:
        return False
    if len(ways.paths) == 1 and not joiners:
        state.frames.append(Frame("fall_back", AUTO, (tuple(units), ways.paths[0], visited)))
    else:
        state.frames.append(Frame("retreat", side, (tuple(units), hexes, tuple(joiners), visited)))
    return True


class RetreatChoice(Choice["Inferno", State]):
    """9.2.2: the owner of a retreating stack chooses its path within the best class (D8)."""

    name = "retreat"
    rules = ("9.2", "9.2.2", "7.7.a")
    verbs = (Retreat,)

    def ways(self, rules: Inferno, state: State, frame: Frame) -> Ways:
        """The paths on offer."""
        units, hexes, _, visited = frame.args
        return retreat_ways(rules, state, state.at[units[0]], rules.side[units[0]], hexes, visited)

    def legal(self, rules: Inferno, state: State, frame: Frame) -> Iterator[Action]:
        joiners = rules.unit_ids(frame.args[2])
        for path in self.ways(rules, state, frame).paths:
            for size in range(len(joiners) + 1):
                for join in combinations(joiners, size):
                    yield Retreat(rules.hex_ids(path), join)

    def why_not(self, rules: Inferno, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Retreat)
        units, _, joiners, visited = frame.args
        path = rules.hexes(action.path)
        if isinstance(path, Refusal):
            return path
        ways = self.ways(rules, state, frame)
        if tuple(path) not in ways.paths:
            return _why_not_way(rules, state, state.at[units[0]], rules.side[units[0]], path, ways, visited)
        join = rules.units(action.join)
        if isinstance(join, Refusal):
            return join
        if any(unit not in joiners for unit in join):
            return Refusal("7.7.a", "only_withheld_join")
        return None

    def apply(self, rules: Inferno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Retreat)
        state.frames.pop()
        units, _, _, visited = frame.args
        together = tuple(sorted([*units, *(rules.number[name] for name in action.join)]))
        path = tuple(rules.grid_index[name] for name in action.path)
        state.frames.append(Frame("fall_back", AUTO, (together, path, visited)))

    def about(self, rules: Inferno, state: State, frame: Frame) -> dict[str, Any]:
        units, hexes, joiners, _ = frame.args
        return {
            "units": list(rules.unit_ids(units)),
            "from": rules.hex_id(state.at[units[0]]),
            "hexes": hexes,
            "joiners": list(rules.unit_ids(joiners)),
        }


def _why_not_way(
    rules: Inferno, state: State, start: int, side: int, path: Sequence[int], ways: Ways, visited: tuple[int, ...]
) -> Refusal:
    """Say which part of 9.2 a path breaks."""
    length = len(ways.paths[0])
    if len(path) != length:
        return Refusal("9.2", "retreat_length", {"length": length})
    here = start
    for there in path:
        edge = rules.board.edge_to[here].get(there)
        if edge is None and there in rules.board.grid.adjacent[here]:
            return Refusal("4.5", "crag", {"from": rules.hex_id(here), "to": rules.hex_id(there)})
        if edge is None:
            return Refusal("9.2", "not_adjacent", {"from": rules.hex_id(here), "to": rules.hex_id(there)})
        if state.occ[1 - side] >> there & 1:
            return Refusal("9.2.4", "enemy_there", {"hex": rules.hex_id(there)})
        if not rules.may_retreat_across(state, edge, side):
            return Refusal("9.2.4", "retreat_needs_bridge")
        here = there
    if len({start, *visited, *path}) < 1 + len(visited) + len(path):
        return Refusal("9.2.4", "retreat_twice")
    return Refusal("9.2.2", "better_retreat")


# Going back


def fall_back(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """9.2.1, 9.2.3: the stack goes back hex by hex; crossing a stream costs each unit a reduction."""
    units, path, visited = frame.args
    alive = [unit for unit in units if state.at[unit] >= 0]
    if not alive:
        return
    side = rules.side[alive[0]]
    rest = list(path)
    walked = [state.at[alive[0]]]
    depth = len(state.frames)
    while rest and alive and not state.outcome and len(state.frames) == depth:
        here, there = state.at[alive[0]], rest[0]
        edge = rules.board.edge_to[here][there]
        if not _is_open(rules, state, edge, side):
            break
        rest.pop(0)
        walked.append(there)
        if edge.water == STREAM and not rules.carries_retreat(state, edge, side):
            for unit in alive:
                reduce(rules, state, unit, 1, ("9.2.3",), out)
            alive = [unit for unit in alive if state.at[unit] >= 0]
        if alive:
            rules.enter(state, alive, there, "retreat", out)
    data = {"units": list(rules.unit_ids(units)), "path": [rules.hex_id(h) for h in walked]}
    seen = data | {"units": list(rules.unit_ids([unit for unit in units if rules.shows(state, unit)]))}
    out.append(Event("retreated", ("9.2",), data, 1 << side, seen))
    if state.outcome or not alive:
        return
    been = (*visited, *walked[:-1])
    if rest:
        # Stopped on the way, by a bridge or a pontoon: what is left is decided when that is settled.
        state.frames.insert(depth, Frame("go_on_back", AUTO, (tuple(alive), len(rest), tuple(rest), been)))
    else:
        state.frames.insert(depth, Frame("settle_in", AUTO, (tuple(alive), been)))


def _is_open(rules: Inferno, state: State, edge: Edge, side: int) -> bool:
    """9.2.4: is this step of a retreat still possible? On the way a bridge may be blown, or an engineer go ashore."""
    return not state.occ[1 - side] >> edge.to & 1 and rules.may_retreat_across(state, edge, side)


def go_on_back(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """9.2: the rest of an interrupted retreat: along the same path if it is still open, else along a new one."""
    units, left, rest, been = frame.args
    alive = tuple(unit for unit in units if state.at[unit] >= 0)
    if not alive:
        return
    edge = rules.board.edge_to[state.at[alive[0]]][rest[0]]
    if _is_open(rules, state, edge, rules.side[alive[0]]):
        state.frames.append(Frame("fall_back", AUTO, (alive, rest, been)))
    elif not order_retreat(rules, state, alive, left, (), been):
        state.frames.append(Frame("settle_in", AUTO, (alive, been)))


# The last hex


class GoOn(Action, frozen=True, tag="goon"):
    """9.2.1.a: these units of a retreating stack go on one more hex, so that the last hex is not overstacked."""

    form = "goon {units} to {to}"
    units: tuple[str, ...]
    to: str


def settle_in(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """9.2.1.a, 5.2: an overstacked last hex makes some go on; those who cannot are lost."""
    units, been = frame.args
    alive = tuple(unit for unit in units if state.at[unit] >= 0)
    if not alive:
        return
    here = state.at[alive[0]]
    if is_legal_stack(rules, state, here, state.stacks[here]):
        return
    for depth, other in enumerate(state.frames):
        if other.name == "attackers_back" and any(state.at[unit] == here for unit in other.args[0]):
            state.frames.insert(depth, frame)  # those who stand here must go back themselves first
            return
    side = rules.side[alive[0]]
    if retreat_ways(rules, state, here, side, 1, been).paths and any(least_removals(rules, state, here, alive)):
        state.frames.append(Frame("goon", side, (alive, been)))
    else:
        state.frames.append(Frame("overstack", side, (here, state.stacks[here])))


class GoOnChoice(Choice["Inferno", State]):
    """9.2.1.a: who goes on, and where to (D8)."""

    name = "goon"
    rules = ("9.2.1.a", "9.2.2")
    verbs = (GoOn,)

    def legal(self, rules: Inferno, state: State, frame: Frame) -> Iterator[Action]:
        units, been = frame.args
        here = state.at[units[0]]
        ways = retreat_ways(rules, state, here, frame.seat, 1, been)
        for group in least_removals(rules, state, here, units):
            for path in ways.paths:
                yield GoOn(rules.unit_ids(group), rules.hex_id(path[0]))

    def why_not(self, rules: Inferno, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, GoOn)
        units, been = frame.args
        here = state.at[units[0]]
        going = rules.units(action.units)
        if isinstance(going, Refusal):
            return going
        if set(going) not in map(set, least_removals(rules, state, here, units)):
            return Refusal("9.2.1.a", "just_enough_go_on")
        path = rules.hexes((action.to,))
        if isinstance(path, Refusal):
            return path
        ways = retreat_ways(rules, state, here, frame.seat, 1, been)
        if tuple(path) not in ways.paths:
            return _why_not_way(rules, state, here, frame.seat, path, ways, been)
        return None

    def apply(self, rules: Inferno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, GoOn)
        state.frames.pop()
        _, been = frame.args
        going = tuple(sorted(rules.number[name] for name in action.units))
        state.frames.append(Frame("fall_back", AUTO, (going, (rules.grid_index[action.to],), been)))

    def about(self, rules: Inferno, state: State, frame: Frame) -> dict[str, Any]:
        units, _ = frame.args
        return {"units": list(rules.unit_ids(units)), "from": rules.hex_id(state.at[units[0]])}
