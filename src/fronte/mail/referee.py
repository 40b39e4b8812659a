"""The referee: once both sides have opened their secrets, the whole match is played again in the open and compared.

Nothing that was told during the match is believed: the letters are checked against what the sealed actions, the shares
in the dice and the rules lead to.
"""

from __future__ import annotations

from typing import Any

import msgspec

from fronte.engine.decision import IllegalAction
from fronte.engine.event import Event
from fronte.engine.match import Match
from fronte.engine.record import FORMAT, Heading, write
from fronte.engine.rules import Rules
from fronte.engine.verify import FALSE, OPEN, TRUE, Check, Report
from fronte.mail import keys
from fronte.mail.halves import halves_of, other_side
from fronte.mail.letter import Letter, MailError, Opening, Turn, body, fingerprint, follow_each_other, in_order, opened
from fronte.mail.table import go_on


class Trial:
    """A match played again with everything in the open."""

    def __init__(self, rules: Rules[Any], letters: list[Letter], openings: dict[str, Opening]) -> None:
        self.rules, self.halves = rules, halves_of(rules)
        self.letters = letters
        self.openings = openings
        self.seats = [letters[0].seat, letters[1].seat]
        self.chains = [keys.chain(bytes.fromhex(openings[seat].secret)) for seat in rules.seats]
        self.state: Any = rules.start(bytes(32), [])
        self.shown = [0, 0]
        self.fallen: list[tuple[int, ...]] = []
        self.actions: list[tuple[str, dict[str, Any]]] = []

    def run(self) -> None:
        """Go through all turns; MailError says what is false and whose letter it is."""
        for letter in self.letters[2:]:
            if letter.kind == "turn":
                try:
                    self._turn(letter, body(letter, Turn))
                except MailError:
                    raise
                except Exception as wrong:  # what a letter says can break any rule
                    raise _false(letter, f"it cannot be played ({type(wrong).__name__})") from None
        for seat, opening in self.openings.items():
            own = {str(letter.number) for letter in self.letters[2:] if letter.seat == seat}
            if not set(opening.actions) <= own:
                raise MailError(f"{seat} opens actions behind letters that it has not written")

    def _turn(self, letter: Letter, turn: Turn) -> None:
        seat = self.rules.seat_index(letter.seat)
        actions = self.openings[letter.seat].actions.get(str(letter.number), [])
        secret = bytes.fromhex(self.openings[letter.seat].secret)
        if keys.sealed(secret, letter.number, actions) != turn.seal:
            raise _false(letter, "the actions opened now are not those that were sealed then")
        before = self.state.copy()
        out: list[Event] = []
        ran: list[str] = []
        go_on(self.rules, self.state, seat, self._dice(seat), out, ran)
        for action in actions:
            self._act(letter, action, out)
            go_on(self.rules, self.state, seat, self._dice(seat), out, ran)
        if self.state.frames and self.state.frames[-1].seat == seat:
            raise _false(letter, "it ends before its writer has done what was his to do")
        self._links(letter, turn, seat)
        told = self.halves.tell(self.rules, before, self.state, seat, ran)
        if _bytes(told) != _bytes(turn.told):
            raise _false(letter, f"what it told was not true: {_difference(told, turn.told)}")
        seen = (self.rules.cited(event).to(other_side(seat)) for event in out)
        events = [msgspec.to_builtins(event) for event in seen if event is not None]
        if _bytes(events) != _bytes(turn.events):
            raise _false(letter, "what it said had happened was not what happened")

    def _act(self, letter: Letter, action: dict[str, Any], out: list[Event]) -> None:
        match = Match(self.rules, self.state, [])
        try:
            refusal = match.why_not(action, letter.seat)
            if refusal is not None:
                raise _false(letter, f"an action was not legal: {refusal.why} (rule {refusal.rule})")
            parsed = match.read(action)
        except IllegalAction as wrong:
            raise _false(letter, f"an action was not legal: {wrong}") from None
        frame = self.state.frames[-1]
        self.rules.choices[frame.name].apply(self.rules, self.state, frame, parsed, out)
        self.actions.append((letter.seat, action))

    def _dice(self, seat: int) -> Any:
        def dice(many: int) -> tuple[int, ...] | None:
            number = len(self.fallen)
            if number >= self.shown[other_side(seat)]:
                return None
            fell = keys.throw([chain[number + 1] for chain in self.chains], number, many)
            self.fallen.append(fell)
            return fell

        return dice

    def _links(self, letter: Letter, turn: Turn, seat: int) -> None:
        for number, link in in_order(turn.links):
            if number != self.shown[seat] or link != self.chains[seat][number + 1]:
                raise _false(letter, "a share in the dice was not that of its writer's chain")
            self.shown[seat] += 1

    def record(self) -> str:
        """The match as a save like any other, with its dice."""
        match = Match.begin(self.rules, bytes(32), tuple(pips for fell in self.fallen for pips in fell))
        for seat, action in self.actions:
            match.play(action, seat)
        heading = Heading(FORMAT, self.rules.header, fingerprint(self.letters[-1]), "", tuple(match.opening))
        return write(heading, match.entries)


