"""What a case may expect of an Inferno game besides: steps, effectiveness, supply, points, bridges and pontoons."""

from __future__ import annotations

from typing import Any

from fronte.casebook.expect import NEEDS, TESTS, Expect, Failed, Words, piece_of, same
from fronte.engine.event import Event
from fronte.engine.match import Match


class Inferno(Expect, frozen=True):
    """The words of both Inferno games."""

    steps: int | None = None
    ce: int | None = None
    supply: str = ""
    points: int | None = None
    bridge: str = ""
    intact: bool | None = None
    destroyed: tuple[str, ...] = ()
    pontoon: str = ""


def _test_values(match: Match, want: Inferno, events: list[Event]) -> None:
    piece = piece_of(match, want.unit)
    for field in ("steps", "ce", "supply"):
        given = getattr(want, field)
        if given not in (None, ""):
            same(f"{field} of {want.unit}", piece.values[field], given)


def _test_points(match: Match, want: Inferno, events: list[Event]) -> None:
    same("points", match.rules.public_view(match.state).facts()["points"], want.points)


def _down(match: Match) -> list[str]:
    found: list[str] = match.rules.to_position(match.state)["destroyed"]
    return found


def _test_bridge(match: Match, want: Inferno, events: list[Event]) -> None:
    ends = set(want.bridge.split("/"))
    if not ends <= set(match.rules.grid.index):
        raise Failed(f"there is no hexside {want.bridge!r}")
    gone = any(set(name.split("/")) == ends for name in _down(match))
    same(f"the bridge on {want.bridge} standing", not gone, want.intact)


def _test_destroyed(match: Match, want: Inferno, events: list[Event]) -> None:
    same("the list of destroyed bridges", sorted(_down(match)), sorted(want.destroyed))


def _test_pontoon(match: Match, want: Inferno, events: list[Event]) -> None:
    pontoons: dict[str, Any] = match.rules.to_position(match.state)["pontoons"]
    same(f"the pontoon of {want.unit}", pontoons.get(want.unit, "none"), want.pontoon)


MORE_NEEDS = {
    "steps": ("unit",),
    "ce": ("unit",),
    "supply": ("unit",),
    "pontoon": ("unit",),
    "intact": ("bridge",),
    "bridge": ("intact",),
}
MORE = {
    "steps": _test_values,
    "ce": _test_values,
    "supply": _test_values,
    "points": _test_points,
    "bridge": _test_bridge,
    "destroyed": _test_destroyed,
    "pontoon": _test_pontoon,
}
WORDS = Words(Inferno, NEEDS | MORE_NEEDS, TESTS | MORE)
