"""The casebook: cases that show a rule at work on a tiny board. docs/casebook.md says how to write one."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from fronte.engine.decision import Action, IllegalAction
from fronte.engine.dice import seed_bytes
from fronte.engine.event import Event
from fronte.engine.match import Match
from fronte.engine.notation import to_text
from fronte.engine.pack import PackError
from fronte.engine.rulebook import Rulebook
from fronte.games.registry import GAMES, open_pack


class Expect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What must be true. Every field that is given is checked."""

    unit: str = ""
    at: str = ""
    steps: int | None = None
    ce: int | None = None
    supply: str = ""
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
    points: int | None = None
    score: int | None = None
    level: str = ""
    over: bool | None = None
    hex: str = ""
    control: str = ""
    bridge: str = ""
    intact: bool | None = None
    destroyed: tuple[str, ...] = ()
    pontoon: str = ""
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


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a case's script."""

    seat: str | None = None
    play: str | dict[str, Any] | None = None
    allow: str | dict[str, Any] | None = None
    refuse: str | dict[str, Any] | None = None
    rule: str = ""
    order: str = ""
    policy: str = ""
    undo: bool | None = None
    expect: Expect | None = None


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One case."""

    name: str
    units: dict[str, dict[str, Any]] = {}
    board: dict[str, Any] | str = {}
    tables: dict[str, Any] = {}
    scenario: str = "historical"
    options: dict[str, Any] = {}
    start: dict[str, Any] = {}
    dice: tuple[int, ...] = ()
    steps: tuple[Step, ...] = ()
    fails: str = ""
    rules: tuple[str, ...] = ()


class CaseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of the casebook: the rule it shows, a board that its cases share, and the cases."""

    rule: str
    game: str
    case: tuple[Case, ...]
    board: dict[str, Any] = {}


class Outcome(msgspec.Struct, frozen=True):
    """How a case went: `why` is empty if it passed."""

    file: str
    rule: str
    case: str
    why: str

    @property
    def passed(self) -> bool:
        """Did the case pass?"""
        return not self.why


class Failed(AssertionError):
    """A case that shows something else than it says."""


def read_file(path: Path) -> CaseFile:
    """A case file; ValueError with the place in it if it cannot be read."""
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), CaseFile)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, UnicodeDecodeError) as wrong:
        raise ValueError(_place(str(wrong))) from None


def _place(why: str) -> str:
    """An error of form with its place as people count: case 5 step 1."""
    message, at, place = why.partition(" - at `$")
    if not at:
        return why
    counted = re.sub(r"\[(\d+)\]", lambda found: f" {int(found[1]) + 1}", place.rstrip("`").lstrip("."))
    return f"{counted.replace('.steps ', ' step ').replace('.', ' ')}: {message}"


def run_files(paths: Iterable[Path]) -> list[Outcome]:
    """Run case files; folders stand for all the case files in them."""
    outcomes: list[Outcome] = []
    for path in paths:
        files = sorted(path.rglob("*.toml")) if path.is_dir() else [path]
        for file in files:
            outcomes += run_file(file)
    return outcomes


def run_file(path: Path) -> list[Outcome]:
    """Run every case of a file."""
    try:
        book = read_file(path)
    except (ValueError, OSError) as wrong:
        return [Outcome(str(path), "", "", str(wrong))]
    if not book.case:
        return [Outcome(str(path), book.rule, "", "the file has no case")]
    return [Outcome(str(path), book.rule, case.name, run_case(book, case)) for case in book.case]


def run_case(book: CaseFile, case: Case) -> str:
    """Run one case; what is wrong, or nothing."""
    try:
        match = begin(book, case)
    except (PackError, ValueError) as wrong:
        if case.fails and case.fails in str(wrong):
            return ""
        return f"cannot begin: {wrong}"
    if case.fails:
        return f"should not begin, for {case.fails!r}"
    events = list(match.events)
    for number, step in enumerate(case.steps, 1):
        try:
            events = _step(match, step, events)
        except Failed as wrong:
            return f"step {number}: {wrong}"
        except (IllegalAction, ValueError) as wrong:
            return f"step {number}: {type(wrong).__name__}: {wrong}"
    if not case.steps:
        return "the case has no steps and checks nothing"
    return ""


def begin(book: CaseFile, case: Case) -> Match:
    """The match of a case at its beginning."""
    kind = GAMES.get(book.game)
    if kind is None:
        raise ValueError(f"no game {book.game!r}")
    board = case.board or book.board
    if board == "printed":
        rules = kind(open_pack(book.game), case.scenario, case.options)
        events: list[Event] = []
        state = rules.start(seed_bytes(0), events)
        rules.case_change(state, case.units, case.start)
    elif isinstance(board, str):
        raise ValueError(f"board is {board!r}; the only board with a name is 'printed'")
    else:
        columns = {"odd_columns_lower": open_pack(book.game).toml("board.toml")["grid"]["odd_columns_lower"]}
        files = kind.case_files(columns | board, case.units)
        if case.tables:
            files["tables.toml"] = _toml(_merged(open_pack(book.game).toml("tables.toml"), case.tables))
        rules = kind(open_pack(book.game, inline=files), case.scenario, case.options)
        events = []
        if case.start.get("phase") == "setup":
            state = rules.start(seed_bytes(0), events)
        else:
            state = rules.case_state(case.units, case.start)
            state.seed = seed_bytes(0)
    state.forced = case.dice
    match = Match.resume(rules, state, events)
    return match


