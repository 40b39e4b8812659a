"""Checking a match after it was played: where its dice came from, every die, every action, the score.

Each check says what it found in plain words, and says openly when something cannot be checked: what is missing is
never taken for true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from fronte.engine import standing
from fronte.engine.decision import IllegalAction
from fronte.engine.dice import SIDES, commitment, die
from fronte.engine.given import PositionError
from fronte.engine.match import Match
from fronte.engine.record import Anew, End, Entry, Heading, SaveError, read
from fronte.engine.rules import Header, Rules
from fronte.engine.trust import fingerprint, house_commitment, match_seed, seal

TRUE, FALSE, OPEN = "true", "false", "open"
EARLY = {"time": "on time", "resigned": "as the other side resigned", "agreed": "by agreement"}
LARGEST, MOST_LINES, MOST_DICE = 20_000_000, 50_000, 100
"""Bounds of a match from outside, near which none comes: characters of the file, lines, dice in one throw."""
LONGEST = 600
"""How much of what is wrong is told."""


class Check(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that was looked at: `status` is true, false, or open where it cannot be checked."""

    name: str
    status: str
    text: str
    line: int = 0
    """The line of the file that is wrong, if one is."""


class Report(msgspec.Struct, frozen=True):
    """What came of it. `verdict` is false if any check is, else open if any is, else true."""

    verdict: str
    checks: tuple[Check, ...]
    lines: int = 0
    result: dict[str, Any] | None = None
    ended: dict[str, Any] | None = None
    """How the match ended, if not by the rules: `by` (`time`, `resigned`, `agreed`) and `winner`, as the file says."""


class Noted(msgspec.Struct, frozen=True):
    """What a player wrote down while playing, to hold the file against."""

    house: str = ""
    """The commitment of the house, shown at the start."""
    words: Mapping[str, str] = {}
    """The words given, by seat."""
    fingerprints: Mapping[int, str] = {}
    """Fingerprints that were shown, by the number of actions played by then."""


def verify(text: str, rules_for: Callable[[Header], Rules[Any]], noted: Noted | None = None) -> Report:
    """Check a saved match. `rules_for` finds the ruleset for a header and raises ValueError if there is none."""
    noted = noted or Noted()
    try:
        _check_size(text)
        heading, entries = read(text)
    except SaveError as wrong:
        return _report([Check("file", FALSE, f"the file is damaged: {wrong}", _line_of(wrong))], 0, None)
    seed, checks = _seed(heading)
    checks = [*_house(heading, noted), *_anew(heading), *checks]
    try:
        rules = rules_for(heading.header)
    except ValueError as wrong:
        told = f"dice, actions and score cannot be checked here: {wrong}"
        checks += [*_words(heading, None, noted), Check("rules", OPEN, told), *_record(heading, entries, seed, noted)]
        return _report(checks, len(entries), None)
    checks += _words(heading, rules, noted)
    played, match = _actions(rules, heading, entries)
    checks.append(_dice(heading, entries, seed))
    checks.append(played)
    result = None if match is None or match.result is None else msgspec.to_builtins(match.result)
    checks.append(_score(heading, match))
    checks += _record(heading, entries, seed, noted)
    end = heading.end
    ended = {"by": end.by, "winner": end.winner} if end is not None and end.by else None
    return _report(checks, len(entries), result, ended)


def _report(
    checks: list[Check], lines: int, result: dict[str, Any] | None, ended: dict[str, Any] | None = None
) -> Report:
    found = {check.status for check in checks}
    verdict = FALSE if FALSE in found else OPEN if OPEN in found else TRUE
    told = tuple(msgspec.structs.replace(check, text=_printable(check.text)) for check in checks)
    return Report(verdict, told, lines, result, ended)


def _printable(text: str) -> str:
    """What can be shown at a terminal: much of it comes from a file that anybody may have written."""
    cut = text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."
    return "".join(character if character.isprintable() else "?" for character in cut)


def _check_size(text: str) -> None:
    """A file that no match can have made is not gone through."""
    if len(text) > LARGEST:
        raise SaveError(f"line 1: the file has {len(text):,} characters, more than the {LARGEST:,} a match can have")
    lines = text.count("\n")
    if lines > MOST_LINES:
        raise SaveError(f"line 1: the file has {lines:,} lines, more than the {MOST_LINES:,} a match can have")


