"""The engine's parts: dice, notation, packs, events, undo and standing orders."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

import fronte
from fronte.engine import notation
from fronte.engine.dice import commitment, die, outcomes, seed_bytes
from fronte.engine.event import Event
from fronte.engine.pack import Pack, PackError
from fronte.games.inferno.combat import Attack
from fronte.games.inferno.movement import End, Move
from fronte.games.inferno.results import Losses


def test_dice_are_fair_and_repeatable() -> None:
    seed = seed_bytes("Bainsizza")
    fallen = [die(seed, number) for number in range(60_000)]
    assert fallen[:5] == [die(seed, number) for number in range(5)]
    assert all(abs(times - 10_000) < 400 for times in Counter(fallen).values())


def test_another_seed_has_other_dice_and_another_commitment() -> None:
    one, two = seed_bytes(1), seed_bytes(2)
    assert [die(one, n) for n in range(20)] != [die(two, n) for n in range(20)]
    assert commitment(one) != commitment(two)
    assert one.hex() not in commitment(one)


def test_three_dice_have_216_outcomes() -> None:
    assert len(set(outcomes(3))) == 216


@pytest.mark.parametrize(
    ("action", "line"),
    [
        (Move("it-livorno", ("2412", "2311")), "move it-livorno 2412-2311"),
        (Attack("2312", ("a", "b"), ("g",)), "attack 2312 with a,b guns g"),
        (Attack("2312", ("a",)), "attack 2312 with a"),
        (Losses((("a", 2), ("b", 1))), "losses a=2,b=1"),
        (End(), "end"),
        (End(("g",)), "end keep g"),
    ],
)
def test_an_action_and_its_line_mean_the_same(action: fronte.Action, line: str) -> None:
    assert notation.to_text(action) == line
    assert notation.from_text(f"  {line} ", [type(action)]) == action


def test_a_line_that_cannot_be_read_is_answered_with_the_forms() -> None:
    with pytest.raises(ValueError, match="expected: move"):
        notation.from_text("march on Rome", [Move, End])


def test_every_legal_action_can_be_written_and_read_back() -> None:
    match = fronte.new("isonzo", seed=3)
    rng = Random(3)
    seen: set[type] = set()
    while match.result is None:
        action = match.sample(rng)
        seen.add(type(action))
        assert match.read(notation.to_text(action)) == action
        match.play(action)
    assert len(seen) > 10


def test_an_event_shows_each_seat_its_share() -> None:
    event = Event("moved", ("4",), {"unit": "x"}, seats=0b01, veiled={"unit": ""})
    seen, veiled = event.to(0), event.to(1)
    assert seen is not None and seen.data == {"unit": "x"}
    assert veiled is not None and veiled.data == {"unit": ""}
    assert Event("supply", ("11",), {}, seats=0b01).to(1) is None


def test_of_what_two_seats_know_in_part_each_sees_its_own() -> None:
    apart = {0: {"units": ["x", ""]}, 1: {"units": ["", "y"]}}
    event = Event("fought", ("7",), {"units": ["x", "y"]}, 0, {"units": ["", ""]}, apart)
    seen = [event.to(seat) for seat in (0, 1, 2)]
    assert [one and one.data for one in seen] == [*apart.values(), {"units": ["", ""]}]
    assert event.public() == seen[2] and all(one is not None and not one.apart for one in seen)


def test_an_owners_folder_comes_before_the_games_own(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("x = 1")
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.toml").write_text("x = 2")
    assert Pack([other, tmp_path]).toml("a.toml") == {"x": 2}


def test_pack_errors_name_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,2\n3\n")
    with pytest.raises(PackError, match=r"t\.csv:3: the line has not 2 fields"):
        Pack([tmp_path]).csv("t.csv", ["a", "b"])
    with pytest.raises(PackError, match="missing columns c"):
        Pack([tmp_path]).csv("t.csv", ["a", "b", "c"])
    with pytest.raises(PackError, match="the pack has no such file"):
        Pack([tmp_path]).text("nothing.toml")


def test_standing_orders_answer_and_are_recorded() -> None:
    match = fronte.new("isonzo", seed=5)
    rng = Random(5)
    for kind, policies in match.rules.standing.items():
        for seat in match.rules.seats:
            match.order(seat, kind, "none" if kind == "demolish" else sorted(policies)[0])  # in_rear asks now and then
    while match.result is None:
        assert match.decision is not None
        assert match.decision.kind not in match.rules.standing
        match.play(match.sample(rng))
    assert any(entry.standing for entry in match.entries)
    assert fronte.load(match.save()).result == match.result


def test_a_standing_order_that_is_unknown_is_refused_with_the_known_ones() -> None:
    match = fronte.new("isonzo")
    with pytest.raises(ValueError, match="these can be answered: demolish"):
        match.order("ah", "surrender", "now")
    with pytest.raises(ValueError, match="the policies are blow, hold"):
        match.order("ah", "demolition", "maybe")
