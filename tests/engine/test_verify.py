"""Dice one can trust: a finished match can be checked by anybody, and whatever is changed in its file is found."""

from __future__ import annotations

import json
from functools import lru_cache
from random import Random
from typing import Any

import msgspec
import pytest
from every import every_game
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import fronte
from fronte.engine import trust
from fronte.engine.dice import commitment
from fronte.engine.match import Match
from fronte.engine.record import Anew, Heading, read, write
from fronte.engine.rules import Result
from fronte.engine.verify import Noted, Report, verify
from fronte.games.registry import for_header

SECRET = bytes(range(32))
WORDS = ("viva l'Italia 5a5a", "Servus 0f0f")
SLOW = settings(max_examples=40, deadline=None, derandomize=True)


@lru_cache(maxsize=4)
def played(game: str) -> Match:
    """A whole game at random with a pledged seed."""
    match = Match.begin(fronte.ruleset(game), trust.match_seed(SECRET, WORDS))
    match.pledge = trust.pledge(SECRET, WORDS, [trust.seal(word) for word in WORDS])
    rng = Random(5)
    while match.result is None:
        match.play(match.sample(rng))
    return match


@lru_cache(maxsize=4)
def parts(game: str = "isonzo") -> tuple[Heading, tuple[Any, ...]]:
    match = played(game)
    heading, entries = read(match.save())
    assert match.result is not None
    return trust.closed(heading, entries, match.state.seed, match.result, SECRET), tuple(entries)


def finished(game: str = "isonzo") -> str:
    return write(*parts(game))


def checked(text: str, noted: Noted | None = None) -> Report:
    return verify(text, for_header, noted)


def wrong(text: str) -> list[str]:
    """The names of the checks that fail; each says what is wrong in words."""
    found = checked(text)
    assert found.verdict == "false", found
    failed = [check for check in found.checks if check.status == "false"]
    assert all(len(check.text) > 20 for check in failed)
    return [check.name for check in failed]


def changed(**fields: Any) -> str:
    heading, entries = parts()
    return write(msgspec.structs.replace(heading, **fields), entries)


@every_game
def test_an_honest_match_is_true_in_every_point(game: str) -> None:
    found = checked(finished(game))
    assert found.verdict == "true", found
    assert [check.name for check in found.checks] == ["house", "seed", "words", "dice", "actions", "score", "record"]
    assert found.result is not None and found.result["score"] == played(game).result.score  # type: ignore[union-attr]


def test_no_party_alone_chooses_the_seed() -> None:
    seeds = {
        trust.match_seed(SECRET, WORDS),
        trust.match_seed(bytes(32), WORDS),
        trust.match_seed(SECRET, ("other", WORDS[1])),
        trust.match_seed(SECRET, (WORDS[0], "other")),
        trust.match_seed(SECRET, (WORDS[1], WORDS[0])),
        trust.match_seed(SECRET, (WORDS[0] + WORDS[1], "")),
    }
    assert len(seeds) == 6


def test_a_word_that_was_not_sealed_so_is_refused() -> None:
    with pytest.raises(ValueError, match="sealed"):
        trust.pledge(SECRET, WORDS, [trust.seal("one"), trust.seal("two")])
    with pytest.raises(ValueError, match="at most"):
        trust.pledge(SECRET, ["x" * 1000, ""])
    with pytest.raises(ValueError, match="32 bytes"):
        trust.house_commitment(b"short")
    assert trust.word("ciao", b"\x01\x02") == "ciao 0102"


def test_a_match_without_a_reveal_says_what_cannot_be_checked() -> None:
    match = played("isonzo")
    found = checked(match.save(with_seed=False))
    assert found.verdict == "open"
    states = {check.name: check.status for check in found.checks}
    assert states == {
        "house": "open",
        "seed": "open",
        "words": "open",
        "dice": "open",
        "actions": "true",
        "score": "true",
        "record": "open",
    }
    assert SECRET.hex() not in match.save(with_seed=False)


def test_an_unfinished_match_is_never_called_true() -> None:
    heading, entries = parts()
    text = write(msgspec.structs.replace(heading, end=None), entries[:100])
    found = checked(text)
    assert found.verdict == "open"
    assert {check.name for check in found.checks if check.status == "open"} == {"score", "record"}