def _line_of(wrong: SaveError) -> int:
    first = str(wrong).partition(":")[0].removeprefix("line ")
    return int(first) if first.isdigit() else 0


# Where the seed came from


def _house(heading: Heading, noted: Noted) -> Iterator[Check]:
    """The house kept to the secret it was bound to."""
    told = heading.pledge
    if told is None:
        yield Check("house", OPEN, "nobody was bound: whoever made the match may have known or chosen its seed")
        return
    if noted.house and noted.house.lower() in (once.house for once in told.anew):
        said = "the commitment you noted was put aside when the dice were begun anew; compare the one you noted then"
        yield Check("house", OPEN, said)
        return
    if noted.house and noted.house.lower() != told.house:
        yield Check("house", FALSE, "the commitment in the file is not the one you noted at the start", 1)
        return
    if not told.secret:
        yield Check("house", OPEN, "the house has not shown its secret yet, so its commitment cannot be checked")
        return
    try:
        kept = house_commitment(bytes.fromhex(told.secret)) == told.house
    except ValueError:
        kept = False
    if not kept:
        yield Check("house", FALSE, "the secret is not the one the house was bound to at the start", 1)
    elif noted.house:
        yield Check("house", TRUE, "the secret is the one the house was bound to, by the commitment you noted")
    else:
        yield Check("house", TRUE, f"the secret is the one the house was bound to: compare with your note {told.house}")


def _anew(heading: Heading) -> Iterator[Check]:
    """The dice were begun anew: another secret and other words each time. That it was agreed to the sides know best."""
    told = heading.pledge
    if told is None or not told.anew:
        return
    houses = [once.house for once in told.anew] + [told.house]
    if len(set(houses)) < len(houses):
        yield Check("anew", FALSE, "the dice were begun anew, but the house stayed bound to the same secret", 1)
        return
    before: set[str] = set()
    for seals in (*(once.seals.values() for once in told.anew), [seal(given) for given in told.words]):
        if before & set(seals) - {seal("")}:
            yield Check("anew", FALSE, "a word from before the dice were begun anew was put in again", 1)
            return
        before |= set(seals)
    asked = "; ".join(f"{once.by} asked{_agreed(once)}" for once in told.anew)
    times = "once" if len(told.anew) == 1 else f"{len(told.anew)} times"
    yield Check("anew", TRUE, f"the dice were begun anew {times}, as a word was lost: {asked}. Do you remember it so?")


def _agreed(once: Anew) -> str:
    return f" and {', '.join(once.agreed)} agreed" if once.agreed else ", before anybody else had put in a word"


def _words(heading: Heading, rules: Rules[Any] | None, noted: Noted) -> Iterator[Check]:
    """Both sides had a hand in the seed, and with the words they gave."""
    told = heading.pledge
    if told is None:
        return
    seats = rules.seats if rules is not None else ()
    if seats and len(told.words) != len(seats):
        yield Check("words", FALSE, f"there are {len(told.words)} words for {len(seats)} sides", 1)
        return
    if told.seals and [seal(given) for given in told.words] != list(told.seals):
        yield Check("words", FALSE, "a word is not the one that was sealed", 1)
        return
    given = dict(zip(seats, told.words, strict=True)) if seats else {}
    for seat, mine in noted.words.items():
        if seats and given.get(seat) != mine:
            yield Check("words", FALSE, f"the word of {seat} is not the one you noted", 1)
            return
    if not told.secret or not heading.seed:
        yield Check("words", OPEN, "whether the words went into the seed shows when the house opens its secret")
        return
    try:
        kept = match_seed(bytes.fromhex(told.secret), told.words).hex() == heading.seed
    except ValueError:
        kept = False
    if not kept:
        yield Check("words", FALSE, "the seed is not made of the secret and these words", 1)
        return
    silent = [seat for seat, mine in given.items() if not mine]
    note = f"; {', '.join(silent)} gave none" if silent else ""
    yield Check("words", TRUE, f"the seed is made of the secret and the words of both sides{note}")


