"""A handicap: points that a side is given before a match begins, so that players of unlike strength play a fair game.

It is an option that every game with points has, written `ah:10`, and counts from the first turn to the last: in the
score, in the level of victory and in the result.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

OPTION = "handicap"
"""Under this name the record keeps it among the options of the match; where nobody is given any, it has none."""
MOST = 200
"""No more points than that."""
FORM = re.compile(r"(\w{1,40}):([1-9][0-9]{0,2})", re.ASCII)


class Handicap(msgspec.Struct, frozen=True):
    """So many points for a seat."""

    seat: str
    points: int

    def __str__(self) -> str:
        return f"{self.seat}:{self.points}"


def read_handicap(text: str, seats: Sequence[str]) -> Handicap:
    """A handicap as it is written; ValueError if it is none, or is for no seat of the game."""
    found = FORM.fullmatch(text)
    if found is None or int(found[2]) > MOST:
        raise ValueError(f"no handicap {text!r}; write a seat and 1 to {MOST} points, as {seats[0]}:10")
    if found[1] not in seats:
        raise ValueError(f"no seat {found[1]!r}; the seats are {', '.join(seats)}")
    return Handicap(found[1], int(found[2]))
