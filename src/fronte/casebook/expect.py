"""What a case may expect of any game. A family adds words of its own (`fronte.casebook.<family>`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from fronte.engine.event import Event
from fronte.engine.match import Match
from fronte.engine.notation import to_text
from fronte.engine.view import Piece
from fronte.games.registry import FAMILIES, family_package


class Failed(AssertionError):
    """A case that shows something else than it says, or says something that cannot be."""


class Expect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What must be true. Every field that is given is checked."""

    unit: str = ""
    at: str = ""
    value: dict[str, Any] = {}
    mark: str = ""
    no_mark: str = ""
    left: int | None = None
    event: str = ""
    has: dict[str, Any] = {}
    no_event: str = ""
    owes: str = ""
    by: str = ""
    about: dict[str, Any] = {}
    not_offered: str = ""
    offered: str = ""
    offer: dict[str, Any] = {}
    turn: int | None = None
    phase: str = ""
    active: str = ""
    score: int | None = None
    level: str = ""
    over: bool | None = None
    hex: str = ""
    control: str = ""
    seat: str = ""
    sees: str = ""
    shows: dict[str, Any] = {}
    hides: tuple[str, ...] = ()
    not_sees: str = ""
    knows: dict[str, Any] = {}
    lacks: tuple[str, ...] = ()
    odds: str = ""
    option: dict[str, Any] = {}
    printed: dict[str, Any] = {}


NEEDS = {
    "at": ("unit",),
    "value": ("unit",),
    "mark": ("unit",),
    "no_mark": ("unit",),
    "has": ("event", "no_event", "odds"),
    "by": ("owes",),
    "about": ("owes",),
    "control": ("hex",),
    "hex": ("control",),
    "sees": ("seat",),
    "not_sees": ("seat",),
    "shows": ("sees",),
    "hides": ("sees",),
    "knows": ("seat",),
    "lacks": ("seat",),
}
"""Fields that mean something only beside one of these."""

Test = Callable[[Match, Any, list[Event]], None]


class Words:
    """The words of a family: its expectations, what each needs beside it, and how each is tested."""

    def __init__(self, kind: type[Expect], needs: Mapping[str, tuple[str, ...]], tests: Mapping[str, Test]) -> None:
        self.kind, self.needs, self.tests = kind, needs, tests

    def read(self, data: Mapping[str, Any]) -> Expect:
        """An expectation; Failed for a word that is not known or lacks the one it goes with."""
        try:
            want = msgspec.convert(data, self.kind)
        except msgspec.ValidationError as wrong:
            raise Failed(f"expect: {wrong}") from None
        for field in data:
            needed = self.needs.get(field, ())
            if needed and not any(other in data for other in needed):
                raise Failed(f"expect: `{field}` goes with {' or '.join(f'`{other}`' for other in needed)}")
        if not set(data) & set(self.tests):
            raise Failed("expect: nothing is checked")
        return want

    def check(self, match: Match, want: Expect, events: list[Event]) -> None:
        """Check every field of an expectation."""
        names(match, want)
        for field, test in self.tests.items():
            given = getattr(want, field)
            if given not in (None, "", {}, ()):
                test(match, want, events)


def words_of(match: Match, game: str) -> Words:
    """The words of a game's family, or those that every game has."""
    own = family_package("fronte.casebook", FAMILIES[game])
    if own is None:
        return CORE
    found: Words = own.WORDS
    return found


