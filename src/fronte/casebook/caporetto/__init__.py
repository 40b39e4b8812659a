"""What a case may expect of Caporetto besides: steps and disorganisation, trenches, bridges, points and plans."""

from __future__ import annotations

from typing import Any

from fronte.casebook.expect import NEEDS, TESTS, Expect, Failed, Words, piece_of, same
from fronte.engine.event import Event
from fronte.engine.match import Match


class Caporetto(Expect, frozen=True):
    """The words of Caporetto."""

    steps: int | None = None
    dp: int | None = None
    trench: str = ""
    """A hex, or 2102/2103 for the trench by which the first hex looks at the second;"""
    depth: int | None = None
    """and its level (17.8)."""
    bridge: str = ""
    standing: bool | None = None
    points: dict[str, int] = {}
    """6: by force."""
    vp: dict[str, int] = {}
    """23.1: by force."""
    plan: dict[str, int] = {}
    """7.2: by formation the guns; -1: not planned."""
    step: str = ""
    bearer: str = ""
    """21.4: who has a flamethrower."""


def _position(match: Match) -> dict[str, Any]:
    return match.rules.to_position(match.state)


def _test_worn(match: Match, want: Caporetto, events: list[Event]) -> None:
    values = piece_of(match, want.unit).values
    for field in ("steps", "dp"):
        given = getattr(want, field)
        if given is not None:
            same(f"{field} of {want.unit}", values.get(field, 0), given)


def _test_trench(match: Match, want: Caporetto, events: list[Event]) -> None:
    here, _, against = want.trench.partition("/")
    if here not in match.rules.grid.index or (against and against not in match.rules.grid.index):
        raise Failed(f"there is no hex or hexside {want.trench!r}")
    groups = match.rules.hex_card(match.state, 0, here).groups
    mine = [group for group in groups if (group[0].key == "towards") == bool(against)]
    if against:
        mine = [group for group in mine if group[0].data["hex"] == against]
    levels = [line.data["trench"] for group in mine for line in group if line.key == "trench"]
    same(f"the trench at {want.trench}", levels[0] if levels else 0, want.depth)


def _test_bridge(match: Match, want: Caporetto, events: list[Event]) -> None:
    ends = set(want.bridge.split("/"))
    if not ends <= set(match.rules.grid.index):
        raise Failed(f"there is no hexside {want.bridge!r}")
    there = [*_position(match).get("standing", ()), *_position(match).get("built", ())]
    same(f"the bridge at {want.bridge} standing", any(set(name.split("/")) == ends for name in there), want.standing)


def _test_table(match: Match, want: Caporetto, events: list[Event]) -> None:
    for field, none in (("points", 0), ("plan", -1)):
        for name, value in getattr(want, field).items():
            same(f"{field} of {name}", _position(match).get(field, {}).get(name, none), value)


def _test_vp(match: Match, want: Caporetto, events: list[Event]) -> None:
    view = match.rules.public_view(match.state)
    of_wings = any(track.name == "vp" for track in view.tracks)
    for force, value in want.vp.items():
        found = view.track("vp", force) if of_wings else view.track("score")
        same(f"victory points of {force}", found, value)


def _test_step(match: Match, want: Caporetto, events: list[Event]) -> None:
    same("the step", match.rules.public_view(match.state).stage.step, want.step)


def _test_bearer(match: Match, want: Caporetto, events: list[Event]) -> None:
    same(f"who has {want.unit}", _position(match).get("bearers", {}).get(want.unit, ""), want.bearer)


MORE_NEEDS = {
    "steps": ("unit",),
    "dp": ("unit",),
    "bearer": ("unit",),
    "depth": ("trench",),
    "trench": ("depth",),
    "standing": ("bridge",),
    "bridge": ("standing",),
}
MORE = {
    "steps": _test_worn,
    "dp": _test_worn,
    "trench": _test_trench,
    "bridge": _test_bridge,
    "points": _test_table,
    "plan": _test_table,
    "vp": _test_vp,
    "step": _test_step,
    "bearer": _test_bearer,
}
WORDS = Words(Caporetto, NEEDS | MORE_NEEDS, TESTS | MORE)
