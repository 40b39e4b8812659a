"""How many ways there are: counts of legal actions, the contract of the move generators.

A change here means that the rules now allow more or less than before: say why in the commit.
"""

from __future__ import annotations

import msgspec
import pytest

from fronte import Match
from fronte.casebook import Case, CaseFile, begin
from fronte.engine import flow

TINY = {
    "span": "2010-2313",
    "hex": {"2112": {"terrain": "hill", "level": 2}, "2111": {"trench": "ah", "control": "ah"}},
    "side": {"2112/2111": {"water": "stream"}, "2011/2111": {"road": True}},
}
UNITS = {"it-a": {"at": "2112", "face": "5-5-2"}, "it-g": {"at": "2113", "type": "artillery"}, "ah-x": {"at": "2110"}}


def tiny(phase: str) -> Match:
    case = msgspec.convert({"name": "tiny", "units": UNITS, "start": {"phase": phase}}, Case)
    return begin(CaseFile("perft", "isonzo", (case,), TINY), case)


def perft(match: Match, depth: int) -> int:
    """The number of sequences of so many legal actions; a throw ends a sequence."""
    if depth == 0 or match.result is not None or flow.waits_for_dice(match.state):
        return 1
    total = 0
    for action in match.legal():
        state = match.state.copy()
        flow.act(match.rules, state, action, [])
        total += perft(Match(match.rules, state, []), depth - 1)
    return total


@pytest.mark.parametrize(("depth", "ways"), [(1, 22), (2, 322), (3, 2123)])
def test_ways_to_move_on_a_tiny_board(depth: int, ways: int) -> None:
    assert perft(tiny("movement"), depth) == ways
