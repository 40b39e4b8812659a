"""22, 7.2, 6.0: what each seat sees. Plans and logistic points are secret, and what lies deep in a stack is covered.

A view tells in `family` the rest of the state by the same table as a position, with the names that the seat may use:
who is covered is called by his place in the stack, ?2102.1.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import Frame
from fronte.engine.glance import Glance
from fronte.engine.recollection import Others, Shown
from fronte.engine.view import Moving, Piece, Sign, Stage, Track, View
from fronte.games.caporetto import artillery, losses, position, sectors, victory
from fronte.games.caporetto.counters import QUARTERS
from fronte.games.caporetto.printed import UNMADE
from fronte.games.caporetto.scenarios import MAJORITY
from fronte.games.caporetto.seating import active_seat, seat_of
from fronte.games.caporetto.sightings import ONLOOKER, covered_as, is_foggy, is_open, known, lying, of_seat
from fronte.games.caporetto.state import MASKS, NOBODY, NOT_PLANNED, State
from fronte.games.caporetto.terrain import AHG, SIDES
from fronte.games.caporetto.values import Names, hexside
from fronte.games.common import positions
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

RECOVERY, SUPPLY = "recovery", "supply"
"""4.0-12: a phase to those who look on, and to the state a part of the other one."""
BY_ITSELF = ("control", "plan", "points", "leftovers", "left", "attachments", "spent")
"""Rows of the table of positions that a view tells in its own way."""
SEEN = ("activated", "marched", "moved", "commanded", "mobile", "retreated", "joined", "arrived")
"""What both have seen a covered unit do; other marks would tell what it is."""
MARKED = {
    "activated": "activated",
    "act": "act",
    "def_fired": "def_fired",
    "ooc": "out_of_command",
    "marched": "forced_march",
    "working": "building",
}
"""The masks that are markers on a counter, with the names of the texts."""
MARCHES = ("march",)
"""Frames with the rest of a way, which is for their owner to know."""


class Eyes:
    """What one seat may know of a state: whom it knows, and how it calls the others."""

    def __init__(self, rules: Caporetto, state: State, seat: int) -> None:
        self.rules, self.state, self.seat = rules, state, seat
        self.known = known(rules, state, seat)
        self.mine = of_seat(rules, seat)
        self.disorder = self.mine if is_foggy(rules) else rules.sighted.everybody
        """22.2: whose points of disorganisation it sees; the markers lie under the units."""
        self.names = Names(rules, self.label, rules.find_unit)

    @cached_property
    def stacks(self) -> dict[int, tuple[int, ...]]:
        """The stacks as they lie (22.1), in an order that tells nothing."""
        return {h: lying(self.rules, self.state, h) for h in sorted(self.state.stacks)}

    @cached_property
    def account(self) -> dict[str, dict[str, int]]:
        """23.1: the points of the AHG."""
        return self.rules.account(self.state)

    def label(self, unit: int) -> str:
        """How the seat names a unit: by its id, or as the so-manieth of its stack."""
        if self.known >> unit & 1:
            return self.rules.ids[unit]
        h = self.state.at[unit]
        return f"?{self.rules.hex_id(h)}.{self.stacks[h].index(unit)}"

    def owns(self, force: int) -> bool:
        """24.1: does the seat command this force?"""
        return self.seat != ONLOOKER and seat_of(self.rules, force) == self.seat

    @cached_property
    def plans(self) -> int:
        """7.2, 21.6: the formations whose plans it sees: its own, and those that have come to act; Rommel's is declared
        openly."""
        found = self.state.done | mask_of(self.state.formations)
        if self.rules.rommel >= 0:
            found |= 1 << self.rules.rommel
        for force, formations in enumerate(self.rules.formations_of_force):
            if self.owns(force):
                found |= mask_of(formations)
        return found

    def sees_points(self, force: int) -> bool:
        """6.0.e1, `lp_visibility`."""
        return self.owns(force) or self.rules.option["lp_visibility"] == "open"


def view(rules: Caporetto, state: State, seat: int) -> View:
    """All that a seat may know."""
    eyes = Eyes(rules, state, seat)
    forces = rules.scene.forces
    return View(
        rules.header.game,
        rules.header.scenario,
        _stage(eyes),
        "" if seat == ONLOOKER else rules.seats[seat],
        tuple(_pieces(eyes)),
        {name: _held(rules, force, state.control[force]) for force, name in enumerate(forces)},
        tuple(_signs(eyes)),
        tuple(_tracks(eyes)),
        _family(eyes),
    )


def glance(rules: Caporetto, state: State) -> Glance:
    """What a list shows: of each hex the force whose counter lies on top, a headquarters above all."""
    forces = rules.scene.forces
    stands = {}
    for h, stack in state.stacks.items():
        owners = {rules.force[unit] for unit in stack}
        top = stack[-1] if len(owners) == 1 else lying(rules, state, h)[-1]
        stands[rules.grid.ids[h]] = forces[rules.force[top]]
    for unit in bits(rules.hqs):
        if state.at[unit] >= 0:
            stands[rules.grid.ids[state.at[unit]]] = forces[rules.force[unit]]
    control = {name: _held(rules, force, state.control[force]) for force, name in enumerate(forces)}
    return Glance(state.turn, _phase(state), _active(rules, state), rules.score(state), control, stands)


def others(rules: Caporetto, state: State, seat: int) -> Others:
    """22.0, 22.3: whom of the others a seat knows, and where any stand. Flamethrowers go along with others (21.4) and
    companies come and go (21.10) without being named, so nobody is taken to remember them."""
    looks = known(rules, state, seat) & ~of_seat(rules, seat) & ~(rules.flamethrowers | rules.generic | rules.hqs)
    ids, at = rules.ids, state.at
    shown = [Shown(ids[unit], rules.hex_id(at[unit]), state.lost[unit]) for unit in bits(looks)]
    owner = rules.sighted.seat
    stand = [h for h, stack in state.stacks.items() if any(owner[unit] != seat for unit in stack)]
    return Others(state.turn, shown, frozenset(rules.hex_ids(stand)))


def _held(rules: Caporetto, force: int, hexes: int) -> tuple[str, ...]:
    """23.1: the hexes of a force by name; they change seldom, so that the last answer is kept."""
    kept = rules.sighted.held.get(force)
    if kept is None or kept[0] != hexes:
        kept = rules.sighted.held[force] = hexes, rules.hex_ids(bits(hexes))
    return kept[1]


def _stage(eyes: Eyes) -> Stage:
    rules, state = eyes.rules, eyes.state
    top = state.frames[-1] if state.frames else None
    moving = None
    if state.mover != NOBODY and eyes.known >> state.mover & 1:
        moving = Moving(rules.ids[state.mover], state.left)
    return Stage(
        state.turn,
        _phase(state),
        _active(rules, state),
        _acting(rules, state),
        state.step,
        rules.seats[top.seat] if top and top.seat >= 0 else "",
        top.name if top else "",
        moving,
    )


def _phase(state: State) -> str:
    """4.0-11, 4.0-12: as the book numbers it. To the state the end of a turn is one phase; who may let units recover is
    not in the Supply Phase any more, and both see that."""
    recovering = any(frame.name == "turn_over" for frame in state.frames)
    return RECOVERY if recovering else state.phase


def _active(rules: Caporetto, state: State) -> str:
    """The seat whose turn it is; elsewhere both act."""
    return rules.seats[active_seat(rules, state)] if state.phase == "action" else ""


def _acting(rules: Caporetto, state: State) -> str:
    """4.0-7, 14: the formation that acts, or that tries to react and whose headquarters is placed now."""
    top = state.frames[-1] if state.frames else None
    if top is not None and top.name == "place_hq":
        return str(rules.formations[top.args[0]].id)
    return rules.formations[state.formations[0]].id if state.formations else ""


# Pieces


def _pieces(eyes: Eyes) -> Iterable[Piece]:
    """In an order that tells nothing: stacks hex by hex as they lie, then those in none of them. Companies that are not
    detached are nowhere (21.10)."""
    rules, state, known = eyes.rules, eyes.state, eyes.known
    marks, forces, ids = _marks(rules, state), rules.sighted.forces, rules.grid.ids
    for h, stack in eyes.stacks.items():
        for lies, unit in enumerate(stack):
            if known >> unit & 1:
                yield _known_piece(eyes, unit, ids[h], marks.get(unit, ()), lies)
            else:
                yield Piece(forces[unit], ids[h], values={"covered": covered_as(rules, state, unit)}, order=lies)
    heights = {h: len(stack) for h, stack in eyes.stacks.items()}
    for unit in bits(rules.sighted.everybody & ~state.present):
        at = state.at[unit]
        if at == UNMADE:
            continue
        lies = heights.get(at, 0) if at >= 0 else 0
        heights[at] = lies + 1
        yield _known_piece(eyes, unit, rules.hex_id(at), marks.get(unit, ()), lies)


def _known_piece(eyes: Eyes, unit: int, where: str, marks: Iterable[str], lies: int) -> Piece:
    """A counter that the seat knows by name."""
    rules, lost = eyes.rules, eyes.state.lost[unit]
    mine, face = bool(eyes.mine >> unit & 1), 1 if lost and eyes.state.at[unit] >= 0 else 0
    return Piece(
        rules.sighted.forces[unit], where, rules.ids[unit], mine, face, _values(eyes, unit), tuple(marks), None, lies
    )


def piece(rules: Caporetto, state: State, seat: int, name: str) -> Piece | None:
    """One piece of the view of a seat by its id, without the others; None if the seat knows none such. How high it lies
    is not told."""
    unit, eyes = rules.number.get(name, -1), Eyes(rules, state, seat)
    if unit < 0 or state.at[unit] == UNMADE or not eyes.known >> unit & 1:
        return None
    return _known_piece(eyes, unit, rules.hex_id(state.at[unit]), _marks(rules, state).get(unit, ()), 0)


def _values(eyes: Eyes, unit: int) -> dict[str, int | str]:
    """2.2: what a counter shows now; also of companies, which are printed on no line of their own (21.10)."""
    rules, state = eyes.rules, eyes.state
    key = unit, state.lost[unit]
    printed = rules.sighted.printed.get(key)
    if printed is None:
        printed = rules.sighted.printed[key] = _printed(rules, state, unit)
    if state.dp[unit] and eyes.disorder >> unit & 1 and "morale" in printed:
        return {**printed, "dp": state.dp[unit]}
    return printed  # of all views the same one: nobody changes a view


def _printed(rules: Caporetto, state: State, unit: int) -> dict[str, int | str]:
    """What hangs on the steps alone that it has lost."""
    counter = rules.counters[unit]
    found: dict[str, int | str] = {"class": counter.kind.name}
    for name in ("formation", "division", "corps"):
        if getattr(counter, name):
            found[name] = getattr(counter, name)
    if counter.is_hq:
        return found | {"initiative": counter.initiative, "command": counter.command}
    if counter.is_gun:
        found |= {"factor": counter.factor, "range": counter.range}
    elif counter.faces:
        found |= {"cf": losses.strength(rules, state, unit), "mg": losses.machine_guns(rules, state, unit)}
        found["steps"] = losses.steps_left(rules, state, unit)
    if counter.is_generic:
        found["name"] = counter.name
    found["ma"] = counter.ma // QUARTERS
    if counter.morale:
        found["morale"] = counter.morale
    return found


def _marks(rules: Caporetto, state: State) -> dict[int, list[str]]:
    """The marks of all units that have any."""
    found: dict[int, list[str]] = {}
    for name, word in MARKED.items():
        for unit in bits(getattr(state, name)):
            found.setdefault(unit, []).append(word)
    for unit, lost in enumerate(state.lost):
        if lost and state.at[unit] >= 0:
            found.setdefault(unit, []).extend(("reduced", "step_lost")[: 1 + (lost > 1)])
    for unit in bits(rules.guns & ~state.emplaced):
        if state.at[unit] >= 0:
            found.setdefault(unit, []).append("limbered")
    for unit in bits(rules.combat & sectors.held_back(rules, state)):
        if state.at[unit] >= 0:
            found.setdefault(unit, []).append("frozen")
    for unit, _, by_road in state.assaults:
        found.setdefault(unit, []).append("road_assault" if by_road else "assault")
    for unit, _ in state.supports:
        found.setdefault(unit, []).append("support")
    return found


# Signs and tracks


def _signs(eyes: Eyes) -> Iterable[Sign]:
    """What lies on the map: trenches that are not as printed (17), bridges (19), barrages, markers of an action."""
    rules, state = eyes.rules, eyes.state
    ground, ids = rules.ground, rules.grid.ids
    for h in bits(state.lowered):
        yield Sign("trench", ids[h], value=ground.trench_level[h] - 1)
    for trench, level in zip(ground.side_trenches, state.side_trenches, strict=True):
        if level != trench.level:
            yield Sign("trench", hexside(rules, trench.hex, trench.against), SIDES[trench.owner], value=level)
    for number in bits(ground.all_bridges & ~state.standing):
        yield Sign("destroyed", hexside(rules, *ground.bridges[number][:2]))
    for a, b in state.built:
        yield Sign("built", hexside(rules, a, b))
    for unit, a, b in state.works:
        force, named = rules.scene.forces[rules.force[unit]], rules.ids[unit] if eyes.known >> unit & 1 else ""
        yield Sign("building", ids[a] if a == b else hexside(rules, a, b), force, named)
    for h, strength in state.barrages:
        yield Sign("barrage", ids[h], value=strength // artillery.PARTS)
    for kind, hexes in (("mine", state.mines), ("gas", state.gas)):
        for h in hexes:
            yield Sign(kind, ids[h])
    for unit, h, by_road in state.assaults:
        yield _pointing(eyes, "road_assault" if by_road else "assault", unit, h)
    for unit, h in state.supports:
        yield _pointing(eyes, "support", unit, h)


def _pointing(eyes: Eyes, kind: str, unit: int, h: int) -> Sign:
    """10.2: a marker in the hex of a unit that looks at another."""
    rules, here = eyes.rules, eyes.state.at[unit]
    near = rules.grid.neighbours[here]
    force, named = rules.scene.forces[rules.force[unit]], rules.ids[unit] if eyes.known >> unit & 1 else ""
    return Sign(kind, rules.grid.ids[here], force, named, near.index(h) if h in near else None, rules.grid.ids[h])


def _score(eyes: Eyes) -> int:
    """24.7, 25.7, 26.3: `Rules.score`, out of the account where that counts."""
    if eyes.rules.scene.victory == MAJORITY:
        return victory.majority(eyes.rules, eyes.state)
    return victory.lead(eyes.rules, [one["total"] for one in eyes.account.values()])


def _tracks(eyes: Eyes) -> Iterable[Track]:
    rules, state = eyes.rules, eyes.state
    forces = rules.scene.forces
    wings = victory.attackers(rules)
    yield Track("score", _score(eyes))
    if len(wings) > 1:  # 24.7: each wing has its own; elsewhere they are the score
        for force in wings:
            yield Track("vp", eyes.account[forces[force]]["total"], forces[force])
    for force in rules.scene.logistics:
        if eyes.sees_points(force):
            yield Track("points", state.points[force], forces[force])
    if rules.scene.victory != MAJORITY:  # 23.3: only a campaign comes to a halt
        yield Track("quiet", state.quiet)


# What only the rooms of this game read


def _family(eyes: Eyes) -> dict[str, Any]:
    rules, state = eyes.rules, eyes.state
    scene = rules.scene
    day, half = rules.half_day(state.turn)
    formations = rules.formations
    return {
        "weather": list(rules.tables.weather[state.turn - 1]),
        "day": day,
        "half": half,
        "force": scene.forces[state.active],
        "sector": state.sector,
        "kind": state.kind,
        "outcome": state.outcome,
        "account": eyes.account,
        "plan": {
            formations[n].id: guns for n, guns in enumerate(state.plan) if guns != NOT_PLANNED and eyes.plans >> n & 1
        },
        "boxes": {one.id: _box(eyes, number) for number, one in enumerate(formations)},
        "points": {scene.forces[f]: state.points[f] for f in scene.logistics if eyes.sees_points(f)},
        "left": state.left if state.mover != NOBODY and eyes.known >> state.mover & 1 else 0,
        "leftovers": {rules.ids[unit]: left for unit, left in state.leftovers if eyes.known >> unit & 1},
        "attachments": {
            formations[formation].id: list(rules.unit_ids(bits(units & eyes.known)))
            for formation, units in state.attachments
        },
        "marks": {name: found for name in MASKS if (found := _masked(eyes, name))},
        "worn": _worn(eyes),
        "table": _table(eyes),
        "frames": [frame_told(eyes, frame) for frame in state.frames],
    }


def _table(eyes: Eyes) -> dict[str, Any]:
    """The rows of a position that say something; only groups have spent a part of their factor (18.9), so that of those
    who are covered this is not told."""
    rules, state, empty = eyes.rules, eyes.state, eyes.rules.empty
    found = {
        row.key: position.told(eyes.names, state, row)
        for row in position.TABLE
        if row.field not in BY_ITSELF and getattr(state, row.field) != getattr(empty, row.field)
    }
    spent = {rules.ids[gun]: parts for gun, parts in state.spent if eyes.known >> gun & 1}
    return found | {"spent": spent} if spent else found


def _box(eyes: Eyes, formation: int) -> str:
    """7.2: the box of a headquarters on the display, as far as the seat may know."""
    state = eyes.state
    if state.done >> formation & 1:
        return "after"
    guns = state.plan[formation]
    if not eyes.plans >> formation & 1:
        return ""
    if guns == NOT_PLANNED:
        return "none"
    if eyes.rules.formations[formation].side == AHG:
        return "planned"
    return next(f"guns_{most}" for most in (0, 5, 10, 15) if guns <= most)


def _masked(eyes: Eyes, name: str) -> list[str]:
    """Who has a mark: of those who are covered only what was seen of them."""
    found = getattr(eyes.state, name)
    names = list(eyes.rules.unit_ids(bits(found & eyes.known)))
    if name in SEEN:
        names += [eyes.label(unit) for unit in bits(found & ~eyes.known)]
    return sorted(names)  # the order of their numbers would tell who is hidden behind a name


def _worn(eyes: Eyes) -> dict[str, list[int]]:
    """By unit the steps lost and points of disorganisation, where the seat may know of any."""
    ids, state, known, disorder, found = eyes.rules.ids, eyes.state, eyes.known, eyes.disorder, {}
    for unit, (lost, points) in enumerate(zip(state.lost, state.dp, strict=True)):
        if (lost or points) and known >> unit & 1:
            points = points if disorder >> unit & 1 else 0
            if lost or points:
                found[ids[unit]] = [lost, points]
    return found


def frame_told(eyes: Eyes, frame: Frame) -> list[Any]:
    """A frame in names; where an enemy means to go on to is for him to know."""
    return positions.write_frame(eyes.rules, hidden(eyes.rules, eyes.state, eyes.seat, frame), eyes.label)


def hidden(rules: Caporetto, state: State, seat: int, frame: Frame) -> Frame:
    """A frame without what its owner alone knows."""
    if frame.name not in MARCHES or is_open(rules) or seat == active_seat(rules, state):
        return frame
    takes = rules.frames[frame.name].takes
    args = [() if told.kind == positions.HEXES else value for told, value in zip(takes, frame.args, strict=True)]
    return Frame(frame.name, frame.seat, tuple(args))
