"""What a case may expect of Volturno besides: which way a unit looks."""

from __future__ import annotations

from fronte.casebook.expect import NEEDS, TESTS, Expect, Failed, Words, piece_of, same
from fronte.engine.event import Event
from fronte.engine.match import Match


class Volturno(Expect, frozen=True):
    """The words of Volturno."""

    facing: str = ""


def _test_facing(match: Match, want: Volturno, events: list[Event]) -> None:
    compass = list(match.rules.texts("en").tables["compass"])
    if want.facing not in compass:
        raise Failed(f"there is no facing {want.facing!r}")
    found = piece_of(match, want.unit).facing
    same(f"facing of {want.unit}", None if found is None else compass[found], want.facing)


WORDS = Words(Volturno, NEEDS | {"facing": ("unit",)}, TESTS | {"facing": _test_facing})
