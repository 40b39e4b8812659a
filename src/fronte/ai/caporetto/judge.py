"""What a position promises by the judgement of a net, in the scenarios that have one (`data/net.*.json`).

A net is made by `fronte tune net caporetto --scenario ...`. Where there is none, `value` judges.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from fronte.ai.caporetto import places
from fronte.ai.caporetto import value as thumb
from fronte.ai.caporetto.chart import Chart
from fronte.ai.caporetto.signs import names, signs
from fronte.ai.nets import Net, net_fit_for, told
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.state import State

FOLDER = Path(__file__).parent / "data"


@lru_cache(maxsize=16)
def net_for(rules: Caporetto) -> Net | None:
    """The net that can judge positions under a ruleset, if there is one."""
    return net_fit_for(FOLDER / f"net.{rules.header.scenario}.json", names(rules))


def value(chart: Chart, state: State, seat: int) -> float:
    """What a seat may expect in the end (`Rules.merit`); where the game is over, what it has."""
    net = net_for(chart.rules)
    if net is None or chart.rules.result(state) is not None:
        return thumb.value(chart, state, seat)
    found = told(net, signs(chart, state)) + chart.rules.head_start
    return found if seat == chart.rules.scene.seat_of[places.attacker(chart)] else -found
