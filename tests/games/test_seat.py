"""For every registered game: a seat's handle shows the same for all states that the seat cannot tell apart."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest

import fronte


def shown(seat: fronte.Seat, others: list[Any]) -> bytes:
    """All that can be asked of a handle; `others` are actions that the other side could play."""
    odds: list[Any] = []
    actions = list(islice(seat.legal(), 200))
    kinds = {type(action): action for action in reversed(actions)}
    for action in [*kinds.values(), *others[:2]]:
        try:
            odds.append(seat.odds(action))
        except fronte.IllegalAction as refused:
            odds.append(str(refused))
    refusals = [str(seat.why_not(action)) for action in (*others, "end", "move it-livorno 2413", "attack 2412 with x")]
    events = [str(event) for event in seat.events]
    told = [seat.view, str(seat.decision), seat.owes, seat.offer, str(actions), refusals, odds, seat.can_undo(), events]
    return msgspec.json.encode(told)


@pytest.mark.costly(each=True)
def test_a_handle_shows_the_same_in_states_that_differ_in_hidden_things(game: str, scenario: str) -> None:
    rng = Random(5)
    waiting = owing = played = 0
    match = fronte.new(game, scenario, 77)
    while played < 400:
        if match.result is not None:
            match = fronte.new(game, scenario, 77 + played)
        played += 1
        if len(match.entries) % 23 == 0 and getattr(match.state, "battle", None) is None:
            for index, name in enumerate(match.rules.seats):
                hidden = match.rules.shuffle_hidden(match.state, index, rng)
                here, twin = (fronte.Match(match.rules, state, []) for state in (match.state.copy(), hidden))
                others = [] if here.seated(name).owes else list(islice(here.legal(), 20))
                assert shown(here.seated(name), others) == shown(twin.seated(name), others), (name, match.decision)
                owing += here.seated(name).owes
                waiting += not here.seated(name).owes
        match.play(match.sample(rng))
    assert owing > 5 and waiting > 5


def test_the_other_side_is_not_told_which_unit_moves() -> None:
    match: Any = fronte.new("isonzo", seed=3)
    rng = Random(3)
    found = 0
    while match.result is None and found < 5:
        decision = match.decision
        other = next(name for name in match.rules.seats if name != decision.seat)
        if decision.about.get("moving") and match.view(other).stage.moving is None:
            found += 1
            seen = match.seated(other).decision
            assert seen.seat == decision.seat and seen.kind == "movement" and seen.about == {}
            assert match.seated(decision.seat).decision == decision
        match.play(match.sample(rng))
    assert found == 5


def test_a_seat_plays_only_for_itself_and_is_told_only_what_it_sees() -> None:
    match = fronte.new("isonzo", seed=1)
    italian, ah = match.seated("italian"), match.seated("ah")
    assert italian.owes and not ah.owes
    assert ah.offer == {} and list(ah.legal()) == []
    for refused in (lambda: ah.play("end"), lambda: ah.odds("end"), lambda: ah.sample(Random(1))):
        with pytest.raises(fronte.IllegalAction, match="it is for the Italian player to decide"):
            refused()
    rng = Random(1)
    for _ in range(200):
        name = match.rules.seats[match.seat]
        before = len(match.events)
        events = match.seated(name).play(match.sample(rng))
        assert events == match.events_for(name, before)
    assert not match.seated("ah" if match.can_undo("italian") else "italian").undo()
    with pytest.raises(ValueError, match="no seat 'french'"):
        match.seated("french")