def names(match: Match, want: Expect) -> None:
    """Whatever an expectation names must exist: units, hexes, seats, marks, events, kinds of decisions, phases."""
    texts = match.rules.texts("en")
    tables = texts.tables
    units = match.rules.to_position(match.state)["units"]
    for name in (want.unit, want.sees, want.not_sees):
        if name and name not in units:
            raise Failed(f"there is no unit {name!r}")
    if want.hex and want.hex not in match.rules.grid.index:
        raise Failed(f"there is no hex {want.hex!r}")
    if want.at and want.at not in match.rules.grid.index and want.at not in tables.get("place", {}):
        raise Failed(f"there is no place {want.at!r}")
    known = {
        "mark": (want.mark, want.no_mark),
        "event": (want.event, want.no_event),
        "decision": (want.owes,),
        "phase": (want.phase,),
        "level": (want.level.removeprefix("none"),),
    }
    for table, given in known.items():
        for word in given:
            if word and word not in tables.get(table, {}):
                raise Failed(f"there is no {table} {word!r}")
    for seat in (want.seat, want.by, want.active):
        if seat and seat not in match.rules.seats:
            raise Failed(f"there is no seat {seat!r}")
    if want.control and want.control not in match.rules.setting.forces:
        raise Failed(f"there is no force {want.control!r}")
    for name in want.option:
        if name not in match.rules.header.options:
            raise Failed(f"there is no option {name!r}")


def same(what: str, found: Any, wanted: Any) -> None:
    """Failed if something is not as it should be."""
    if found != wanted:
        raise Failed(f"{what} is {found!r}, not {wanted!r}")


def piece_of(match: Match, name: str) -> Piece:
    """A piece as its owner knows it."""
    for seat in match.rules.seats:
        found = match.view(seat).piece(name)
        if found is not None and found.mine:
            return found
    raise Failed(f"there is no unit {name!r}")


def _test_unit(match: Match, want: Expect, events: list[Event]) -> None:
    piece = piece_of(match, want.unit)
    if want.at:
        same(f"at of {want.unit}", piece.at, want.at)
    for field, value in want.value.items():
        same(f"{field} of {want.unit}", piece.values.get(field), value)
    if want.mark and want.mark not in piece.marks:
        raise Failed(f"{want.unit} has no mark {want.mark}, only {list(piece.marks)}")
    if want.no_mark and want.no_mark in piece.marks:
        raise Failed(f"{want.unit} has the mark {want.no_mark}")


def contains(found: Any, wanted: Any) -> bool:
    """Does this hold at least that?"""
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        return all(key in found and contains(found[key], value) for key, value in wanted.items())
    if isinstance(wanted, list) and isinstance(found, list | tuple):
        return len(wanted) == len(found) and all(map(contains, found, wanted))
    return bool(found == wanted)


def _heard(match: Match, want: Expect, events: list[Event]) -> list[Event]:
    """The events of the last step; with a seat, as that seat may see them."""
    if not want.seat:
        return events
    seen = (event.to(match.rules.seat_index(want.seat)) for event in events)
    return [event for event in seen if event is not None]


def _test_event(match: Match, want: Expect, events: list[Event]) -> None:
    events = _heard(match, want, events)
    named = [event.data for event in events if event.kind == want.event]
    if not any(contains(data, want.has) for data in named):
        kinds = [event.kind for event in events]
        raise Failed(f"no event {want.event} with {want.has}; there were {named or kinds}")


def _test_no_event(match: Match, want: Expect, events: list[Event]) -> None:
    named = [event.data for event in _heard(match, want, events) if event.kind == want.no_event]
    if not want.event:
        named = [data for data in named if contains(data, want.has)]
    if named:
        raise Failed(f"there is an event {want.no_event}: {named}")


def _test_owes(match: Match, want: Expect, events: list[Event]) -> None:
    decision = match.decision
    same("the decision", decision.kind if decision else "", want.owes)
    assert decision is not None
    if want.by:
        same("the seat that decides", decision.seat, want.by)
    if not contains(decision.about, want.about):
        raise Failed(f"the decision is about {decision.about}, not {want.about}")


def _legal_lines(match: Match) -> list[str]:
    return [to_text(action) for action in match.legal()]


def _test_offered(match: Match, want: Expect, events: list[Event]) -> None:
    if want.offered and not any(line.startswith(want.offered) for line in _legal_lines(match)):
        raise Failed(f"nothing that begins with {want.offered!r} is legal")
    if want.not_offered and any(line.startswith(want.not_offered) for line in _legal_lines(match)):
        raise Failed(f"something that begins with {want.not_offered!r} is legal")


def _test_offer(match: Match, want: Expect, events: list[Event]) -> None:
    found = match.offer
    if not contains(found, want.offer):
        given = {field: found.get(field) for field in want.offer}
        raise Failed(f"on offer is {given}, not {want.offer}")


