"""Luck: what the dice gave against what they could be expected to give, with bands from the exact distribution.

Every throw that brings losses is weighed when it falls: all outcomes are enumerated, none sampled. Losses are counted
as the dice call for them, in what the game counts them in (the reductions of the Inferno games, not the steps they may
come to). Sums over a match have the distribution of the sum of independent throws, by convolution. A throw is weighed
by what both seats know when it falls (`Rules.weigh`), so the figures may be shown during play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from fronte.engine import flow
from fronte.engine.decision import IllegalAction
from fronte.engine.dice import SIDES
from fronte.engine.given import PositionError
from fronte.engine.match import Match
from fronte.engine.record import Entry, Heading, SaveError, read
from fronte.engine.rules import Header, Rules, S, Weighing

BANDS = (80, 95)
"""The bands that are told, in per cent."""


class Throw(msgspec.Struct, frozen=True):
    """One throw that brought losses: what was expected and what fell, for each seat and net for the attacker."""

    line: int
    """The line of the record, the opening being 0."""
    turn: int
    where: str
    attacker: str
    dice: tuple[int, ...]
    expected: dict[str, float]
    """The losses that each seat could expect."""
    rolled: dict[str, int]
    """The losses that the dice called for, by seat."""
    net_expected: float
    """The enemy's losses less one's own, as the attacker could expect them."""
    net_rolled: int
    chances: dict[int, int]
    """For each net result the number of ways to throw it."""
    of: int
    share: float
    """How likely the attacker was to do worse; equal results count half."""
    nets: dict[str, dict[int, int]]
    """The same chances for every seat, by what the others lose less what it loses itself."""

    def net(self, seat: str) -> int:
        """What the dice gave a seat: the losses of all others less its own."""
        return sum(self.rolled.values()) - 2 * self.rolled[seat]


class Follower:
    """A match that is followed throw by throw, with the dice of its record."""

    def __init__(self, rules: Rules[Any], state: Any) -> None:
        self.rules = rules
        self.state = state
        self.line = 0
        self.throws: list[Throw] = []
        self.faces: dict[str, list[int]] = {}
        """For each kind of throw how often each face fell."""

    def play(self, entry: Entry) -> None:
        """Go on by one line. What it says is taken for legal, as it comes from a record."""
        self.line += 1
        if "order" in entry.action:
            return
        match = Match(self.rules, self.state, [])
        flow.act(self.rules, self.state, match.read(entry.action), [])
        self.fall(entry.rolls)

    def check(self, entry: Entry) -> None:
        """IllegalAction with the rule where a line that comes from outside cannot be played."""
        why = None if "order" in entry.action else Match(self.rules, self.state, []).why_not(entry.action, entry.seat)
        if why is not None:
            raise IllegalAction(why)

    def fall(self, throws: Sequence[tuple[int, ...]]) -> None:
        """Let these dice fall, and weigh each throw before it does."""
        for dice in throws:
            if not flow.waits_for_dice(self.state):
                raise ValueError("dice are recorded where none are thrown")
            what = self.state.frames[-1].name
            counts = self.faces.setdefault(what, [0] * SIDES)
            for pips in dice:
                counts[pips - 1] += 1
            throw = weigh(self.rules, self.state, self.line, dice)
            if throw is not None:
                self.throws.append(throw)
            flow.fall(self.rules, self.state, dice, [])


def weigh(rules: Rules[S], state: S, line: int, dice: tuple[int, ...]) -> Throw | None:
    """The throw that a state waits for, falling thus; None where it brings no losses."""
    weighed = rules.weigh(state)
    return None if weighed is None else thrown(rules.setting.seats, weighed, line, dice)


def thrown(seats: Sequence[str], weighed: Weighing, line: int, dice: tuple[int, ...]) -> Throw:
    """A throw that is weighed, falling thus, between any number of seats."""
    ways = len(weighed.losses)
    place = 0
    for pips in dice:
        place = place * SIDES + pips - 1
    fell = weighed.losses[place]
    by_seat = [[_net(losses, seat) for losses in weighed.losses] for seat in range(len(seats))]
    nets, rolled = by_seat[weighed.attacker], _net(fell, weighed.attacker)
    worse = sum(1 for net in nets if net < rolled) + nets.count(rolled) / 2
    return Throw(
        line,
        weighed.turn,
        weighed.where,
        seats[weighed.attacker],
        dice,
        {seat: sum(losses[k] for losses in weighed.losses) / ways for k, seat in enumerate(seats)},
        dict(zip(seats, fell, strict=True)),
        sum(nets) / ways,
        rolled,
        _counted(nets),
        ways,
        worse / ways,
        {seat: _counted(theirs) for seat, theirs in zip(seats, by_seat, strict=True)},
    )


def _counted(nets: Sequence[int]) -> dict[int, int]:
    return {net: nets.count(net) for net in sorted(set(nets))}


def _net(losses: Sequence[int], seat: int) -> int:
    return sum(losses) - 2 * losses[seat]


# From a record


def of_record(rules: Rules[Any], heading: Heading, entries: Sequence[Entry]) -> Follower:
    """Follow a whole record; SaveError names the line that cannot be followed."""
    line = 1
    try:
        follower = Follower(rules, _begin(rules, heading))
        flow.settle(rules, follower.state, [])
        follower.fall(heading.opening)
        for entry in entries:
            line += 1
            follower.check(entry)
            follower.play(entry)
    except (IllegalAction, PositionError, ValueError, KeyError, IndexError, TypeError) as wrong:
        raise SaveError(f"line {line}: {wrong}") from None
    return follower


def _begin(rules: Rules[Any], heading: Heading) -> Any:
    if heading.position is None:
        return rules.start(bytes(32), [])
    return rules.from_position(heading.position)


def of_save(text: str, rules_for: Callable[[Header], Rules[Any]], seat: str | None = None) -> dict[str, Any]:
    """The luck of a saved match, finished or not, as plain data (see `panel`)."""
    heading, entries = read(text)
    rules = rules_for(heading.header)
    follower = of_record(rules, heading, entries)
    return panel(follower.throws, rules.seats, seat) | {"dice": faces(follower)}


def faces(follower: Follower) -> dict[str, dict[str, Any]]:
    """For each kind of throw: how many dice, how often each face, and their mean."""
    told = {}
    for what, counts in sorted(follower.faces.items()):
        dice = sum(counts)
        mean = sum(pips * count for pips, count in enumerate(counts, 1)) / dice
        told[what] = {"dice": dice, "faces": list(counts), "mean": round(mean, 4)}
    return told


# The panel


def panel(throws: Sequence[Throw], seats: Sequence[str], seat: str | None = None) -> dict[str, Any]:
    """Plain data for whoever draws it: per seat the sums and bands, a series over the match, and each combat."""
    if seat is not None and seat not in seats:
        raise ValueError(f"no seat {seat!r}; the seats are {', '.join(seats)}")
    shown = seats if seat is None else (seat,)
    return {"seats": {name: _of_seat(throws, name) for name in shown}, "combats": [_told(throw) for throw in throws]}


def _told(throw: Throw) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(throw, str_keys=True)
    del data["nets"]  # the sums of each seat tell what comes of them
    data["expected"] = {seat: round(losses, 4) for seat, losses in throw.expected.items()}
    return data | {"net_expected": round(throw.net_expected, 4), "share": round(throw.share, 4)}


def _of_seat(throws: Sequence[Throw], seat: str) -> dict[str, Any]:
    suffered = sum(throw.expected[seat] for throw in throws), sum(throw.rolled[seat] for throw in throws)
    every = sum(sum(t.expected.values()) for t in throws), sum(sum(t.rolled.values()) for t in throws)
    inflicted = every[0] - suffered[0], every[1] - suffered[1]
    series = list(_series(throws, seat))
    total = Sum()
    for throw in throws:
        total.add(throw, seat)
    return {
        "combats": len(throws),
        "expected": _sums(inflicted[0], suffered[0]),
        "rolled": _sums(inflicted[1], suffered[1]),
        "luck": round(total.rolled - total.expected, 4),
        "bands": total.bands(),
        "share": round(total.share(), 4),
        "series": series,
    }


def _sums(inflicted: float, suffered: float) -> dict[str, float]:
    named = {"inflicted": inflicted, "suffered": suffered, "net": inflicted - suffered}
    return {name: round(value, 4) for name, value in named.items()}


def _series(throws: Sequence[Throw], seat: str) -> Iterator[dict[str, Any]]:
    """After each combat the net result so far, what was expected, and the bands around it."""
    total = Sum()
    for throw in throws:
        total.add(throw, seat)
        point: dict[str, Any] = {"line": throw.line, "turn": throw.turn}
        point |= {"net": total.rolled, "expected": round(total.expected, 4)}
        for name, (low, high) in total.bands().items():
            point |= {f"low{name}": low, f"high{name}": high}
        yield point


class Sum:
    """The exact distribution of the net result of independent throws, as one seat sees it."""

    def __init__(self) -> None:
        self.low = 0
        self.weights = [1.0]
        self.rolled = 0
        self.expected = 0.0

    def add(self, throw: Throw, seat: str) -> None:
        """Add a throw: convolution with its distribution."""
        chances = {net: ways / throw.of for net, ways in throw.nets[seat].items()}
        low, high = min(chances), max(chances)
        found = [0.0] * (len(self.weights) + high - low)
        for net, chance in chances.items():
            for k, weight in enumerate(self.weights):
                found[k + net - low] += weight * chance
        self.low, self.weights = self.low + low, found
        self.rolled += throw.net(seat)
        self.expected += sum(net * ways for net, ways in throw.nets[seat].items()) / throw.of

    def bands(self) -> dict[str, tuple[int, int]]:
        """For each band the least and the greatest result in it: what lies outside is split between both ends."""
        outside = {band: (1 - band / 100) / 2 for band in BANDS}
        return {str(band): (self._quantile(tail), self._quantile(1 - tail)) for band, tail in outside.items()}

    def share(self) -> float:
        """How likely a worse result was; equal results count half."""
        place = self.rolled - self.low
        return sum(self.weights[:place]) + self.weights[place] / 2

    def _quantile(self, share: float) -> int:
        """The least result that is not exceeded with this probability."""
        running = 0.0
        for k, weight in enumerate(self.weights):
            running += weight
            if running >= share - 1e-12:
                return self.low + k
        return self.low + len(self.weights) - 1