def _merged(data: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """Tables with what a case changes in them."""
    return {**data} | {
        key: _merged(data.get(key, {}), value) if isinstance(value, Mapping) else value for key, value in change.items()
    }


def _toml(data: Mapping[str, Any], head: str = "") -> str:
    """Tables as the text of a file: numbers, words and lists, then the tables below."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in data.items() if not isinstance(value, Mapping)]
    for key, value in data.items():
        if isinstance(value, Mapping):
            lines += ["", f"[{head}{key}]", _toml(value, f"{head}{key}.")]
    return "\n".join(lines)


def _step(match: Match, step: Step, events: list[Event]) -> list[Event]:
    if step.play is not None:
        events = match.play(step.play, step.seat)
    if step.order:
        events = match.order(step.seat or "", step.order, step.policy or None)
    if step.allow is not None:
        refusal = match.why_not(step.allow, step.seat)
        if refusal is not None:
            raise Failed(f"{step.allow!r} is refused by {refusal.rule}: {refusal.why}")
        _check_listed(match, step.allow)
    if step.refuse is not None:
        refusal = match.why_not(step.refuse, step.seat)
        if refusal is None:
            raise Failed(f"{step.refuse!r} is allowed")
        if step.rule and refusal.rule != step.rule:
            raise Failed(f"{step.refuse!r} is refused by {refusal.rule}, not {step.rule}: {refusal.why}")
    if step.undo is not None and match.undo() != step.undo:
        raise Failed(f"undo is {'not ' if step.undo else ''}possible")
    if step.expect is not None:
        check(match, step.expect, events)
    return events


def _check_listed(match: Match, action: Any) -> None:
    """What is allowed must also be listed among the legal actions (paths may be given in other legs)."""
    parsed = match.read(action)
    if parsed.__struct_config__.tag in ("move",):
        return
    wanted = _unordered(parsed)
    if not any(_unordered(legal) == wanted for legal in match.legal()):
        raise Failed(f"{action!r} is allowed but not among the legal actions")


def _unordered(action: Action) -> dict[str, Any]:
    """An action without the order in which units or guns are named, which means nothing."""
    data: dict[str, Any] = msgspec.to_builtins(action)
    return data | {field: sorted(data[field]) for field in ("units", "guns", "join", "keep") if field in data}


def check(match: Match, want: Expect, events: list[Event]) -> None:
    """Check every field of an expectation."""
    for field, test in _TESTS.items():
        given = getattr(want, field)
        if given not in (None, "", {}, ()):
            test(match, want, events)


def _same(what: str, found: Any, wanted: Any) -> None:
    if found != wanted:
        raise Failed(f"{what} is {found!r}, not {wanted!r}")


def _unit(match: Match, want: Expect) -> dict[str, Any]:
    rules: Any = match.rules
    units: dict[str, dict[str, Any]] = rules.to_position(match.state)["units"]
    if want.unit not in units:
        raise Failed(f"there is no unit {want.unit!r}")
    return {"steps": rules.full_steps(want.unit), "ce": 0, "supply": "in", "marks": []} | units[want.unit]


def _test_unit(match: Match, want: Expect, events: list[Event]) -> None:
    data = _unit(match, want)
    for field in ("at", "steps", "ce", "supply"):
        given = getattr(want, field)
        if given not in (None, ""):
            _same(f"{field} of {want.unit}", data[field], given)
    if want.mark and want.mark not in data["marks"]:
        raise Failed(f"{want.unit} has no mark {want.mark}, only {data['marks']}")
    if want.no_mark and want.no_mark in data["marks"]:
        raise Failed(f"{want.unit} has the mark {want.no_mark}")


def _contains(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        return all(key in found and _contains(found[key], value) for key, value in wanted.items())
    if isinstance(wanted, list) and isinstance(found, list | tuple):
        return len(wanted) == len(found) and all(map(_contains, found, wanted))
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
    if not any(_contains(data, want.has) for data in named):
        kinds = [event.kind for event in events]
        raise Failed(f"no event {want.event} with {want.has}; there were {named or kinds}")


def _test_no_event(match: Match, want: Expect, events: list[Event]) -> None:
    named = [event.data for event in _heard(match, want, events) if event.kind == want.no_event]
    if not want.event:
        named = [data for data in named if _contains(data, want.has)]
    if named:
        raise Failed(f"there is an event {want.no_event}: {named}")


def _test_owes(match: Match, want: Expect, events: list[Event]) -> None:
    decision = match.decision
    _same("the decision", decision.kind if decision else "", want.owes)
    assert decision is not None
    if want.by:
        _same("the seat that decides", decision.seat, want.by)
    if not _contains(decision.about, want.about):
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
    if not _contains(found, want.offer):
        given = {field: found.get(field) for field in want.offer}
        raise Failed(f"on offer is {given}, not {want.offer}")


def _test_state(match: Match, want: Expect, events: list[Event]) -> None:
    position = match.rules.to_position(match.state)
    for field in ("turn", "phase", "active", "points"):
        given = getattr(want, field)
        if given not in (None, ""):
            _same(field, position[field], given)


def _test_left(match: Match, want: Expect, events: list[Event]) -> None:
    moving = match.rules.to_position(match.state).get("moving", {"left": 0})
    _same("movement left, in sixths,", moving["left"], want.left)


def _test_score(match: Match, want: Expect, events: list[Event]) -> None:
    _same("the score", match.view(match.rules.seats[0])["score"], want.score)


def _test_over(match: Match, want: Expect, events: list[Event]) -> None:
    result = match.result
    if want.over is not None:
        _same("the game being over", result is not None, want.over)
    if want.level:
        _same("the level of victory", result.level if result else "none", want.level)


def _test_hex(match: Match, want: Expect, events: list[Event]) -> None:
    held = want.hex in match.rules.to_position(match.state)["held"]
    _same(f"control of {want.hex}", match.rules.seats[0 if held else 1], want.control)


def _test_bridge(match: Match, want: Expect, events: list[Event]) -> None:
    ends = set(want.bridge.split("/"))
    gone = any(set(name.split("/")) == ends for name in match.rules.to_position(match.state)["destroyed"])
    _same(f"the bridge on {want.bridge} standing", not gone, want.intact)


def _test_destroyed(match: Match, want: Expect, events: list[Event]) -> None:
    found = match.rules.to_position(match.state)["destroyed"]
    _same("the list of destroyed bridges", sorted(found), sorted(want.destroyed))


def _test_pontoon(match: Match, want: Expect, events: list[Event]) -> None:
    pontoons = match.rules.to_position(match.state)["pontoons"]
    _same(f"the pontoon of {want.unit}", pontoons.get(want.unit, "none"), want.pontoon)


def _test_seat(match: Match, want: Expect, events: list[Event]) -> None:
    view = match.view(want.seat)
    seen = {unit["id"]: unit for unit in view["own"] + view["enemy"]}
    if want.sees:
        if want.sees not in seen:
            raise Failed(f"{want.seat} does not see {want.sees}")
        if not _contains(seen[want.sees], want.shows):
            raise Failed(f"{want.seat} sees {seen[want.sees]}, not {want.shows}")
        for field in want.hides:
            if field in seen[want.sees]:
                raise Failed(f"{want.seat} sees the {field} of {want.sees}")
    if want.not_sees and want.not_sees in seen:
        raise Failed(f"{want.seat} sees {want.not_sees}")
    if not _contains(view, want.knows):
        known = {field: view.get(field) for field in want.knows}
        raise Failed(f"{want.seat} knows {known}, not {want.knows}")
    for field in want.lacks:
        if field in view:
            raise Failed(f"the view of {want.seat} holds {field}: {view[field]}")


def _test_odds(match: Match, want: Expect, events: list[Event]) -> None:
    found = match.odds(want.odds)
    if not _contains(found, want.has):
        raise Failed(f"the odds are {found}, not {want.has}")


def _test_option(match: Match, want: Expect, events: list[Event]) -> None:
    for name, value in want.option.items():
        _same(f"option {name}", match.rules.header.options.get(name), str(value).lower())


def _test_printed(match: Match, want: Expect, events: list[Event]) -> None:
    rules: Any = match.rules
    for path, value in want.printed.items():
        _same(f"{path} as printed", _plain(rules.printed(path)), value)


def _plain(value: Any) -> Any:
    """Tuples as the lists of a case file."""
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


_TESTS = {
    "unit": _test_unit,
    "left": _test_left,
    "event": _test_event,
    "no_event": _test_no_event,
    "owes": _test_owes,
    "offered": _test_offered,
    "not_offered": _test_offered,
    "offer": _test_offer,
    "turn": _test_state,
    "phase": _test_state,
    "active": _test_state,
    "points": _test_state,
    "score": _test_score,
    "over": _test_over,
    "level": _test_over,
    "hex": _test_hex,
    "bridge": _test_bridge,
    "destroyed": _test_destroyed,
    "pontoon": _test_pontoon,
    "seat": _test_seat,
    "odds": _test_odds,
    "option": _test_option,
    "printed": _test_printed,
}


def coverage(game: str, folder: Path) -> tuple[list[str], list[str]]:
    """The enforced rules of a game that have a case, and those that have none."""
    wanted = Rulebook.read(open_pack(game)).enforced()
    shown: set[str] = set()
    for file in sorted(folder.rglob("*.toml")):
        try:
            book = read_file(file)
        except ValueError as wrong:
            raise ValueError(f"{file}: {wrong}") from None
        if book.game == game and book.case:
            shown.add(book.rule)
            for case in book.case:
                shown.update(case.rules)
    return [rule for rule in wanted if rule in shown], [rule for rule in wanted if rule not in shown]
