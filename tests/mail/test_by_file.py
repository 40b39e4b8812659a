"""A match by file: played to its end at two tables, agreeing with the truth, and telling no more than it may."""

from __future__ import annotations

import json
import os
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest
from correspondents import finished, pair, play, play_turn, posted, replace

import fronte
from fronte.engine.match import Match
from fronte.games.inferno import by_file
from fronte.games.inferno.by_file_view import flat
from fronte.mail import desk as desks
from fronte.mail import keys, referee
from fronte.mail import letter as letters
from fronte.mail.desk import Post
from fronte.mail.letter import Letter, MailError

NIGHTLY = bool(os.environ.get("FRONTE_NIGHTLY"))

# Whole matches


@pytest.mark.costly
@pytest.mark.needs("by_file")
def test_a_whole_match_is_true_in_every_point(game: str, scenario: str) -> None:
    posts = finished(game, scenario)
    done = posts[0] if posts[0].complete else posts[1]
    report, record = referee.judge(done.rules, done.desk.letters)
    assert report.verdict == "true", report
    match = fronte.load(record)
    assert match.result == posts[0].table.result == posts[1].table.result
    assert sum(len(entry.rolls) for entry in match.entries) > 10


@pytest.mark.costly
@pytest.mark.parametrize("seed", range(6 if NIGHTLY else 1))
@pytest.mark.needs("by_file")
def test_both_halves_agree_with_the_truth_at_every_letter(game: str, scenario: str, seed: int) -> None:
    """What a side sees at its own table is what it would see at one table with both halves on it."""
    posts = pair(game, scenario, seed + 20, fog_stack_size="true" if (seed + (scenario == "surprise")) % 2 else "false")
    play(posts, Random(seed))
    done = posts[0] if posts[0].complete else posts[1]
    rules: Any = done.rules
    openings = referee._openings(done.desk.letters)
    trial = referee.Trial(rules, done.desk.letters, openings)
    halves = [Post(replace(post.desk, letters=post.desk.letters[:2], pending=[]), rules) for post in posts]
    for letter in done.desk.letters[2:]:
        if letter.kind != "turn":
            continue
        writer = next(post for post in halves if post.desk.seat == letter.seat)
        reader = next(post for post in halves if post is not writer)
        for action in openings[letter.seat].actions.get(str(letter.number), []):
            writer.table.play(action)
        writer.write()
        trial._turn(letter, letters.body(letter, letters.Turn))
        reader.receive(letter)
        seat = reader.desk.seat
        copy = Post(replace(reader.desk, pending=[]), rules) if letter.number % 40 == 0 else reader
        whole = rules.view(_settled(trial, reader), rules.seat_index(seat))
        seen, true = flat(rules, copy.table.view(seat)), flat(rules, whole)
        for view in (seen, true):
            view["frames"] = [frame[:2] for frame in view["frames"]]
        if true.get("moving", {}).get("unit") not in [unit["id"] for unit in true["own"]]:
            true.pop("moving", None)
            seen.pop("moving", None)
        assert msgspec.json.encode(seen) == msgspec.json.encode(true), letter.number


def _settled(trial: referee.Trial, reader: Post) -> Any:
    """The true state after what the reader's table carries out by itself."""
    twin = referee.Trial(trial.rules, trial.letters, trial.openings)
    twin.state, twin.shown, twin.fallen = trial.state.copy(), list(trial.shown), list(trial.fallen)
    referee.go_on(twin.rules, twin.state, reader.table.mine, twin._dice(reader.table.mine), [], [])
    return twin.state


def test_offers_are_those_of_the_truth() -> None:
    """At every decision a side is offered exactly what it would be offered if everything were known."""
    posts = pair(seed=5)
    rules: Any = posts[0].rules
    true = rules.start(bytes(32), [])
    rng = Random(5)
    compared = 0
    for turn in range(30):
        writer, reader = posts[turn % 2], posts[1 - turn % 2]
        dice = _known_dice(writer)
        referee.go_on(rules, true, writer.table.mine, dice, [], [])
        while writer.table.decision is not None:
            frame, real = writer.table.state.frames[-1], true.frames[-1]
            assert frame.name == real.name
            offer = rules.choices[real.name].offer(rules, true, real)
            assert msgspec.json.encode(writer.table.offer) == msgspec.json.encode(offer)
            action = writer.table.sample(rng)
            writer.table.play(action)
            rules.choices[real.name].apply(rules, true, real, action, [])
            referee.go_on(rules, true, writer.table.mine, _known_dice(writer, action=True), [], [])
            compared += 1
        reader.receive(posted(writer.write()))
    assert compared > 60


