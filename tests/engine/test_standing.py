"""Standing orders with conditions, and a whole move that nobody reacts to."""

from __future__ import annotations

from random import Random

import pytest

import fronte
from fronte.engine import standing
from fronte.engine.decision import IllegalAction
from fronte.engine.match import Match


def windows(probe: str, seed: int = 3) -> Match:
    """A match in which a march of more than one hex comes before somebody's front: its first window is open."""
    for number in range(seed, seed + 200):
        match = fronte.new(probe, seed=number)
        rng = Random(number)
        for _ in range(60):
            if match.decision is None:
                break
            if match.decision.kind == "act":
                for action in match.legal():
                    if action.__struct_config__.tag != "march" or len(action.path) < 2:  # type: ignore[attr-defined]
                        continue
                    twin = match.copy()
                    twin.play(action)
                    opened = 0
                    while twin.decision is not None and twin.decision.kind == "react":
                        twin.play("hold")
                        opened += 1
                    if opened > 2:
                        match.play(action)
                        return match
            match.play(match.sample(rng))
    raise AssertionError("nobody marches past an enemy")


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("dance", "no policy 'dance' for react; the policies are hold, shoot"),
        ("", "no policy ''"),
        ("shoot; dance", "no policy 'dance'"),
        ("hold unit=red-a", "hold takes when=, not 'unit=red-a'"),
        ("shoot odds=101", "odds= is a number from 0 to 100, not '101'"),
        ("shoot odds=-1", "odds= is a number"),
        ("shoot odds=\u0664", "odds= is a number"),
        ("shoot odds=5 odds=6", "not 'odds=6'"),
        ("shoot when=never", "when= is one of before, after, any, not 'never'"),
        ("shoot unit=", "unit= names nothing"),
        ("shoot " + "x" * 500, "400 characters"),
    ],
)
def test_an_order_that_the_game_does_not_know_is_refused(probe: str, order: str, why: str) -> None:
    match = fronte.new(probe, seed=1)
    with pytest.raises(ValueError, match=why):
        match.order("north", "react", order)
    assert not match.orders and not match.entries


def test_an_order_is_kept_as_it_is_written(probe: str) -> None:
    match = fronte.new(probe, seed=1)
    match.order("north", "react", "  shoot   odds=30 when=after ;hold")
    assert match.orders == {(0, "react"): "shoot odds=30 when=after; hold"}
    again = fronte.load(match.save())
    assert again.orders == match.orders
    again.order("north", "react", None)
    assert not again.orders


def test_what_meets_no_condition_is_asked(probe: str) -> None:
    match = windows(probe)
    assert match.decision is not None
    seat = match.decision.seat
    line = len(match.entries)
    match.order(seat, "react", "shoot odds=99")
    assert match.decision.kind == "react" and len(match.entries) == line + 1
    when = match.decision.about["when"]
    match.order(seat, "react", f"hold when={'after' if when == 'before' else 'before'}")
    assert match.decision.about["when"] == when and len(match.entries) == line + 2
    match.order(seat, "react", "shoot odds=99; hold")
    assert match.decision.kind != "react"
    answers = match.entries[line + 3 :]
    assert answers and all(entry.standing and entry.action == {"do": "hold"} for entry in answers)
    fresh = fronte.load(match.save())
    assert fresh.save() == match.save()


def test_a_piece_that_is_named_shoots_and_no_other(probe: str) -> None:
    match = windows(probe)
    assert match.decision is not None
    seat = match.decision.seat
    shooters = [one["unit"] for one in match.offer["actions"] if one["do"] == "shoot"]
    match.order(seat, "react", f"shoot unit={shooters[-1]}; hold")
    shots = [entry.action for entry in match.entries if entry.standing and entry.action["do"] == "shoot"]
    assert shots and {shot["unit"] for shot in shots} == {shooters[-1]}


def test_policies_say_what_they_take(any_game: str) -> None:
    rules = fronte.ruleset(any_game)
    for kind, policies in rules.standing.items():
        assert kind in rules.choices
        for name, policy in policies.items():
            for parameter in standing.takes(policy):
                assert parameter.kind in (standing.NUMBER, standing.PIECE, standing.WORD, standing.HEX)
                if parameter.kind == standing.WORD:
                    assert parameter.default in parameter.words
            assert standing.written(standing.read(rules, kind, name)) == name


