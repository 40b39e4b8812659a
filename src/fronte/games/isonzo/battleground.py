"""Chapter 14, battleground: the Isonzo and its crossing quota, bridges, demolition and bombardment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fronte.engine import panel
from fronte.engine.decision import AUTO, CHANCE, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Argument, Chapter, anybody, open_to_all
from fronte.engine.sheet import Row, Sheet
from fronte.games.inferno.combat import unit_av, why_no_fire
from fronte.games.inferno.counters import ITALIAN
from fronte.games.inferno.frames import AT, HEXSIDE, WHO, units_side
from fronte.games.inferno.ground import ISONZO, RIVER, Edge
from fronte.games.inferno.movement import End
from fronte.games.inferno.state import ESCORTED, MOV
from fronte.games.inferno.zoc import zoc
from fronte.games.isonzo.state import IsonzoState

if TYPE_CHECKING:
    from fronte.games.isonzo.game import Isonzo

CHAPTER = Chapter()

ON_THE_WAY = (
    "reinforcement works_phase pontoons movement_begins movement march combat finish close attack_losses "
    "go_on_back settle_in demolition ashore"
)
"""What the entering of a hex can interrupt, and other interruptions."""

OTHER_SIDE = 2
"""14.2.a: what tells the slot of one side from that of the other."""
DEMOLITION = 4
"""14.4.b: demolition succeeds on 1 to 4."""


# Bridges and pontoons


def is_intact(rules: Isonzo, state: IsonzoState, edge: Edge) -> bool:
    """14.4: is there a bridge on this hexside, and does it stand?"""
    return edge.bridge >= 0 and not state.broken >> edge.bridge & 1


def has_pontoon(state: IsonzoState, side: int) -> bool:
    """12.2: does a pontoon lie on this hexside?"""
    return bool(state.pontoons) and side in state.pontoons.values()


def is_bridged(rules: Isonzo, state: IsonzoState, edge: Edge) -> bool:
    """14.2.b: an intact bridge or a pontoon."""
    return is_intact(rules, state, edge) or has_pontoon(state, edge.side)


def route_open(rules: Isonzo, state: IsonzoState, edge: Edge) -> bool:
    """4.5, 12.2.e: a destroyed bridge breaks the line; a pontoon does not carry it."""
    return edge.bridge < 0 or not state.broken >> edge.bridge & 1


def may_retreat_across(rules: Isonzo, state: IsonzoState, edge: Edge, side: int) -> bool:
    """9.2.4, 12.2.c: no retreat across a river without a bridge or a pontoon of one's own."""
    if edge.water not in (RIVER, ISONZO) or is_intact(rules, state, edge):
        return True
    return any(number == edge.side and rules.side[unit] == side for unit, number in state.pontoons.items())


# 14.2, crossing the Isonzo


def slot(rules: Isonzo, unit: int, side: int) -> int:
    """14.2.a: the slot of a hexside that a unit uses: one for a brigade or regiment, one for a battalion."""
    return (side * 2 + rules.side[unit]) * 2 + (1 if rules.battalion[unit] else 0)


def why_no_crossing(rules: Isonzo, state: IsonzoState, unit: int, edge: Edge) -> Refusal | None:
    """14.2.a, 14.2.b, 12.3.1.a: may this unit cross an Isonzo hexside, by movement or attack?"""
    bridge = is_intact(rules, state, edge)
    pontoon = has_pontoon(state, edge.side)
    name = rules.ids[unit]
    if rules.gun[unit]:
        if not bridge:
            return Refusal("12.3.1.a", "gun_needs_bridge", {"unit": name})
        if not rules.quota_on_guns:
            return None
    elif not bridge and not pontoon and not state.flags[unit] & ESCORTED:
        return Refusal("14.2.b", "no_crossing", {"unit": name})
    return why_no_slot(rules, state, unit, edge)


def why_no_slot(rules: Isonzo, state: IsonzoState, unit: int, edge: Edge) -> Refusal | None:
    """14.2.a: one brigade or regiment and one battalion per hexside and turn, of both sides or by option of each."""
    if not rules.quota_on_bridges and is_bridged(rules, state, edge):
        return None
    own = slot(rules, unit, edge.side)
    slots = (own,) if rules.quota_per_side else (own, own ^ OTHER_SIDE)
    if any(state.crossed.get(key, unit) != unit for key in slots):
        size = "battalion" if rules.battalion[unit] else "brigade"
        return Refusal("14.2.a", "crossed_already", {"size": size, "bridge": rules.board.hexside_name(edge.side)})
    return None


