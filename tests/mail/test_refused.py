"""Letters that are refused at once, lies that are found at the end, and files that are none."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any

import pytest
from correspondents import finished, middle, pair, play, play_turn, posted, replace, verdict
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import fronte
from fronte.games.registry import for_header
from fronte.mail import desk as desks
from fronte.mail import letter as letters
from fronte.mail import referee
from fronte.mail.desk import Desk, Post
from fronte.mail.letter import Letter, MailError, signed

SLOW = settings(max_examples=40, deadline=None, derandomize=True)


def refused(post: Post, letter: Letter) -> str:
    before = post.desk.write()
    with pytest.raises(MailError) as error:
        post.receive(letter)
    assert post.desk.write() == before
    return str(error.value)


def test_old_foreign_own_and_early_letters_are_refused() -> None:
    one, two, letter = middle()
    assert "letter of your own" in refused(one, letter)
    assert "another match" in refused(two, finished()[0].desk.letters[5])
    assert "another match" in refused(two, replace(letter, match="00"))
    assert "it is for you to write" in refused(two_after(two, letter), replace(letter, number=letter.number + 1))
    two.receive(letter)
    assert "read already" in refused(two, letter)
    assert "is missing" in refused(one, replace(two.desk.letters[1], number=90, seat="ah"))
    assert "old letter" in refused(two, replace(letter, body={}))
    again = signed(replace(letter, body={**letter.body, "seal": "00"}), bytes.fromhex(one.desk.private))
    assert "two different letters" in refused(two, again)


def two_after(post: Post, letter: Letter) -> Post:
    other = Post(replace(post.desk, letters=list(post.desk.letters)), post.rules)
    other.receive(letter)
    return other


def test_letters_of_strangers_are_refused() -> None:
    one, two, letter = middle()
    stranger = signed(letter, Random(1).randbytes(32))
    assert "signature is false" in refused(two, stranger)
    mine = bytes.fromhex(one.desk.private)
    assert "answers another letter" in refused(two, signed(replace(letter, before="00"), mine))
    assert "does not belong here" in refused(two, signed(replace(letter, kind="invitation"), mine))
    assert "nobody sits" in refused(two, signed(replace(letter, seat="russian"), mine))


@SLOW
@given(st.data())
def test_a_letter_changed_on_the_way_is_refused(data: st.DataObject) -> None:
    _, two, letter = cached_middle()
    content = json.loads(letters.write(letter))
    where, key = data.draw(st.sampled_from(list(places(content))))
    value = where[key]
    if isinstance(value, bool) or value is None:
        where[key] = "x"
    elif isinstance(value, int):
        where[key] = value + 1
    else:
        where[key] = data.draw(st.sampled_from([value + "0", value[1:], "ah"]))
    assume(where[key] != value)
    with pytest.raises(MailError):
        Post(replace(two.desk, letters=list(two.desk.letters)), two.rules).receive(letters.read(json.dumps(content)))


cached_middle = lru_cache(maxsize=1)(middle)


@SLOW
@given(st.data())
def test_a_letter_cut_off_is_refused(data: st.DataObject) -> None:
    _, _, letter = cached_middle()
    text = letters.write(letter)
    cut = text[: data.draw(st.integers(0, len(text) - 3))]
    with pytest.raises(MailError, match="no letter"):
        letters.read(cut)


def places(data: Any) -> Any:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        if isinstance(value, dict | list):
            yield from places(value)
        else:
            yield data, key


# A player who cheats with his own key


def forged(post: Post, letter: Letter, change: Callable[[dict[str, Any]], None]) -> Letter:
    """A letter that its own writer changed and signed."""
    content = json.loads(json.dumps(letter.body))
    change(content)
    return signed(replace(letter, body=content), bytes.fromhex(post.desk.private))


def with_dice() -> tuple[Post, Post, Letter]:
    """A match at the point where a letter tells of dice that fell."""
    posts = pair(seed=12)
    rng = Random(12)
    for turn in range(200):
        writer, reader = posts[turn % 2], posts[1 - turn % 2]
        play_turn(writer, rng)
        letter = posted(writer.write())
        if letter.body["links"] and any(event["kind"] == "rolled" for event in letter.body["events"]):
            return writer, reader, letter
        reader.receive(letter)
    raise AssertionError("no dice fell")


def test_dice_cannot_be_chosen() -> None:
    writer, reader, letter = with_dice()

    def other_dice(content: dict[str, Any]) -> None:
        rolled = next(event for event in content["events"] if event["kind"] == "rolled")
        rolled["data"]["dice"][0] = rolled["data"]["dice"][0] % 6 + 1

    assert "but the shares of both sides give" in refused(reader, forged(writer, letter, other_dice))

    def other_share(content: dict[str, Any]) -> None:
        name = next(iter(content["links"]))
        content["links"][name] = "11" * 32

    assert "not the one its writer was bound to" in refused(reader, forged(writer, letter, other_share))

    def later_share(content: dict[str, Any]) -> None:
        name = next(iter(content["links"]))
        content["links"][name] = writer.chain[int(name) + 2].hex()

    assert "not the one its writer was bound to" in refused(reader, forged(writer, letter, later_share))
    refused(reader, forged(writer, letter, lambda content: content["links"].clear()))
    refused(reader, forged(writer, letter, lambda content: content["links"].update({"x": "00"})))
    reader.receive(letter)


def test_what_happens_to_units_that_nobody_sees_is_refused() -> None:
    one, two, letter = middle()
    rules: Any = two.rules
    state, side = two.table.state, two.table.mine
    hidden = next(unit for unit in rules.of_side[side] if state.at[unit] >= 0 and not rules.shows(state, unit))

    def murder(content: dict[str, Any]) -> None:
        content["told"]["yours"][rules.ids[hidden]] = {"hex": "eliminated"}

    assert "cannot be true" in refused(two, forged(one, letter, murder))


@SLOW
@given(st.data())
def test_nonsense_that_is_signed_is_refused_or_read_but_never_breaks_the_desk(data: st.DataObject) -> None:
    one, two, letter = cached_middle()
    content = json.loads(json.dumps(letter.body))
    where, key = data.draw(st.sampled_from(list(places(content))))
    where[key] = data.draw(st.sampled_from(["", "x", "?9999", -1, 7, None, [], {}, "reveal", "eliminated"]))
    reader = Post(replace(two.desk, letters=list(two.desk.letters)), two.rules)
    before = reader.desk.write()
    try:
        reader.receive(signed(replace(letter, body=content), bytes.fromhex(one.desk.private)))
    except MailError:
        assert reader.desk.write() == before


def test_lies_are_found_at_the_end() -> None:
    """Whatever a cheat tells, hides or opens: the referee names the letter."""
    post = finished()[0] if finished()[0].complete else finished()[1]
    assert verdict(post)[0] == "true"
    turns = [letter for letter in post.desk.letters if letter.kind == "turn"]
    some = next(letter for letter in turns if letter.number > 20 and letter.body["told"]["view"]["enemy"])
    desks_by_seat = {each.desk.seat: each.desk for each in finished()}
    lies = {
        "what it told was not true": lambda body: body["told"]["view"]["enemy"].pop(),
        "what it said had happened": lambda body: body["events"].append({"kind": "x", "rules": [], "data": {}}),
        "not those that were sealed": lambda body: body.update(seal="00" * 32),
        "a share in the dice": lambda body: body["links"].update({"0": "00"}),
    }
    for says, lie in lies.items():
        content = json.loads(json.dumps(some.body))
        lie(content)
        assert says in false_in(post, desks_by_seat, some, content), says


def false_in(post: Post, by_seat: dict[str, Desk], letter: Letter, content: dict[str, Any]) -> str:
    """What the referee finds if this letter had been written so, and all later ones signed to follow it."""
    chain = list(post.desk.letters)
    chain[letter.number] = replace(letter, body=content)
    for number in range(letter.number, len(chain)):
        before = letters.fingerprint(chain[number - 1])
        private = bytes.fromhex(by_seat[chain[number].seat].private)
        chain[number] = signed(replace(chain[number], before=before), private)
    report, record = referee.judge(post.rules, chain)
    assert report.verdict == "false" and not record
    return "; ".join(check.text for check in report.checks if check.status == "false")


def test_secrets_and_actions_opened_falsely_are_found() -> None:
    post = finished()[0] if finished()[0].complete else finished()[1]
    by_seat = {each.desk.seat: each.desk for each in finished()}
    last = post.desk.letters[-1]
    assert last.kind == "opening"
    content = json.loads(json.dumps(last.body))
    content["secret"] = "00" * 32
    assert "not the one it was bound to" in false_in(post, by_seat, last, content)
    content = json.loads(json.dumps(last.body))
    number, false = next(iter(content["actions"])), {"do": "move", "unit": "it-taro", "path": ["1009"]}
    assert content["actions"][number][0] != false
    content["actions"][number][0] = false
    assert "not those that were sealed" in false_in(post, by_seat, last, content)
    assert verdict(post, {5: replace(post.desk.letters[5], body={})})[0] == "false"


def test_an_illegal_action_that_was_sealed_is_found() -> None:
    """A cheat whose program lets him move against the rules is bound by the seal to what he did."""
    rules = fronte.ruleset("isonzo")
    one, two = pair(seed=14)
    play((one, two), Random(14))
    done = one if one.complete else two
    trial = referee.Trial(rules, done.desk.letters, referee._openings(done.desk.letters))
    letter = next(each for each in done.desk.letters if each.kind == "turn")
    with pytest.raises(MailError, match="was not legal"):
        trial._act(letter, {"do": "move", "unit": "it-pavia", "path": ["0101"]}, [])


def test_without_both_openings_the_referee_says_what_he_cannot_tell() -> None:
    one, _, _ = middle()
    assert verdict(one)[0] == "open"
    text = "".join(check.text for check in referee.judge(one.rules, one.desk.letters)[0].checks)
    assert "have not opened their secrets" in text
    assert verdict(one, {3: replace(one.desk.letters[3], number=4)})[0] == "false"


# Invitations


def test_invitations_are_checked() -> None:
    rules = fronte.ruleset("isonzo")
    entropy = Random(1).randbytes
    one = desks.invite(rules, "ah", entropy)
    letter = one.letters[0]
    private = bytes.fromhex(one.private)
    with pytest.raises(MailError, match="signature is false"):
        desks.answer(replace(letter, seat="italian"), for_header, entropy)
    for change in ({"header": 1}, {"header": {**letter.body["header"], "pack": "00"}}):
        with pytest.raises(MailError, match="cannot be played here"):
            desks.answer(signed(replace(letter, body={**letter.body, **change}), private), for_header, entropy)
    with pytest.raises(MailError, match="does not say who"):
        desks.answer(replace(letter, body={"header": {}}), for_header, entropy)
    with pytest.raises(MailError, match="no invitation"):
        desks.answer(finished()[0].desk.letters[4], for_header, entropy)
    with pytest.raises(MailError, match="sit opposite"):
        desks.answer(signed(replace(letter, seat="russian"), private), for_header, entropy)
    two = desks.answer(letter, for_header, entropy)
    assert two.seat == "italian"
    assert desks.safety_number(two.letters) == desks.safety_number([*one.letters, two.letters[1]])
    post = Post(one, rules)
    wrong = signed(replace(two.letters[1], seat="russian"), bytes.fromhex(two.private))
    assert "nobody sits" in refused(post, wrong)


def test_files_that_are_no_letters_or_desks() -> None:
    for text in ("", "hello", "{}", "[1]", '{"fronte_letter": 1}', "x" * 2_000_000):
        with pytest.raises(MailError):
            letters.read(text)
        with pytest.raises(MailError):
            desks.read(text)
    with pytest.raises(MailError, match="format 9"):
        letters.read(letters.write(replace(finished()[0].desk.letters[3], fronte_letter=9)))
