"""The rules of the probe game, in the order of its little book: 1 plans, 2 activation, 3 marching, 4 fire."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fronte.engine import panel
from fronte.engine.decision import AUTO, CHANCE, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, anybody, open_to_all
from fronte.games.common.activation import next_to_act
from fronte.games.common.positions import HEX, HEXES, UNIT, UNITS, WORD
from fronte.games.common.windows import forget_rest, lay_below, open_window, react, unspent
from fronte.hexes import bits, flood, trace

from .board import COMMAND, FORCES, KINDS
from .fog import name_of
from .state import GONE, State, place

if TYPE_CHECKING:
    from .game import Probe

CHAPTER = Chapter()

MOST = 64
"""More pieces than can ever be on the field."""
PIECE = Argument("piece", UNIT)


class Plan(Action, frozen=True):
    """1: in secret, the force that shoots better this turn."""

    form = "plan {force}"
    force: str


class Activate(Action, frozen=True):
    """2: this force acts now."""

    form = "activate {force}"
    force: str


class Pass(Action, frozen=True):
    """2: nobody more acts this turn for this seat."""

    form = "pass"


class March(Action, frozen=True):
    """3: a piece goes along a path of hexes, each in front of it when it leaves for it."""

    form = "march {unit} {path:-}"
    unit: str
    path: tuple[str, ...]


class Face(Action, frozen=True):
    """3.2: a piece turns where it stands and does nothing else."""

    form = "face {unit} {facing}"
    unit: str
    facing: int


class Form(Action, frozen=True):
    """3.3: a piece forms column or line and does nothing else."""

    form = "form {unit} {into}"
    unit: str
    into: str


class Fire(Action, frozen=True):
    """4: a piece in line fires at a hex before it."""

    form = "fire {unit} at {target}"
    odds = True
    unit: str
    target: str


class Detach(Action, frozen=True):
    """3.4: a company sends a patrol into a free hex before it."""

    form = "detach {unit} to {to}"
    unit: str
    to: str


class Done(Action, frozen=True):
    """2: the activation is over."""

    form = "done"


class Shoot(Action, frozen=True):
    """3.5: a piece whose front the enemy crosses shoots at him."""

    form = "shoot {unit}"
    odds = True
    unit: str


class Hold(Action, frozen=True):
    """3.5: nobody (more) reacts to this."""

    form = "hold"


# 1, 2: plans and activation


@CHAPTER.choice(on="open_plans plan", seats=anybody, once=False, phases="plan")
class PlanChoice(Choice["Probe", State]):
    """1: each seat plans in secret; both plans are opened together."""

    name = "plan"
    rules = ("1",)
    verbs = (Plan,)
    panel = panel.CHOOSE

    def legal(self, rules: Probe, state: State, frame: Frame) -> Iterator[Action]:
        for force in rules.forces_of(state, frame.seat):
            yield Plan(FORCES[force])

    def why_not(self, rules: Probe, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Plan)
        named = [FORCES[force] for force in rules.forces_of(state, frame.seat)]
        return None if action.force in named else Refusal("1", "not_your_force", {"force": action.force})

    def apply(self, rules: Probe, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Plan)
        state.frames.pop()
        state.plans[frame.seat] = FORCES.index(action.force)
        seat = rules.seats[frame.seat]
        out.append(Event("planned", ("1",), {"seat": seat, "force": action.force}, 1 << frame.seat, {"seat": seat}))


def _other_plan(rules: Probe, state: State, frame: Frame) -> int:
    """The second seat plans last, so what it has not known until now is the first one's plan."""
    return 0


@CHAPTER.step("1", on="ground", secrets=_other_plan, phases="plan")
def open_plans(rules: Probe, state: State, frame: Frame, out: list[Event]) -> None:
    """1: both plans are shown, and the first seat of the turn activates."""
    plans = {rules.seats[seat]: FORCES[force] for seat, force in enumerate(state.plans)}
    out.append(Event("plans", ("1",), {"plans": plans}))
    state.phase = "action"
    state.active = (state.turn + 1) % 2
    state.done = state.passed = 0
    state.frames.append(Frame("activate", state.active))