def _seed(heading: Heading) -> tuple[bytes | None, list[Check]]:
    """The seed fits the commitment of the heading."""
    if not heading.seed:
        return None, [Check("seed", OPEN, "the file has no seed, so where the dice come from cannot be checked")]
    try:
        seed = bytes.fromhex(heading.seed)
    except ValueError:
        return None, [Check("seed", FALSE, "the seed is not hexadecimal", 1)]
    if len(seed) != 32 or commitment(seed) != heading.commitment:
        return None, [Check("seed", FALSE, "the seed does not fit its commitment", 1)]
    return seed, [Check("seed", TRUE, "the seed fits its commitment")]


# What was played


def _actions(rules: Rules[Any], heading: Heading, entries: list[Entry]) -> tuple[Check, Match | None]:
    """Replay with the dice of the file: every action legal, by the side whose turn it was."""
    try:
        match = _begin(rules, heading)
    except Exception as wrong:  # what a file says can break any rule
        return Check("actions", FALSE, f"line 1: the match cannot begin: {_said(wrong)}", 1), None
    for number, entry in enumerate(entries, 2):
        try:
            why = _replayed(match, entry)
        except Exception as wrong:
            why = _said(wrong)
        if why:
            return Check("actions", FALSE, f"line {number}: {why}", number), None
    return Check("actions", TRUE, f"all {len(entries)} actions are legal"), match


def _said(wrong: Exception) -> str:
    """What went wrong, in words where it has some."""
    if isinstance(wrong, IllegalAction | ValueError) and str(wrong):
        return str(wrong)
    return f"it cannot be played ({type(wrong).__name__})"


def _begin(rules: Rules[Any], heading: Heading) -> Match:
    forced = _fallen(heading.opening)
    if heading.position is None:
        match = Match.begin(rules, bytes(32), forced)
    else:
        state = rules.from_position(heading.position)
        state.forced = forced
        match = Match.resume(rules, state, origin=heading.position)
    if tuple(match.opening) != heading.opening:
        raise PositionError("the first dice are not as many as the rules throw")
    match.obeying = False
    return match


