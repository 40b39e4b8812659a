"""Cases: reading them, strictly, and running them. docs/casebook.md says how to write one."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from fronte.casebook.expect import Failed, Words, words_of
from fronte.engine.decision import Action, IllegalAction
from fronte.engine.dice import SIDES, seed_bytes
from fronte.engine.event import Event
from fronte.engine.match import Match
from fronte.engine.notation import from_text
from fronte.engine.pack import PackError
from fronte.engine.rulebook import Rulebook
from fronte.games.common.memory import Memory
from fronte.games.registry import GAMES, first_scenario, open_pack, ruleset

_tiny: Memory[Hashable, Any] = Memory(8)
"""Rulesets of tiny boards. Cases that follow one another often share theirs, and nothing in it changes."""


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
    expect: dict[str, Any] | None = None


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One case."""

    name: str
    units: dict[str, dict[str, Any]] = {}
    board: dict[str, Any] | str = {}
    tables: dict[str, Any] = {}
    scenario: str = ""
    """The game's first scenario, if none is named."""
    options: dict[str, Any] = {}
    start: dict[str, Any] = {}
    dice: tuple[int, ...] = ()
    steps: tuple[Step, ...] = ()
    fails: str = ""
    made_up: str = ""
    """Why a beginning that no game can have is shown all the same."""
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
    fault = wrong_rules(match, book, case) or wrong_dice(case)
    if fault:
        return fault
    events = list(match.events)
    words = words_of(match, book.game)
    for number, step in enumerate(case.steps, 1):
        try:
            events = _step(match, step, events, words)
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
    unknown = sorted(set(case.start) - kind.case_starts)
    if unknown:
        raise ValueError(f"start: unknown {', '.join(unknown)}; known are {', '.join(sorted(kind.case_starts))}")
    board = case.board or book.board
    scenario = case.scenario or first_scenario(open_pack(book.game))
    if board == "printed":
        rules: Any = ruleset(book.game, scenario, case.options)  # one for all cases: nothing in it changes
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
        key = kind, scenario, repr(case.options), tuple(files.items())
        rules = _tiny.get(key)
        if rules is None:
            rules = _tiny.keep(key, kind(open_pack(book.game, inline=files), scenario, case.options))
        events = []
        if case.start.get("phase") == "setup":
            state = rules.start(seed_bytes(0), events)
        else:
            state = rules.case_state(case.units, case.start)
            state.seed = seed_bytes(0)
    faults = rules.broken(state)
    if faults and not case.made_up:
        raise ValueError("; ".join(faults))
    if case.made_up and not faults:
        raise ValueError("made_up: the beginning could come about, so nothing has to be said for it")
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


def wrong_rules(match: Match, book: CaseFile, case: Case) -> str:
    """A case names only rules that the book has."""
    named = [book.rule, *case.rules, *(step.rule for step in case.steps if step.rule)]
    unknown = sorted({rule for rule in named if rule not in match.rules.rulebook.rules})
    return f"there is no rule {', '.join(unknown)} in {book.game}" if unknown else ""


def wrong_dice(case: Case) -> str:
    """Dice fall from 1 to 6."""
    wrong = [die for die in case.dice if not 1 <= die <= SIDES]
    return f"dice: {wrong} cannot fall" if wrong else ""


def _step(match: Match, step: Step, events: list[Event], words: Words) -> list[Event]:
    _whole(step)
    if step.play is not None:
        given = len(match.state.forced)
        events = match.play(step.play, step.seat)
        _check_dice(given, events)
    if step.order:
        events = match.order(step.seat or "", step.order, step.policy or None)
    if step.allow is not None:
        refusal = match.why_not(step.allow, step.seat)
        if refusal is not None:
            raise Failed(f"{step.allow!r} is refused by {refusal.rule}: {refusal.why}")
        _check_listed(match, step.allow)
    if step.refuse is not None:
        _readable(match, step.refuse)
        refusal = match.why_not(step.refuse, step.seat)
        if refusal is None:
            raise Failed(f"{step.refuse!r} is allowed")
        if step.rule and refusal.rule != step.rule:
            raise Failed(f"{step.refuse!r} is refused by {refusal.rule}, not {step.rule}: {refusal.why}")
    if step.undo is not None and match.undo() != step.undo:
        raise Failed(f"undo is {'not ' if step.undo else ''}possible")
    if step.expect is not None:
        words.check(match, words.read(step.expect), events)
    return events


def _check_dice(given: int, events: Sequence[Event]) -> None:
    """The dice of a case may run out between two throws, not in the middle of one."""
    for event in events:
        if event.kind == "rolled" and given > 0:
            thrown = len(event.data["dice"])
            if given < thrown:
                raise Failed(f"{thrown} dice are thrown but only {given} are given")
            given -= thrown


def _whole(step: Step) -> None:
    """A step does something, and says no word that goes with another that is not there."""
    if step.rule and step.refuse is None:
        raise Failed("`rule` goes with `refuse`")
    if step.policy and not step.order:
        raise Failed("`policy` goes with `order`")
    if step.order and not step.seat:
        raise Failed("`order` needs the seat that gives it")
    given = (step.play, step.allow, step.refuse, step.undo, step.expect)
    if not step.order and all(part is None for part in given):
        raise Failed("the step does nothing")


def _readable(match: Match, action: str | dict[str, Any]) -> None:
    """What must be refused by a rule must be an action of this game: what nobody can read shows nothing."""
    verbs = tuple(dict.fromkeys(verb for choice in match.rules.choices.values() for verb in choice.verbs))
    try:
        if isinstance(action, str):
            from_text(action, verbs)
        else:
            known = [verb for verb in verbs if verb.__struct_config__.tag == action.get("do")]
            msgspec.convert(action, known[0] if known else Action)
    except (ValueError, TypeError) as wrong:
        raise Failed(f"{action!r} cannot be read: {wrong}") from None


def _check_listed(match: Match, action: Any) -> None:
    """What is allowed must also be listed among the legal actions (paths may be given in other legs)."""
    parsed = match.read(action)
    if parsed.__struct_config__.tag in ("move",):
        return
    wanted = _unordered(parsed)
    if not any(_unordered(legal) == wanted for legal in match.legal()):
        raise Failed(f"{action!r} is allowed but not among the legal actions")


def _unordered(action: Action) -> dict[str, Any]:
    """An action without the order in which units or guns are named, which means nothing; a number of them has none."""
    data: dict[str, Any] = msgspec.to_builtins(action)
    several = {field: data[field] for field in ("units", "guns", "join", "keep", "aims", "boxes") if field in data}
    return data | {field: sorted(found) for field, found in several.items() if not isinstance(found, int)}


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