def _test_stage(match: Match, want: Expect, events: list[Event]) -> None:
    stage = match.rules.public_view(match.state).stage
    for field in ("turn", "phase", "active"):
        given = getattr(want, field)
        if given not in (None, ""):
            same(field, getattr(stage, field), given)


def _test_left(match: Match, want: Expect, events: list[Event]) -> None:
    moving = match.view(match.rules.seats[match.seat]).stage.moving if match.seat >= 0 else None
    same("movement left, in the smallest part,", moving.left if moving else 0, want.left)


def _test_score(match: Match, want: Expect, events: list[Event]) -> None:
    tracks = [track for track in match.rules.public_view(match.state).tracks if track.name == "score"]
    if match.result is None and not tracks:
        raise Failed("the score of this game is known at its end")
    same("the score", tracks[0].value if tracks else match.result.score, want.score)  # type: ignore[union-attr]


def _test_over(match: Match, want: Expect, events: list[Event]) -> None:
    result = match.result
    if want.over is not None:
        same("the game being over", result is not None, want.over)
    if want.level:
        same("the level of victory", result.level if result else "none", want.level)


def _test_hex(match: Match, want: Expect, events: list[Event]) -> None:
    same(f"control of {want.hex}", match.rules.public_view(match.state).holder(want.hex), want.control)


def _test_seat(match: Match, want: Expect, events: list[Event]) -> None:
    view = match.view(want.seat)
    seen = {piece.id: _shown(piece) for piece in view.pieces if piece.id and piece.at != "eliminated"}
    if want.sees:
        if want.sees not in seen:
            raise Failed(f"{want.seat} does not see {want.sees}")
        if not contains(seen[want.sees], want.shows):
            raise Failed(f"{want.seat} sees {seen[want.sees]}, not {want.shows}")
        for field in want.hides:
            if field in seen[want.sees]:
                raise Failed(f"{want.seat} sees the {field} of {want.sees}")
    if want.not_sees and want.not_sees in seen:
        raise Failed(f"{want.seat} sees {want.not_sees}")
    facts = match.rules.case_facts(view)
    if not contains(facts, want.knows):
        known = {field: facts.get(field) for field in want.knows}
        raise Failed(f"{want.seat} knows {known}, not {want.knows}")
    for field in want.lacks:
        if field in facts:
            raise Failed(f"the view of {want.seat} holds {field}: {facts[field]}")


def _shown(piece: Piece) -> dict[str, Any]:
    """What a seat sees of a piece, field by field."""
    return {"hex": piece.at, **piece.values} | ({"marks": list(piece.marks)} if piece.marks else {})


def _test_odds(match: Match, want: Expect, events: list[Event]) -> None:
    found = match.rules.case_odds(match.odds(want.odds))
    if not contains(found, want.has):
        raise Failed(f"the odds are {found}, not {want.has}")


def _test_option(match: Match, want: Expect, events: list[Event]) -> None:
    for name, value in want.option.items():
        same(f"option {name}", match.rules.header.options.get(name), str(value).lower())


def _test_printed(match: Match, want: Expect, events: list[Event]) -> None:
    for path, value in want.printed.items():
        same(f"{path} as printed", _plain(match.rules.printed(path)), value)


def _plain(value: Any) -> Any:
    """Tuples as the lists of a case file."""
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


TESTS: dict[str, Test] = {
    "unit": _test_unit,
    "left": _test_left,
    "event": _test_event,
    "no_event": _test_no_event,
    "owes": _test_owes,
    "offered": _test_offered,
    "not_offered": _test_offered,
    "offer": _test_offer,
    "turn": _test_stage,
    "phase": _test_stage,
    "active": _test_stage,
    "score": _test_score,
    "over": _test_over,
    "level": _test_over,
    "hex": _test_hex,
    "seat": _test_seat,
    "odds": _test_odds,
    "option": _test_option,
    "printed": _test_printed,
}
CORE = Words(Expect, NEEDS, TESTS)
"""What every game has."""
