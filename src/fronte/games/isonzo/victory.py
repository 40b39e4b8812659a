"""Chapter 15, victory: objectives, the score, Gorizia, and the end of the game (1.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fronte.engine.decision import AUTO, CHANCE, Frame
from fronte.engine.event import Event
from fronte.engine.frames import Chapter, open_to_all
from fronte.engine.pack import table
from fronte.engine.rules import Result
from fronte.games.inferno import setup
from fronte.games.inferno.counters import AH, ITALIAN
from fronte.games.inferno.frames import SIDE, why_not_active
from fronte.games.inferno.sequence import say_phase
from fronte.games.isonzo.battleground import demolishable
from fronte.games.isonzo.state import IsonzoState
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.isonzo.game import Isonzo

CHAPTER = Chapter()

LEVELS = {
    "ah_strategic": "ah_strategic_max",
    "ah_operational": "ah_operational_max",
    "draw": "draw_max",
    "italian_operational": "it_operational_max",
    "italian_strategic": "",
}
"""15.f: the levels from the lowest scores on, with their lines in the table of victory."""
OUTCOMES = ("", "time", "gorizia")
"""How a game ends: not yet, by the end roll (1.4), by the fall of Gorizia (15.e)."""
WINNERS = {"ah_strategic": "ah", "ah_operational": "ah", "draw": None}


def objective_values(rules: Isonzo) -> dict[int, int]:
    """15.a, 15.c: settlements and peaks in A-H territory at the start, and what they are worth; a scenario of ours may
    say otherwise."""
    chart = table(rules.tables.data, "tables.toml", "objectives")
    values: dict[int, int] = {}
    for h in bits(rules.board.control[AH] & rules.sector):
        worth = 0
        if rules.board.settlements >> h & 1:
            worth += int(chart["special"].get(rules.hex_id(h), chart["settlement"]))
        if rules.board.peaks >> h & 1:
            worth += int(chart["peak"])
        if worth:
            values[h] = worth
    return dict(sorted((values | setup.places(rules)).items()))


def objectives_held(rules: Isonzo, state: IsonzoState) -> int:
    """15.b: victory points of objectives that Italians were the last to enter."""
    return sum(worth for h, worth in rules.objectives.items() if state.held >> h & 1)


def score(rules: Isonzo, state: IsonzoState) -> int:
    """15: objectives, less reserves released, plus A-H emergency reinforcements (15.d); and a handicap."""
    return objectives_held(rules, state) - state.released + state.returned + rules.head_start


def check_gorizia(rules: Isonzo, state: IsonzoState, units: Sequence[int], h: int, out: list[Event]) -> None:
    """15.e: the moment an A-H unit enters Gorizia the game is over."""
    if rules.board.gorizia >> h & 1 and rules.side[units[0]] == AH:
        data = {"hex": rules.hex_id(h), "units": [rules.ids[unit] for unit in units if rules.shows(state, unit)]}
        out.append(Event("gorizia", ("15.e",), data))
        end_game(rules, state, "gorizia", out)


def end_game(rules: Isonzo, state: IsonzoState, how: str, out: list[Event]) -> None:
    """15: the match is over; nobody owes anything."""
    state.outcome = how
    state.phase = "end"
    state.battle = None
    state.frames.clear()
    final = result(rules, state)
    assert final is not None
    data = {"level": final.level, "score": final.score, "winner": final.winner}
    out.append(Event("over", final.rules, data))


def result(rules: Isonzo, state: IsonzoState) -> Result | None:
    """15, 15.e, 15.f: the result, once there is one. Where the limits or the last turn are those of a scenario of ours,
    the rules that give others are not cited."""
    if not state.outcome:
        return None
    vp = score(rules, state)
    if state.outcome == "gorizia":
        return Result("ah_strategic", vp, "ah", ("15.e",))
    name = rules.level(vp)
    levels = ("15.b", "15.d") if rules.own_limits else ("15", "15.f")
    return Result(name, vp, WINNERS.get(name, "italian"), levels if rules.last_turn else (*levels, "1.4"))


# Phase C


@CHAPTER.step("3", "3.1.C", on="ground", secrets=open_to_all, takes=(SIDE,), fault=why_not_active)
def player_turn_ends(rules: Isonzo, state: IsonzoState, frame: Frame, out: list[Event]) -> None:
    """3, 3.1.C: the Italian turn is followed by the A-H turn, that by Phase C."""
    (side,) = frame.args
    if side == ITALIAN:
        state.frames.append(Frame("player_turn", AUTO, (AH,)))
        return
    say_phase(rules, state, "end", "3.1.C", out)
    state.frames += (Frame("next_turn", AUTO), Frame("end_roll", AUTO), Frame("demolitions", AUTO))
    if state.turn >= int(rules.scenario["ris_rimp_from"]):
        state.frames.append(Frame("points_die", CHANCE))


@CHAPTER.step("3.1.C", "14.4.c", on="end_roll", secrets=open_to_all, phases="end")
def demolitions(rules: Isonzo, state: IsonzoState, frame: Frame, out: list[Event]) -> None:
    """3.1.C, 14.4.c: the Italian decides first, then A-H."""
    for side in (AH, ITALIAN):
        if demolishable(rules, state, side):
            state.frames.append(Frame("demolish", side))


@CHAPTER.step("1.4", on="next_turn", secrets=open_to_all, phases="end")
def end_roll(rules: Isonzo, state: IsonzoState, frame: Frame, out: list[Event]) -> None:
    """1.4: from turn 8 A-H throws for the end of the game; a scenario of ours may say when it ends."""
    if rules.last_turn and state.turn >= rules.last_turn:
        end_game(rules, state, "time", out)
        return
    if state.turn >= int(rules.scenario["end_roll_from"]):
        state.frames.append(Frame("end_die", CHANCE))


@CHAPTER.throw(1, "1.4", on="next_turn", secrets=open_to_all, phases="end")
def end_die(rules: Isonzo, state: IsonzoState, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """1.4: at most the number of the turn just played ends the game."""
    limit = end_number(rules, state.turn)
    ends = dice[0] <= limit
    out.append(Event("end_roll", ("1.4",), {"die": dice[0], "limit": limit, "ends": ends}))
    if ends:
        end_game(rules, state, "time", out)


def end_number(rules: Isonzo, turn: int) -> int:
    """table.turn-track: the number in the box of a turn; after the end of the track the game always ends."""
    track = rules.tables.end_track
    return track.get(turn, 6 if turn > max(track) else 0)


@CHAPTER.step("3.1.C.b", "14.2.e", on="ground", secrets=open_to_all, phases="end")
def next_turn(rules: Isonzo, state: IsonzoState, frame: Frame, out: list[Event]) -> None:
    """3.1.C, 14.2.e: crossing markers are cleared, the turn marker goes on and shows the Italian side."""
    state.crossed = {}
    state.returns = 0
    state.turn += 1
    out.append(Event("turn", ("3.1.C.b",), {"turn": state.turn}))
    state.frames.append(Frame("player_turn", AUTO, (ITALIAN,)))
