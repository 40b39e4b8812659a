"""Clocks: each side's time, counted while it owes a decision. Nothing here asks what time it is; that is handed in.

A stretch is the time from when a seat begins to owe decisions until another seat does. Its first `delay` seconds are
free, the rest comes out of the side's total. So no clock ever gains, however often a decision goes back and forth.
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


class Clock(msgspec.Struct, frozen=True):
    """The clocks of a match."""

    rule: ClockRule
    left: dict[str, int]
    running: str | None = None
    since: int = 0


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
    left = dict(clock.left)
    if clock.running is not None:
        left[clock.running] = time_left(clock, now)
    return Clock(clock.rule, left, seat, now)


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
    return clock if clock.running is None else msgspec.structs.replace(clock, since=clock.since + by)
