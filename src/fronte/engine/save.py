"""Saves: from the text of a match back to the match, at its end or at any point of it.

Replaying a save gives the same state bit for bit; snapshots beside it make any point load at once. A damaged save is
refused with its line.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from fronte.engine.decision import IllegalAction
from fronte.engine.dice import SIDES, commitment
from fronte.engine.given import PositionError
from fronte.engine.match import Match
from fronte.engine.record import Entry, Heading, SaveError, Snapshot, read
from fronte.engine.rules import Header, Rules

SNAPSHOT_EVERY = 64


def load(
    text: str,
    rules_for: Callable[[Header], Rules[Any]],
    at: int | None = None,
    snapshots: Sequence[Snapshot] = (),
    remember: bool = False,
) -> Match:
    """The match of a save, after `at` lines of its record (all of them by default).

    `rules_for` finds the ruleset for a header. Snapshots only save time: one that does not fit the record is ignored.
    With `remember` each seat has in mind what it was shown on the way (`Match.remember`).
    """
    heading, entries = read(text)
    rules = rules_for(heading.header)
    seed = _seed(heading)
    wanted = entries if at is None else entries[: max(0, at)]
    match, done = _from_snapshot(rules, seed, wanted, snapshots)
    if match is None:
        match = _opening(rules, seed, heading)
    match.pledge, match.players = heading.pledge, heading.players
    if remember:
        match.remember()
    match.obeying = False  # what standing orders answered is in the record
    for number, entry in enumerate(wanted[done:], done + 2):
        _replay(match, entry, number, bool(heading.seed))
    match.obeying = True
    match.sealed = "" if heading.seed else heading.commitment
    return match


def _seed(heading: Heading) -> bytes:
    if not heading.seed:
        return bytes(32)
    try:
        seed = bytes.fromhex(heading.seed)
    except ValueError:
        raise SaveError("line 1: the seed is not hexadecimal") from None
    if len(seed) != 32 or commitment(seed) != heading.commitment:
        raise SaveError("line 1: the seed does not fit its commitment")
    return seed


def _opening(rules: Rules[Any], seed: bytes, heading: Heading) -> Match:
    forced = () if heading.seed else _fallen(heading.opening, 1)
    if heading.position is None:
        match = Match.begin(rules, seed, forced)
    else:
        try:
            state = rules.from_position(heading.position)
        except PositionError as wrong:
            raise SaveError(f"line 1: {wrong}") from None
        state.seed, state.forced = seed, forced
        match = Match.resume(rules, state, origin=heading.position)
    if tuple(match.opening) != heading.opening:
        raise SaveError("line 1: the first dice are not those of the record")
    return match


def _replay(match: Match, entry: Entry, number: int, from_seed: bool) -> None:
    try:
        if "order" in entry.action:
            match.order(entry.seat, entry.action["order"], entry.action.get("policy"))
            return
        if not from_seed:
            match.state.forced = _fallen(entry.rolls, number)
        match.play(entry.action, entry.seat, entry.standing)
    except SaveError:
        raise
    except (IllegalAction, ValueError, KeyError, TypeError) as wrong:
        raise SaveError(f"line {number}: {wrong}") from None
    except RecursionError:
        raise SaveError(f"line {number}: it is nested too deeply") from None
    played = match.entries[-1]
    if played.rolls != entry.rolls:
        raise SaveError(f"line {number}: the dice {entry.rolls} are not those of the seed, {played.rolls}")


def _fallen(throws: Sequence[tuple[int, ...]], number: int) -> tuple[int, ...]:
    """The dice of a line, one after another."""
    dice = tuple(die for throw in throws for die in throw)
    if any(not 1 <= die <= SIDES for die in dice):
        raise SaveError(f"line {number}: dice fall from 1 to {SIDES}")
    return dice


def take_snapshots(text: str, rules_for: Callable[[Header], Rules[Any]], every: int = SNAPSHOT_EVERY) -> list[Snapshot]:
    """Snapshots of a save, one every so many lines."""
    heading, entries = read(text)
    rules = rules_for(heading.header)
    match = _opening(rules, _seed(heading), heading)
    match.obeying = False
    prints = _fingerprints(entries)
    found = []
    for number, entry in enumerate(entries):
        _replay(match, entry, number + 2, bool(heading.seed))
        if (number + 1) % every == 0:
            found.append(Snapshot(number + 1, prints[number], rules.to_position(match.state)))
    return found


def _fingerprints(entries: Sequence[Entry]) -> list[str]:
    """For each line a fingerprint of the record up to and with it."""
    running = hashlib.blake2b(digest_size=16)
    prints = []
    for entry in entries:
        running.update(msgspec.json.encode(entry))
        prints.append(running.copy().hexdigest())
    return prints


def _from_snapshot(
    rules: Rules[Any], seed: bytes, entries: list[Entry], snapshots: Sequence[Snapshot]
) -> tuple[Match | None, int]:
    fitting = [s for s in snapshots if 0 < s.after <= len(entries)]
    if not fitting:
        return None, 0
    prints = _fingerprints(entries)
    for snapshot in sorted(fitting, key=lambda s: -s.after):
        if prints[snapshot.after - 1] == snapshot.lines:
            try:
                state = rules.from_position(snapshot.position)
            except PositionError:
                continue  # a snapshot only saves time
            state.seed = seed
            match = Match(rules, state, [])
            match.entries = entries[: snapshot.after]
            match.marks = [0] * (snapshot.after + 1)
            match.orders = _orders(rules, match.entries)
            return match, snapshot.after
    return None, 0


def _orders(rules: Rules[Any], entries: Sequence[Entry]) -> dict[tuple[int, str], str]:
    orders: dict[tuple[int, str], str] = {}
    for entry in entries:
        if "order" in entry.action:
            key = rules.seat_index(entry.seat), entry.action["order"]
            if entry.action.get("policy") is None:
                orders.pop(key, None)
            else:
                orders[key] = entry.action["policy"]
    return orders
