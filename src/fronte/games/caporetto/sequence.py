"""4.0: sequence of play. The phases of a turn, one after another, and its end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from fronte.engine.decision import AUTO, Frame
from fronte.engine.event import Event
from fronte.engine.frames import Argument, Chapter, open_to_all
from fronte.games.caporetto import (
    actions,
    artillery,
    barrages,
    engineers,
    gunnery,
    later_moves,
    losses,
    morale,
    planning,
    recovery,
    reinforcements,
    rommel,
    setting_up,
    stacking,
    victory,
)
from fronte.games.caporetto.printed import DISPLAY
from fronte.games.caporetto.scenarios import ARTILLERY_PHASE, WINGS
from fronte.games.caporetto.seating import FORCE, force_fault, forces_in_order, seat_of
from fronte.games.caporetto.state import NOBODY, NOT_PLANNED, State, begin, forget_zones
from fronte.games.caporetto.terrain import AHG, SIDES
from fronte.games.common.positions import WORD
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()
PHASES = (
    "setup",
    "reinforcement",
    "command",
    "engineering",
    "artillery",
    "action",
    "gun_movement",
    "movement",
    "supply",
)
"""4.0: those in which something is asked or done; initiative and weather are fixed (4.0-3, 4.0-4)."""
OVER = "end"
"""The phase in which a game is that is over."""

Asks = Callable[["Caporetto", State, int], bool]
ASKS: Mapping[str, Asks] = MappingProxyType(
    {
        "set_up": setting_up.asks,
        "arrivals": reinforcements.asks,
        "plan": planning.asks,
        "repair": engineers.asks_repair,
        "demolish": engineers.asks_demolition,
        "bridge": engineers.asks_bridge,
        "recover": recovery.asks,
    }
)
"""For the decisions that each force owes in its turn, whether there is anything for it to decide."""
STEPS = {"repair": "repair", "demolish": "demolition", "bridge": "bridging"}
"""Of which step of the phase they are, where it has any."""
BESIDES: Mapping[str, tuple[tuple[int, ...], ...]] = MappingProxyType({"demolish": ((), ())})
"""What their frames begin with besides the force."""


def start(rules: Caporetto, seed: bytes, out: list[Event]) -> State:
    """24.8, 25.8, 26.4, 27.4: everybody where the cards have them, and both sides set up what they may choose, Italians
    first."""
    state = begin(rules, seed)
    setting_up.begin(rules, state)
    state.frames = [Frame("next_phase", AUTO)]
    _ask(state, "set_up", _italians_first(rules))
    return state


def _italians_first(rules: Caporetto) -> list[int]:
    return sorted(forces_in_order(rules), key=lambda force: rules.scene.force_side[force] == AHG)


def _ask(state: State, what: str, forces: Iterable[int]) -> None:
    """These forces are asked one after another; the first is on top."""
    state.frames += [Frame("ask", AUTO, (force, what)) for force in reversed(tuple(forces))]


def _unknown(rules: Caporetto, state: State, frame: Frame) -> str:
    if frame.args[1] not in ASKS:
        return "there is no such decision"
    ends = any(other.name == "turn_over" for other in state.frames)
    if ends != (frame.args[1] == "recover"):  # 4.0-11: units recover as a turn ends, and nothing else is asked then
        return "this is not asked at this time"
    return force_fault(rules, state, frame)


@CHAPTER.step(
    "4.0",
    on="next_phase ask finish_bridges_step turn_over",
    secrets=open_to_all,
    takes=(FORCE, Argument("what", WORD)),
    fault=_unknown,
    once=False,
)
def ask(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """4.0: a force owes a decision of the phase, if there is anything to decide."""
    force, what = frame.args
    if ASKS[what](rules, state, force):
        state.active, state.step = force, STEPS.get(what, "")
        state.frames.append(Frame(what, seat_of(rules, force), (force, *BESIDES.get(what, ()))))


# The phases


def following(rules: Caporetto, state: State) -> str:
    """4.0, 24.9: the phase that comes after this one. Turn 1 of scenario 1 begins with the artillery; by the option
    rommel_gt1 his detachment may be declared before."""
    new_turn = state.phase in (PHASES[0], PHASES[-1])
    phase = PHASES[1] if new_turn else PHASES[PHASES.index(state.phase) + 1]
    if _begins_late(rules, state) and PHASES.index(phase) < PHASES.index("artillery"):
        return "command" if new_turn and rules.option["rommel_gt1"] else "artillery"
    return phase


def _begins_late(rules: Caporetto, state: State) -> bool:
    """24.9: is this a first turn without the phases before the artillery?"""
    return rules.scene.opening.begins == ARTILLERY_PHASE and state.turn == rules.scene.first_turn


@CHAPTER.step("4.0", on="ground", secrets=open_to_all)
def next_phase(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """4.0: the next phase begins; what it asks lies above this frame."""
    state.frames.append(frame)
    if state.phase in (PHASES[0], PHASES[-1]):
        _begin_turn(rules, state, out)
    state.phase, state.step = following(rules, state), ""
    _BEGIN[state.phase](rules, state, out)


def _begin_turn(rules: Caporetto, state: State, out: list[Event]) -> None:
    """4.0-3, 4.0-4, 8, 24.11: the AHG has the initiative, and the weather is that of the turn; 24.9: where no Command
    Phase comes all formations of the AHG count as planned."""
    forget_zones(state)
    day, half = rules.half_day(state.turn)
    low, middle, high = rules.tables.weather[state.turn - 1]
    weather = {"low": low, "middle": middle, "high": high} if len({low, middle, high}) > 1 else {"all": low}
    told = {"turn": state.turn, "day": day, "half": half, "weather": weather, "initiative": SIDES[AHG]}
    out.append(Event("turn", ("4.0", "8.0"), told))
    if _begins_late(rules, state):
        for number, formation in enumerate(rules.formations):
            if formation.side == AHG and number != rules.rommel:
                state.plan[number] = rules.most_assigned


def _reinforcement(rules: Caporetto, state: State, out: list[Event]) -> None:
    """4.0-1."""
    reinforcements.income(rules, state, out)
    _ask(state, "arrivals", forces_in_order(rules))


def _command(rules: Caporetto, state: State, out: list[Event]) -> None:
    """4.0-2, 7.2: in secret, so that the order is nobody's gain; who has declared Rommel's detachment does so openly
    (21.6), and is therefore asked last."""
    forces = _italians_first(rules)
    if _begins_late(rules, state):
        forces = [force for force in forces if rommel.companies(rules, state, force)]
    _ask(state, "plan", forces)


def _engineering(rules: Caporetto, state: State, out: list[Event]) -> None:
    """4.0-5: step by step, the AHG first in each."""
    forces = forces_in_order(rules)
    for force in reversed(forces):
        _ask(state, "bridge", (force,))
        state.frames.append(Frame("finish_bridges_step", AUTO, (force,)))
    _ask(state, "demolish", forces)
    _ask(state, "repair", forces)
    state.frames += [Frame("finish_trenches_step", AUTO, (force,)) for force in reversed(forces)]


def _artillery(rules: Caporetto, state: State, out: list[Event]) -> None:
    """4.0-6."""
    gunnery.begin(rules, state)


def _action(rules: Caporetto, state: State, out: list[Event]) -> None:
    """4.0-7, 4.0-8."""
    actions.begin(rules, state, out)


def _later_moves(rules: Caporetto, state: State, out: list[Event]) -> None:
    """4.0-9, 4.0-10."""
    later_moves.begin(rules, state)


def _supply(rules: Caporetto, state: State, out: list[Event]) -> None:
    """4.0-11 to 4.0-13."""
    state.frames.append(Frame("turn_end", AUTO))


_BEGIN: Mapping[str, Callable[[Caporetto, State, list[Event]], None]] = MappingProxyType(
    {
        "reinforcement": _reinforcement,
        "command": _command,
        "engineering": _engineering,
        "artillery": _artillery,
        "action": _action,
        "gun_movement": _later_moves,
        "movement": _later_moves,
        "supply": _supply,
    }
)


# 4.0-11 to 4.0-13: the end of a turn


@CHAPTER.step("4.0", "9.3", on="next_phase", secrets=open_to_all, phases="supply")
def turn_end(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """5.1, 4.0-11, 4.0-12: hexes that are too full; who has no supply; then each force lets its units recover."""
    for units in crowded(rules, state):
        morale.crowd(rules, state, units, out)
    state.fed = recovery.supplied(rules, state)
    hungry = (rules.combat | rules.guns) & ~rules.flamethrowers & ~state.fed & state.present
    morale.starve(rules, state, list(bits(hungry)), out)
    recovery.of_the_bound(rules, state, out)
    state.frames.append(Frame("turn_over", AUTO))
    _ask(state, "recover", forces_in_order(rules))


def crowded(rules: Caporetto, state: State) -> list[tuple[int, ...]]:
    """5.1, 11.1: the units of each hex that is still too full at the end of a turn in which one of them has come in; by
    the option late_overstack of every such hex (11.6, 18.1). Each player has his own limit."""
    found: list[tuple[int, ...]] = []
    if not (rules.option["late_overstack"] or state.arrived):
        return found
    for h, stack in sorted(state.stacks.items()):
        for force in sorted({rules.force[unit] for unit in stack}):
            units = tuple([unit for unit in stack if rules.force[unit] == force])
            if not (rules.option["late_overstack"] or state.arrived & mask_of(units)):
                continue
            limbered, single = rules.guns & ~state.emplaced, losses.singles(rules, state, units)
            as_set_up = all(rules.begins[unit] == h for unit in units)  # 24.8: until they have moved
            if stacking.is_crowd(stacking.why_not(rules, h, units, limbered, single, set_up=as_set_up)):
                found.append(units)
    return found


@CHAPTER.step("4.0", "23.0", on="next_phase", secrets=open_to_all, phases="supply")
def turn_over(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """4.0-12, 4.0-13: the markers of the turn are taken away; the next one begins, or the game is over."""
    rommel.dissolve(rules, state, out)
    clean_up(rules, state)
    if victory.check(rules, state, out):
        state.phase, state.step = OVER, ""
        state.frames.clear()
        found = victory.result(rules, state)
        assert found is not None
        told = {"level": found.level, "score": found.score, "winner": found.winner}
        if rules.scene.victory == WINGS:
            told["lead"] = found.score  # of which wing it is, is said in words
        out.append(Event("result", found.rules, told))
        return
    state.turn += 1


def clean_up(rules: Caporetto, state: State) -> None:
    """4.0-12, 7.2, 21.6: what holds for one turn only. What engineers work at goes on (17.3, 19.3)."""
    artillery.rest(state)
    barrages.lift(state)
    state.activated = state.ooc = state.marched = state.moved = state.handed = state.arrived = 0
    state.attached = state.commanded = state.rommel = state.fed = 0
    state.done = state.attacked = 0
    state.plan = [NOT_PLANNED] * len(state.plan)
    state.division = [()] * len(state.division)
    state.closed = state.order = ()
    state.sector, state.kind, state.passed = "", "", NOBODY
    state.formations = state.pool = state.attachments = ()
    state.reach = 0
    for unit in bits(rules.hqs):
        state.at[unit] = DISPLAY