def use_slot(rules: Isonzo, state: IsonzoState, unit: int, edge: Edge) -> None:
    """14.2.a, 14.2.e: note who has crossed; by option artillery is outside the quota."""
    if edge.water != ISONZO or (rules.gun[unit] and not rules.quota_on_guns):
        return
    if rules.quota_on_bridges or not is_bridged(rules, state, edge):
        state.crossed[slot(rules, unit, edge.side)] = unit


def why_no_attack_across(rules: Isonzo, state: IsonzoState, unit: int, edge: Edge) -> Refusal | None:
    """14.2.b: over a bridge or a pontoon, or a unit that began the phase with an engineer and moved one hex at most."""
    return why_no_crossing(rules, state, unit, edge) if edge.water == ISONZO else None


def why_not_across_together(rules: Isonzo, state: IsonzoState, units: Sequence[int], edge: Edge) -> Refusal | None:
    """14.2.a: the quota holds for the units of one attack too."""
    if edge.water != ISONZO or (not rules.quota_on_bridges and is_bridged(rules, state, edge)):
        return None
    small = sum(1 for unit in units if rules.battalion[unit])
    if small > 1 or len(units) - small > 1:
        return Refusal("14.2.a", "few_attack_across")
    return None


# 14.4.b, demolition when the enemy arrives


def ends_near(rules: Isonzo, h: int) -> list[int]:
    """14.4.b, 12.2.c: the hexsides with an end hex here, or by option within one hex."""
    return rules.hexsides_near[h]


class Blow(Action, frozen=True):
    """14.4.b: try to blow the bridges of a hex."""

    form = "blow"
    odds = True


class Hold(Action, frozen=True):
    """14.4.b: leave the bridges standing."""

    form = "hold"


def ask_demolition(rules: Isonzo, state: IsonzoState, side: int, h: int) -> None:
    """14.4.b: a side may blow bridges that an enemy has come next to, once per bridge hex and player turn.

    Each side has its own chance: one side may spare a bridge when the enemy falls back over it, and the enemy may still
    blow it when he is followed.
    """
    enemy = 1 - side
    asked: list[int] = []
    for number in ends_near(rules, h):
        bridge = rules.board.bridge_at.get(number, -1)
        if bridge < 0 or state.broken >> bridge & 1:
            continue
        at = rules.board.sides[number].bridge_hex
        if state.tried[enemy] >> at & 1 or at in asked or not _guards(rules, state, enemy, number):
            continue
        asked.append(at)
    for at in sorted(asked, reverse=True):
        state.tried[enemy] |= 1 << at
        state.frames.append(Frame("demolition", enemy, (at,)))


def _guards(rules: Isonzo, state: IsonzoState, side: int, number: int) -> bool:
    """14.4.b: has the side a unit in an end hex, or an end hex in its zone of control?"""
    hexside = rules.board.sides[number]
    ends = 1 << hexside.a | 1 << hexside.b
    return bool(ends & (state.occ[side] | zoc(rules, state, side)))


def bridges_of(rules: Isonzo, at: int) -> list[int]:
    """14.4.b: the hexsides whose bridges belong to this bridge hex."""
    return [number for number in rules.board.bridges if rules.board.sides[number].bridge_hex == at]


class EitherOr(Choice["Isonzo", IsonzoState]):
    """A question with the same two answers whatever the position."""

    def legal(self, rules: Isonzo, state: IsonzoState, frame: Frame) -> Iterator[Action]:
        for verb in self.verbs:
            yield verb()

    def why_not(self, rules: Isonzo, state: IsonzoState, frame: Frame, action: Action) -> Refusal | None:
        return None


def _no_demolition(rules: Isonzo, state: IsonzoState, frame: Frame) -> str:
    """14.4.b: the bridges of a hex that this side was given a try at."""
    (at,) = frame.args
    if not any(rules.board.sides[number].bridge_hex == at for number in rules.board.bridges):
        return f"there is no bridge at {rules.hex_id(at)}"
    tried = state.tried[0] | state.tried[1] if frame.seat < 0 else state.tried[frame.seat]
    return "" if tried >> at & 1 else f"nobody was given a try at {rules.hex_id(at)}"


