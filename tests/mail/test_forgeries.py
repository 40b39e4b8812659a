"""Honest letters with one thing changed, signed by their own writer: refused at once, or proved false at the end."""

from __future__ import annotations

import os
import time
from random import Random
from typing import Any

import pytest
from correspondents import fiercely, finished, pair, play, posted, replace
from forgeries import copied, mutant

from fronte.mail import desk as desks
from fronte.mail import letter as letters
from fronte.mail import referee
from fronte.mail.desk import Desk, Post
from fronte.mail.letter import Letter, MailError, signed

NIGHTLY = bool(os.environ.get("FRONTE_NIGHTLY"))
MATCHES, MUTANTS = (12, 1500) if NIGHTLY else (1, 80)
"""How many matches of each scenario are played, and how many letters of each are changed."""
ONLY_TOLD = (
    "events/#",
    "seal",
    "told/frames/#/#/#/#",
    "told/view/attacked",
    "told/view/battle/attackers",
    "told/view/battle/guns",
    "told/view/enemy/#",
    "told/view/moving",
    "told/view/sizes",
)
"""Where a change may be taken for the time being: how things are told, the seal, another attack that would be legal,
and what the writer alone can know: what he hides, and what is left of a move of his own."""


def match(game: str, scenario: str, seed: int) -> tuple[Post, Post]:
    """A hard-fought match, played to its end."""
    posts = pair(game, scenario, seed)
    play(posts, Random(seed), player=fiercely)
    return posts


def judged(post: Post, by_seat: dict[str, Desk], changed: Letter) -> tuple[str, str]:
    """What the referee finds if this letter had been written so, and all later ones signed to follow it."""
    chain = list(post.desk.letters)
    chain[changed.number] = changed
    for number in range(changed.number + 1, len(chain)):
        before = letters.fingerprint(chain[number - 1])
        private = bytes.fromhex(by_seat[chain[number].seat].private)
        chain[number] = signed(replace(chain[number], before=before), private)
    report, record = referee.judge(post.rules, chain)
    false = [check.text for check in report.checks if check.status == "false"]
    assert bool(record) == (report.verdict == "true")
    return report.verdict, "; ".join(false)


@pytest.mark.costly
@pytest.mark.needs("by_file")
def test_a_letter_with_one_thing_changed_is_refused_or_proved_false(game: str, scenario: str) -> None:
    for seed in range(50, 50 + MATCHES):
        fight_mutants(match(game, scenario, seed), seed)


def fight_mutants(posts: tuple[Post, Post], seed: int) -> None:
    done = posts[0] if posts[0].complete else posts[1]
    by_seat = {post.desk.seat: post.desk for post in posts}
    halves = {
        post.desk.seat: Post(replace(post.desk, letters=done.desk.letters[:2], pending=[]), done.rules)
        for post in posts
    }
    rng = Random(seed)
    turns = [posted(letter) for letter in done.desk.letters[2:]]
    wanted = sorted(rng.choices(range(len(turns)), k=MUTANTS))
    taken: list[str] = []
    for number, letter in enumerate(turns):
        writer = next(post for post in halves.values() if post.desk.seat == letter.seat)
        reader = next(post for post in halves.values() if post is not writer)
        replay(writer, by_seat[letter.seat], letter)
        for _ in range(wanted.count(number)):
            body, way = mutant(letter.body, rng)
            forged = signed(replace(letter, body=body), bytes.fromhex(by_seat[letter.seat].private))
            why = refused(reader, forged)
            if why:
                assert "Error(" not in why, (seed, letter.number, way, why)
                continue
            reader = back(reader)
            halves[reader.desk.seat] = reader
            if msgspec_equal(letter, forged):
                continue  # the same letter in other words: a field left out that has this value anyhow
            verdict, false = judged(done, by_seat, forged)
            opens = letter.kind == "opening" or way.startswith("opening")  # of actions behind any of his letters
            named = letter.seat if opens else f"letter {letter.number} of {letter.seat}"
            assert verdict == "false" and named in false, (seed, letter.number, way, false)
            assert opens or way.startswith(ONLY_TOLD), (seed, letter.number, way)
            taken += [] if opens else [way]
        reader.receive(letter)
    assert len(taken) < MUTANTS / 8, taken


def msgspec_equal(one: Letter, other: Letter) -> bool:
    """Do two letters say the same?"""
    kind: Any = letters.Turn if one.kind == "turn" else letters.Opening
    return bool(letters.body(one, kind) == letters.body(other, kind))


def replay(post: Post, desk: Desk, letter: Letter) -> None:
    """Let a side play what it played, and write the letter that it wrote."""
    for action in desk.actions.get(str(letter.number), []):
        post.table.play(action)
    assert posted(post.write()) == letter


