"""4: sequence of play. Initiative, command, activations in turn, those not activated, those out of command, the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fronte.engine import panel
from fronte.engine.decision import AUTO, CHANCE, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, anybody, open_to_all
from fronte.games.common.activation import next_to_act
from fronte.games.volturno import cohesion, formations, scenarios, special, withdrawals
from fronte.games.volturno.acting import Acting, Done, Form, Move, Turn
from fronte.games.volturno.command import check_command
from fronte.games.volturno.counters import SIDES
from fronte.games.volturno.fog import note_contact
from fronte.games.volturno.reaction_zones import in_enemy_zone, zone_of
from fronte.games.volturno.state import State, end_action, units_in

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

CHAPTER = Chapter()
PHASES = ("setup", "initiative", "activation", "regroup", "stragglers", "end")
WHO = Argument("who", NUMBER, 0, 1)
"""C and D: 0 for the side without the initiative, which is first, then 1."""


def begin_turn(rules: Volturno, state: State, out: list[Event]) -> None:
    """1.2, 4: a turn begins."""
    state.phase = "initiative"
    light = {"turn": state.turn, "hour": rules.hour(state.turn), "light": rules.light[state.turn]}
    out.append(Event("turn", ("4", "15.2"), light))
    special.look_out(rules, state, out)
    state.frames.append(Frame("initiative_dice", CHANCE))


# A and B-1


@CHAPTER.throw(4, "4.A", on="ground", secrets=open_to_all, phases="initiative")
def initiative_dice(rules: Volturno, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """4.A, 4.A.p1: two dice a side and the value of its commander in chief, if it has one; ties are thrown again."""
    chiefs = [0 if chief < 0 else rules.counters[chief].command for chief in rules.chief]
    totals = [sum(dice[2 * side : 2 * side + 2]) + chiefs[side] for side in range(2)]
    out.append(Event("initiative", ("4.A",), {"dice": list(dice), "totals": dict(zip(SIDES, totals, strict=True))}))
    if totals[0] == totals[1]:
        state.frames.append(Frame("initiative_dice", CHANCE))
        return
    state.initiative = state.active = int(totals[1] > totals[0])
    out.append(Event("has_initiative", ("4.A",), {"side": SIDES[state.initiative]}))
    state.frames.append(Frame("begin_actions", AUTO))
    if rules.option["cic_move_timing"] == "start-of-phase-b":
        for side in (1 - state.initiative, state.initiative):
            if rules.chief[side] >= 0:
                state.frames.append(Frame("chiefs", side))


@CHAPTER.step("4.B", "4.B1", on="ground", secrets=open_to_all, phases="initiative")
def begin_actions(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """4.B, 4.B1: command is checked once for the whole turn, then the sides take turns."""
    check_command(rules, state, out)
    state.phase = "activation"
    state.passes = state.activated = state.stayed = 0
    state.active = 1 - state.initiative
    state.frames.append(Frame("next_go", AUTO))


@CHAPTER.choice(on="begin_actions chiefs", seats=anybody, phases="initiative", once=False)
class Chiefs(Acting):
    """gap.leader-move: by option the commanders in chief ride before command is checked."""

    name = "chiefs"
    rules = ("gap.leader-move", "8.5")
    verbs = (Move, Done)
    panel = panel.MOVE

    def able(self, rules: Volturno, state: State, frame: Frame) -> list[int]:
        return [rules.chief[frame.seat]]

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        return None if isinstance(action, Done) else super().why_not(rules, state, frame, action)

    def why_not_able(self, rules: Volturno, state: State, unit: int) -> Refusal:
        chief = rules.chief[rules.side[unit]]
        return Refusal("gap.leader-move", "only_the_chief", {"unit": rules.ids[unit], "chief": rules.ids[chief]})

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        if not isinstance(action, Done):
            super().apply(rules, state, frame, action, out)

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        return {"unit": rules.ids[rules.chief[frame.seat]]}


# B-2


@CHAPTER.step("4.B2", on="ground", secrets=open_to_all, phases="activation")
def next_go(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """4.B2, 4.B2.p1, 4.B2.p3: the other side is next; three passes in a row end the step, forced ones too."""
    special.note_arrival(rules, state, out)
    if special.sight_of(rules, state.turn, sighting=True).hexes > 1:
        special.look_out(rules, state, out)  # units that were lost may have stood in the way
    able = [bool(formations.able(rules, state, side)) for side in range(2)]
    found = next_to_act(1 - state.active, able, state.passes, formations.MOST_PASSES)
    if found is None or state.passes >= formations.MOST_PASSES:
        out.append(Event("activation_over", ("4.B2",), {}))
        state.phase = "regroup"
        state.withdrew = state.acted = state.far = 0
        state.frames.append(Frame("phase_c", AUTO, (0,)))
        return
    state.active, state.passes = found
    state.frames += (Frame("next_go", AUTO), Frame("activate", state.active))


# C


@CHAPTER.step("4.C", on="ground", secrets=open_to_all, takes=(WHO,), phases="regroup")
def phase_c(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """4.C, 4.C.p1: units of formations not activated withdraw from enemy zones, then they recover."""
    side = _side(state, frame)
    if must_withdraw(rules, state, side):
        state.frames += (Frame("phase_c", AUTO, frame.args), Frame("withdrawals", side))
        return
    rested = [u for u in regrouping(rules, state, side) if not state.called >> u & 1]
    cohesion.recover(rules, state, rested, "13.3.1", out)
    if frame.args[0] == 0:
        state.frames.append(Frame("phase_c", AUTO, (1,)))
        return
    state.phase = "stragglers"
    state.frames.append(Frame("phase_d", AUTO, (0,)))


def _side(state: State, frame: Frame) -> int:
    """C and D begin with the side without the initiative."""
    return 1 - state.initiative if frame.args[0] == 0 else state.initiative


def regrouping(rules: Volturno, state: State, side: int) -> list[int]:
    """4.C: the units that phase C is about: in command (by option all) of formations that were not activated."""
    everybody = rules.option["phase_c_scope"] == "all-units-of-formation"
    return [
        unit
        for formation in rules.formations[side]
        if not state.activated >> formation & 1
        for unit in rules.members[formation]
        if state.at[unit] >= 0 and (everybody or not state.ooc >> unit & 1)
    ]


def must_withdraw(rules: Volturno, state: State, side: int) -> list[int]:
    """4.C, 5.1.1: units that are in an enemy zone and have not withdrawn yet in this phase."""
    asked = regrouping(rules, state, side) if state.phase == "regroup" else strays(rules, state, side)
    return [u for u in asked if not state.withdrew >> u & 1 and in_enemy_zone(rules, state, side, state.at[u])]


@CHAPTER.choice(on="phase_c", seats=anybody, phases="regroup")
class Withdrawals(Choice["Volturno", State]):
    """4.C, 8.7: which unit withdraws next, and where to; a unit without a way out stays and checks."""

    name = "withdrawals"
    rules = ("4.C", "8.7")
    verbs = (withdrawals.Withdraw,)
    panel = panel.PLACE

    def legal(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        for unit in must_withdraw(rules, state, frame.seat):
            yield from withdrawals.ways(rules, state, unit, ())

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, withdrawals.Withdraw)
        return why_no_withdrawal(rules, state, frame.seat, action)

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, withdrawals.Withdraw)
        state.frames.pop()
        withdrawals.withdraw(rules, state, action, (), out)

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        return {"side": SIDES[frame.seat]}


def why_no_withdrawal(rules: Volturno, state: State, side: int, action: withdrawals.Withdraw) -> Refusal | None:
    """8.7.1: why a unit does not withdraw (so) now."""
    unit = rules.number.get(action.unit, -1)
    if unit < 0:
        return rules.unknown_unit(action.unit)
    if unit not in must_withdraw(rules, state, side):
        return Refusal("8.7.1", "need_not_withdraw", {"unit": action.unit})
    return withdrawals.why_no_withdrawal(rules, state, unit, (), action)


# D


@CHAPTER.step("4.D", on="ground", secrets=open_to_all, takes=(WHO,), phases="stragglers")
def phase_d(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """4.D, 5.1.1: units out of command withdraw or move towards their commander; then they recover."""
    side = _side(state, frame)
    state.active = side
    if strays(rules, state, side) or rider(rules, state, side):
        state.frames += (Frame("phase_d_over", AUTO, frame.args), Frame("stragglers", side))
    else:
        state.frames.append(Frame("phase_d_over", AUTO, frame.args))


@CHAPTER.step("4.D", on="ground", secrets=open_to_all, takes=(WHO,), phases="stragglers")
def phase_d_over(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """13.3.1: who is out of command recovers; then the other side's are next, or the turn ends."""
    side = _side(state, frame)
    there = [u for u in rules.units_of_side[side] if state.ooc & ~state.called & 1 << u and state.at[u] >= 0]
    cohesion.recover(rules, state, there, "13.3.1", out)
    if frame.args[0] == 0:
        state.frames.append(Frame("phase_d", AUTO, (1,)))
    else:
        end_turn(rules, state, out)