def test_a_match_with_rules_that_are_not_here_is_checked_as_far_as_can_be() -> None:
    heading, entries = parts()
    header = msgspec.structs.replace(heading.header, rules="77")
    assert wrong(write(msgspec.structs.replace(heading, header=header), entries)) == ["record"]

    def none_here(header: Any) -> Any:
        raise ValueError("no such rules")

    found = verify(finished(), none_here)
    assert found.verdict == "open"
    assert {check.name for check in found.checks if check.status == "open"} == {"rules"}


def test_what_was_noted_is_held_against_the_file() -> None:
    match = played("isonzo")
    heading, entries = parts()
    mark = trust.fingerprint(match.state.seed, heading, entries[:50])
    good = Noted(trust.house_commitment(SECRET), {"italian": WORDS[0]}, {50: mark})
    assert checked(finished(), good).verdict == "true"
    for bad in (Noted("00" * 32), Noted(words={"ah": "Prosit"}), Noted(fingerprints={51: mark, 9999: mark})):
        assert checked(finished(), bad).verdict == "false"


def test_the_fingerprint_of_a_match_in_play_is_that_of_its_past_later() -> None:
    match = Match.begin(fronte.ruleset("isonzo"), trust.match_seed(SECRET, WORDS))
    match.pledge = trust.pledge(SECRET, WORDS, [trust.seal(word) for word in WORDS])
    rng = Random(5)
    for _ in range(50):
        match.play(match.sample(rng))
    heading, entries = read(match.save(with_seed=False))
    then = trust.fingerprint(match.state.seed, heading, entries)
    assert then == trust.fingerprint(match.state.seed, parts()[0], parts()[1][:50])


# Tampering


def test_a_changed_heading_is_found() -> None:
    heading, _ = parts()
    told, end = heading.pledge, heading.end
    assert told is not None and end is not None
    replace = msgspec.structs.replace
    assert "house" in wrong(changed(pledge=replace(told, secret=bytes(32).hex())))
    assert "house" in wrong(changed(pledge=replace(told, secret="xyz")))
    assert "house" in wrong(changed(pledge=replace(told, house="00" * 32)))
    assert "words" in wrong(changed(pledge=replace(told, words=("other", WORDS[1]))))
    assert "words" in wrong(changed(pledge=replace(told, words=WORDS[:1], seals=())))
    assert "words" in wrong(changed(pledge=replace(told, words=(WORDS[1], WORDS[0]), seals=())))
    assert "seed" in wrong(changed(seed="11" * 32))
    assert "seed" in wrong(changed(seed="no"))
    assert "seed" in wrong(changed(commitment="11" * 32))
    assert "score" in wrong(changed(end=replace(end, score=end.score + 1)))
    assert "score" in wrong(changed(end=replace(end, level="decisive")))
    assert "score" in wrong(changed(end=replace(end, winner="nobody")))
    assert "record" in wrong(changed(end=replace(end, lines=end.lines + 1)))
    assert "record" in wrong(changed(end=replace(end, fingerprint="00" * 16)))


def test_another_seed_with_dice_to_fit_does_not_fit_the_house() -> None:
    """Somebody who plays the match again with a seed he likes better cannot make it fit the commitment."""
    seed = bytes([7]) * 32
    match = Match.begin(fronte.ruleset("isonzo"), seed)
    match.pledge = played("isonzo").pledge
    rng = Random(1)
    while match.result is None:
        match.play(match.sample(rng))
    heading, entries = read(match.save())
    assert heading.commitment == commitment(seed)
    forged = trust.closed(heading, entries, seed, match.result, SECRET)
    assert wrong(write(forged, entries)) == ["words"]


@SLOW
@given(st.data())
def test_a_changed_die_is_found(data: st.DataObject) -> None:
    heading, entries = parts()
    rolled = [number for number, entry in enumerate(entries) if entry.rolls]
    number = data.draw(st.sampled_from(rolled))
    rolls = [list(throw) for throw in entries[number].rolls]
    throw = data.draw(st.sampled_from(rolls))
    place = data.draw(st.integers(0, len(throw) - 1))
    before = throw[place]
    throw[place] = data.draw(st.integers(-1, 8).filter(lambda pips: pips != before))
    entry = msgspec.structs.replace(entries[number], rolls=tuple(map(tuple, rolls)))
    found = checked(write(heading, [*entries[:number], entry, *entries[number + 1 :]]))
    dice = next(check for check in found.checks if check.name == "dice")
    assert dice.status == "false" and dice.line == number + 2