def _false(letter: Letter, why: str) -> MailError:
    return MailError(f"letter {letter.number} of {letter.seat}: {why}")


def _bytes(data: Any) -> bytes:
    return msgspec.json.encode(data, order="sorted")


def _difference(true: dict[str, Any], told: dict[str, Any]) -> str:
    """Where the two part, in a few words."""
    plain: Any = msgspec.json.decode(msgspec.json.encode(true))
    for key in plain:
        if plain.get(key) != told.get(key):
            inside = plain[key] if isinstance(plain[key], dict) else {}
            other = told.get(key)
            names = [name for name in inside if isinstance(other, dict) and inside[name] != other.get(name)]
            return f"{key} ({', '.join(names)})" if names else key
    return "its form"


# The verdict


def judge(rules: Rules[Any], letters: list[Letter]) -> tuple[Report, str]:
    """Check a match by file from its letters, and the match as a save if it is true to the end (else nothing)."""
    checks = [_check_letters(letters)]
    openings = _openings(letters)
    missing = [letter.seat for letter in letters[:2] if letter.seat not in openings]
    if checks[0].status == FALSE or missing or len(letters) < 2:
        who = " and ".join(missing) or "both sides"
        told = f"{who} have not opened their secrets; what was hidden cannot be checked"
        checks += [Check(name, OPEN, told) for name in ("actions", "score")]
        return _report(checks, len(letters), None), ""
    checks.append(_check_tips(letters, openings))
    result = None
    record = ""
    try:
        trial = Trial(rules, letters, openings)
        trial.run()
    except (MailError, KeyError) as wrong:
        checks.append(Check("actions", FALSE, str(wrong)))
    else:
        told = f"all {len(trial.actions)} actions were sealed in time and legal, all that was told was true"
        checks.append(Check("actions", TRUE, told))
        checks.append(Check("dice", TRUE, f"all {len(trial.fallen)} throws are those of both sides' shares"))
        result = rules.result(trial.state)
        record = trial.record()
    if result is None:
        checks.append(Check("score", OPEN, "the match did not come to its end"))
    else:
        checks.append(Check("score", TRUE, f"the match ends in {result.level} with {result.score} points"))
    return _report(checks, len(letters), result), record


def _report(checks: list[Check], lines: int, result: Any) -> Report:
    found = {check.status for check in checks}
    verdict = FALSE if FALSE in found else OPEN if OPEN in found else TRUE
    return Report(verdict, tuple(checks), lines, None if result is None else msgspec.to_builtins(result))


def _openings(letters: list[Letter]) -> dict[str, Opening]:
    found: dict[str, Opening] = {}
    for letter in letters[2:]:
        data = letter.body if letter.kind == "opening" else letter.body.get("opening")
        if data is not None:
            try:
                found[letter.seat] = opened(data)
            except MailError:
                found.pop(letter.seat, None)
    return found


def _check_letters(letters: list[Letter]) -> Check:
    """Every letter signed by its side, numbered, and bound to the one before."""
    try:
        follow_each_other(letters)
    except MailError as wrong:
        return Check("letters", FALSE, str(wrong))
    return Check("letters", TRUE, f"all {len(letters)} letters are signed and follow each other")


def _check_tips(letters: list[Letter], openings: dict[str, Opening]) -> Check:
    """The secrets opened at the end are those to which the sides were bound at the start."""
    for letter in letters[:2]:
        tip = keys.chain(bytes.fromhex(openings[letter.seat].secret))[0].hex()
        if tip != letter.body["party"]["tip"]:
            return Check("secrets", FALSE, f"the secret of {letter.seat} is not the one it was bound to at the start")
    return Check("secrets", TRUE, "both secrets are those to which the sides were bound at the start")
