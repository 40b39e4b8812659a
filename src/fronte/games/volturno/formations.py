"""6: formations. Attempts to activate them, personal initiative, morale, stacking."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fronte.engine import panel
from fronte.engine.decision import CHANCE, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, anybody, open_to_all
from fronte.games.volturno import actions, special
from fronte.games.volturno.command import in_reach_of_chief
from fronte.games.volturno.counters import FORMATIONS, GARIBALDINI, NAPOLETANI, SIDE_OF, SIDES
from fronte.games.volturno.state import State

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

CHAPTER = Chapter()
FORMATION = Argument("formation", NUMBER, 0, len(FORMATIONS) - 1)
SIX = 6
MOST_PASSES = 3


class Attempt(Action, frozen=True):
    """6.1: a formation is to be activated; a die decides."""

    form = "attempt {formation}"
    odds = True
    formation: str


class Pass(Action, frozen=True):
    """4.B2.p3: nothing is attempted this time."""

    form = "pass"


# 6.1: who may be activated


def why_no_attempt(rules: Volturno, state: State, formation: int) -> Refusal | None:
    """6.1.p2, gap.empty-formation, 15.3, 15.8.1.p1: why a formation cannot be attempted now; None if it can."""
    data = {"formation": FORMATIONS[formation]}
    if state.activated >> formation & 1:
        return Refusal("6.1.p2", "activated_already", data)
    if not any(state.at[unit] >= 0 for unit in rules.members[formation]):
        return Refusal("gap.empty-formation", "formation_empty", data)
    if SIDE_OF[formation] == GARIBALDINI and not state.seen >> formation & 1:
        return Refusal("15.3", "not_sighted", data)
    if special.is_stopped(rules, state, formation):
        return Refusal("15.8.1.p1", "ruiz_stopped", data)
    return None


def able(rules: Volturno, state: State, side: int) -> list[int]:
    """4.B2.p1: the formations that a side may attempt to activate."""
    return [f for f in rules.formations[side] if why_no_attempt(rules, state, f) is None]


def drm(rules: Volturno, state: State, formation: int) -> int:
    """6.1.2, 6.1.4: what is added to the activation die."""
    return -state.orders[formation] - in_reach_of_chief(rules, state, rules.leader_of[formation])


@CHAPTER.choice(on="next_go", seats=anybody, phases="activation")
class ActivateChoice(Choice["Volturno", State]):
    """4.B2.p1, 6.1: attempt to activate a formation, or pass."""

    name = "activate"
    rules = ("4.B2.p1", "6.1")
    verbs = (Attempt, Pass)
    panel = panel.CHOOSE

    def legal(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        for formation in able(rules, state, frame.seat):
            yield Attempt(FORMATIONS[formation])
        yield Pass()

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, Pass):
            return None
        assert isinstance(action, Attempt)
        if action.formation not in FORMATIONS:
            known = ", ".join(FORMATIONS[f] for f in rules.formations[frame.seat])
            return Refusal("2.3", "no_formation", {"name": action.formation, "known": known})
        formation = FORMATIONS.index(action.formation)
        if SIDE_OF[formation] != frame.seat:
            return Refusal("6.1", "not_your_formation", {"formation": action.formation})
        if formation not in rules.formations[frame.seat]:
            return Refusal("16.1.4", "not_in_scenario", {"formation": action.formation})
        return why_no_attempt(rules, state, formation)

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        if isinstance(action, Pass):
            state.passes += 1
            out.append(Event("passed", ("4.B2.p3",), {"side": SIDES[frame.seat]}))
            return
        assert isinstance(action, Attempt)
        state.passes = 0
        state.frames.append(Frame("activation_die", CHANCE, (FORMATIONS.index(action.formation),)))

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        cards = [rules.roster(state, formation) for formation in rules.formations[frame.seat]]
        return {"side": SIDES[frame.seat], "turn": state.turn, "passes": state.passes, "cards": cards}


def _away(rules: Volturno, state: State, frame: Frame) -> str:
    (formation,) = frame.args
    if not any(state.at[unit] >= 0 for unit in rules.members[formation]):
        return "the formation has no unit on the map"
    return "" if SIDE_OF[formation] == state.active else "it is not a formation of the side that is next"


@CHAPTER.throw(1, "6.1.1", on="next_go", secrets=open_to_all, takes=(FORMATION,), fault=_away, phases="activation")
def activation_die(rules: Volturno, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """6.1.1, 6.2: at most the command value activates; a six does so by personal initiative, whatever is added."""
    (formation,) = frame.args
    die = dice[0]
    added = drm(rules, state, formation)
    leader = rules.leader_of[formation]
    data = {"formation": FORMATIONS[formation], "die": die, "drm": added}
    if in_reach_of_chief(rules, state, leader):
        state.shown |= 1 << rules.chief[rules.side[leader]]
    if die == SIX:
        out.append(Event("own_initiative", ("6.2",), data))
        if stays_on_six(rules, state.turn):
            stay(rules, state, formation, out)
        else:
            state.frames.append(Frame("initiative_die", CHANCE, (formation,)))
    elif die + added <= rules.counters[leader].command:
        out.append(Event("activated", ("6.1.1",), data))
        actions.begin(rules, state, formation, "", out)
    else:
        out.append(Event("not_activated", ("6.1.1", "6.1.2"), data))
        fail(rules, state, formation)


def fail(rules: Volturno, state: State, formation: int) -> None:
    """6.1.2, 15.7, 15.8: an Orders marker, and perhaps the end of the phase for the Neapolitans."""
    if not special.gets_no_orders(rules, state, formation):
        state.orders[formation] += 1
    if SIDE_OF[formation] != NAPOLETANI:
        return
    open_ones = [
        f
        for f in rules.formations[GARIBALDINI]
        if not state.activated >> f & 1 and any(state.at[unit] >= 0 for unit in rules.members[f])
    ]
    if rules.option["coordination_ignores_barred"]:
        open_ones = [f for f in open_ones if why_no_attempt(rules, state, f) is None]
    if not open_ones:
        state.frames.append(Frame("coordination_die", CHANCE))


@CHAPTER.throw(1, "15.7", on="next_go", secrets=open_to_all, phases="activation")
def coordination_die(rules: Volturno, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """15.7: poor coordination: on a low die the activation phase is over."""
    ends = dice[0] <= int(rules.tables["coordination"]["ends"])
    out.append(Event("coordination", ("15.7",), {"die": dice[0], "ends": ends}))
    if ends:
        state.passes = MOST_PASSES


def stays_on_six(rules: Volturno, turn: int) -> bool:
    """15.2.p5: at night (by option also in fog) a six keeps the formation where it is."""
    return rules.is_night(turn) or (rules.option["stay_on_six_turns"] == "night-and-fog" and rules.light[turn] == "fog")


def stay(rules: Volturno, state: State, formation: int, out: list[Event]) -> None:
    """15.2.p5: units and commander stay, and the formation counts as activated; step c remains (13.3)."""
    state.stayed |= 1 << formation
    out.append(Event("stays", ("15.2.p5",), {"formation": FORMATIONS[formation]}))
    actions.mark_activated(rules, state, formation)
    actions.close(rules, state, formation, out)


@CHAPTER.throw(1, "6.2", on="next_go", secrets=open_to_all, takes=(FORMATION,), fault=_away, phases="activation")
def initiative_die(rules: Volturno, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """6.2, table.initiative: a die and the morale of the formation say how its commander acts."""
    (formation,) = frame.args
    added = rules.morale_drm[state.morale[formation] + rules.most_morale]
    row = ""
    for least, name in rules.tables["personal_initiative"]["rows"]:
        if dice[0] + added >= least:
            row = name
    data = {"formation": FORMATIONS[formation], "die": dice[0], "drm": added, "row": row}
    out.append(Event("initiative_row", ("6.2", "table.initiative"), data))
    actions.begin(rules, state, formation, row, out)