@SLOW
@given(st.data())
def test_an_action_put_in_place_of_another_is_found_even_if_it_is_legal(data: st.DataObject) -> None:
    heading, entries = parts()
    number = data.draw(st.integers(0, len(entries) - 1))
    then = fronte.load(finished(), at=number)
    sampled = then.sample(Random(data.draw(st.integers(0, 1000))))
    other = msgspec.json.decode(msgspec.json.encode(sampled))
    assume(other != entries[number].action)
    entry = msgspec.structs.replace(entries[number], action=other)
    assert "record" in wrong(write(heading, [*entries[:number], entry, *entries[number + 1 :]]))


@SLOW
@given(st.data())
def test_lines_left_out_doubled_or_swapped_are_found(data: st.DataObject) -> None:
    lines = finished().splitlines(keepends=True)
    number = data.draw(st.integers(1, len(lines) - 2))
    how = data.draw(st.sampled_from(["left out", "doubled", "swapped", "cut"]))
    if how == "swapped":
        assume(lines[number] != lines[number + 1])
        lines[number], lines[number + 1] = lines[number + 1], lines[number]
    elif how == "doubled":
        lines.insert(number, lines[number])
    elif how == "left out":
        del lines[number]
    else:
        del lines[number:]
    assert "record" in wrong("".join(lines))


@SLOW
@given(st.data())
def test_a_file_cut_anywhere_is_found(data: st.DataObject) -> None:
    text = finished()
    cut = text[: data.draw(st.integers(0, len(text) - 2))]
    assume(cut != text.rstrip("\n"))
    assert wrong(cut)


@SLOW
@given(st.data())
def test_any_value_changed_anywhere_is_found(data: st.DataObject) -> None:
    """Mutate one JSON value of one line: either it was no change at all, or it is found."""
    lines = finished().splitlines()
    number = data.draw(st.integers(0, len(lines) - 1) if data.draw(st.booleans()) else st.just(0))
    line = json.loads(lines[number])
    where, key = data.draw(st.sampled_from(list(_places(line))))
    value = where[key]
    if isinstance(value, bool):
        where[key] = not value
    elif isinstance(value, int):
        where[key] = value + data.draw(st.sampled_from([-1, 1]))
    elif isinstance(value, str):
        where[key] = data.draw(st.sampled_from(["", value + "0", value[1:], "ah", "italian"]))
    else:
        where[key] = data.draw(st.sampled_from(["x", 1]))
    assume(where[key] != value)
    lines[number] = json.dumps(line)
    assume(read_as_before(lines[number], number) is False)
    found = checked("\n".join(lines) + "\n")
    assert found.verdict in ("false", "open")
    if found.verdict == "open":  # what was taken away can be missed, but nothing untrue is believed
        assert number == 0 and not where[key]


def read_as_before(line: str, number: int) -> bool:
    """Does a changed line still say the same?"""
    before = finished().splitlines()[number]
    kind: Any = Heading if number == 0 else type(parts()[1][0])
    try:
        return bool(msgspec.json.decode(line, type=kind) == msgspec.json.decode(before, type=kind))
    except msgspec.DecodeError:
        return False


def _places(data: Any) -> Any:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        if isinstance(value, dict | list):
            yield from _places(value)
        else:
            yield data, key


# Dice begun anew, and matches that were won on time


def begun_anew(**fields: Any) -> str:
    """The finished match, had its dice been begun anew once."""
    heading, entries = parts()
    match, pledge = played("isonzo"), heading.pledge
    assert pledge is not None and match.result is not None
    voided = {"italian": trust.seal("a lost word"), "ah": trust.seal("")}
    once = Anew("italian", trust.house_commitment(bytes(32)), ("ah",), voided)
    again = msgspec.structs.replace(heading, pledge=msgspec.structs.replace(pledge, **({"anew": (once,)} | fields)))
    return write(trust.closed(again, entries, match.state.seed, match.result, SECRET), entries)


