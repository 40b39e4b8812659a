"""11.3: retreats. Where beaten units go and who goes with them, and how units stand when all is over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import AUTO, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, anybody, open_to_all
from fronte.games.common.positions import HEX, HEXES, UNIT, UNITS, WORD
from fronte.games.volturno import cohesion, movement
from fronte.games.volturno.counters import COMPASS
from fronte.games.volturno.fog import tell, who_knows
from fronte.games.volturno.panels import DRESS
from fronte.games.volturno.reaction_zones import in_enemy_zone, look, projecting
from fronte.games.volturno.state import State, place, set_column
from fronte.hexes.facing import turn
from fronte.hexes.grid import OFF_MAP

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

CHAPTER = Chapter()
LONGEST = 20
MOST_UNITS = 12
"""More than fight in a combat."""
ALL_ROUND = -1
"""A retreat that need not go to the rear."""
AMID = (
    "act march storm watch overrun advance fall_away dressing break_off displaced onset ridden spent ride_off "
    "counter_ridden redirect emptied"
)
"""What a combat and its consequences can lie on."""
STANDS = {"retreat": "11.3.5", "advance": "11.2.p10", "fire": "9.2.2", "stay": "11.2.p11"}
"""When a unit may set itself in order, and the rule; who stays where it fought leaves column at most."""


class Retreat(Action, frozen=True):
    """11.3: the hex into which a beaten unit goes back."""

    form = "retreat to {to}"
    odds = True
    to: str


class Follow(Action, frozen=True):
    """11.3.4: the beaten unit with which a commander goes."""

    form = "follow {unit}"
    unit: str


class Dress(Action, frozen=True):
    """11.3.5, 11.2.p11: a unit turns, and leaves column, when all is over; or stays as it is."""

    form = "dress[ facing {facing}][ into {into}]"
    facing: str = ""
    into: str = ""


# 11.3: where to


def retreat_hexes(
    rules: Volturno, state: State, unit: int, visited: Sequence[int], rear: int
) -> tuple[list[int], bool]:
    """11.3, 11.3.1: the hexes into which a beaten unit may go, all of them equally good; and whether markers alone
    bar its way. `rear` is the facing whose three rear hexes it is bound to (11.3.p0)."""
    here, side = state.at[unit], rules.side[unit]
    marked = {marker[1] for marker in state.markers}
    ranked, barred = [], False
    for direction, h in enumerate(rules.grid.neighbours[here]):
        if h == OFF_MAP or h in visited or (rear != ALL_ROUND and turn(rear, direction) <= 1):
            continue
        cost = movement.step_cost(rules, state, unit, here, h)
        why = movement.why_no_entry(rules, state, unit, h)
        if not cost or (why is not None and why.rule != "6.3.1"):
            continue
        if h in marked:
            barred = True
            continue
        ranked.append(((in_enemy_zone(rules, state, side, h), why is not None, cost), h))
    if visited and rules.option["retreat_away"]:  # 11.3.p4
        far = rules.grid.distance(visited[0], here)
        ranked = [one for one in ranked if rules.grid.distance(visited[0], one[1]) > far] or ranked
    best = min((rank for rank, _ in ranked), default=None)
    return [h for rank, h in ranked if rank == best], barred and not ranked


RETREAT = (
    Argument("unit", UNIT),
    Argument("left", NUMBER, 1, LONGEST),
    Argument("visited", HEXES, 0, LONGEST),
    Argument("rear", NUMBER, ALL_ROUND, 5),
    Argument("leaders", UNITS, 0, MOST_UNITS),
    Argument("fought", UNITS, 0, MOST_UNITS),
)
"""Who goes back, how many hexes, where it has been, the rear to which it is bound, who goes with it, and all who were
in the combat: they do not react (11.3.6)."""


def send_back(
    rules: Volturno, state: State, units: Sequence[int], hexes: int, rear: int, fought: tuple[int, ...]
) -> None:
    """11.3.4, 2.2.p3: beaten units of one hex go back one after the other; each commander there goes with one."""
    if not units:
        return
    here = state.at[units[0]]
    leaders = leaders_in(rules, state, here, rules.side[units[0]])
    with_it = tuple(leaders) if len(units) == 1 else ()
    for unit in reversed(units):
        forget(state, unit)
        state.frames.append(Frame("fall_away", AUTO, (unit, hexes, (), rear, with_it, fought)))
    if len(units) > 1:
        for leader in reversed(leaders):
            state.frames.append(Frame("follow", rules.side[leader], (leader, tuple(units))))


def leaders_in(rules: Volturno, state: State, h: int, side: int) -> list[int]:
    """2.2: the commanders of a side in a hex."""
    return [leader for leader in rules.leaders if state.at[leader] == h and rules.side[leader] == side]


def forget(state: State, unit: int, names: tuple[str, ...] = ("fall_away", "dressing")) -> None:
    """11.3: who is beaten anew in its retreat begins another one; what was left of the first is over."""
    state.frames[:] = [f for f in state.frames if f.name not in names or f.args[0] != unit]


def _there(rules: Volturno, state: State, frame: Frame) -> str:
    unit = frame.args[0]
    return "" if state.at[unit] >= 0 and unit not in rules.leader_set else "it is no unit on the map"


def _strangers(rules: Volturno, state: State, frame: Frame) -> int:
    """8.6: whoever goes back may come next to strangers and see who they are."""
    side: int = rules.side[frame.args[0]]
    return 1 - side


@CHAPTER.step("8.6", on=AMID, secrets=_strangers, takes=(Argument("unit", UNIT),), once=False)
def look_about(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """8.6: a unit has come to another hex by a decision of its owner: what that showed him he cannot take back."""


@CHAPTER.step("11.3", on=AMID, secrets=_strangers, takes=RETREAT, fault=_there, once=False)
def fall_away(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """11.3, 11.3.3: a beaten unit goes back; where it cannot it surrenders, but not for a marker alone."""
    unit, _, visited, rear, _, _ = frame.args
    if state.at[unit] < 0:
        return
    hexes, barred = retreat_hexes(rules, state, unit, visited, rear)
    if len(hexes) > 1:
        state.frames.append(Frame("retreat", rules.side[unit], frame.args))
    elif hexes:
        go_back(rules, state, frame, hexes[0], out)
    elif barred and rules.stacked(state, state.at[unit]) <= rules.most_stacked:
        tell(rules, state, unit, "shut_in", ("11.3.3",), {}, out)
        set_in_order(state, unit, "retreat" if visited else "stay")
    else:
        cohesion.eliminate(rules, state, unit, "11.3.3", out)


@CHAPTER.choice(on=AMID, seats=anybody, takes=RETREAT, fault=_there)
class RetreatChoice(Choice["Volturno", State]):
    """11.3: to which of equally good hexes a beaten unit goes."""

    name = "retreat"
    rules = ("11.3",)
    verbs = (Retreat,)

    def _hexes(self, rules: Volturno, state: State, frame: Frame) -> list[int]:
        unit, _, visited, rear, _, _ = frame.args
        return retreat_hexes(rules, state, unit, visited, rear)[0]

    def legal(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        for h in self._hexes(rules, state, frame):
            yield Retreat(rules.grid.ids[h])

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Retreat)
        named = rules.hex_ids(self._hexes(rules, state, frame))
        return None if action.to in named else Refusal("11.3", "no_haven", {"name": action.to})

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Retreat)
        state.frames.pop()
        go_back(rules, state, frame, rules.grid.index[action.to], out)
        state.frames.append(Frame("look_about", AUTO, (frame.args[0],)))

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        return {"unit": rules.ids[frame.args[0]]}


def go_back(
    rules: Volturno,
    state: State,
    frame: Frame,
    to: int,
    out: list[Event],
    told: tuple[str, str] = ("retreated", "11.3"),
) -> None:
    """11.3.2, 11.3.5, 2.2.p3: one hex, looking where it goes; from a full hex it goes on, and those it has gone
    through lose a level. Its commanders go along."""
    unit, left, visited, _, leaders, fought = frame.args
    side, here = rules.side[unit], state.at[unit]
    before = who_knows(rules, state, unit)
    fords = movement.is_ford(rules, state, unit, here, to)
    passed = state.stacks[here] if rules.stacked(state, here) > rules.most_stacked else ()
    state.facing[unit] = movement.facing_on_entry(rules, state, unit, here, to, movement.AS_IT_GOES)
    place(state, unit, to, side)
    state.moved |= 1 << unit
    for leader in leaders:
        state.at[leader] = to
    note_emptied(state, here, side)
    kind, rule = told
    tell(rules, state, unit, kind, (rule,), {"path": [rules.grid.ids[here], rules.grid.ids[to]]}, out, before)
    if left > 1 or rules.stacked(state, to) > rules.most_stacked:
        rest = (unit, max(1, left - 1), (*visited, here), ALL_ROUND, leaders, fought)
        state.frames.append(Frame("fall_away", AUTO, rest))
    else:
        set_in_order(state, unit, "retreat")
    if projecting(rules, state, 1 - side, to) and is_reacted_to(rules, state, side, fought):
        state.frames.append(Frame("watch", AUTO, (unit, "retreat", to, (), fought)))  # 11.3.6
    if fords:
        cohesion.call_check(state, unit, "ford")
    movement.entered(rules, state, unit, out)
    for other in passed:
        if other != unit:
            cohesion.lose(rules, state, other, 1, "11.3.2.p1", out)


def note_emptied(state: State, h: int, side: int) -> None:
    """7.1.5: units of a side have left a hex by retreat or reaction: markers may point at nobody now."""
    if state.markers and side != state.active and not state.stacks.get(h):
        found = Frame("emptied", AUTO, (h,))
        state.frames[:] = [frame for frame in state.frames if frame != found]  # it may have been left before
        state.frames.append(found)


BY_ACTIVE = "retreat_reaction_by_active"


def is_reacted_to(rules: Volturno, state: State, side: int, fought: Sequence[int]) -> bool:
    """11.3.6, 12.2.4: does a retreat into an enemy zone give reactions? To the active side not that of a counter-charge
    that was beaten, and by option none."""
    if side == state.active:
        return True
    charged = any(f.name == "counter_ridden" and f.args[0] in fought[:1] for f in state.frames)
    return not charged and bool(rules.option[BY_ACTIVE] != "none")


# 11.3.4: commanders


def _choices(rules: Volturno, state: State, frame: Frame) -> str:
    leader, units = frame.args
    if leader not in rules.leader_set:
        return "he is no commander"
    waiting = {f.args[0] for f in state.frames if f.name == "fall_away"}
    return "" if set(units) <= waiting else "a unit of these does not retreat"


@CHAPTER.choice(
    on="fall_away follow",
    seats=anybody,
    takes=(Argument("leader", UNIT), Argument("units", UNITS, 2, MOST_UNITS)),
    fault=_choices,
    once=False,
)
class FollowChoice(Choice["Volturno", State]):
    """11.3.4, 2.2.p3: a commander always goes with a unit that retreats; if several do, his owner says with which."""

    name = "follow"
    rules = ("11.3.4", "2.2.p3")
    verbs = (Follow,)

    def legal(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        for unit in frame.args[1]:
            yield Follow(rules.ids[unit])

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Follow)
        unit = rules.number.get(action.unit, -1)
        if unit < 0:
            return rules.unknown_unit(action.unit)
        data = {"unit": action.unit}
        return None if unit in frame.args[1] else Refusal("11.3.4", "does_not_retreat", data)

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Follow)
        state.frames.pop()
        unit = rules.number[action.unit]
        for number, other in enumerate(state.frames):
            if other.name == "fall_away" and other.args[0] == unit:
                *way, leaders, fought = other.args
                args = (*way, (*leaders, frame.args[0]), fought)
                state.frames[number] = Frame(other.name, other.seat, args)

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        return {"unit": rules.ids[frame.args[0]]}


class Accompany(Action, frozen=True):
    """2.2.p3: a commander advances with the unit that has won."""

    form = "accompany"


class Remain(Action, frozen=True):
    """2.2.p3: he stays."""

    form = "remain"


@CHAPTER.choice(
    on=f"{AMID} accompany",
    seats=anybody,
    takes=(Argument("leader", UNIT), Argument("hex", HEX)),
    fault=lambda rules, state, frame: "" if frame.args[0] in rules.leader_set else "he is no commander",
    once=False,
)
class AccompanyChoice(Choice["Volturno", State]):
    """2.2.p3: whether a commander goes with a unit of his hex that advances."""

    name = "accompany"
    rules = ("2.2.p3",)
    verbs = (Accompany, Remain)

    def legal(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        yield Remain()
        yield Accompany()

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        return None

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        if isinstance(action, Remain):
            return
        leader, h = frame.args
        here, before = state.at[leader], who_knows(rules, state, leader)
        state.at[leader] = h
        data = {"path": [rules.grid.ids[here], rules.grid.ids[h]]}
        tell(rules, state, leader, "rode", ("2.2.p3",), data, out, before)

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        return {"unit": rules.ids[frame.args[0]], "hex": rules.grid.ids[frame.args[1]]}


# 11.2.p10, 11.2.p11, 11.3.5, 9.2.2: how units stand at the end


def set_in_order(state: State, unit: int, why: str) -> None:
    """11.3.5, 11.2.p11: a unit will be asked how it stands, once; who was to be asked more is (9.2.2)."""
    if why == "stay" and any(f.name == "dressing" and f.args[0] == unit for f in state.frames):
        return
    forget(state, unit, ("dressing",))
    state.frames.append(Frame("dressing", AUTO, (unit, why)))


def leaves_column(rules: Volturno, state: State, unit: int, why: str) -> bool:
    """11.2.p11, 8.3.6: may it leave column? Guns have ways of their own (8.4)."""
    return why != "fire" and movement.is_column(state, unit) and not rules.counters[unit].is_artillery


def _stand(rules: Volturno, state: State, frame: Frame) -> str:
    why = frame.args[1]
    return _there(rules, state, frame) if why in STANDS else f"{why} is no reason to set in order"


TAKES = (Argument("unit", UNIT), Argument("why", WORD))


@CHAPTER.step("11.3.5", on=AMID, secrets=open_to_all, takes=TAKES, fault=_stand, once=False)
def dressing(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """11.3.5, 11.2.p10, 11.2.p11: who can set himself in order is asked, when all reactions are over."""
    unit, why = frame.args
    if state.at[unit] >= 0 and (why != "stay" or leaves_column(rules, state, unit, why)):
        state.frames.append(Frame("dress", rules.side[unit], frame.args))


@CHAPTER.choice(on=AMID, seats=anybody, takes=TAKES, fault=_stand)
class DressChoice(Choice["Volturno", State]):
    """11.3.5, 11.2.p10, 9.2.2: which way a unit looks at the end; 11.2.p11: whether it leaves column."""

    name = "dress"
    rules = ("11.3.5", "11.2.p10", "11.2.p11", "9.2.2")
    verbs = (Dress,)
    panel = DRESS

    def legal(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        unit, why = frame.args
        ways = [""]
        if why != "stay":
            ways += [word for facing, word in enumerate(COMPASS) if facing != state.facing[unit]]
        for into in ("", "line") if leaves_column(rules, state, unit, why) else ("",):
            for facing in ways:
                yield Dress(facing, into)

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Dress)
        unit, why = frame.args
        if action.facing and why == "stay":
            return Refusal(STANDS[why], "keeps_facing", {"unit": rules.ids[unit]})
        if action.facing and action.facing not in COMPASS:
            return Refusal("3.1", "no_facing", {"facing": action.facing})
        if action.into not in ("", *movement.FORMS):
            return Refusal("8.3.p1", "no_such_form", {"name": action.into})
        if action.into and (action.into != "line" or not leaves_column(rules, state, unit, why)):
            return Refusal("8.3.6", "no_form", {"unit": rules.ids[unit]})
        return None

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Dress)
        state.frames.pop()
        unit, why = frame.args
        if action.facing and COMPASS.index(action.facing) != state.facing[unit]:
            look(rules, state, unit, COMPASS.index(action.facing))
            tell(rules, state, unit, "turned", (STANDS[why],), {"facing": action.facing}, out)
        if action.into:
            set_column(state, unit, rules.side[unit], False)
            tell(rules, state, unit, "formed", ("11.2.p11", "8.3.6"), {"into": action.into}, out)

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        return {"unit": rules.ids[frame.args[0]]}
