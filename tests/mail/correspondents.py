"""Two people who play by file, for the tests: honest ones, and a letter on its way between them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random

import msgspec

import fronte
from fronte.engine.decision import Action
from fronte.games.inferno.movement import End
from fronte.games.registry import for_header
from fronte.mail import desk as desks
from fronte.mail import letter as letters
from fronte.mail import referee
from fronte.mail.desk import Post
from fronte.mail.letter import Letter
from fronte.mail.table import Table

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


def at_random(table: Table, rng: Random) -> Action:
    return table.sample(rng)


def quietly(table: Table, rng: Random) -> Action:
    """End what can be ended, but for the bridges: a match of few throws, and soon several of them in one letter."""
    end = End()
    assert table.decision is not None
    busy = table.decision.kind == "demolish" or rng.random() < 0.03
    return table.sample(rng) if busy or table.why_not(end) is not None else end


def fiercely(table: Table, rng: Random) -> Action:
    """Go on rather than end: a match of many moves and combats."""
    for _ in range(3):
        action = table.sample(rng)
        if not isinstance(action, End):
            return action
    return action


Player = Callable[[Table, Random], Action]
Watch = Callable[[Post, Post, Letter], None]


def play_turn(post: Post, rng: Random, player: Player = at_random) -> None:
    while post.table.decision is not None:
        post.table.play(player(post.table, rng))


def play(
    posts: tuple[Post, Post],
    rng: Random,
    turns: int = 10_000,
    watch: Watch | None = None,
    player: Player = at_random,
) -> None:
    """Play letter by letter, to the end or for so many letters. `watch` sees each before it is read."""
    for turn in range(turns):
        writer, reader = posts[turn % 2], posts[1 - turn % 2]
        play_turn(writer, rng, player)
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
