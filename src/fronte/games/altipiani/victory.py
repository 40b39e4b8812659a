"""Chapter 14, victory: objectives, steps lost, the levels, and how turns follow each other (3.0)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.decision import AUTO, Frame
from fronte.engine.event import Event
from fronte.engine.frames import Chapter, open_to_all
from fronte.engine.rules import Result
from fronte.games.altipiani.state import AltipianiState
from fronte.games.inferno.counters import AH, ITALIAN
from fronte.games.inferno.frames import SIDE, why_not_active

if TYPE_CHECKING:
    from fronte.games.altipiani.game import Altipiani

CHAPTER = Chapter()

OUTCOMES = ("", "time")
LEVELS = ("it_strategic", "it_marginal", "draw", "ah_marginal", "ah_strategic")
"""14.0.a: from the lowest scores on."""
WINNERS = {"it_strategic": "italian", "it_marginal": "italian", "draw": None}


def score(rules: Altipiani, state: AltipianiState) -> int:
    """14.0.b, 14.0.c: A-H victory points: objectives controlled, Italian steps lost less its own; and a handicap."""
    held = sum(worth for h, worth in rules.objectives.items() if not state.held >> h & 1)
    worth = rules.step_worth
    return held + worth[ITALIAN] * state.lost[ITALIAN] + worth[AH] * state.lost[AH] + rules.head_start


def result(rules: Altipiani, state: AltipianiState) -> Result | None:
    """14.0: the result, once there is one. Where the limits are those of a scenario of ours, the rules that give others
    are not cited."""
    if not state.outcome:
        return None
    vp = score(rules, state)
    name = rules.level(vp)
    return Result(name, vp, WINNERS.get(name, "ah"), ("14.0.b", "14.0.c") if rules.own_limits else ("14.0", "14.0.a"))


@CHAPTER.step("3.0", on="ground", secrets=open_to_all, takes=(SIDE,), fault=why_not_active)
def player_turn_ends(rules: Altipiani, state: AltipianiState, frame: Frame, out: list[Event]) -> None:
    """3.0, 3.1.A, 14.0: the A-H turn is followed by the Italian turn, that by the next Game Turn or the end."""
    (side,) = frame.args
    if side == AH:
        state.frames.append(Frame("player_turn", AUTO, (ITALIAN,)))
    elif state.turn >= rules.last_turn:
        end_game(rules, state, out)
    else:
        state.turn += 1
        out.append(Event("turn", ("3.1.A",), {"turn": state.turn}))
        state.frames.append(Frame("player_turn", AUTO, (AH,)))


def end_game(rules: Altipiani, state: AltipianiState, out: list[Event]) -> None:
    """14.0: the match is over."""
    state.outcome = "time"
    state.phase = "end"
    state.frames.clear()
    final = result(rules, state)
    assert final is not None
    out.append(Event("over", final.rules, {"level": final.level, "score": final.score, "winner": final.winner}))