def test_a_whole_move_is_let_pass_in_one_answer(probe: str) -> None:
    match, other = windows(probe), windows(probe)
    assert match.decision is not None and match.decision.whole == {"do": "hold"}
    mover, seat = (name for name in sorted(match.rules.seats, key=match.decision.seat.__eq__))
    before = len(match.events)
    match.play("hold", seat, whole=True)
    while other.decision is not None and other.decision.kind == "react":
        other.play("hold", seat)
    assert match.entries == other.entries  # ordinary actions: nothing tells one from the other
    assert match.save() == other.save() and not any(entry.standing for entry in match.entries)
    assert [match.events_for(who, before) for who in (mover, seat)] == [
        other.events_for(who, before) for who in (mover, seat)
    ]
    assert match.seated(mover).decision == other.seated(mover).decision
    assert fronte.load(match.save()).save() == match.save()


def test_the_next_move_is_asked_about_again(probe: str) -> None:
    match = windows(probe)
    assert match.decision is not None
    match.play("hold", whole=True)
    assert not match.let_pass
    rng = Random(1)
    asked = 0
    while match.decision is not None and asked < 3:
        asked += match.decision.kind == "react"
        match.play(match.sample(rng))
    assert asked == 3


def test_only_not_reacting_lets_a_move_pass(probe: str) -> None:
    match = windows(probe)
    shot = next(one for one in match.offer["actions"] if one["do"] == "shoot")
    before = match.save()
    with pytest.raises(IllegalAction, match="no answer to a whole move"):
        match.play(shot, whole=True)
    assert match.save() == before
    start = fronte.new(probe, seed=1)
    with pytest.raises(IllegalAction, match="no answer to a whole move"):
        start.play(next(start.legal()), whole=True)
    assert start.decision is not None and start.decision.whole is None


def test_the_seat_that_waits_is_not_told_what_could_be_answered(probe: str) -> None:
    match = windows(probe)
    assert match.decision is not None
    mover = next(seat for seat in match.rules.seats if seat != match.decision.seat)
    told = match.seated(mover).decision
    assert told is not None and told.whole is None and told.odds == () and told.about == {}


def test_only_not_reacting_answers_a_whole_move() -> None:
    match = fronte.new("isonzo", seed=1)
    with pytest.raises(fronte.IllegalAction, match="no answer to a whole move"):
        match.play("end", whole=True)
    assert match.entries == []


def test_routine_orders_can_be_read(any_game: str) -> None:
    rules = fronte.ruleset(any_game)
    for kind, order in rules.routine.items():
        assert standing.written(standing.read(rules, kind, order)) == order


def until_asked_by_the_enemy(game: str) -> Match:
    """A match in which a seat is asked something while another is active."""
    for seed in range(40):
        match, rng = fronte.new(game, seed=seed), Random(seed)
        for _ in range(400):
            if match.decision is None:
                break
            active = match.rules.public_view(match.state).stage.active
            if active and active != match.decision.seat:
                return match
            match.play(match.sample(rng))
    raise AssertionError("nobody is ever asked in the other's turn")


def test_a_defence_lasts_until_the_turn_ends_and_is_for_the_others_turns() -> None:
    match = until_asked_by_the_enemy("isonzo")
    assert match.decision is not None
    seat, turn = match.seat, match.rules.public_view(match.state).stage.turn
    assert not match.defended
    match.order(match.decision.seat, standing.DEFENCE, standing.NOW)
    assert match.defended and match.defends(seat) and not match.defends(1 - seat)
    again = fronte.load(match.save())
    assert again.defended and again.orders == match.orders
    rng = Random(1)
    while match.decision is not None and match.rules.public_view(match.state).stage.turn == turn:
        active = match.rules.public_view(match.state).stage.active
        assert match.defended == (match.seat == seat and active != match.rules.seats[seat])
        match.play(match.sample(rng))
    assert not match.defends(seat)


def test_a_defence_is_ended_and_has_no_other_policy() -> None:
    match = until_asked_by_the_enemy("isonzo")
    assert match.decision is not None
    seat = match.decision.seat
    match.order(seat, standing.DEFENCE, standing.NOW)
    match.order(seat, standing.DEFENCE, None)
    assert not match.defended
    with pytest.raises(ValueError, match="policy of defence"):
        match.order(seat, standing.DEFENCE, "turn=99")
