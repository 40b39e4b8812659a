"""12.1.3, 12.2.1, 18.9: who fires at what, as players say it: pairs of a unit or gun and a target.

A target is a hex; `2528b` are the guns in place in it, `2528:6` means that a group fires six of its points there. A
group that is named without points fires all that it has left, or what its other targets leave of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from fronte.engine import panel
from fronte.engine.decision import Refusal
from fronte.engine.event import Event
from fronte.games.caporetto import artillery, fire, sightings
from fronte.games.caporetto.artillery import PARTS, Shot
from fronte.games.caporetto.fire import Volley
from fronte.games.caporetto.state import Aim, State

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

PANEL = "caporetto.aim"
BATTERY = "b"
_WORD = re.compile(r"(?P<hex>\w+?)(?P<battery>b?)(?::(?P<points>[0-9]{1,4}))?")
Target = tuple[int, int]
"""A hex, and 1 for the guns in place there."""
Pair = tuple[str, str]
"""A unit or gun and its target, as they are written."""


class Barrel(NamedTuple):
    """Somebody who may fire: at which targets, and of a group with how many parts of its factor (else 0)."""

    unit: int
    targets: tuple[Target, ...]
    points: int = 0


class Aimed(msgspec.Struct, frozen=True, omit_defaults=True):
    """A target of an offer: who reaches it and with how many factors there, and what all of them make together."""

    factors: dict[str, float] | None = None
    column: str | None = None
    """12.1.4.B: empty left of the chart."""
    like: str = ""
    """12.1.6: or another target of which they are true as well, but for what stands here: of a barrage there are
    hundreds."""
    more: dict[str, float] | None = None
    """Who reaches this one besides, or with another factor;"""
    less: tuple[str, ...] | None = None
    """and who does not."""
    shift: int | None = None
    """12.1.4.C: unless it depends on who is covered there (22)."""
    support: float = 0
    """12.1.7."""


class Aims(panel.Choose, frozen=True, kw_only=True):
    """The offer of a fire: its targets, by their words, and the points of groups."""

    verb: str
    field: str
    targets: dict[str, Aimed]
    points: dict[str, float] = {}


# Words


def word(rules: Caporetto, target: Target, points: int = 0) -> str:
    """A target as it is written, with whole factors of a group."""
    told = rules.grid.ids[target[0]] + BATTERY * target[1]
    return f"{told}:{points}" if points else told


def read(rules: Caporetto, state: State, pairs: Sequence[Pair]) -> list[Aim] | Refusal:
    """12.1.3, 18.9: what the words mean, with the parts of groups; or why they mean nothing. Whether a shot is allowed
    is another question."""
    found: list[Aim] = []
    for name, told in pairs:
        unit, said = rules.number.get(name, -1), _WORD.fullmatch(told)
        if unit < 0:
            return rules.unknown_unit(name)
        h = rules.grid.index.get(said["hex"], -1) if said else -1
        if said is None or h < 0:
            return rules.unknown_hex(told)
        if said["points"] and not rules.groups >> unit & 1:
            return Refusal("12.1.3", "not_divided", {"unit": name, "hex": rules.grid.ids[h]})
        found.append((unit, h, int(said["points"] or 0) * PARTS, int(bool(said["battery"]))))
    return _shared(rules, state, found)


def _shared(rules: Caporetto, state: State, found: Sequence[Aim]) -> list[Aim] | Refusal:
    """12.1.3, 18.9: one target for each unit and gun; of a group each point once."""
    used: dict[int, int] = {}
    for number, (unit, h, points, battery) in enumerate(found):
        data = {"unit": rules.ids[unit], "hex": rules.grid.ids[h]}
        if unit in used and not rules.groups >> unit & 1:
            return Refusal("12.1.3" if rules.guns >> unit & 1 else "12.2.1", "one_target", data)
        if any((one, at, kind) == (unit, h, battery) for one, at, _, kind in found[:number]):
            return Refusal("10.0.6", "named_twice", data)
        used[unit] = used.get(unit, 0) + points
    told = []
    for unit, h, points, battery in found:
        if rules.groups >> unit & 1:
            rest = artillery.left(rules, state, unit) - used[unit]
            if rest < 0 or not (points or rest):
                data = {"unit": rules.ids[unit], "hex": rules.grid.ids[h]}
                return artillery.why_not_ready(rules, state, unit) or Refusal("18.9", "too_many_points", data)
            if not points:
                used[unit], points = used[unit] + rest, rest
        told.append((unit, h, points, battery))
    return told


def shot(rules: Caporetto, state: State, aim: Aim) -> Shot:
    """12.1.3, 18.9: what an aim fires."""
    return Shot(aim[0], aim[2]) if rules.groups >> aim[0] & 1 else artillery.all_of(rules, state, aim[0])


def tell(rules: Caporetto, aims: Iterable[Aim], kind: int, rule: str, out: list[Event]) -> None:
    """12.1.3, 12.2.1: who fires at what is told before the first die falls."""
    by: dict[Target, list[int]] = {}
    for unit, h, _, battery in aims:
        by.setdefault((h, battery), []).append(unit)
    for (h, battery), units in by.items():
        data = {"fire": fire.KINDS[kind], "hex": rules.grid.ids[h], "units": rules.unit_ids(units)}
        out.append(Event("aimed", (rule,), data | {"battery": bool(battery)}))


# Lists


def answers(rules: Caporetto, barrels: Sequence[Barrel]) -> Iterator[tuple[Pair, ...]]:
    """All ways to aim, few guns first; those in which a group divides its fire, or keeps some of it, come last."""
    for number in range(1, len(barrels) + 1):
        yield from undivided(rules, barrels, number)
    yield from divided(rules, barrels)


def undivided(rules: Caporetto, barrels: Sequence[Barrel], number: int) -> Iterator[tuple[Pair, ...]]:
    """The ways of so many, each with all that it has."""
    for chosen in combinations(barrels, number):
        for targets in product(*[barrel.targets for barrel in chosen]):
            pairs = zip(chosen, targets, strict=True)
            yield tuple([(rules.ids[barrel.unit], word(rules, target)) for barrel, target in pairs])


def divided(rules: Caporetto, barrels: Sequence[Barrel]) -> Iterator[tuple[Pair, ...]]:
    """18.9: the ways in which a group gives its fire to several targets, or keeps some of it."""
    for number in range(1, len(barrels) + 1):
        for chosen in combinations(barrels, number):
            if any(barrel.points for barrel in chosen):
                yield from _divided(rules, chosen, False)


def _divided(rules: Caporetto, barrels: Sequence[Barrel], is_divided: bool) -> Iterator[tuple[Pair, ...]]:
    if not barrels:
        if is_divided:
            yield ()
        return
    for share, divided in _shares(rules, barrels[0]):
        for rest in _divided(rules, barrels[1:], is_divided or divided):
            yield (*share, *rest)


def _shares(rules: Caporetto, barrel: Barrel) -> Iterator[tuple[tuple[Pair, ...], bool]]:
    """18.9: the ways of one gun, and whether it divides its fire: a group gives whole points to some targets, the last
    of them what is left, or keeps something."""
    name, whole = rules.ids[barrel.unit], -(-barrel.points // PARTS)
    for target in barrel.targets:
        yield ((name, word(rules, target)),), False
    for number in range(1, whole + 1):
        for targets in combinations(barrel.targets, number):
            for shares in _parts(whole, number):
                all_of_it = sum(shares) == whole
                if all_of_it and number == 1:
                    continue
                told = [(name, word(rules, target, points)) for target, points in zip(targets, shares, strict=True)]
                if all_of_it:
                    told[-1] = (name, word(rules, targets[-1]))
                yield tuple(told), True


def _parts(most: int, number: int) -> Iterator[tuple[int, ...]]:
    """So many whole numbers above 0 that are together at most this."""
    if not number:
        yield ()
        return
    for first in range(1, most - number + 2):
        for rest in _parts(most - first, number - 1):
            yield (first, *rest)


def drawn(rules: Caporetto, barrels: Iterable[Barrel], rng: Random, keep: float = 0.25) -> tuple[Pair, ...]:
    """A way to aim at random; `keep` is how likely each of them does not fire."""
    found: list[Pair] = []
    for unit, targets, points in barrels:
        if rng.random() < keep:
            continue
        name, target = rules.ids[unit], rng.choice(targets)
        if points >= 2 * PARTS and len(targets) > 1 and rng.random() < 0.5:
            other = rng.choice(targets)
            if other != target:
                found.append((name, word(rules, other, rng.randrange(1, -(-points // PARTS)))))
        found.append((name, word(rules, target)))
    return tuple(found)


def offered(
    rules: Caporetto, state: State, seat: int, barrels: Iterable[Barrel], volleys: Mapping[Target, Volley]
) -> dict[str, Aimed]:
    """12.1.4: by target who reaches it, and what all of them would make of it together, as far as a seat may know."""
    known = sightings.known(rules, state, seat)
    columns = rules.tables.fire.columns
    told: dict[str, Aimed] = {}
    reaching: dict[Target, list[int]] = {}
    for barrel in barrels:
        for target in barrel.targets if volleys else ():
            reaching.setdefault(target, []).append(barrel.unit)
    for target, made in volleys.items():
        names = reaching.get(target, [])
        factors = {rules.ids[fact.unit]: fact.amount / PARTS for fact in made.factors if fact.unit in names}
        support = sum(fact.amount for fact in made.factors if fact.key == "support") / PARTS
        column = columns[made.column] if made.column >= 0 else ""
        is_open = all(known >> unit & 1 for unit in made.targets)
        told[word(rules, target)] = Aimed(factors, column, shift=made.shift if is_open else None, support=support)
    return told
