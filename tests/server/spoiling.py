"""Saves and positions with something wrong: values that nobody would write, lines lost or moved, bytes flipped."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

STRANGE: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 7, 99, 2**31, 2**63, -(2**63), 10**40, 0.5, 1e308, -0.0),
    *("", "\0", "x" * 5000, "italian", "ah", "9999", "0101", "it-udine", "\ud7ff", "🎲", "-1", "null", "1e9"),
    *([], {}, [[]], [0], ["\0"], {"": ""}, {"do": "end"}, [None] * 200, [[[[[[[[]]]]]]]], list(range(50))),
)


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every place in some data: what holds it, and its key there."""
    found: list[tuple[Any, Any]] = []
    waiting = [data]
    while waiting:
        here = waiting.pop()
        inside = here.items() if isinstance(here, dict) else enumerate(here) if isinstance(here, list) else ()
        for key, value in inside:
            found.append((here, key))
            waiting.append(value)
    return found


def spoilt(data: Any, rng: Random, times: int = 1) -> Any:
    """The data with some of its values replaced, taken out, doubled or exchanged."""
    found = copy.deepcopy(data)
    for _ in range(times):
        known = places(found)
        if not known:
            return rng.choice(STRANGE)
        holder, key = rng.choice(known)
        how = rng.randrange(6)
        if how < 3:
            holder[key] = copy.deepcopy(rng.choice(STRANGE))
        elif how == 3:
            del holder[key]
        elif how == 4:
            other, elsewhere = rng.choice(known)
            holder[key] = copy.deepcopy(other[elsewhere])
        elif isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        else:
            holder[str(rng.choice(STRANGE))[:40]] = holder.pop(key)
    return found


def spoilt_save(text: str, rng: Random) -> bytes:
    """The text of a save with something wrong in it."""
    lines = text.splitlines()
    how = rng.randrange(8)
    number = rng.randrange(len(lines))
    if how < 3:
        number = 0 if how == 0 else number
        lines[number] = json.dumps(spoilt(json.loads(lines[number]), rng, rng.randint(1, 3)))
    elif how == 3:
        del lines[number]
    elif how == 4:
        lines.insert(number, rng.choice(lines))
    elif how == 5:
        other = rng.randrange(len(lines))
        lines[number], lines[other] = lines[other], lines[number]
    written = "\n".join(lines).encode()
    if how == 6:
        return written[: rng.randrange(len(written))]
    if how == 7:
        flipped = bytearray(written)
        for _ in range(rng.randint(1, 5)):
            flipped[rng.randrange(len(flipped))] ^= 1 << rng.randrange(8)
        return bytes(flipped)
    return written