def _known_dice(post: Post, action: bool = False) -> Any:
    """Dice for the true state: those that have just fallen at this table."""
    fallen = [tuple(event.data["dice"]) for event in post.table.out if event.kind == "rolled"]
    if action:
        fallen = []
    return lambda many: fallen.pop(0) if fallen else None


# Nothing leaks


@pytest.mark.costly(each=True)
@pytest.mark.needs("by_file")
def test_a_letter_names_no_unit_that_its_reader_may_not_see(game: str, scenario: str) -> None:
    seen = 0

    def watch(writer: Post, reader: Post, letter: Letter) -> None:
        nonlocal seen
        if letter.kind != "turn" or not writer.table.state.frames:
            return
        rules: Any = writer.rules
        state, side = writer.table.state, writer.table.mine
        text = json.dumps(letter.body["told"])
        for unit in rules.of_side[side]:
            hidden = state.at[unit] >= 0 and not rules.shows(state, unit)
            waiting = state.at[unit] in (-1, -3)
            if hidden or waiting:
                assert f'"{rules.ids[unit]}"' not in text, (letter.number, rules.ids[unit])
                seen += 1
        fighting = {name for key in ("attackers", "defenders", "guns", "support") for name in _battle(letter, key)}
        for unit in letter.body["told"]["view"]["enemy"]:
            assert {"ce", "supply"} & set(unit) == set() or unit["id"] in fighting
            assert "marks" not in unit

    play(pair(game, scenario, 3), Random(3), watch=watch)
    assert seen > 500


def _battle(letter: Letter, key: str) -> list[str]:
    found: list[str] = letter.body["told"]["view"].get("battle", {}).get(key, [])
    return found


@pytest.mark.costly
@pytest.mark.needs("by_file")
def test_states_that_a_reader_cannot_tell_apart_give_the_same_letter(game: str, scenario: str) -> None:
    """Permute what is hidden at the writer's table: the letter stays the same, byte for byte."""
    rng = Random(9)
    different = 0

    def watch(writer: Post, reader: Post, letter: Letter) -> None:
        nonlocal different
        rules: Any = writer.rules
        table = writer.table
        if letter.kind != "turn":
            return
        twin = rules.shuffle_hidden(table.state, 1 - table.mine, rng)
        different += rules.to_position(twin) != rules.to_position(table.state)
        told = by_file.tell(rules, table.begun, twin, table.mine, table.ran)
        assert msgspec.json.encode(told, order="sorted") == msgspec.json.encode(letter.body["told"], order="sorted")

    play(pair(game, scenario, 4), Random(4), watch=watch)
    assert different > 30


def test_a_hidden_decision_leaves_no_trace_but_its_seal() -> None:
    """Turns that differ only in a decision the other side may not see make letters that differ only in their seals."""
    found: set[str] = set()
    rng = Random(2)
    posts = pair(seed=2)
    for turn in range(60):
        writer, reader = posts[turn % 2], posts[1 - turn % 2]
        while writer.table.decision is not None:
            if writer.table.decision.kind in ("reinforcement", "movement") and rng.random() < 0.3:
                found |= twins(writer)
            writer.table.play(writer.table.sample(rng))
        reader.receive(posted(writer.write()))
    assert found >= {"release"}


def twins(post: Post) -> set[str]:
    """The kinds of action of which two different ones tell the other side the same, byte for byte."""
    told: dict[bytes, dict[str, Any]] = {}
    found: set[str] = set()
    for action in list(islice(post.table.legal(), 60)):
        post.table.play(action)
        done, letter = post.table.actions, msgspec.json.encode(post.table.told())
        post.table.undo()
        other = told.setdefault(letter, done[-1])
        if other != done[-1]:
            number = len(post.desk.letters)
            assert keys.sealed(post.secret, number, [other]) != keys.sealed(post.secret, number, done[-1:])
            found |= {other["do"], done[-1]["do"]}
    return found