def test_dice_that_were_begun_anew_are_told() -> None:
    house = trust.house_commitment(SECRET)
    found = checked(begun_anew(), Noted(house))
    assert found.verdict == "true" and [check.name for check in found.checks][:2] == ["house", "anew"]
    assert "once, as a word was lost: italian asked and ah agreed" in found.checks[1].text
    first = checked(begun_anew(), Noted(trust.house_commitment(bytes(32))))
    assert first.verdict == "open" and "put aside" in first.checks[0].text
    alone = checked(begun_anew(anew=(Anew("ah", trust.house_commitment(bytes(32))),)))
    assert alone.verdict == "true" and "before anybody else" in alone.checks[1].text


def test_nothing_from_before_may_come_back() -> None:
    same = Anew("italian", trust.house_commitment(SECRET), ("ah",))
    assert wrong(begun_anew(anew=(same,))) == ["anew"]
    known = Anew("italian", trust.house_commitment(bytes(32)), ("ah",), {"ah": trust.seal(WORDS[1])})
    assert wrong(begun_anew(anew=(known,))) == ["anew"]
    other = Anew("ah", trust.house_commitment(bytes(range(1, 33))), (), {"ah": trust.seal("a")})
    twice = msgspec.structs.replace(other, house=trust.house_commitment(bytes(32)))
    assert wrong(begun_anew(anew=(other, twice))) == ["anew"]


def test_it_cannot_be_left_out_of_the_file() -> None:
    heading, entries = read(begun_anew())
    assert heading.pledge is not None
    quiet = msgspec.structs.replace(heading, pledge=msgspec.structs.replace(heading.pledge, anew=()))
    assert wrong(write(quiet, entries)) == ["record"]


def on_time(lines: int = 100, **fields: Any) -> tuple[str, str]:
    """The match, had somebody's time been up after some actions: the file, and who had to decide then."""
    heading, entries = parts()
    some = list(entries[:lines])
    then = fronte.load(write(msgspec.structs.replace(heading, end=None), some))
    assert then.decision is not None
    late = then.decision.seat
    winner = next(seat for seat in then.rules.seats if seat != late)
    early = msgspec.structs.replace(Result("time", 0, winner, ()), **fields)
    return write(trust.closed(heading, some, then.state.seed, early, SECRET, "time"), some), late


def test_a_match_won_on_time_is_checked_up_to_there() -> None:
    text, late = on_time()
    found = checked(text)
    assert found.verdict == "true" and found.result is None, found
    assert found.ended is not None and found.ended["by"] == "time" and found.ended["winner"] != late
    score = next(check.text for check in found.checks if check.name == "score")
    assert "won on time after 100 actions" in score and f"{late} had to decide" in score
    lines = text.splitlines()
    assert "record" in wrong("\n".join(lines[:-1])), "an action was left out"
    number = next(k for k, line in enumerate(lines) if '"rolls":[[' in line)
    first = json.loads(lines[number])["rolls"][0][0]
    lines[number] = lines[number].replace(f'"rolls":[[{first}', f'"rolls":[[{first % 6 + 1}', 1)
    assert "dice" in wrong("\n".join(lines))


def test_who_cannot_have_won_on_time() -> None:
    _, late = on_time()
    for fields in ({"winner": late}, {"winner": "nobody we know"}, {"winner": None}, {"score": 3}, {"level": "total"}):
        assert wrong(on_time(**fields)[0]) == ["score"], fields
    heading, entries = parts()
    over = trust.closed(heading, entries, played("isonzo").state.seed, Result("time", 0, "ah", ()), SECRET, "time")
    assert wrong(write(over, entries)) == ["score"]
    stated = trust.closed(heading, entries[:100], played("isonzo").state.seed, Result("time", 0, "ah", ()), SECRET)
    assert wrong(write(stated, entries[:100])) == ["score"], "without saying so it is a match that is not over"
    unknown = trust.closed(heading, entries[:50], played("isonzo").state.seed, Result("x", 0, "ah", ()), SECRET, "rain")
    assert checked(write(unknown, entries[:50])).verdict == "open"
