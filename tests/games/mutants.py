"""Positions and saves as somebody might forge them: real ones, changed a little or much, and how they are judged."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from random import Random
from typing import Any

import fronte
from fronte.engine import standing

NIGHTLY = bool(os.environ.get("FRONTE_NIGHTLY"))
PLACE = re.compile(
    r"(line \d+: )?(game|turn|phase|active|units|held|frames|rolled|forced|moving|battle|outcome|destroyed|pontoons"
    r"|crossed|tried|points|released|returned|returns|lost|replacements|brusilov|improved|roused"
    r"|made|plans|done|passed|left|control|formations?|initiative|passes|row|markers|mover|steps|bound|origin|fulfilled"
    r"|sector|order|drawn|step|lowered|side_trenches|standing|tested|built|works|barrages|loose|breaking"
    r"|struck|spent|plan|assaulted|attacked|division|closed|kind|pool|attachments|reach|aims|leftovers"
    r"|assaults|supports|advanced|launched|fallen|flanked|bearers|captured|quiet|retaken|centres|matajur"
    r"|wounded|mines|gas"
    r"|losses|aimed|railed|stopped|along|the position)\b"
)
ODD: tuple[Any, ...] = (-1, 0, 1, 2, 3, 7, 25, 10**6, 10**30, -(10**9), 1.5, True, None, "", "x", [], {}, [[]], "2412")
MARKS = ("mov", "reserve", "done", "moved", "recovered", "escorted", "hit", "struck", "worked", "top", "fired")
SECONDS = 5.0
"""More than judging one forged position ever takes, even on a busy machine: reading it, and a few plays."""

Change = Callable[[dict[str, Any], list[dict[str, Any]], Random], None]


class TooLong(AssertionError):
    """Something is enumerated without end."""


@contextmanager
def limited(seconds: float = SECONDS) -> Iterator[None]:
    """Stop what takes too long, by the processor's time."""

    def stop(number: int, frame: Any) -> None:
        raise TooLong(f"more than {seconds} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def collected(game: str, scenario: str, seeds: range, each: int) -> list[dict[str, Any]]:
    """Positions of random games, some for every frame that lay on a stack."""
    found: dict[str, list[dict[str, Any]]] = {}
    for seed in seeds:
        match, rng = fronte.new(game, scenario, seed), Random(seed)
        while match.result is None:
            names = [frame.name for frame in match.state.frames]
            rare = min(names, key=lambda name: len(found.get(name, ())))
            if len(found.setdefault(rare, [])) < each:
                found[rare].append(match.rules.to_position(match.state))
            match.play(match.sample(rng))
    return [position for name in sorted(found) for position in found[name]]


# Changes


def _frames(position: dict[str, Any], others: list[dict[str, Any]], rng: Random) -> None:
    """Frames taken out, doubled, swapped, brought in from elsewhere."""
    frames, donor = position["frames"], rng.choice(others)["frames"]
    at = rng.randrange(len(frames) + 1)
    kind = rng.randrange(6)
    if kind == 0 and frames:
        frames.pop(rng.randrange(len(frames)))
    elif kind == 1 and frames:
        frames.insert(at, rng.choice(frames))
    elif kind == 2:
        rng.shuffle(frames)
    elif kind == 3 and donor:
        frames.insert(at, rng.choice(donor))
    elif kind == 4:
        frames[at:] = donor[rng.randrange(len(donor) + 1) :]
    else:
        frames += frames[at:] * rng.choice((1, 3, 40))


def _argument(position: dict[str, Any], others: list[dict[str, Any]], rng: Random) -> None:
    """An argument of a frame that no longer fits."""
    able = [frame for frame in position["frames"] if frame[2]] or position["frames"]
    if not able:
        return
    frame = rng.choice(able)
    if not frame[2] or rng.random() < 0.1:
        frame[rng.randrange(3)] = rng.choice(ODD)
        return
    place = rng.randrange(len(frame[2]))
    frame[2][place] = _bent(frame[2][place], position, rng)


def _bent(value: Any, position: dict[str, Any], rng: Random) -> Any:
    units = [*position["units"]]
    here = [data["at"] for data in position["units"].values() if data["at"].isdigit()] or ["2412"]
    if rng.random() < 0.3:
        return rng.choice(ODD)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1, 2, 10, 1000))
    pool = units if (value and str(value[0] if isinstance(value, list) else value)[0].isalpha()) else here
    if isinstance(value, str):
        return rng.choice(pool)
    if isinstance(value, list):
        changed = [one for one in value if rng.random() < 0.8]
        return changed + [rng.choice(rng.choice((units, here, pool))) for _ in range(rng.choice((0, 1, 2, 30)))]
    return value


def _battle(position: dict[str, Any], others: list[dict[str, Any]], rng: Random) -> None:
    """A combat against the state."""
    fights = [other["battle"] for other in others if "battle" in other]
    if "battle" not in position or rng.random() < 0.2:
        if rng.random() < 0.5 or not fights:
            position.pop("battle", None)
        else:
            position["battle"] = json.loads(json.dumps(rng.choice(fights)))
        return
    battle = position["battle"]
    field = rng.choice(sorted(battle))
    battle[field] = _bent(battle[field], position, rng)