def test_no_secret_is_in_a_letter_before_the_end() -> None:
    posts = pair(seed=6)

    def watch(writer: Post, reader: Post, letter: Letter) -> None:
        text = letters.write(letter)
        assert writer.desk.private not in text
        if writer.table.state.frames:
            assert writer.desk.secret not in text and "opening" in letter.body and letter.body["opening"] is None
            assert not any(link.hex() in text for link in writer.chain[writer.shown + 1 : writer.shown + 50])

    play(posts, Random(6), watch=watch)


# The table


def test_a_table_is_played_like_a_match_and_gives_nothing_of_the_other_side() -> None:
    one, two = pair()
    table = one.table
    assert table.decision is not None and table.decision.seat == "italian"
    assert two.table.decision is None
    with pytest.raises(ValueError, match="table of italian"):
        table.view("ah")
    with pytest.raises(ValueError, match="no standing orders"):
        table.order("italian", "demolition", "blow")
    with pytest.raises(fronte.IllegalAction, match="for the Italian player"):
        two.table.play("end")
    with pytest.raises(MailError, match="still to decide"):
        one.write()


def test_actions_can_be_taken_back_until_they_are_sent() -> None:
    one, _ = pair(seed=8)
    table = one.table
    rng = Random(8)
    before = one.rules.to_position(table.state)
    told = len(table.events)
    assert not table.can_undo()
    for _ in range(3):
        table.play(table.sample(rng))
    while table.can_undo("italian"):
        assert table.undo()
    assert one.rules.to_position(table.state) == before and len(table.events) == told
    play_turn(one, rng)
    one.write()
    again = Post(one.desk, one.rules)
    assert not again.table.can_undo() and not again.table.undo()


def test_a_desk_goes_on_where_it_was_left() -> None:
    one, two = pair(seed=9)
    rng = Random(9)
    play((one, two), rng, turns=20)
    for _ in range(2):
        if one.table.decision is not None:
            one.table.play(one.table.sample(rng))
    text = one.table.save()
    again = Post(desks.read(text), one.rules)
    assert again.rules.to_position(again.table.state) == one.rules.to_position(one.table.state)
    assert again.table.actions == one.table.actions
    assert again.table.save() == text
    assert [event.kind for event in again.table.events] == [event.kind for event in one.table.events]


def test_options_that_need_one_table_are_refused() -> None:
    for option in ({"illegal_odds_attack": "forbid_before_reveal"}, {"artillery_redeploy": "any_phase"}):
        with pytest.raises(MailError, match="cannot be played by file"):
            desks.invite(fronte.ruleset("isonzo", "", option), "italian", Random(1).randbytes)


def test_a_game_that_has_no_halves_is_refused_in_a_sentence(probe: str) -> None:
    with pytest.raises(MailError, match="probe cannot be played by file yet"):
        desks.invite(fronte.ruleset(probe), "north", Random(1).randbytes)


# The pieces


def test_a_chain_opens_backwards_only() -> None:
    links = keys.chain(bytes(32))
    assert len(set(links)) == keys.LINKS + 1
    for number in (0, 1, 100, keys.LINKS - 1):
        assert keys.after(links[number + 1]) == links[number]


def test_the_dice_of_shares_are_fair() -> None:
    one, two = keys.chain(b"1" * 32), keys.chain(b"2" * 32)
    counts = [0] * 7
    for number in range(2000):
        for pips in keys.throw([one[number + 1], two[number + 1]], number, 3):
            counts[pips] += 1
    assert counts[0] == 0 and all(900 < count < 1100 for count in counts[1:])


def test_the_saved_record_of_a_match_by_file_is_a_match_like_any_other() -> None:
    done = finished()[0] if finished()[0].complete else finished()[1]
    _, record = referee.judge(done.rules, done.desk.letters)
    match = fronte.load(record)
    assert isinstance(match, Match) and fronte.load(record, at=40).decision is not None
