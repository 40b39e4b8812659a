"""Clocks: each side's time, counted while it owes a decision. Nothing here asks what time it is; that is handed in.

A stretch is the time from when a seat begins to owe decisions until another seat does. Its first `delay` seconds are
free, the rest comes out of the side's total. So no clock ever gains, however often a decision goes back and forth. Who
ends a stretch and takes that back is in the same stretch still: there is no fresh delay to be had, and what the other
side was made to wait counts for him.
Times are in milliseconds, as of the epoch where they are points in time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import msgspec

DAY = 24 * 3600


class ClockRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A clock to play by, in seconds: the total of each side, and what every stretch has free of it."""

    total: Annotated[int, msgspec.Meta(ge=0, le=400 * DAY)]
    delay: Annotated[int, msgspec.Meta(ge=0, le=60 * DAY)] = 0


class Stretch(msgspec.Struct, frozen=True):
    """A stretch that has ended: whose, since when it ran, and what that side had of its total when it began."""

    seat: str
    since: int
    left: int


class Clock(msgspec.Struct, frozen=True, omit_defaults=True):
    """The clocks of a match."""

    rule: ClockRule
    left: dict[str, int]
    running: str | None = None
    since: int = 0
    before: Stretch | None = None
    """The stretch before this one: it goes on if the decision that ended it is taken back."""


class ClockShown(msgspec.Struct):
    """The clocks as a table shows them at the moment it is made."""

    total: int
    delay: int
    left: dict[str, int]
    """Milliseconds of each side's total."""
    free: int
    """Milliseconds of the present stretch that are still free."""
    running: str | None
    fallen: str | None
    """The side whose time is up while it owes a decision: the other may claim the match."""


def begin(rule: ClockRule, seats: Iterable[str]) -> Clock:
    """Clocks that do not run yet."""
    return Clock(rule, dict.fromkeys(seats, rule.total * 1000))


def pass_to(clock: Clock, seat: str | None, now: int) -> Clock:
    """From now on this seat owes the decision; None: nobody whose time counts."""
    if seat not in clock.left:
        seat = None
    if seat == clock.running:
        return clock
    left, before = dict(clock.left), None
    if clock.running is not None:
        before = Stretch(clock.running, clock.since, left[clock.running])
        left[clock.running] = time_left(clock, now)
    return Clock(clock.rule, left, seat, now, before)


def take_back(clock: Clock, seat: str | None, now: int) -> Clock:
    """A decision was taken back, and this seat owes one again: if it was the one before, its stretch goes on."""
    before = clock.before
    if before is None or seat != before.seat or seat == clock.running:
        return pass_to(clock, seat, now)
    return Clock(clock.rule, clock.left | {seat: before.left}, seat, before.since)


def time_left(clock: Clock, now: int) -> int:
    """What the running side has left of its total."""
    if clock.running is None:
        return 0
    spent = max(0, now - clock.since - clock.rule.delay * 1000)
    return max(0, clock.left[clock.running] - spent)


def fallen(clock: Clock, now: int) -> str | None:
    """The side whose time is up."""
    if clock.running is None or time_left(clock, now) > 0:
        return None
    return clock.running if now - clock.since >= clock.rule.delay * 1000 else None


def shown(clock: Clock, now: int) -> ClockShown:
    """The clocks now."""
    left = dict(clock.left)
    free = 0
    if clock.running is not None:
        left[clock.running] = time_left(clock, now)
        free = max(0, clock.rule.delay * 1000 - max(0, now - clock.since))
    return ClockShown(clock.rule.total, clock.rule.delay, left, free, clock.running, fallen(clock, now))


def put_off(clock: Clock, by: int) -> Clock:
    """The clocks as if this much time had not passed: the server did not run."""
    before = clock.before
    if before is not None:
        before = msgspec.structs.replace(before, since=before.since + by)
    since = clock.since + by if clock.running is not None else clock.since
    return msgspec.structs.replace(clock, since=since, before=before)


def slept(clock: Clock, by: int, now: int) -> Clock:
    """The clocks after a silence of this length that ends now, of which only what came after a stretch began counts."""
    return put_off(clock, max(0, min(by, now - clock.since)) if clock.running is not None else by)