@CHAPTER.choice(on="ground", seats=anybody, phases="action")
class ActivateChoice(Choice["Probe", State]):
    """2: the seats activate one force each in turn, or pass."""

    name = "activate"
    rules = ("2",)
    verbs = (Activate, Pass)
    panel = panel.CHOOSE

    def legal(self, rules: Probe, state: State, frame: Frame) -> Iterator[Action]:
        for force in rules.forces_of(state, frame.seat):
            if not state.done >> force & 1:
                yield Activate(FORCES[force])
        yield Pass()

    def why_not(self, rules: Probe, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, Pass):
            return None
        assert isinstance(action, Activate)
        if action.force not in [FORCES[force] for force in rules.forces_of(state, frame.seat)]:
            return Refusal("2", "not_your_force", {"force": action.force})
        if state.done >> FORCES.index(action.force) & 1:
            return Refusal("2", "has_acted", {"force": action.force})
        return None

    def apply(self, rules: Probe, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        if isinstance(action, Pass):
            state.passed |= 1 << frame.seat
            out.append(Event("passed", ("2",), {"seat": rules.seats[frame.seat]}))
            state.frames.append(Frame("next_seat", AUTO))
            return
        assert isinstance(action, Activate)
        force = FORCES.index(action.force)
        state.done |= 1 << force
        for piece in range(len(state.at)):
            state.acted[piece] = False
        out.append(Event("activated", ("2",), {"force": action.force}))
        state.frames += (Frame("next_seat", AUTO), Frame("act", frame.seat, (force,)))


@CHAPTER.step("2", on="ground", secrets=open_to_all, phases="action")
def next_seat(rules: Probe, state: State, frame: Frame, out: list[Event]) -> None:
    """2: the other seat is next, unless it has passed or has no force left to activate; then the turn may end."""
    able = [
        not state.passed >> seat & 1 and any(not state.done >> force & 1 for force in rules.forces_of(state, seat))
        for seat in range(2)
    ]
    found = next_to_act(1 - state.active, able)
    if found is None:
        rules.end_turn(state, out)
        return
    state.active = found[0]
    state.frames.append(Frame("activate", state.active))


# 3: what an activated force does


@CHAPTER.choice(on="next_seat", seats=anybody, takes=(Argument("force", NUMBER, 0, len(FORCES) - 1),), phases="action")
class ActChoice(Choice["Probe", State]):
    """2, 3, 4: each piece of the force does one thing; when enough is done the activation ends."""

    name = "act"
    rules = ("2", "3", "4")
    verbs = (March, Face, Form, Fire, Detach, Done)
    panel = panel.MOVE

    def legal(self, rules: Probe, state: State, frame: Frame) -> Iterator[Action]:
        for piece in able(rules, state, frame):
            name = rules.id_of(state, piece)
            for _, way in sorted(reach(rules, state, piece).values(), key=lambda found: found[1]):
                yield March(name, rules.hex_ids(way))
            for facing in range(6):
                if facing != state.facing[piece]:
                    yield Face(name, facing)
            yield Form(name, "line" if state.column[piece] else "column")
            for h in bits(rules.targets(state, piece)):
                yield Fire(name, rules.grid.ids[h])
            for h in rooms(rules, state, piece):
                yield Detach(name, rules.grid.ids[h])
        yield Done()

    def why_not(self, rules: Probe, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, Done):
            return None
        name: str = getattr(action, "unit", "")
        piece = rules.find(state, name, missing=-1)
        if piece < 0:
            return rules.unknown_unit(name)
        if rules.force(state, piece) != frame.args[0]:
            return Refusal("2", "not_activated", {"unit": name})
        if state.at[piece] == GONE:
            return Refusal("2", "gone", {"unit": name})
        if state.acted[piece]:
            return Refusal("2", "unit_has_acted", {"unit": name})
        return self._why_not_this(rules, state, piece, action)

    def _why_not_this(self, rules: Probe, state: State, piece: int, action: Action) -> Refusal | None:
        name = rules.id_of(state, piece)
        if isinstance(action, March):
            path = rules.hexes(action.path)
            return path if isinstance(path, Refusal) else why_no_march(rules, state, piece, path)
        if isinstance(action, Face):
            if not 0 <= action.facing < 6 or action.facing == state.facing[piece]:
                return Refusal("3.2", "no_turn", {"unit": name})
            return None
        if isinstance(action, Form):
            wanted = "line" if state.column[piece] else "column"
            return None if action.into == wanted else Refusal("3.3", "no_form", {"unit": name})
        if isinstance(action, Fire):
            at = rules.grid.index.get(action.target, -1)
            if at < 0:
                return rules.unknown_hex(action.target)
            return None if rules.targets(state, piece) >> at & 1 else Refusal("4", "no_target", {"hex": action.target})
        assert isinstance(action, Detach)
        to = rules.grid.index.get(action.to, -1)
        return None if to in rooms(rules, state, piece) else Refusal("3.4", "no_patrol", {"unit": name})

    def apply(self, rules: Probe, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        if isinstance(action, Done):
            state.frames.pop()
            out.append(Event("rested", ("2",), {"force": FORCES[frame.args[0]]}))
            return
        piece = rules.find(state, getattr(action, "unit", ""))
        state.acted[piece] = True
        if isinstance(action, March):
            state.left = rules.points(state, piece)
            path = tuple(rules.grid.index[name] for name in action.path)
            state.frames.append(Frame("march", AUTO, (piece, path, 0)))
        elif isinstance(action, Face):
            state.facing[piece] = action.facing
            _tell(rules, state, piece, "faced", "3.2", {"facing": action.facing}, out)
        elif isinstance(action, Form):
            state.column[piece] = action.into == "column"
            _tell(rules, state, piece, "formed", "3.3", {"into": action.into}, out)
        elif isinstance(action, Fire):
            state.frames.append(Frame("fire_dice", CHANCE, (piece, rules.grid.index[action.target])))
        elif isinstance(action, Detach):
            detach(rules, state, piece, rules.grid.index[action.to], out)

    def about(self, rules: Probe, state: State, frame: Frame) -> dict[str, Any]:
        return {"force": FORCES[frame.args[0]]}

    def offer(self, rules: Probe, state: State, frame: Frame) -> dict[str, Any]:
        units = {}
        other: list[dict[str, Any]] = []
        for piece in able(rules, state, frame):
            name = rules.id_of(state, piece)
            found = reach(rules, state, piece)
            units[name] = {
                "left": rules.points(state, piece),
                "reach": {
                    rules.grid.ids[h]: {"left": left, "path": list(rules.hex_ids(way))}
                    for h, (left, way) in sorted(found.items())
                },
            }
        for action in self.legal(rules, state, frame):
            if not isinstance(action, March):
                other.append(rules.as_data(action))
        return {"move": "march", "units": units, "actions": other}


def able(rules: Probe, state: State, frame: Frame) -> list[int]:
    """2: the pieces of the activated force that have not acted."""
    force = frame.args[0]
    return [
        piece
        for piece in range(len(state.at))
        if rules.force(state, piece) == force and state.at[piece] != GONE and not state.acted[piece]
    ]


def _tell(rules: Probe, state: State, piece: int, kind: str, rule: str, data: dict[str, Any], out: list[Event]) -> None:
    """5: all see what a piece does, and who it is only those who know it."""
    here = {"hex": rules.grid.ids[state.at[piece]]} | data
    seats = sum(1 << s for s in range(2) if not name_of(rules, state, s, piece).startswith("?"))
    out.append(Event(kind, (rule,), {"unit": rules.id_of(state, piece)} | here, seats, {"unit": ""} | here))


def detach(rules: Probe, state: State, piece: int, to: int, out: list[Event]) -> None:
    """3.4: a patrol is made: a piece that was not there before."""
    force = rules.force(state, piece)
    name = f"{FORCES[force]}-p{1 + sum(1 for _, other in state.made if other == force)}"
    state.made.append((name, force))
    for column, value in rules.blank:
        getattr(state, column).append(value)
    patrol = len(state.at) - 1
    state.facing[patrol] = state.facing[piece]
    state.acted[patrol] = True
    place(rules, state, patrol, to)
    _tell(rules, state, patrol, "detached", "3.4", {}, out)


def rooms(rules: Probe, state: State, piece: int) -> list[int]:
    """3.4: the free hexes before a company into which it may send a patrol; two patrols a force at the most."""
    force = rules.force(state, piece)
    made = sum(1 for _, other in state.made if other == force)
    if KINDS[rules.kind(state, piece)] != "company" or made >= int(rules.tables["patrols"]["most"]):
        return []
    front = rules.facings.front[state.at[piece]][state.facing[piece]] & rules.extent
    return [h for h in bits(front) if not state.stacks[h] and rules.cost(state.at[piece], h, False) is not None]


# 3: marching


def why_no_march(rules: Probe, state: State, piece: int, path: Sequence[int]) -> Refusal | None:
    """3, 3.1: each hex must be before the piece as it then stands, be free for it, and be paid for."""
    if not path:
        return Refusal("3", "no_path", {})
    here, facing, left = state.at[piece], state.facing[piece], rules.points(state, piece)
    for there in path:
        why = _why_no_step(rules, state, piece, here, facing, there)
        if why is not None:
            return why
        cost = rules.cost(here, there, state.column[piece])
        if cost is None or cost > left:
            return Refusal("3.1", "too_dear", {"hex": rules.grid.ids[there], "need": cost or 0, "have": left})
        here, facing, left = there, rules.facings.toward(here, there), left - cost
    return None


def _why_no_step(rules: Probe, state: State, piece: int, here: int, facing: int, there: int) -> Refusal | None:
    data = {"hex": rules.grid.ids[there]}
    if not rules.facings.front[here][facing] >> there & 1:
        return Refusal("3", "not_in_front", data)
    if not rules.extent >> there & 1:
        return Refusal("3", "off_the_field", data)
    if state.occ[1 - COMMAND[rules.force(state, piece)]] >> there & 1:
        return Refusal("3", "enemy_there", data)
    if len(state.stacks[there]) >= int(rules.tables["stack"]["most"]):
        return Refusal("3", "full", data)
    if rules.cost(here, there, state.column[piece]) is None:
        return Refusal("3.1", "no_ford", data)
    return None


def reach(rules: Probe, state: State, piece: int) -> dict[int, tuple[int, list[int]]]:
    """3: where a piece can go by its cheapest way, and the quarters left there."""
    points = rules.points(state, piece)

    def edges(node: int) -> list[tuple[int, int]]:
        here, facing = divmod(node, 6)
        found = []
        for there in bits(rules.facings.front[here][facing]):
            cost = rules.cost(here, there, state.column[piece])
            if cost is not None and _why_no_step(rules, state, piece, here, facing, there) is None:
                found.append((there * 6 + rules.facings.toward(here, there), cost))
        return found

    start = state.at[piece] * 6 + state.facing[piece]
    cost, before = flood((start,), points, edges)
    best: dict[int, tuple[int, list[int]]] = {}
    for node, spent in sorted(cost.items(), key=lambda item: (item[1], item[0])):
        h = node // 6
        if h != state.at[piece] and h not in best:
            best[h] = (points - spent, [step // 6 for step in trace(before, node)])
    return best


def _mover(rules: Probe, state: State, frame: Frame) -> int:
    """The hits of a piece decide whether it can go on, and only its owner knows them."""
    return COMMAND[rules.force(state, frame.args[0])]


def _known_piece(rules: Probe, state: State, frame: Frame) -> str:
    """A frame is about a piece that there is."""
    number = frame.args[0]
    return "" if number < len(state.at) else f"there is no piece {number}"


def _window(rules: Probe, state: State, frame: Frame) -> str:
    """3.5: before a hex or after it."""
    found = _known_piece(rules, state, frame)
    return found or ("" if frame.args[1] in ("before", "after") else "a window is before a hex or after it")


def _in_play(rules: Probe, state: State, frame: Frame) -> str:
    """A frame is about a piece on the field."""
    found = _known_piece(rules, state, frame)
    return found or ("" if state.at[frame.args[0]] != GONE else "the piece is out of play")


@CHAPTER.step(
    "3",
    on="act",
    secrets=_mover,
    takes=(PIECE, Argument("path", HEXES, 0, 20), Argument("asked", NUMBER, 0, 1)),
    fault=_in_play,
)
def march(rules: Probe, state: State, frame: Frame, out: list[Event]) -> None:
    """3, 3.5: one hex after the other, with a reaction window before and after each."""
    piece, path, asked = frame.args
    if state.at[piece] == GONE or not path:
        return
    depth = len(state.frames)
    if not asked and watchers(rules, state, piece):
        lay_below(state, depth, "march", piece, path, 1)
        open_window(state, "react", 1 - rules.seat_of(state, piece), piece, "before")
        return
    here, there = state.at[piece], path[0]
    why = _why_no_step(rules, state, piece, here, state.facing[piece], there)
    cost = rules.cost(here, there, state.column[piece])
    if why is not None or cost is None or cost > state.left:
        return
    before = [not name_of(rules, state, seat, piece).startswith("?") for seat in range(2)]
    state.left -= cost
    state.facing[piece] = rules.facings.toward(here, there)
    place(rules, state, piece, there)
    known = [old or not name_of(rules, state, seat, piece).startswith("?") for seat, old in enumerate(before)]
    data = {"path": [rules.grid.ids[here], rules.grid.ids[there]]}
    seats = sum(1 << seat for seat in range(2) if known[seat])
    out.append(Event("marched", ("3",), {"unit": rules.id_of(state, piece)} | data, seats, {"unit": ""} | data))
    if rules.entered(state, piece, out):
        return
    if watchers(rules, state, piece):
        open_window(state, "react", 1 - rules.seat_of(state, piece), piece, "after")
    if len(path) > 1:
        lay_below(state, depth, "march", piece, path[1:], 1)


def watchers(rules: Probe, state: State, piece: int) -> list[int]:
    """3.5: the enemies in line in whose front a piece stands."""
    h, seat = state.at[piece], COMMAND[rules.force(state, piece)]
    return [
        other
        for there in rules.grid.adjacent[h]
        for other in state.stacks[there]
        if COMMAND[rules.force(state, other)] != seat
        and not state.column[other]
        and rules.facings.front[there][state.facing[other]] >> h & 1
    ]


@CHAPTER.choice(
    on="march act",
    seats=anybody,
    takes=(PIECE, Argument("when", WORD), Argument("spent", UNITS, 0, MOST)),
    fault=_window,
)
class ReactChoice(Choice["Probe", State]):
    """3.5: who reacts to a step, one after the other, until the window is closed."""

    name = "react"
    rules = ("3.5",)
    verbs = (Shoot, Hold)
    panel = panel.CHOOSE

    def legal(self, rules: Probe, state: State, frame: Frame) -> Iterator[Action]:
        for other in self._able(rules, state, frame):
            yield Shoot(rules.id_of(state, other))
        yield Hold()

    def _able(self, rules: Probe, state: State, frame: Frame) -> list[int]:
        piece = frame.args[0]
        return [] if state.at[piece] == GONE else unspent(frame, watchers(rules, state, piece))

    def why_not(self, rules: Probe, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, Hold):
            return None
        assert isinstance(action, Shoot)
        if action.unit not in [rules.id_of(state, other) for other in self._able(rules, state, frame)]:
            return Refusal("3.5", "cannot_react", {"unit": action.unit})
        return None

    def apply(self, rules: Probe, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        if isinstance(action, Hold):
            state.frames.pop()
            out.append(Event("held_fire", ("3.5",), {"seat": rules.seats[frame.seat]}))
            return
        assert isinstance(action, Shoot)
        shooter = rules.find(state, action.unit)
        react(state, shooter)
        state.frames.append(Frame("snap_die", CHANCE, (shooter, frame.args[0])))

    def about(self, rules: Probe, state: State, frame: Frame) -> dict[str, Any]:
        piece, when, _ = frame.args
        here = rules.grid.ids[state.at[piece]] if state.at[piece] != GONE else ""
        return {"unit": name_of(rules, state, frame.seat, piece), "hex": here, "when": when}


# 4: fire


def _victim(rules: Probe, state: State, frame: Frame) -> int:
    """Whether a piece falls depends on the hits it has, which its owner knows."""
    target = frame.args[1] if frame.name == "snap_die" else state.stacks[frame.args[1]][-1]
    return COMMAND[rules.force(state, target)]


@CHAPTER.throw(1, "3.5", on="react", secrets=_victim, takes=(PIECE, Argument("target", UNIT)), fault=_in_play)
def snap_die(rules: Probe, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """3.5: one die; a low one hits."""
    shooter, target = frame.args
    _struck(rules, state, shooter, target, rules.snap_hits(dice[0]), "3.5", dice, out)


@CHAPTER.throw(2, "4", on="act", secrets=_victim, takes=(PIECE, Argument("target", HEX)), fault=_in_play)
def fire_dice(rules: Probe, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """4: two dice against the top piece of the hex."""
    shooter, h = frame.args
    target = state.stacks[h][-1]
    _struck(rules, state, shooter, target, rules.fire_hits(state, shooter, h, sum(dice)), "4", dice, out)


def _struck(
    rules: Probe,
    state: State,
    shooter: int,
    target: int,
    hits: int,
    rule: str,
    dice: tuple[int, ...],
    out: list[Event],
) -> None:
    data = {"by": rules.grid.ids[state.at[shooter]], "hex": rules.grid.ids[state.at[target]], "hits": hits}
    out.append(Event("fired", (rule,), data | {"dice": list(dice)}))
    state.hits[target] += hits
    if hits and rule == "3.5":  # who is hit on the march stops
        forget_rest(state, "march", target)
    if state.hits[target] < rules.most_hits:
        return
    name, force = rules.id_of(state, target), FORCES[rules.force(state, target)]
    place(rules, state, target, GONE)
    out.append(Event("destroyed", (rule,), {"unit": name, "force": force, "hex": data["hex"]}))
