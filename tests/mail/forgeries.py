"""Letters and desks with one thing changed, for the tests: every kind of change, at any place, drawn at random."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

ODD = ("", "x", "?9999", "eliminated", "reveal", -1, 0, 1, 7, 99, 10**6, True, False, None, [], {}, 0.5)
"""Values that may stand where another is meant."""
Place = tuple[Any, Any, tuple[Any, ...]]
"""Something in a letter: what holds it, its name or number there, and the way to it."""


def places(data: Any, way: tuple[Any, ...] = ()) -> Iterator[Place]:
    """Everything in a letter, lists and tables too."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield data, key, (*way, key)
        yield from places(value, (*way, key))


def copied(data: Any) -> Any:
    return json.loads(json.dumps(data))


def mutant(data: Any, rng: Random) -> tuple[Any, str]:
    """A copy with one thing changed, and the way to it; it differs from what was given."""
    while True:
        changed = copied(data)
        found = list(places(changed))
        holder, key, way = rng.choice(found)
        rng.choice(CHANGES)(holder, key, found, rng)
        if changed != data or json.dumps(changed) != json.dumps(data):
            return changed, "/".join("#" if isinstance(step, int) else str(step) for step in way)


def _another(holder: Any, key: Any, found: list[Place], rng: Random) -> None:
    holder[key] = copied(rng.choice(ODD))


def _nudged(holder: Any, key: Any, found: list[Place], rng: Random) -> None:
    """A number one off, the next hex, a switch turned."""
    old = holder[key]
    if isinstance(old, bool):
        holder[key] = not old
    elif isinstance(old, int):
        holder[key] = old + rng.choice((-1, 1))
    elif isinstance(old, str) and old.isdigit():
        holder[key] = str(int(old) + rng.choice((-1, 1, 100, -100))).zfill(len(old))
    elif isinstance(old, str) and old:
        holder[key] = old[:-1]


def _gone(holder: Any, key: Any, found: list[Place], rng: Random) -> None:
    del holder[key]


def _twice(holder: Any, key: Any, found: list[Place], rng: Random) -> None:
    if isinstance(holder, list):
        holder.insert(rng.randrange(len(holder) + 1), copied(holder[key]))


def _of_another_place(holder: Any, key: Any, found: list[Place], rng: Random) -> None:
    """What stands somewhere else in the letter: another unit's hex, another event, another frame."""
    alike = [(other, name) for other, name, _ in found if type(other[name]) is type(holder[key])]
    other, name = rng.choice(alike)
    holder[key] = copied(other[name])


def _swapped(holder: Any, key: Any, found: list[Place], rng: Random) -> None:
    if isinstance(holder, list):
        other = rng.randrange(len(holder))
        holder[key], holder[other] = holder[other], holder[key]


CHANGES = (_another, _nudged, _gone, _twice, _of_another_place, _swapped)