def strays(rules: Volturno, state: State, side: int) -> list[int]:
    """5.1.1, 15.5.p1: units out of command that have not acted, with another formation either; a formation that stays
    on a six stays here too (15.2.p5)."""
    found = state.ooc & ~(state.acted | state.called) & rules.side_mask[side]
    for formation in units_in(state.stayed):
        found &= ~rules.member_mask[formation]
    return [u for u in units_in(found) if state.at[u] >= 0]


def rider(rules: Volturno, state: State, side: int) -> list[int]:
    """gap.leader-move: by option the commander in chief rides in phase D."""
    chief = rules.chief[side]
    late = chief >= 0 and rules.option["cic_move_timing"] == "phase-d" and not state.led >> chief & 1
    return [chief] if late else []


def _active(rules: Volturno, state: State, frame: Frame) -> tuple[int, ...]:
    return (state.active,)


@CHAPTER.choice(on="phase_d_over", seats=_active, phases="stragglers")
class Stragglers(Acting):
    """4.D, 5.1.1: what units out of command do: withdraw if they must, else move nearer to their commander."""

    name = "stragglers"
    rules = ("4.D", "5.1.1")
    verbs = (Move, Form, Turn, withdrawals.Withdraw, Done)
    panel = panel.MOVE

    def able(self, rules: Volturno, state: State, frame: Frame) -> list[int]:
        zones = zone_of(rules, state, 1 - frame.seat)  # 5.1.1: who is in one withdraws before anything else
        found = strays(rules, state, frame.seat)
        free = [u for u in found if state.withdrew >> u & 1 or not zones >> state.at[u] & 1]
        return free + rider(rules, state, frame.seat)

    def more(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        for unit in must_withdraw(rules, state, frame.seat):
            yield from withdrawals.ways(rules, state, unit, ())
        if not must_withdraw(rules, state, frame.seat):
            yield Done()

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, withdrawals.Withdraw):
            return why_no_withdrawal(rules, state, frame.seat, action)
        bound = must_withdraw(rules, state, frame.seat)
        if isinstance(action, Done):
            return Refusal("5.1.1", "must_withdraw", {"unit": rules.ids[bound[0]]}) if bound else None
        if rules.number.get(getattr(action, "unit", ""), -1) in bound:
            return Refusal("5.1.1", "must_withdraw", {"unit": getattr(action, "unit", "")})
        return super().why_not(rules, state, frame, action)

    def why_idle(self, rules: Volturno, state: State, frame: Frame, unit: int) -> Refusal | None:
        """4.D: who is in command does nothing here, whatever it has done before."""
        why = super().why_idle(rules, state, frame, unit)
        acted = why is not None and why.rule == "7.2"
        return self.why_not_able(rules, state, unit) if acted and not state.ooc >> unit & 1 else why

    def why_not_able(self, rules: Volturno, state: State, unit: int) -> Refusal:
        """15.2.p5, 15.5.p1, 4.D: of a formation that a six keeps where it is, taken along by another, or in command."""
        data = {"unit": rules.ids[unit]}
        if state.stayed >> rules.counters[unit].formation & 1:
            return Refusal("15.2.p5", "stays_put", data)
        if state.called >> unit & 1:
            return Refusal("15.5.p1", "was_called", data)
        return Refusal("4.D", "in_command", data)

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        if isinstance(action, Done):
            end_action(state)
            state.frames.pop()
        elif isinstance(action, withdrawals.Withdraw):
            end_action(state)
            withdrawals.withdraw(rules, state, action, (), out)
        else:
            super().apply(rules, state, frame, action, out)

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        return {"side": SIDES[frame.seat]}


# E


def end_turn(rules: Volturno, state: State, out: list[Event]) -> None:
    """4.E, 4.E.p1: markers of the turn are taken away, and the next one begins, or the game is over."""
    if rules.option["exhaustion_recovery"] == "full-turn":
        for unit in units_in(state.exhausted & ~state.moved):  # 10.3.1: who has not left its hex all turn
            cohesion.rest(rules, state, unit, out)
    state.low = state.out = state.ooc = state.acted = state.moved = state.far = 0
    state.withdrew = state.led = state.activated = state.stayed = state.threatened = state.called = 0
    if not rules.option["orders_marker_carryover"]:
        state.orders = [0] * len(state.orders)
    special.note_arrival(rules, state, out)
    if state.turn >= rules.last_turn:
        scenarios.end(rules, state, out)
        return
    state.turn += 1
    begin_turn(rules, state, out)


@CHAPTER.step("4", on="ground", secrets=open_to_all, phases="setup")
def first_turn(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """16.1.1, 17.1.1: both sides are set up, and the first turn begins."""
    if not rules.rehides:
        for unit in rules.units_of_side[0]:
            note_contact(rules, state, unit)
    begin_turn(rules, state, out)