def _fallen(throws: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The dice of a line, one after another."""
    if any(len(throw) > MOST_DICE for throw in throws):
        raise ValueError(f"no throw has more than {MOST_DICE} dice")
    dice = tuple(pips for throw in throws for pips in throw)
    if any(not 1 <= pips <= SIDES for pips in dice):
        raise ValueError(f"dice fall from 1 to {SIDES}")
    return dice


def _replayed(match: Match, entry: Entry) -> str:
    """Play one line with its own dice; what is wrong with it, or nothing."""
    if "order" in entry.action:
        match.order(entry.seat, entry.action["order"], entry.action.get("policy"))
        return ""
    if entry.standing and not _as_ordered(match, entry):
        return f"no standing order of {entry.seat} gives this answer"
    match.state.forced = _fallen(entry.rolls)
    match.play(entry.action, entry.seat, entry.standing)
    if match.entries[-1].rolls != entry.rolls:
        return f"{_spoken(entry.rolls)} dice are recorded, {_spoken(match.entries[-1].rolls)} are to be thrown"
    return ""


def _as_ordered(match: Match, entry: Entry) -> bool:
    if not match.state.frames:
        return False
    frame = match.state.frames[-1]
    policy = match.orders.get((frame.seat, frame.name))
    if policy is None:
        return False
    answer = standing.answered(match.rules, match.state, frame, policy)
    return answer is not None and bool(msgspec.to_builtins(answer) == entry.action)


def _spoken(throws: tuple[tuple[int, ...], ...]) -> str:
    return "no" if not throws else " and ".join(str(len(throw)) for throw in throws)


def _dice(heading: Heading, entries: list[Entry], seed: bytes | None) -> Check:
    """Every die is the one that its number in the stream gives."""
    number = 0 if heading.position is None else _rolled(heading.position)
    fallen = 0
    lines = [(1, heading.opening), *((line, entry.rolls) for line, entry in enumerate(entries, 2))]
    for line, throws in lines:
        for throw in throws:
            if len(throw) > MOST_DICE or any(not 1 <= pips <= SIDES for pips in throw):
                return Check("dice", FALSE, f"line {line}: {_pips(throw)} is no throw of dice", line)
            right = throw if seed is None else tuple(die(seed, number + k) for k in range(len(throw)))
            if right != throw:
                told = f"line {line}: the record says {_pips(throw)}, the seed gives {_pips(right)}"
                return Check("dice", FALSE, told, line)
            number += len(throw)
            fallen += len(throw)
    if seed is None:
        return Check("dice", OPEN, f"{fallen} dice were thrown; without the seed none can be checked")
    return Check("dice", TRUE, f"all {fallen} dice fell as the seed says")


def _rolled(position: dict[str, Any]) -> int:
    """How many dice had fallen before; a position that says something else is refused with the actions."""
    rolled = position.get("rolled", 0)
    return rolled if isinstance(rolled, int) and 0 <= rolled < 1 << 60 else 0


def _pips(throw: tuple[int, ...]) -> str:
    more = " ..." if len(throw) > MOST_DICE else ""
    return " ".join(map(str, throw[:MOST_DICE])) + more


def _score(heading: Heading, match: Match | None) -> Check:
    """The result that replaying gives is the one that the file states."""
    if match is None:
        return Check("score", OPEN, "the score cannot be checked, as the actions cannot be replayed")
    result, end = match.result, heading.end
    if end is not None and end.by:
        return _ended_early(end, match)
    if result is None and end is not None:
        return Check("score", FALSE, "the file states a result, but the match is not over: lines are missing", 1)
    if result is None:
        return Check("score", OPEN, "the match is not over; lines cut off at its end would not show")
    found = f"{result.level} with {result.score} points"
    if end is None:
        return Check("score", TRUE, f"the match ends in {found}; the file itself states no score")
    if (end.level, end.score, end.winner) != (result.level, result.score, result.winner):
        stated = f"{end.level} with {end.score} points for {end.winner or 'nobody'}"
        return Check("score", FALSE, f"the file states {stated}, but the match ends in {found}", 1)
    return Check("score", TRUE, f"the match ends in {found}, as stated")


def _ended_early(end: End, match: Match) -> Check:
    """A match that ended before the rules ended it: won on time, resigned, or a draw that both sides agreed on.

    The record shows who had to decide. The rest is the house's word: how much time was left, who gave up, who agreed.
    """
    winner = end.winner or "nobody"
    how = f"{winner} won {EARLY.get(end.by, end.by)} after {end.lines} actions"
    if end.by == "agreed":
        how = f"both sides agreed on a draw after {end.lines} actions"
    stated = f"the file states that {how}"
    if match.result is not None:
        return Check("score", FALSE, f"{stated}, but by then the rules had ended the match", 1)
    if end.by not in EARLY:
        return Check("score", OPEN, f"{stated}; this program knows no such end")
    if end.by == "agreed" and end.winner is not None:
        return Check("score", FALSE, f"{stated}, and also that {winner} has won", 1)
    if end.by != "agreed" and winner not in match.rules.seats:
        return Check("score", FALSE, f"{stated}, but the sides are {' and '.join(match.rules.seats)}", 1)
    late = match.rules.seats[match.seat]
    if end.by == "time" and winner == late:
        return Check("score", FALSE, f"{stated}, but it was {winner} itself that had to decide", 1)
    if end.level != end.by or end.score:
        return Check("score", FALSE, f"{stated}, and also {end.level} with {end.score} points", 1)
    if end.by == "time":
        return Check("score", TRUE, f"{how}: {late} had to decide and, by the house's clocks, had no time left")
    return Check("score", TRUE, f"{how}, by the house's word: do you remember it so?")


def _record(heading: Heading, entries: list[Entry], seed: bytes | None, noted: Noted) -> Iterator[Check]:
    """The record is the one that was closed at the end, and at the points that were noted."""
    end = heading.end
    if end is not None and end.lines != len(entries):
        yield Check("record", FALSE, f"{end.lines} actions were played, {len(entries)} are in the file", 1)
        return
    if seed is None:
        yield Check("record", OPEN, "without the seed the fingerprint of the record cannot be checked")
        return
    for line, mark in sorted(noted.fingerprints.items()):
        if line > len(entries) or fingerprint(seed, heading, entries[:line]) != mark.lower():
            yield Check("record", FALSE, f"the record after {line} actions is not the one you noted", 1)
            return
    if end is None or not end.fingerprint:
        yield Check("record", OPEN, "the file has no fingerprint of its record: another legal one would look as true")
    elif fingerprint(seed, heading, entries) != end.fingerprint:
        yield Check("record", FALSE, "the record was changed after the match was closed: its fingerprint differs", 1)
    else:
        yield Check("record", TRUE, f"the record is as it was closed; its fingerprint is {end.fingerprint}")