@CHAPTER.choice(on=ON_THE_WAY, seats=anybody, takes=(AT,), fault=_no_demolition, once=False)
class Demolition(EitherOr):
    """14.4.b: blow the bridges or not."""

    name = "demolition"
    rules = ("14.4.b", "14.4.e")
    verbs = (Blow, Hold)

    def apply(self, rules: Isonzo, state: IsonzoState, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        if isinstance(action, Blow):
            state.frames.append(Frame("demolition_die", CHANCE, frame.args))
        else:
            out.append(Event("bridge_spared", ("14.4.b",), {"hex": rules.hex_id(frame.args[0])}))

    def about(self, rules: Isonzo, state: IsonzoState, frame: Frame) -> dict[str, Any]:
        (at,) = frame.args
        bridges = [rules.board.hexside_name(number) for number in bridges_of(rules, at)]
        return {"hex": rules.hex_id(at), "bridges": bridges, "chance": [DEMOLITION, 6]}


@CHAPTER.throw(1, "14.4.b", on=ON_THE_WAY, secrets=open_to_all, takes=(AT,), fault=_no_demolition)
def demolition_die(rules: Isonzo, state: IsonzoState, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """14.4.b, 14.4.e: 1 to 4 destroys every bridge of the bridge hex."""
    (at,) = frame.args
    gone = bridges_of(rules, at)
    success = dice[0] <= DEMOLITION
    if success:
        for number in gone:
            state.broken |= 1 << rules.board.bridge_at[number]
    data = {
        "hex": rules.hex_id(at),
        "bridges": [rules.board.hexside_name(number) for number in gone],
        "destroyed": success,
        "die": dice[0],
    }
    out.append(Event("bridge_blown", ("14.4.b", "14.4.e"), data))


# 14.4.c, demolition in Phase C


class Demolish(Action, frozen=True):
    """14.4.c: destroy a bridge whose two ends one's side holds."""

    form = "demolish {bridge}"
    bridge: str


def controlled(state: IsonzoState, side: int) -> int:
    """12.2.b: the hexes with a unit of its own, or without enemies and last entered by it (a mask)."""
    held = state.held if side == ITALIAN else ~state.held
    return state.occ[side] | held & ~state.occ[1 - side]


def demolishable(rules: Isonzo, state: IsonzoState, side: int) -> list[int]:
    """14.4.c: the intact bridges between two hexes that a side controls."""
    missing, broken = ~(controlled(state, side) & rules.sector), state.broken
    return [number for k, (number, ends) in enumerate(rules.bridge_ends) if not (broken >> k & 1 or ends & missing)]


@CHAPTER.choice(on="end_roll demolish", seats=anybody, phases="end", once=False)
class PhaseC(Choice["Isonzo", IsonzoState]):
    """14.4.c: voluntary demolition at the end of a turn, without a die."""

    name = "demolish"
    panel = panel.PLACE
    rules = ("14.4.c", "3.1.C")
    verbs = (Demolish, End)

    def legal(self, rules: Isonzo, state: IsonzoState, frame: Frame) -> Iterator[Action]:
        yield End()
        for number in demolishable(rules, state, frame.seat):
            yield Demolish(rules.board.hexside_name(number))

    def why_not(self, rules: Isonzo, state: IsonzoState, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, End):
            return Refusal("12.3.h", "guns_turn_in_movement") if action.keep else None
        assert isinstance(action, Demolish)
        number = rules.board.hexside(action.bridge)
        if number not in rules.board.bridge_at:
            return Refusal("14.4.a", "no_bridge", {"bridge": action.bridge})
        if state.broken >> rules.board.bridge_at[number] & 1:
            return Refusal("14.4", "bridge_down", {"bridge": action.bridge})
        if number not in demolishable(rules, state, frame.seat):
            return Refusal("14.4.c", "ends_not_controlled", {"bridge": action.bridge})
        return None

    def apply(self, rules: Isonzo, state: IsonzoState, frame: Frame, action: Action, out: list[Event]) -> None:
        if isinstance(action, End):
            state.frames.pop()
            return
        assert isinstance(action, Demolish)
        state.broken |= 1 << rules.board.bridge_at[rules.board.hexside(action.bridge)]
        data = {"bridge": action.bridge, "side": rules.seats[frame.seat]}
        out.append(Event("bridge_demolished", ("14.4.c",), data))
        if not demolishable(rules, state, frame.seat):
            state.frames.pop()


# 14.4.d, bombardment


def why_no_bombardment(rules: Isonzo, state: IsonzoState, gun_id: str, bridge: str) -> Refusal | None:
    """14.4.d: a gun in battery that fires at no attack, a bridge or pontoon in range, some artillery value."""
    gun = rules.number.get(gun_id, -1)
    if gun < 0:
        return rules.unknown_unit(gun_id)
    if rules.side[gun] != state.active:
        return Refusal("14.4.d", "not_yours", {"unit": gun_id})
    number = rules.board.hexside(bridge)
    if not bombardable(rules, state, number):
        return Refusal("14.4.d", "nothing_to_bombard", {"bridge": bridge})
    hexside = rules.board.sides[number]
    refusal = why_no_fire(rules, state, gun, 1 << hexside.a | 1 << hexside.b, True)
    if refusal is not None:
        return refusal
    if unit_av(rules, state, gun) <= 0:
        return Refusal("14.4.d", "no_artillery_value", {"unit": gun_id})
    return None


def bombardable(rules: Isonzo, state: IsonzoState, number: int) -> bool:
    """14.4.d: is there something to bombard on this hexside?"""
    bridge = rules.board.bridge_at.get(number, -1)
    return (bridge >= 0 and not state.broken >> bridge & 1) or has_pontoon(state, number)


def bombardments(rules: Isonzo, state: IsonzoState) -> list[tuple[int, int]]:
    """14.4.d: every gun with every bridge it may bombard."""
    marks = [number for number in rules.board.bridges if bombardable(rules, state, number)]
    marks += [number for number in sorted(state.pontoons.values()) if number not in marks]
    found = []
    for gun in rules.guns_of[state.active]:
        if state.at[gun] < 0 or state.flags[gun] & MOV or unit_av(rules, state, gun) <= 0:
            continue
        for number in marks:
            hexside = rules.board.sides[number]
            if why_no_fire(rules, state, gun, 1 << hexside.a | 1 << hexside.b, True) is None:
                found.append((gun, number))
    return found


def bombard(rules: Isonzo, state: IsonzoState, gun: int, number: int, out: list[Event]) -> None:
    """14.4.d, 12.3.g: throw a die; the gun turns to Mov."""
    state.flags[gun] |= MOV
    data = {"gun": rules.ids[gun], "bridge": rules.board.hexside_name(number)}
    out.append(Event("bombarded", ("14.4.d",), data))
    state.frames.append(Frame("bombardment_die", CHANCE, (gun, number)))


def _no_bombardment(rules: Isonzo, state: IsonzoState, frame: Frame) -> str:
    """14.4.d: a gun of the phasing side, and something to bombard."""
    gun, number = frame.args
    if not rules.gun[gun] or rules.side[gun] != state.active or state.at[gun] < 0:
        return f"{rules.ids[gun]} does not bombard"
    return "" if bombardable(rules, state, number) else "there is nothing to bombard"


@CHAPTER.throw(
    1,
    "14.4.d",
    on="combat",
    secrets=units_side,
    takes=(WHO, Argument("bridge", HEXSIDE)),
    fault=_no_bombardment,
    phases="combat",
)
def bombardment_die(rules: Isonzo, state: IsonzoState, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """14.4.d: at most the gun's artillery value destroys the bridge, or sends a pontoon's engineer ashore (12.2.c)."""
    gun, number = frame.args
    success = dice[0] <= unit_av(rules, state, gun)
    data = {
        "gun": rules.ids[gun],
        "bridge": rules.board.hexside_name(number),
        "destroyed": success,
        "die": dice[0],
    }
    out.append(Event("bombardment", ("14.4.d", "12.3.g"), data))
    if not success:
        return
    if number in rules.board.bridge_at:
        state.broken |= 1 << rules.board.bridge_at[number]
    for engineer, side in sorted(state.pontoons.items()):
        if side == number:
            state.frames.append(Frame("ashore", AUTO, (engineer,)))


def bridge_sheet(chances: int) -> Sheet:
    """14.4.b, 14.4.d: the odds of one die to bring down a bridge."""
    return Sheet("bridge", 6, rows=(Row("destroyed", (6 - chances, chances), rule="14.4"),))
