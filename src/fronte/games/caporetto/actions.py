"""4.0-7, 4.0-8, 13, 24.2, 24.3: formations are activated in turn, and their actions run from step to step."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import AUTO, CHANCE, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Chapter, open_to_all
from fronte.games.caporetto import assault, command, companies, headquarters, losses, panels
from fronte.games.caporetto.companies import Absorb, Hand
from fronte.games.caporetto.headquarters import ACTION, DIVISION, REACTION, SWAP, by_mover
from fronte.games.caporetto.roster import NO_ONE
from fronte.games.caporetto.seating import active_seat, foe
from fronte.games.caporetto.state import NOBODY, NOT_PLANNED, State, zone_of
from fronte.games.caporetto.terrain import AHG, ITALIAN, LEFT, RIGHT
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()
RULES = {ACTION: "4.0", DIVISION: "7.10", SWAP: "7.11", REACTION: "14.0"}
"""By kind of action the rule by which it begins."""
PASSES = 11
"""What a player by chance draws to pass, of twelve."""
HALF = 3
"""24.2: up to this die the left sector is first."""


class Activate(Action, frozen=True):
    """4.0-7, 7.7: a formation acts."""

    form = "activate {formation}"
    formation: str


class Division(Action, frozen=True):
    """7.10: all formations of a division that were planned act together."""

    form = "division {division}"
    words = MappingProxyType({"division": "DIVISION"})
    division: str


class Swap(Action, frozen=True):
    """7.11: a formation in front and one behind it change places."""

    form = "swap {front} {rear}"
    front: str
    rear: str


class Pass(Action, frozen=True):
    """4.0-7: the other side may act."""

    form = "pass"


# Sectors


def begin(rules: Caporetto, state: State, out: list[Event]) -> None:
    """4.0-7, 24.2: the action phases begin, in scenario 1 in the sector that a die draws, else on the whole map."""
    state.order, state.sector = (), ""
    if not rules.scene.sectors:
        _open(rules, state)
    elif state.drawn and rules.option["sector_draw"] != "each-turn":
        other = {LEFT: RIGHT, RIGHT: LEFT}
        _draw(rules, state, other[state.drawn] if rules.option["sector_draw"] == "alternate" else state.drawn, out)
    else:
        state.frames.append(Frame("sector_die", CHANCE))


@CHAPTER.throw(1, "24.2", on="next_phase", secrets=open_to_all, phases="action")
def sector_die(rules: Caporetto, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """24.2: in which sector one begins."""
    _draw(rules, state, LEFT if dice[0] <= HALF else RIGHT, out)


def _draw(rules: Caporetto, state: State, first: str, out: list[Event]) -> None:
    state.drawn = first
    state.order = (first, RIGHT if first == LEFT else LEFT)
    out.append(Event("sector_drawn", ("24.2",), {"sector": first}))
    _open(rules, state)


def _open(rules: Caporetto, state: State) -> None:
    """4.0-7, 24.2: the next sector is played, the AHG first."""
    if state.order:
        state.sector, *rest = state.order
        state.order = tuple(rest)
    state.active, state.passed = forces_here(rules, state)[0], NOBODY
    state.frames.append(Frame("next_action", AUTO))
    companies.ask(rules, state)


def _close(rules: Caporetto, state: State, out: list[Event]) -> None:
    """4.0-8, 24.2: both have passed: the other sector is next, or the phase is over."""
    data = {"sector": state.sector} if state.sector else {}
    out.append(Event("actions_over", ("4.0",), data))
    state.passed, state.step = NOBODY, ""
    if state.order:
        _open(rules, state)
    else:
        state.sector = ""


def forces_here(rules: Caporetto, state: State) -> tuple[int, int]:
    """24.1, 24.2: the force of the AHG and the Italian one that fight in the sector that is played."""
    scene = rules.scene
    attacker = next(
        force
        for force, side in enumerate(scene.force_side)
        if side == AHG and (not scene.sectors or scene.force_wing[force] == state.sector)
    )
    return attacker, foe(rules, attacker)


# Whose turn it is


@CHAPTER.step("4.0", on="next_phase", secrets=open_to_all, phases="action")
def next_action(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """4.0-7, 4.0-8: who is next decides; who for all that the other may know could act is asked, even if he cannot."""
    state.step = "activate"
    for _ in range(2):
        if could_act(rules, state, state.active):
            state.frames += (frame, Frame("activate", active_seat(rules, state)))
            return
        if not _pass(rules, state):
            break
    _close(rules, state, out)


def _pass(rules: Caporetto, state: State) -> bool:
    """4.0-7: the other side is next; False if it has just passed too."""
    other = foe(rules, state.active)
    if state.passed == other:
        return False
    state.passed, state.active = state.active, other
    return True


def could_act(rules: Caporetto, state: State, force: int) -> bool:
    """4.0-7, 7.2: could a force activate something, for all that is no secret? What was planned is one."""
    first = state.turn == rules.scene.first_turn
    if first and rules.scene.force_side[force] == ITALIAN and not rules.scene.opening.italians_planned:
        return False
    return any(
        not state.done >> formation & 1 and command.mustered(rules, state, formation)
        for formation in rules.formations_of_force[force]
    )


# What is activated


def open_formations(rules: Caporetto, state: State, force: int) -> list[int]:
    """7.3, 7.9, 13: the formations that a force has planned and that come in turn, if there is a hex for their
    headquarters, which is asked later."""
    plan, done = state.plan, state.done
    planned = [
        formation
        for formation in rules.formations_of_force[force]
        if plan[formation] != NOT_PLANNED and not done >> formation & 1
    ]
    if not state.closed:
        return planned
    return [formation for formation in planned if command.keeps_order(rules, state, formation)]


def together(rules: Caporetto, state: State, division: int) -> tuple[int, ...]:
    """7.10: the formations of a division that can act together now; fewer than two are no division."""
    able = [
        formation
        for formation in open_formations(rules, state, state.active)
        if _division(rules, formation) == division and command.can_act(rules, state, formation)
    ]
    return tuple(able) if len(able) > 1 else ()


def _division(rules: Caporetto, formation: int) -> int:
    return rules.formations[formation].division


def why_not_swap(rules: Caporetto, state: State, front: int, rear: int) -> Refusal | None:
    """7.11: why two formations do not change places; both can be activated, and it is asked only who is in front: who
    has a unit next to an enemy or in his zone, while of the other none is next to one."""
    ours = rules.formations
    data = {"front": ours[front].id, "rear": ours[rear].id}
    if front == rear:
        return Refusal("7.11", "swaps_with_itself", data)
    divisions = {_division(rules, front), _division(rules, rear)}
    if rules.option["swap_same_division"] and (len(divisions) > 1 or NO_ONE in divisions):
        return Refusal("7.11", "swap_of_one_division", data)
    foes = 1 - ours[front].side
    near = rules.ground.around(state.occ[foes] | state.guns[foes])
    at = [mask_of(state.at[unit] for unit in command.members(rules, state, one)) for one in (front, rear)]
    if not at[0] & (near | zone_of(rules, state, foes)):
        return Refusal("7.11", "not_in_front", data)
    return Refusal("7.11", "not_behind", data) if at[1] & near else None


@CHAPTER.choice(on="next_action", seats=by_mover, phases="action")
class ActivateChoice(Choice["Caporetto", State]):
    """4.0-7, 7.10, 7.11: activate a formation, a division, two that change places, or pass. Before that battalions may
    take back companies and flamethrowers may change hands (21.10.e3, 21.4.e3)."""

    name = "activate"
    rules = ("4.0", "7.7", "7.9", "7.10", "7.11")
    verbs = (Activate, Division, Swap, Absorb, Hand, Pass)
    panel = panels.ACTIVATE

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        names = rules.formations
        able = [f for f in open_formations(rules, state, state.active) if command.can_act(rules, state, f)]
        for formation in able:
            yield Activate(names[formation].id)
        numbers = [_division(rules, formation) for formation in able]
        for division in dict.fromkeys(numbers):
            if division != NO_ONE and numbers.count(division) > 1:
                yield Division(rules.divisions[division][1])
        for front, rear in permutations(able, 2):
            if why_not_swap(rules, state, front, rear) is None:
                yield Swap(names[front].id, names[rear].id)
        yield from companies.absorptions(rules, state, state.active)
        yield from companies.handings(rules, state, state.active)
        yield Pass()

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        """A formation, and seldom a pass; now and then its division, or another with which it changes places."""
        found = open_formations(rules, state, state.active)
        one = rng.choice(found) if found else NO_ONE
        kind = rng.randrange(12)
        if kind == PASSES or one == NO_ONE or not command.can_act(rules, state, one):
            return Pass()
        if kind == 0 and _division(rules, one) != NO_ONE and together(rules, state, _division(rules, one)):
            return Division(rules.divisions[_division(rules, one)][1])
        other = rng.choice(found)
        if kind == 1 and why_not_swap(rules, state, one, other) is None and command.can_act(rules, state, other):
            return Swap(rules.formations[one].id, rules.formations[other].id)
        if kind == 2:
            more = [*companies.absorptions(rules, state, state.active), *companies.handings(rules, state, state.active)]
            return rng.choice(more) if more else Activate(rules.formations[one].id)
        return Activate(rules.formations[one].id)

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, Absorb):
            return companies.why_not_absorb(rules, state, state.active, action)
        if isinstance(action, Hand):
            return companies.why_not_hand(rules, state, state.active, action)
        if isinstance(action, Activate):
            return why_not_activated(rules, state, action.formation)
        if isinstance(action, Swap):
            for name in (action.front, action.rear):
                why = why_not_activated(rules, state, name)
                if why is not None:
                    return why
            front, rear = find(rules, action.front), find(rules, action.rear)
            return why_not_swap(rules, state, front, rear)
        if isinstance(action, Division):
            division = _find_division(rules, state, action.division)
            found = division != NO_ONE and together(rules, state, division)
            return None if found else Refusal("7.10", "no_division", {"division": action.division})
        return None

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        if isinstance(action, Absorb | Hand):
            companies.do(rules, state, action, out)
            return
        state.frames.pop()
        if isinstance(action, Pass):
            out.append(Event("passed", ("4.0",), {"side": rules.scene.forces[state.active]}))
            if not _pass(rules, state):
                state.frames.pop()  # next_action
                _close(rules, state, out)
            return
        if isinstance(action, Activate):
            begin_action(rules, state, ACTION, (find(rules, action.formation),), out)
        elif isinstance(action, Swap):
            begin_action(rules, state, SWAP, (find(rules, action.front), find(rules, action.rear)), out)
        else:
            assert isinstance(action, Division)
            found = together(rules, state, _find_division(rules, state, action.division))
            begin_action(rules, state, DIVISION, found, out)

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return {"side": rules.scene.forces[state.active], "turn": state.turn}


def find(rules: Caporetto, name: str) -> int:
    """The formation with this name; NO_ONE if there is none in the scenario."""
    return next((number for number, one in enumerate(rules.formations) if one.id == name), NO_ONE)


def _find_division(rules: Caporetto, state: State, name: str) -> int:
    side = rules.scene.force_side[state.active]
    return rules.divisions.index((side, name)) if (side, name) in rules.divisions else NO_ONE


def why_not_activated(rules: Caporetto, state: State, name: str) -> Refusal | None:
    """4.0-7, 7.3, 7.4, 7.6, 7.7, 7.9, 13: why a formation cannot be activated now."""
    formation, data = find(rules, name), {"formation": name}
    if formation == NO_ONE:
        return Refusal("2.2.3", "no_formation", {"name": name})
    if rules.formations[formation].force != state.active:
        return Refusal("4.0", "formation_of_another", data)
    if state.done >> formation & 1:
        return Refusal("13.0", "activated_already", data)
    if not command.is_planned(rules, state, formation):
        return Refusal(command.plan_rule(rules, formation), "not_planned", data)
    if not command.keeps_order(rules, state, formation):
        return Refusal("7.9", "division_closed", data)
    return why_not_commanded(rules, state, formation)


def why_not_commanded(rules: Caporetto, state: State, formation: int) -> Refusal | None:
    """7.6, 7.7: why there is nobody to command, or no hex from which that could be done."""
    data = {"formation": rules.formations[formation].id}
    if not command.mustered(rules, state, formation):
        return Refusal("7.7", "nobody_left", data)
    return None if command.can_act(rules, state, formation) else Refusal("7.6", "no_hex_for_hq", data)


# The action


def begin_action(rules: Caporetto, state: State, kind: str, formations: tuple[int, ...], out: list[Event]) -> None:
    """4.0-7, 7.10, 7.11, 14: the steps of an action, of which the first lies on top, and on it what comes before."""
    state.kind, state.formations, state.passed = kind, formations, NOBODY
    _forget(state)
    side = rules.scene.forces[state.active]
    for formation in formations:
        data = {"side": side, "formation": rules.formations[formation].id, "kind": kind}
        out.append(Event("acts", (RULES[kind],), data))
    if kind != REACTION:
        command.note_order(rules, state, *formations)
        state.frames.append(Frame("react_step", AUTO))
    state.frames += (
        Frame("complete", AUTO),
        Frame("assault_step", AUTO, (1,)),
        Frame("defend_step", AUTO, (1,)),
        Frame("counter_step", AUTO),
        Frame("assault_step", AUTO, (0,)),
        Frame("defend_step", AUTO, (0,)),
        Frame("bombard_step", AUTO),
        Frame("act", active_seat(rules, state)),
    )
    headquarters.lay(rules, state)


def _forget(state: State) -> None:
    """13: nothing is left of the action before."""
    assault.end_action(state)
    state.pool = state.attachments = state.aims = state.leftovers = ()
    state.reach = state.attached = state.commanded = state.mobile = 0
    state.mover, state.left, state.steps = NOBODY, 0, 0


@CHAPTER.step("13.0", on="next_action react_step", secrets=open_to_all, phases="action")
def complete(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """4.0-7.H, 13, 18.3, 12.1.5.S: guns beside enemies are taken, headquarters go back, and who acted is Activated.
    Then who is in a common hex goes home (24.3), and companies may be absorbed (21.10.e3)."""
    state.step = "complete"
    for side in (AHG, ITALIAN):
        for h in bits(state.guns[side] & state.occ[1 - side]):
            losses.capture(rules, state, h, side, out, all_guns=True)
    state.activated |= state.commanded
    for formation in state.formations:
        headquarters.withdraw(rules, state, formation)
        state.done |= 1 << formation
        out.append(Event("action_over", ("13.0",), {"formation": rules.formations[formation].id}))
    if state.kind == REACTION:
        state.active = foe(rules, state.active)
    state.kind, state.formations = "", ()
    _forget(state)
    state.frames.append(Frame("go_home", AUTO))
