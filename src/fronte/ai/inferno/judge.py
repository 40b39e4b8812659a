"""What a position promises by the judgement of a net, in the games that have one (`data/net.*.json`).

A net is made by `fronte tune net`. Where there is none, or where a scenario has other objectives than the net was
learnt with, the line of weights in `value` judges.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fronte.ai.inferno import value as line
from fronte.ai.inferno.signs import names, signs
from fronte.ai.nets import Net, read_net, told
from fronte.games.inferno.rules import Inferno
from fronte.games.inferno.state import State

FOLDER = Path(__file__).parent / "data"


@cache
def net_of(game: str) -> Net | None:
    """The net of a game, if it has one."""
    return read_net(FOLDER / f"net.{game}.json")


def net_for(rules: Inferno) -> Net | None:
    """The net that can judge positions under a ruleset, if there is one."""
    found = net_of(rules.header.game)
    return found if found is not None and found.names == names(rules) else None


def value(rules: Inferno, state: State, side: int, net: Net | None) -> float:
    """The score that this side may expect at the end; where the game is over, what it has."""
    if net is None or rules.result(state) is not None:
        return line.value(rules, state, side)
    sign = 1 if side == rules.scorer else -1
    return sign * (told(net, signs(rules, state)) + rules.head_start)
