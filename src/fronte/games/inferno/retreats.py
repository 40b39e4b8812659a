"""Chapter 9.2, retreats: where a beaten stack can go, in what order of merit, how it goes there and what that costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from fronte.engine import panel
from fronte.engine.decision import AUTO, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Argument, Chapter
from fronte.games.common.windows import lay_below
from fronte.games.inferno import cites
from fronte.games.inferno.effectiveness import reduce
from fronte.games.inferno.frames import (
    BEEN,
    GONE,
    HERE,
    IN_RETREAT,
    LENGTH,
    MOST_TOGETHER,
    PRICE,
    RETREATING,
    UNITS,
    WAY,
    owner,
    units_side,
    why_no_stack,
    why_no_way,
)
from fronte.games.inferno.ground import ISONZO, RIVER, STREAM, Edge
from fronte.games.inferno.stacking import is_legal_stack, least_removals
from fronte.games.inferno.state import State
from fronte.games.inferno.suspicion import may_hide_others
from fronte.games.inferno.zoc import zoc

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

CHAPTER = Chapter()

Path = tuple[int, ...]
"""The hexes that a stack enters, in order."""


class Ways(NamedTuple):
    """The paths a stack may retreat along, and what each adds to the loss roll."""

    prices: dict[Path, int]
    """9.4.1.d: by path, those first that fulfil most."""
    least: int
    """9.4.1.d: what the retreat costs at best; without a path, what it costs to stay."""


class Course(NamedTuple):
    """A retreat: how many hexes it is long, which of them the stack has left behind, and others it may not enter."""

    hexes: int
    been: Path = ()
    """From the hex where it began on, without the one the stack stands in."""
    barred: Path = ()


def retreat_ways(
    rules: Inferno, state: State, start: int, side: int, course: Course, units: Sequence[int] = ()
) -> Ways:
    """9.2.2/9.2.1, 9.2.4/9.2.1.d: the paths of full length that the owner may choose, else the longest there are.

    Without units it is not asked whether they find room; then these are all paths of the best class.
    """
    left = course.hexes - len(course.been)
    for length in range(left, 0, -1):
        paths = _paths(rules, state, (start,), length, side, {start, *course.been, *course.barred})
        if not paths:
            continue
        if rules.retreats_straight:
            paths = _straight(rules, paths, start, course)
        prices: dict[Path, int] = {}
        for rank, group in _open_to_owner(rules, state, start, side, course, paths, units):
            price = rules.partial_retreat_penalty if length < left else rules.failed_penalty if rank else 0
            prices |= dict.fromkeys(group, price)
        return Ways(prices, min(prices.values()))
    return Ways({}, rules.partial_retreat_penalty if course.been else rules.unable_penalty)


def _paths(rules: Inferno, state: State, way: Path, length: int, side: int, visited: set[int]) -> list[Path]:
    """9.2.4/9.2.1.d: every way of this length that meets no enemy, no unbridged river and no hex twice."""
    found: list[Path] = []
    barrier = rules.bars_retreat(state, side)
    for edge in rules.board.edges[way[-1]]:
        there = edge.to
        if barrier >> there & 1 or there in visited:
            continue
        if edge.water >= RIVER and not rules.may_retreat_across(state, edge, side):
            continue
        if length == 1:
            found.append((*way[1:], there))
        else:
            visited.add(there)
            found += _paths(rules, state, (*way, there), length - 1, side, visited)
            visited.remove(there)
    return found


def _straight(rules: Inferno, paths: list[Path], start: int, course: Course) -> list[Path]:
    """9.2, by option: those that end as many hexes away as they are long, if there are any."""
    distance = rules.board.distances(course.been[0] if course.been else start)
    return [path for path in paths if distance[path[-1]] == len(course.been) + len(path)] or paths


def _open_to_owner(
    rules: Inferno, state: State, start: int, side: int, course: Course, paths: list[Path], units: Sequence[int]
) -> Iterator[tuple[int, list[Path]]]:
    """9.2.2/9.2.1, 9.2.2.d/9.2.2: the best class of paths; where all of it ends in full hexes, also the next with room.

    A stack may overstack a hex to follow the priorities; it need not.
    """
    found = False
    for rank, group in enumerate(_classes(rules, state, start, side, course, paths, units)):
        roomy = [path for path in group if has_room(rules, state, path[-1], side, units)] if units else group
        if group and not found:
            found = True
            yield rank, roomy if roomy and rules.overstacks_to_comply else group
        elif roomy:
            yield rank, roomy
        if roomy:
            return


def _classes(
    rules: Inferno, state: State, start: int, side: int, course: Course, paths: list[Path], units: Sequence[int]
) -> Iterator[list[Path]]:
    """9.2.2.a/9.2.1.a, 9.2.2.b/9.2.1.b: paths that fulfil both priorities, then the first, the second, neither."""
    risky = zoc(rules, state, 1 - side) & ~state.occ[side]
    sources = rules.retreat_sources(state, side)
    begun = (*course.been, start)
    spoilt = _has_met_zone(rules, state, side, begun, units)
    safe: list[Path] = []
    unsafe: list[Path] = []
    for path in paths:
        (unsafe if spoilt or any(risky >> h & 1 for h in path) else safe).append(path)
    for group in (safe, unsafe):
        home: list[Path] = []
        away: list[Path] = []
        for path in group:
            (home if _leads_home(rules, (*begun, *path), course.hexes, sources) else away).append(path)
        yield home
        yield away


def _has_met_zone(rules: Inferno, state: State, side: int, begun: Path, units: Sequence[int]) -> bool:
    """9.2.2.a/9.2.1.a: has the stack already entered a hex in an enemy zone where no friend stands?"""
    if len(begun) == 1:
        return False
    zone = zoc(rules, state, 1 - side)
    if any((zone & ~state.occ[side]) >> h & 1 for h in begun[1:-1]):
        return True
    return bool(zone >> begun[-1] & 1) and all(unit in units for unit in state.stacks[begun[-1]])


def _leads_home(rules: Inferno, walk: Path, hexes: int, sources: int) -> bool:
    """9.2.2.b/9.2.1.b: does a walk, with the hex it begins in, lead towards one of the sources?

    One hex must not lead away from the source; more must not do so at any step and end nearer.
    """
    board = rules.board
    start, end = walk[0], walk[-1]
    if hexes == 1:
        return bool(sources & board.no_farther_from(end, start) & board.no_farther_from(walk[1], start))
    towards = sources & board.nearer_from(end, start)
    for here, there in pairwise(walk):
        if not towards:
            return False
        towards &= board.no_farther_from(there, here)
    return bool(towards)


def has_room(rules: Inferno, state: State, h: int, side: int, units: Sequence[int]) -> bool:
    """9.2.1.a/9.2.1, 5.1: could these units end a retreat there? Beaten attackers who are yet to leave do not count."""
    if not state.stacks[h]:
        return is_legal_stack(rules, state, h, sorted({*units}))
    leaving = {unit for frame in state.frames if frame.name == "attackers_back" for unit in frame.args[0]}
    there = [unit for unit in state.stacks[h] if rules.side[unit] == side and unit not in leaving]
    return is_legal_stack(rules, state, h, sorted({*there, *units}))


# What a retreat costs


def retreat_penalty(rules: Inferno, state: State, start: int, side: int, hexes: int) -> int:
    """9.4.1.d: what a retreat adds at least to the loss roll, as things stand."""
    return retreat_ways(rules, state, start, side, Course(hexes)).least


def is_certain(rules: Inferno, state: State, start: int, side: int, hexes: int) -> bool:
    """9.4.1.d: can it cost no more than that? It can if on every path a bridge may fall or a hex be full."""
    ways = retreat_ways(rules, state, start, side, Course(hexes))
    room = rules.board.stacking
    for path in ways.prices:
        empty = not state.occ[side] >> path[-1] & 1 and room[path[-1]] >= room[start]
        bridges = (rules.board.edge_to[a][b].water for a, b in pairwise(path))
        if empty and not any(water in (RIVER, ISONZO) for water in bridges):
            return True
    return not ways.prices


def note_price(rules: Inferno, state: State, side: int, price: int, out: list[Event]) -> None:
    """9.2.4/9.2.1.d, 9.4.1.d: a retreat has ended; its price goes into the next loss roll, the worst of a side once."""
    battle = state.battle
    attacks = side == state.active
    due = "attack_losses" if attacks else "defence_losses"
    if battle is None or not any(frame.name == due for frame in state.frames):
        return
    if price > (battle.attack_penalty if attacks else battle.defence_penalty):
        change = {"attack_penalty" if attacks else "defence_penalty": price}
        state.battle = msgspec.structs.replace(battle, **change)
        out.append(Event("retreat_failed", (cites.LOSSES_BY_RETREAT,), {"side": rules.seats[side], "drm": price}))


# Ordering a retreat


class Retreat(Action, frozen=True):
    """9.2.1: the whole stack goes along this path; withheld units of an attacking hex may join (7.7.a)."""

    form = "retreat {path:-}[ join {join}]"
    odds = True
    path: tuple[str, ...]
    join: tuple[str, ...] = ()


def order_retreat(
    rules: Inferno,
    state: State,
    units: Sequence[int],
    hexes: int,
    joiners: Sequence[int] = (),
    been: Path = (),
    ask: bool = False,
) -> bool:
    """9.2: make a stack retreat: ask its owner, unless there is only one way or none. False if it must stay.

    With `ask` he is asked even where there is one way: as far as the enemy sees, others might join it (5.4).
    """
    start = state.at[units[0]]
    side = rules.side[units[0]]
    ways = retreat_ways(rules, state, start, side, Course(hexes, been), units)
    if not ways.prices:
        return False
    if len(ways.prices) == 1 and not (joiners or ask or _may_lack_room(rules, state, start, ways, been)):
        ((path, price),) = ways.prices.items()
        state.frames.append(Frame("fall_back", AUTO, (tuple(units), path, been, hexes, price)))
    else:
        state.frames.append(Frame("retreat", side, (tuple(units), hexes, tuple(joiners), been)))
    return True


def _may_lack_room(rules: Inferno, state: State, start: int, ways: Ways, been: Path) -> bool:
    """5.4, 9.2.2.d/9.2.2: there is one way; would there be others if hexes were full, which the enemy cannot see?"""
    side = rules.side[state.stacks[start][0]]
    length = len(next(iter(ways.prices)))
    ends = {path[-1] for path in _paths(rules, state, (start,), length, side, {start, *been})}
    room = rules.board.stacking
    narrow = any(state.occ[side] >> end & 1 or room[end] < room[start] for end in ends)
    if len(ends) == 1 or not narrow:
        return False
    full = (end for end in (start, *ends) if state.occ[side] >> end & 1)
    return any(may_hide_others(rules, state, side, h) for h in full)


def _no_retreat(rules: Inferno, state: State, frame: Frame) -> str:
    """9.2.2/9.2.1, 7.7.a: a stack that has ways to go, and who may join it."""
    units, hexes, joiners, been = frame.args
    side = frame.seat
    battle = state.battle
    assert battle is not None
    why = why_no_stack(rules, state, [*units, *joiners], side)
    if why:
        return why
    if joiners and (side != state.active or any(unit in battle.retreated for unit in joiners)):
        return "a unit that joins has to retreat itself"
    most = max(1, battle.attack_retreat if side == state.active else battle.defence_retreat)
    if not 1 <= hexes - len(been) <= most:
        return f"{hexes - len(been)} hexes are not what the result says"
    return "" if any(rules.choices["retreat"].legal(rules, state, frame)) else "there is no way to retreat"


@CHAPTER.choice(
    on=RETREATING,
    seats=owner,
    takes=(HERE, LENGTH, Argument("joiners", UNITS, 0, MOST_TOGETHER), BEEN),
    fault=_no_retreat,
    **IN_RETREAT,
)
class RetreatChoice(Choice["Inferno", State]):
    """9.2.2/9.2.1: the owner of a retreating stack chooses its path within what 9.2.2/9.2.1 leaves open."""

    name = "retreat"
    panel = panel.PATH
    rules = (cites.RETREAT, cites.RETREAT_PRIORITIES, cites.WITHHELD_JOIN)
    verbs = (Retreat,)

    def ways(self, rules: Inferno, state: State, frame: Frame, join: Sequence[int] = ()) -> Ways:
        """The paths on offer to the stack and those who join it."""
        units, hexes, _, been = frame.args
        start, side = state.at[units[0]], rules.side[units[0]]
        return retreat_ways(rules, state, start, side, Course(hexes, been), (*units, *join))

    def legal(self, rules: Inferno, state: State, frame: Frame) -> Iterator[Action]:
        joiners = frame.args[2]
        for size in range(len(joiners) + 1):
            for join in combinations(joiners, size):
                for path in self.ways(rules, state, frame, join).prices:
                    yield Retreat(rules.hex_ids(path), rules.unit_ids(join))

    def why_not(self, rules: Inferno, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Retreat)
        units, hexes, joiners, been = frame.args
        path = rules.hexes(action.path)
        if isinstance(path, Refusal):
            return path
        join = rules.units(action.join)
        if isinstance(join, Refusal):
            return join
        ways = self.ways(rules, state, frame, [unit for unit in join if unit in joiners])
        if tuple(path) not in ways.prices:
            start, side = state.at[units[0]], rules.side[units[0]]
            return _why_not_way(rules, state, start, side, path, ways, Course(hexes, been))
        if any(unit not in joiners for unit in join):
            return Refusal(cites.WITHHELD_JOIN, "only_withheld_join")
        return None

    def apply(self, rules: Inferno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Retreat)
        units, hexes, _, been = frame.args
        join = rules.known(action.join)
        path = tuple(rules.grid_index[name] for name in action.path)
        price = self.ways(rules, state, frame, join).prices[path]
        state.frames.pop()
        together = tuple(sorted([*units, *join]))
        state.frames.append(Frame("fall_back", AUTO, (together, path, been, hexes, price)))

    def about(self, rules: Inferno, state: State, frame: Frame) -> dict[str, Any]:
        units, hexes, joiners, been = frame.args
        return {
            "units": list(rules.unit_ids(units)),
            "from": rules.hex_id(state.at[units[0]]),
            "hexes": hexes - len(been),
            "joiners": list(rules.unit_ids(joiners)),
        }

    def offer(self, rules: Inferno, state: State, frame: Frame) -> dict[str, Any]:
        """Also what each path adds to the loss roll, and which last hexes are too full for the stack."""
        units = frame.args[0]
        notes = _notes(rules, state, units, self.ways(rules, state, frame))
        return super().offer(rules, state, frame) | {"notes": notes}


def _notes(rules: Inferno, state: State, units: Sequence[int], ways: Ways) -> dict[str, dict[str, int]]:
    side = rules.side[units[0]]
    full = {h for h in {path[-1] for path in ways.prices} if not has_room(rules, state, h, side, units)}
    return {
        "-".join(rules.hex_ids(path)): {"loss_die": price, "full": int(path[-1] in full)}
        for path, price in ways.prices.items()
    }


def _why_not_way(
    rules: Inferno, state: State, start: int, side: int, path: Sequence[int], ways: Ways, course: Course
) -> Refusal:
    """Say which part of 9.2 a path breaks."""
    length = len(next(iter(ways.prices)))
    if len(path) != length:
        return Refusal(cites.RETREAT, "retreat_length", {"length": length})
    here = start
    for there in path:
        edge = rules.board.edge_to[here].get(there)
        if edge is None and there in rules.board.grid.adjacent[here]:
            return Refusal(cites.CRAG, "crag", {"from": rules.hex_id(here), "to": rules.hex_id(there)})
        if edge is None:
            return Refusal(cites.RETREAT, "not_adjacent", {"from": rules.hex_id(here), "to": rules.hex_id(there)})
        if rules.bars_retreat(state, side) >> there & 1:
            return Refusal(cites.RETREAT_BARRED, "enemy_there", {"hex": rules.hex_id(there)})
        if not rules.may_retreat_across(state, edge, side):
            return Refusal(cites.RETREAT_BARRED, "retreat_needs_bridge")
        here = there
    before = (*course.barred, *course.been, start)
    if len({*before, *path}) < len(before) + len(path):
        return Refusal(cites.RETREAT_BARRED, "retreat_twice")
    return Refusal(cites.RETREAT_PRIORITIES, "better_retreat")


# Going back


def _no_way_back(rules: Inferno, state: State, frame: Frame) -> str:
    """9.2: a stack and its way."""
    units, path, *_ = frame.args
    why = why_no_stack(rules, state, units, rules.side[units[0]], waiting=True)
    alive = [unit for unit in units if state.at[unit] >= 0]
    return why or (why_no_way(rules, state.at[alive[0]], path) if alive else "")


@CHAPTER.step(
    cites.RETREAT,
    on=RETREATING,
    secrets=units_side,
    takes=(HERE, WAY, BEEN, LENGTH, PRICE),
    fault=_no_way_back,
    **IN_RETREAT,
)
def fall_back(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """9.2.1, 9.2.3: the stack goes back hex by hex; crossing a stream costs each unit a reduction."""
    units, path, been, hexes, price = frame.args
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
                reduce(rules, state, unit, 1, (cites.RETREAT_STREAM,), out)
            alive = [unit for unit in alive if state.at[unit] >= 0]
        if alive:
            rules.enter(state, alive, there, out)
    data = {"units": list(rules.unit_ids(units)), "path": [rules.hex_id(h) for h in walked]}
    seen = data | {"units": list(rules.unit_ids([unit for unit in units if rules.shows(state, unit)]))}
    out.append(Event("retreated", (cites.RETREAT,), data, 1 << side, seen))
    if state.outcome or not alive:
        return
    been = (*been, *walked[:-1])
    if rest:
        # Stopped on the way, by a bridge or a pontoon: what is left is decided when that is settled.
        lay_below(state, depth, "go_on_back", tuple(alive), hexes, tuple(rest), been, price)
    else:
        note_price(rules, state, side, price, out)
        lay_below(state, depth, "settle_in", tuple(alive), been, ())


def _is_open(rules: Inferno, state: State, edge: Edge, side: int) -> bool:
    """9.2.4/9.2.1.d: is this step of a retreat still possible? A bridge may be gone, or an engineer be ashore."""
    return not rules.bars_retreat(state, side) >> edge.to & 1 and rules.may_retreat_across(state, edge, side)


def _no_rest_of_way(rules: Inferno, state: State, frame: Frame) -> str:
    """9.2: a stack that was stopped, and the rest of its way."""
    units, hexes, rest, been, price = frame.args
    if len(rest) > hexes - len(been):
        return f"{hexes - len(been)} hexes are left, and the rest of the way has {len(rest)}"
    return _no_way_back(rules, state, Frame(frame.name, frame.seat, (units, rest, been, hexes, price)))


@CHAPTER.step(
    cites.RETREAT,
    on=RETREATING,
    secrets=units_side,
    takes=(HERE, LENGTH, WAY, BEEN, PRICE),
    fault=_no_rest_of_way,
    **IN_RETREAT,
)
def go_on_back(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """9.2: the rest of an interrupted retreat: along the same path if it is still open, else along a new one."""
    units, hexes, rest, been, price = frame.args
    alive = tuple(unit for unit in units if state.at[unit] >= 0)
    if not alive:
        return
    side = rules.side[alive[0]]
    edge = rules.board.edge_to[state.at[alive[0]]][rest[0]]
    if _is_open(rules, state, edge, side):
        state.frames.append(Frame("fall_back", AUTO, (alive, rest, been, hexes, price)))
    elif not order_retreat(rules, state, alive, hexes, (), been):
        note_price(rules, state, side, rules.partial_retreat_penalty, out)
        state.frames.append(Frame("settle_in", AUTO, (alive, been, ())))


# The last hex


class GoOn(Action, frozen=True, tag="goon"):
    """9.2.1.a/9.2.1: these units of a retreating stack go on one more hex, so that the last hex is not overstacked."""

    form = "goon {units} to {to}"
    units: tuple[str, ...]
    to: str


def _not_settling(rules: Inferno, state: State, frame: Frame) -> str:
    """9.2.1.a/9.2.1: a stack, and those of it who have gone on."""
    units, _, gone = frame.args
    side = rules.side[units[0]]
    return why_no_stack(rules, state, units, side, waiting=True) or _why_not_gone(rules, units, gone)


def _why_not_gone(rules: Inferno, units: Sequence[int], gone: Sequence[int]) -> str:
    """9.2.1.a/9.2.1: those of the stack who have gone on already were of it."""
    if len({*gone, *units}) < len(gone) + len(units) or any(rules.side[unit] != rules.side[units[0]] for unit in gone):
        return "those who went on before are named twice or not of this side"
    return ""


@CHAPTER.step(
    cites.RETREAT_ROOM,
    on=RETREATING,
    secrets=units_side,
    takes=(HERE, BEEN, GONE),
    fault=_not_settling,
    once=False,
    **IN_RETREAT,
)
def settle_in(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """9.2.1.a/9.2.1, 5.2: an overstacked last hex makes some go on; those who cannot are lost."""
    units, been, gone = frame.args
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
    further = Course(1, (), been)
    if retreat_ways(rules, state, here, side, further).prices and any(least_removals(rules, state, here, alive)):
        state.frames.append(Frame("goon", side, (alive, been, gone)))
    else:
        state.frames.append(Frame("overstack", side, (here, state.stacks[here])))


def who_may_go_on(rules: Inferno, state: State, frame: Frame) -> list[tuple[int, ...]]:
    """9.2.1.a/9.2.1: groups that may go on together: some or all of those who must go to make the hex legal."""
    units, _, gone = frame.args
    here = state.at[units[0]]
    sets = [set(group) for group in least_removals(rules, state, here, (*units, *gone), gone)]
    due = [sorted(group - {*gone}) for group in sets if group >= {*gone}]
    due = due or [list(group) for group in least_removals(rules, state, here, units)]
    found: dict[tuple[int, ...], None] = {}
    for group in due:
        for size in range(1, len(group) + 1):
            found |= dict.fromkeys(combinations(group, size))
    return list(found)


def _nobody_goes_on(rules: Inferno, state: State, frame: Frame) -> str:
    """9.2.1.a/9.2.1: a stack in a crowded hex of which some can go on."""
    units, _, gone = frame.args
    why = why_no_stack(rules, state, units, frame.seat) or _why_not_gone(rules, units, gone)
    if why:
        return why
    here = state.at[units[0]]
    if is_legal_stack(rules, state, here, state.stacks[here]):
        return f"{rules.hex_id(here)} is not overstacked"
    return "" if any(rules.choices["goon"].legal(rules, state, frame)) else "nobody can go on"


@CHAPTER.choice(on=RETREATING, seats=owner, takes=(HERE, BEEN, GONE), fault=_nobody_goes_on, **IN_RETREAT)
class GoOnChoice(Choice["Inferno", State]):
    """9.2.1, 9.2.1.a/9.2.1: who goes on, and where to; it is asked again while the hex is overstacked."""

    name = "goon"
    panel = panel.SUBSET
    rules = (cites.RETREAT_ROOM, cites.RETREAT_PRIORITIES)
    verbs = (GoOn,)

    def ways(self, rules: Inferno, state: State, frame: Frame, group: Sequence[int]) -> Ways:
        """9.2.2/9.2.1: where these units may go; every further hex is judged as a retreat of one."""
        units, been, _ = frame.args
        here = state.at[units[0]]
        return retreat_ways(rules, state, here, frame.seat, Course(1, (), been), group)

    def legal(self, rules: Inferno, state: State, frame: Frame) -> Iterator[Action]:
        for group in who_may_go_on(rules, state, frame):
            for path in self.ways(rules, state, frame, group).prices:
                yield GoOn(rules.unit_ids(group), rules.hex_id(path[0]))

    def why_not(self, rules: Inferno, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, GoOn)
        units, been, _ = frame.args
        going = rules.units(action.units)
        if isinstance(going, Refusal):
            return going
        if set(going) not in map(set, who_may_go_on(rules, state, frame)):
            return Refusal(cites.RETREAT_ROOM, "just_enough_go_on")
        path = rules.hexes((action.to,))
        if isinstance(path, Refusal):
            return path
        ways = self.ways(rules, state, frame, going)
        if tuple(path) not in ways.prices:
            here = state.at[units[0]]
            return _why_not_way(rules, state, here, frame.seat, path, ways, Course(1, (), been))
        return None

    def apply(self, rules: Inferno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, GoOn)
        units, been, gone = frame.args
        going = tuple(sorted(rules.known(action.units)))
        path = (rules.grid_index[action.to],)
        price = self.ways(rules, state, frame, going).prices[path]
        state.frames.pop()
        staying = tuple(unit for unit in units if unit not in going)
        if staying:
            state.frames.append(Frame("settle_in", AUTO, (staying, been, tuple(sorted((*gone, *going))))))
        state.frames.append(Frame("fall_back", AUTO, (going, path, been, len(been) + 1, price)))

    def about(self, rules: Inferno, state: State, frame: Frame) -> dict[str, Any]:
        units = frame.args[0]
        return {"units": list(rules.unit_ids(units)), "from": rules.hex_id(state.at[units[0]])}

    def offer(self, rules: Inferno, state: State, frame: Frame) -> dict[str, Any]:
        """Also what each further hex adds to the loss roll, whoever goes there."""
        prices: dict[str, int] = {}
        for group in who_may_go_on(rules, state, frame):
            for path, price in self.ways(rules, state, frame, group).prices.items():
                prices[rules.hex_id(path[0])] = price
        return panel.subset(super().offer(rules, state, frame), "goon", "units") | {
            "notes": {name: {"loss_die": price} for name, price in sorted(prices.items())}
        }
