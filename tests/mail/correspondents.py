"""Two people who play by file, for the tests: honest ones, and a letter on its way between them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random

import msgspec

import fronte
from fronte.games.registry import for_header
from fronte.mail import desk as desks
from fronte.mail import letter as letters
from fronte.mail import referee
from fronte.mail.desk import Post
from fronte.mail.letter import Letter

replace = msgspec.structs.replace


def pair(game: str = "isonzo", scenario: str = "", seed: int = 1, **options: str) -> tuple[Post, Post]:
    """Two desks after invitation and answer; the first has the turn."""
    rules = fronte.ruleset(game, scenario, options)
    entropy = Random(seed).randbytes
    one = desks.invite(rules, rules.seats[0], entropy)
    two = desks.answer(posted(one.letters[0]), for_header, entropy)
    posts = Post(one, rules), Post(two, rules)
    posts[0].receive(posted(two.letters[1]))
    return posts


def posted(letter: Letter) -> Letter:
    """A letter that went through a file."""
    return letters.read(letters.write(letter))


def play_turn(post: Post, rng: Random) -> None:
    while post.table.decision is not None:
        post.table.play(post.table.sample(rng))


Watch = Callable[[Post, Post, Letter], None]


def play(posts: tuple[Post, Post], rng: Random, turns: int = 10_000, watch: Watch | None = None) -> None:
    """Play at random, letter by letter, to the end or for so many letters. `watch` sees each before it is read."""
    for turn in range(turns):
        writer, reader = posts[turn % 2], posts[1 - turn % 2]
        play_turn(writer, rng)
        letter = posted(writer.write())
        if watch is not None:
            watch(writer, reader, letter)
        reader.receive(letter)
        if reader.complete:
            return


@lru_cache(maxsize=8)
def finished(game: str = "isonzo", scenario: str = "", seed: int = 1) -> tuple[Post, Post]:
    posts = pair(game, scenario, seed)
    play(posts, Random(seed))
    return posts


def verdict(post: Post, changed: dict[int, Letter] | None = None) -> tuple[str, str]:
    """What the referee says of the letters, some of them replaced, and what he finds false."""
    found = [(changed or {}).get(letter.number, letter) for letter in post.desk.letters]
    report, _ = referee.judge(post.rules, found)
    return report.verdict, "; ".join(check.text for check in report.checks if check.status == "false")


def middle() -> tuple[Post, Post, Letter]:
    """Two desks in the middle of a match, and the next letter from the first to the second."""
    posts = pair(seed=11)
    rng = Random(11)
    play(posts, rng, turns=10)
    play_turn(posts[0], rng)
    return posts[0], posts[1], posted(posts[0].write())