def refused(reader: Post, letter: Letter) -> str:
    """Why a letter is refused; empty if it is taken. In no time, and nothing is changed."""
    before, begun = reader.desk.write(), time.process_time()
    try:
        reader.receive(posted(letter))
    except MailError as wrong:
        assert reader.desk.write() == before
        return str(wrong)
    finally:
        assert time.process_time() - begun < 5
    return ""


def back(reader: Post) -> Post:
    """The desk before the last letter."""
    return Post(replace(reader.desk, letters=reader.desk.letters[:-1], pending=[]), reader.rules)


def test_letters_of_other_matches_and_times_are_refused() -> None:
    """Every letter of a match at every other point of it, and those of another match between the same seats."""
    one, other = finished("isonzo", "historical", 1), finished("isonzo", "historical", 2)
    done = one[0] if one[0].complete else one[1]
    reader = Post(replace(one[1].desk, letters=done.desk.letters[:20], pending=[]), done.rules)
    strangers = [letter for post in other for letter in post.desk.letters[:40]]
    for letter in [*done.desk.letters[:60], *strangers]:
        if letter.number == 20 and letter in done.desk.letters:
            continue
        why = refused(reader, letter)
        assert why and "Error" not in why, letter.number
    again = signed(replace(done.desk.letters[20], match=strangers[0].match), bytes.fromhex(one[0].desk.private))
    assert "another match" in refused(reader, again)
    for letter in done.desk.letters[22:40:2]:  # an old turn in new clothes
        clothes = replace(letter, number=20, before=done.desk.letters[20].before)
        assert refused(reader, signed(clothes, bytes.fromhex(one[0].desk.private)))


def test_a_desk_with_one_thing_changed_is_refused() -> None:
    """Whatever is changed in a desk, it is found when the desk is opened, and said in words."""
    post = pair("isonzo", "historical", 3)
    play(post, Random(3), turns=12)
    text = post[0].desk.write()
    data = letters.msgspec.json.decode(text)
    rng = Random(1)
    for _ in range(1500 if NIGHTLY else 80):
        changed, way = mutant(data, rng)
        try:
            found = desks.read(letters.msgspec.json.encode(changed).decode())
            again = Post(found, post[0].rules)
        except MailError as wrong:
            assert "Error(" not in str(wrong), way
        else:
            same = again.desk.letters == post[0].desk.letters and again.desk.actions == post[0].desk.actions
            assert same and way.startswith(("pending", "actions")), way


@pytest.mark.parametrize("kind", ["letter", "desk"])
def test_damaged_files_are_refused_in_words(kind: str) -> None:
    """Cut off, bytes turned, deep, huge: one sentence, no traceback, no time."""
    posts = finished()
    text = letters.write(posts[0].desk.letters[30]) if kind == "letter" else posts[0].desk.write()[:300_000]
    read: Any = letters.read if kind == "letter" else desks.read
    rng = Random(2)
    head = text[: text.index('"body":') + 7] if kind == "letter" else '{"fronte_desk":1,"actions":'
    bad = [text[: rng.randrange(len(text))] for _ in range(20)]
    bad += [text[:at] + "\0" + text[at:] for at in (0, 5, len(text) // 2)]
    bad += [head + "[" * deep for deep in (10, 1000, 100_000)]
    bad += [head + '{"a":' * deep + "1" + "}" * deep + "}" for deep in (20, 500, 50_000)]
    bad += [head + "9" * 5000, head + "1e999", head + '{"a":"' + "x" * 900_000 + '"}']
    for broken in bad:
        begun = time.process_time()
        with pytest.raises(MailError) as error:
            read(broken)
        assert "Error(" not in str(error.value) and len(str(error.value)) < 500
        assert time.process_time() - begun < 3


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"number": -3}, "number"),
        ({"number": 10**30}, "number"),
        ({"seat": "a\x1b[2J"}, "printed"),
        ({"match": "x" * 1000}, "characters"),
        ({"body": {"a": [0] * 70_000}}, "values"),
        ({"body": {"a": 1.5}}, "whole number"),
        ({"body": {"a": 10**9}}, "beyond"),
    ],
)
def test_letters_have_bounds(change: dict[str, Any], says: str) -> None:
    content = copied(letters.msgspec.to_builtins(finished()[0].desk.letters[30])) | change
    with pytest.raises(MailError, match=says):
        letters.read(letters.msgspec.json.encode(content).decode() if change.get("number") != 10**30 else big(content))


def big(content: dict[str, Any]) -> str:
    number = str(content.pop("number"))
    text = letters.msgspec.json.encode(content).decode()
    return text[:-1] + f',"number":{number}}}'
