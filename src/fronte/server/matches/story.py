"""The story of a match that is over: score by turn, losses, turning points, the front then and now.

A turning point is a fight, or a step that changed the score, after which one side could expect much more than before
it (`fronte.ai.policy`, by the whole state, as nothing is secret any more). For fights every way the dice could fall is
played to the end of the fight: what fell better or worse than the mean of them all the dice did, the rest was decided.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec

from fronte.ai import policy_for
from fronte.ai.policy import Policy
from fronte.engine import flow
from fronte.engine.card import Line
from fronte.engine.decision import CHANCE
from fronte.engine.dice import SIDES, outcomes
from fronte.engine.luck import Follower
from fronte.engine.match import Match
from fronte.engine.record import Entry, Heading
from fronte.engine.rules import Result, Rules
from fronte.engine.text import LANGUAGES, Texts
from fronte.engine.view import View
from fronte.server.cards import Sketch, score_text, sketch
from fronte.server.matches import tables
from fronte.server.matches.live import Live

SETUP = "setup"
"""The phase in which units are placed."""
MOST_POINTS = 6
WEIGHED = 10
"""How many of the largest changes are looked at closely."""
MOST_DICE = 3
"""Throws of more dice are not gone through way by way."""
BEFORE_FIGHT, AFTER_FIGHT = 8, 12
"""How many lines a fight has at the most before the throw that decides it, and after."""
LONGEST_FIGHT = 40
"""Decisions after which what comes of a throw is looked at as it then stands."""
LEAST = 0.15
"""What the outlook must change by to be told."""
MOST_NAMES = 12
MOST_TEXTS = 10


Judge = Policy[Any, Any]


class TurnScore(msgspec.Struct):
    """The score at the end of a turn, and the line after which it stood so."""

    turn: int
    line: int
    score: int
    text: str


class Losses(msgspec.Struct):
    """What a formation has lost: of so many pieces these for good, and steps of others."""

    formation: str
    pieces: int
    lost: int
    steps: int
    names: list[str]


class Turning(msgspec.Struct):
    """Lines after which one side could expect more: by how much, and what of it the dice did."""

    line: int
    last: int
    turn: int
    where: str
    gains: str
    """The seat for which it turned."""
    swing: float
    dice: float | None
    """What the dice did of it, for that seat; the rest was decided. None: there was no time to weigh it."""
    by: str
    """`dice` or `decision`: which did more; empty where it was not weighed."""
    head: str
    """What it is about in one sentence: the first that was told of its place."""
    texts: list[str]


class Story(msgspec.Struct):
    """What a match that is over tells."""

    line: int
    turns: list[TurnScore]
    losses: dict[str, list[Losses]]
    points: list[Turning]
    judged: bool
    """Whether the outlook could be told; without it, points are the dice that fell farthest from the mean."""
    then: Sketch
    now: Sketch


class Followed(msgspec.Struct):
    """A line of the record, as it was followed."""

    turn: int
    seat: int
    """Who decided it."""
    depth: int
    """Frames that lay on the stack before it: more than at another decision while a fight is under way."""
    score: int | None
    value: float
    """What the first seat could expect after it."""
    fight: str
    """Where a fight was decided by dice; empty if none was."""
    phase: tuple[str, str] = ("", "")
    before: Any = None


def story_of(live: Live, seconds: float) -> dict[str, Story]:
    """The whole story in every language; after so many seconds nothing more is weighed."""
    match, heading = live.match, live.kept.heading
    rules, deadline = match.rules, time.monotonic() + seconds
    judge = policy_for(rules)
    then = sketch(rules, rules.glance(_set_up(rules, heading, match.entries)))
    lines = _followed(rules, heading, match.entries, judge)
    points = _by_dice(match, heading) if judge is None else _points(match, lines, judge, deadline)
    now = sketch(rules, rules.glance(match.state))
    return {
        language: Story(
            live.line,
            _turns(rules, lines, match, language),
            _losses(match, language),
            [_told(match, point, language) for point in points],
            judge is not None,
            then,
            now,
        )
        for language in LANGUAGES
    }


def _told(match: Match, point: Turning, language: str) -> Turning:
    """A turning point with what was told of it at the table."""
    events = [one for one in tables.events(match, tables.ALL, language, point.line - 1, point.last) if one.text]
    texts = [one.text for one in events]
    about = [one.text for one in events if point.where and point.where in one.data.values()]
    return msgspec.structs.replace(point, head=next(iter(about + texts), ""), texts=texts[:MOST_TEXTS])


def _begin(rules: Rules[Any], heading: Heading) -> Any:
    state = rules.start(bytes(32), []) if heading.position is None else rules.from_position(heading.position)
    flow.settle(rules, state, [])
    for dice in heading.opening:
        flow.fall(rules, state, dice, [])
    return state


def _set_up(rules: Rules[Any], heading: Heading, entries: Sequence[Entry]) -> Any:
    """The state with which play begins: when all have placed their units, where they do that themselves."""
    state = _begin(rules, heading)
    for entry in entries:
        if rules.glance(state).phase != SETUP:
            break
        if "order" not in entry.action:
            for _ in _played(rules, state, entry):
                pass
    return state


def _followed(rules: Rules[Any], heading: Heading, entries: Sequence[Entry], judge: Judge | None) -> list[Followed]:
    """The record line by line; the first is the beginning."""
    state = _begin(rules, heading)
    found = [_after(rules, state, CHANCE, 0, "", judge)]
    for entry in entries:
        seat, depth = state.frames[-1].seat, len(state.frames)
        before, fight = state.copy() if entry.rolls else None, ""
        if "order" not in entry.action:
            for where in _played(rules, state, entry):
                fight = where or fight
        found.append(_after(rules, state, seat, depth, fight, judge))
        found[-1].before = before if fight else None
    return found


def _phase(seen: View) -> tuple[str, str]:
    return seen.stage.phase, seen.stage.active


def _after(rules: Rules[Any], state: Any, seat: int, depth: int, fight: str, judge: Judge | None) -> Followed:
    seen = rules.public_view(state)
    score = next((track.value for track in seen.tracks if track.name == "score"), None)
    value = 0.0 if judge is None else judge.value(state, 0)
    return Followed(seen.stage.turn, seat, depth, score, value, fight, phase=_phase(seen))


def _played(rules: Rules[Any], state: Any, entry: Entry) -> Iterator[str]:
    """Play a line in place, throw by throw; before each where it brings losses, if it does."""
    flow.act(rules, state, Match(rules, state, []).read(entry.action), [])
    for dice in entry.rolls:
        weighed = rules.weigh(state)
        yield "" if weighed is None else weighed.where or "?"
        flow.fall(rules, state, dice, [])


def _turns(rules: Rules[Any], lines: Sequence[Followed], match: Match, language: str) -> list[TurnScore]:
    """The score at the end of each turn that was played."""
    found: dict[int, TurnScore] = {}
    for line, one in enumerate(lines):
        if one.score is not None:
            found[one.turn] = TurnScore(one.turn, line, one.score, "")
    told = list(found.values())
    if told and match.result is not None:
        told[-1].score = match.result.score
    for last in told:
        last.text = score_text(rules, last.score, language)
    return told


# Losses


def _losses(match: Match, language: str) -> dict[str, list[Losses]]:
    """By seat and formation, those with the most losses first; formations without any are left out."""
    rules, words = match.rules, tables.texts(match.rules, language)
    found: dict[str, list[Losses]] = {}
    for seat in rules.seats:
        groups: dict[str, Losses] = {}
        for piece in match.view(seat).own():
            name = rules.formation(piece.id)
            group = groups.setdefault(name, Losses(_formation(words, name), 0, 0, 0, []))
            group.pieces += 1
            if rules.is_lost(piece):
                group.lost += 1
                if len(group.names) < MOST_NAMES:
                    group.names.append(words.unit(piece.id))
            else:
                group.steps += rules.lost_steps(piece)
        hurt = [group for group in groups.values() if group.lost or group.steps]
        found[seat] = sorted(hurt, key=lambda group: (-group.lost, -group.steps, group.formation))
    return found


def _formation(words: Texts, name: str) -> str:
    """A formation in words; a corps by its number where the game has no other name for it."""
    told = words.word("formation", name) if name else ""
    if told == name and name and "corps" in words.tables.get("card", {}):
        return words.told(Line("corps", {"corps": name}))
    return told


# Turning points


def _points(match: Match, lines: Sequence[Followed], judge: Judge, deadline: float) -> list[Turning]:
    """The largest changes of what could be expected, in their order."""
    told = [span for span in _spans(lines) if _gained(match.rules, lines, span) * _swing(lines, span) >= 0]
    spans = sorted(told, key=lambda span: -abs(_swing(lines, span)))[:WEIGHED]
    found: list[Turning] = []
    for span in spans:
        swing = _swing(lines, span)
        if len(found) == MOST_POINTS or abs(swing) < LEAST:
            break
        fights = [line for line in range(span[0], span[1] + 1) if lines[line].fight]
        fell = None if time.monotonic() > deadline else 0.0
        if fell is not None:
            fell = sum(_luck(match, lines, line, lines[span[0]].depth, judge) for line in fights)
        found.append(_turning(match, lines, span, swing, fell))
    return sorted(found, key=lambda point: point.line)


def _swing(lines: Sequence[Followed], span: tuple[int, int]) -> float:
    return lines[span[1]].value - lines[span[0] - 1].value


def _gained(rules: Rules[Any], lines: Sequence[Followed], span: tuple[int, int]) -> int:
    """What the score itself gave the first seat: where the outlook says the contrary, it is not what turned a match."""
    scores = (lines[span[0] - 1].score or 0, lines[span[1]].score or 0)
    before, after = (rules.merit(Result("", score, None, ()), 0) for score in scores)
    return after - before


def _spans(lines: Sequence[Followed]) -> Iterator[tuple[int, int]]:
    """Fights from the decision that led to them to the end of what came of them, and single steps that scored."""
    done = 0
    for line in range(1, len(lines)):
        if line <= done:
            continue
        if lines[line].fight:
            first, last = _led_to(lines, line, done), line
            while last + 1 < len(lines) and lines[last + 1].depth > lines[first].depth and last < line + AFTER_FIGHT:
                last += 1
            yield first, last
            done = last
        elif lines[line].score != lines[line - 1].score and lines[line].phase == lines[line - 1].phase:
            if lines[line].phase[0] == SETUP:
                continue
            yield line, line


def _led_to(lines: Sequence[Followed], line: int, done: int) -> int:
    """The decision that led to a fight: if its dice fell upon a reply, what was replied to."""
    for one in range(line - 1, max(done, line - BEFORE_FIGHT - 1), -1):
        if lines[one].seat != lines[line].seat:
            return one if lines[one].depth < lines[line].depth else line
    return line


def _luck(match: Match, lines: Sequence[Followed], line: int, depth: int, judge: Judge) -> float:
    """What the dice of a line gave the first seat, against the mean of all ways they could fall."""
    rules, state, entry = match.rules, lines[line].before.copy(), match.entries[line - 1]
    flow.act(rules, state, Match(rules, state, []).read(entry.action), [])
    total = 0.0
    for dice in entry.rolls:
        if rules.weigh(state) is not None and len(dice) <= MOST_DICE:
            ways = [_outcome(rules, state, way, depth, judge) for way in outcomes(len(dice))]
            total += _outcome(rules, state, dice, depth, judge) - sum(ways) / len(ways)
        flow.fall(rules, state, dice, [])
    return total


def _outcome(rules: Rules[Any], state: Any, dice: tuple[int, ...], depth: int, judge: Judge) -> float:
    """What the first seat can expect if the dice fall thus, and both sides see the fight to its end sensibly."""
    then, rng = state.copy(), Random(0)
    flow.fall(rules, then, dice, [])
    for _ in range(LONGEST_FIGHT):
        if len(then.frames) <= depth:
            break
        seat = then.frames[-1].seat
        if seat == CHANCE:
            further = rules.chances[then.frames[-1].name].dice
            flow.fall(rules, then, tuple(rng.randint(1, SIDES) for _ in range(further)), [])
        else:
            flow.act(rules, then, judge.decide(then, seat, judge.usual(seat), rng), [])
    return judge.value(then, 0)


def _turning(
    match: Match, lines: Sequence[Followed], span: tuple[int, int], swing: float, fell: float | None
) -> Turning:
    first, last = span
    sign = 1 if swing > 0 else -1
    gains = match.rules.seats[0 if swing > 0 else 1]
    where = next((one.fight for one in lines[first : last + 1] if one.fight), "") or _scored(match, first)
    dice = None if fell is None else sign * fell
    by = "" if dice is None else "dice" if dice > abs(swing) / 2 else "decision"
    told = None if dice is None else round(dice, 1)
    return Turning(first, last, lines[first - 1].turn, where, gains, round(abs(swing), 1), told, by, "", [])


def _scored(match: Match, line: int) -> str:
    """The objective that a line was about; empty if about none."""
    objectives = match.rules.setting.objectives
    named = (event.data.get("hex") for event in tables.events(match, tables.ALL, LANGUAGES[0], line - 1, line))
    return next((hex for hex in named if hex in objectives), "")


def _by_dice(match: Match, heading: Heading) -> list[Turning]:
    """Where nobody can judge the game: the throws that fell farthest from the mean of what they could bring."""
    follower = Follower(match.rules, _begin(match.rules, heading))
    for entry in match.entries:
        follower.play(entry)
    far = sorted(follower.throws, key=lambda throw: -abs(throw.net_rolled - throw.net_expected))[:MOST_POINTS]
    found = []
    for throw in sorted(far, key=lambda throw: throw.line):
        luck = throw.net_rolled - throw.net_expected
        gains = throw.attacker if luck > 0 else next(seat for seat in match.rules.seats if seat != throw.attacker)
        much = round(abs(luck), 1)
        found.append(Turning(throw.line, throw.line, throw.turn, throw.where, gains, much, much, "dice", "", []))
    return found