def _scalar(position: dict[str, Any], others: list[dict[str, Any]], rng: Random) -> None:
    """Anything but units and frames, from elsewhere or odd."""
    field = rng.choice(sorted({*position, "outcome", "forced", "moving", "rolled"} - {"units", "frames", "game"}))
    other = rng.choice(others)
    if field in other and rng.random() < 0.6:
        position[field] = json.loads(json.dumps(other[field]))
    elif field == "moving":
        position[field] = {"unit": rng.choice([*position["units"]]), "left": rng.choice(ODD)}
    elif isinstance(position.get(field), dict) and position[field] and rng.random() < 0.6:
        key = rng.choice(sorted(position[field]))
        position[field][rng.choice((key, "99999", "x"))] = _bent(position[field][key], position, rng)
    else:
        position[field] = rng.choice((*ODD, "gorizia", "time", "combat", "movement", "ah", [1] * 5, [1] * 5000))


def _unit(position: dict[str, Any], others: list[dict[str, Any]], rng: Random) -> None:
    """A counter that cannot be so."""
    name = rng.choice(sorted(position["units"]))
    data = position["units"][name]
    field = rng.choice(("at", "at", "steps", "ce", "supply", "marks", *data))
    if field == "at":
        places = [unit["at"] for unit in position["units"].values()]
        data["at"] = rng.choice((rng.choice(places), "eliminated", "waiting", "gone", "box", "bridge", "9999"))
        if data["at"] == "eliminated" and rng.random() < 0.7:
            position["units"][name] = {"at": "eliminated", "steps": 0}
    elif field == "marks":
        data["marks"] = rng.sample(MARKS, rng.randrange(4))
    else:
        data[field] = rng.choice((*ODD, "low", "out"))


def _pile(position: dict[str, Any], others: list[dict[str, Any]], rng: Random) -> None:
    """Very many units of one side in one hex."""
    side = rng.choice(sorted(position["units"])).split("-")[0]
    mine = [name for name, unit in position["units"].items() if name.startswith(f"{side}-") and unit["at"].isdigit()]
    if mine:
        there = position["units"][rng.choice(mine)]["at"]
        for name in rng.sample(mine, min(len(mine), rng.choice((4, 12, 40)))):
            position["units"][name]["at"] = there


def _shape(position: dict[str, Any], others: list[dict[str, Any]], rng: Random) -> None:
    """Fields that are missing, unknown, or of another kind altogether."""
    field = rng.choice(sorted(position))
    kind = rng.randrange(4)
    if kind == 0:
        del position[field]
    elif kind == 1:
        position["colour"] = "red"
    elif kind == 2:
        deep: Any = []
        for _ in range(200):
            deep = [deep]
        position[field] = deep
    else:
        position[field] = rng.choice(ODD)


CHANGES: tuple[Change, ...] = (
    _frames,
    _frames,
    _argument,
    _argument,
    _argument,
    _battle,
    _battle,
    _scalar,
    _unit,
    _pile,
    _shape,
)


def mutants(positions: list[dict[str, Any]], number: int, rng: Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """So many forged positions, each with the names of what was done to it."""
    for _ in range(number):
        position = json.loads(json.dumps(rng.choice(positions)))
        done = [rng.choice(CHANGES) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
        for change in done:
            if all(field in position for field in ("units", "frames")) and isinstance(position["frames"], list):
                try:
                    change(position, positions, rng)
                except (TypeError, AttributeError, KeyError, ValueError, IndexError):
                    break  # what an earlier change has left is no longer of the kind that this one changes
        yield " ".join(change.__name__ for change in done), position


# Judging


def look(match: fronte.Match, rng: Random) -> None:
    """All that can be asked of a match, as somebody does who only looks."""
    for seat in match.rules.seats:
        match.view(seat)
    match.rules.public_view(match.state)
    if match.decision is None:
        return
    match.offer_json()
    for action in islice(match.legal(), 40):
        assert match.why_not(action) is None
    kinds = {type(action): action for action in islice(match.legal(), 3000)}
    for action in kinds.values():
        try:
            match.odds(action)
        except fronte.IllegalAction as refused:
            assert refused.refusal.key == ("no_dice" if match.rules.capabilities.odds else "no_odds"), refused
    for kind, policies in match.rules.standing.items():
        if kind == match.decision.kind:
            for policy in policies:
                answer = standing.answered(match.rules, match.state, match.state.frames[-1], policy)
                assert answer is None or match.why_not(answer) is None


def plays_on(match: fronte.Match, rng: Random, plays: int = 6) -> None:
    """A match goes on: it can be looked at and played, and what comes of it can be kept again."""
    for _ in range(plays):
        look(match, rng)
        assert not (broken := match.rules.broken(match.state)), broken
        if match.decision is None:
            return
        match.play(match.sample(rng))


def judged(game: str, scenario: str, position: Any, rng: Random) -> str:
    """What became of a forged position: the place of its fault, or nothing if it plays on. Anything else is a fault of
    ours and raised."""
    with limited():
        try:
            match = fronte.position(game, position, scenario, seed=1)
        except fronte.PositionError as wrong:
            assert PLACE.match(str(wrong)), str(wrong)
            assert len(str(wrong)) < 1000
            return str(wrong)
        plays_on(match, rng)
    return ""
