"""Kinds of values in positions of Caporetto: how each is written in names, and read with its place in every error.

A kind is two functions. Small ones are put together: a list of pairs, a set as a list, what every force has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from fronte.engine import given
from fronte.engine.given import PositionError, mapping, said
from fronte.games.caporetto.terrain import SIDES
from fronte.games.common import positions
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

MOST_LISTED = 2_500
"""More than any list of a position is long: hexes of the board, counters of a scenario."""


class Kind(NamedTuple):
    """How a value is written, and how it is read: from data, at a place."""

    write: Callable[[Caporetto, Any], Any]
    read: Callable[[Caporetto, Any, str], Any]


Words = Callable[["Caporetto"], Sequence[str]]
"""The words that a ruleset knows for something."""


# Single values


def number(low: int, high: int) -> Kind:
    """A whole number within bounds."""
    return Kind(lambda rules, value: value, lambda rules, data, place: given.whole(data, place, low, high))


def word(words: Words) -> Kind:
    """One of some words."""
    return Kind(lambda rules, value: value, lambda rules, data, place: given.word(data, place, words(rules)))


def named(words: Words) -> Kind:
    """A number that stands for one of some words: a force, a side, a formation."""
    return Kind(
        lambda rules, value: words(rules)[value],
        lambda rules, data, place: words(rules).index(given.word(data, place, words(rules))),
    )


def _plain(kind: str) -> Kind:
    """A kind of all games."""
    return Kind(
        lambda rules, value: positions.write_value(rules, kind, value, rules.ids.__getitem__),
        lambda rules, data, place: positions.read_value(rules, kind, data, place, rules.find_unit),
    )


FLAG = Kind(lambda rules, value: value, lambda rules, data, place: given.flag(data, place))
BIT = Kind(lambda rules, value: bool(value), lambda rules, data, place: int(given.flag(data, place)))
"""True or false that the state keeps as 1 or 0."""
UNIT, HEX = _plain(positions.UNIT), _plain(positions.HEX)
FORCE = named(lambda rules: rules.scene.forces)
SIDE = named(lambda rules: SIDES)
FORMATION = named(lambda rules: [one.id for one in rules.formations])


def _ends(rules: Caporetto, data: Any, place: str) -> tuple[int, int]:
    """The two hexes of a hexside as 1524/1624."""
    parts = given.text(data, place).split("/")
    if len(parts) != 2:
        raise PositionError(f"{place}: {said(data)} is no hexside, which is written as 1524/1624")
    a, b = (HEX.read(rules, part, place) for part in parts)
    if b not in rules.grid.adjacent[a]:
        raise PositionError(f"{place}: {said(data)}, which are no neighbours")
    return a, b


def hexside(rules: Caporetto, a: int, b: int) -> str:
    """A hexside as it is written."""
    return f"{rules.grid.ids[a]}/{rules.grid.ids[b]}"


HEXSIDE = Kind(lambda rules, ends: hexside(rules, *ends), _ends)


def _read_bridge(rules: Caporetto, data: Any, place: str) -> int:
    found = rules.ground.bridge[rules.ground.way(*_ends(rules, data, place))]
    if found < 0:
        raise PositionError(f"{place}: no bridge is printed at {said(data)} (19.1.2)")
    return found


BRIDGE = Kind(lambda rules, one: hexside(rules, *rules.ground.bridges[one][:2]), _read_bridge)


def _read_site(rules: Caporetto, data: Any, place: str) -> tuple[int, int]:
    if "/" in given.text(data, place):
        return _ends(rules, data, place)
    h = HEX.read(rules, data, place)
    return h, h


SITE = Kind(lambda rules, at: hexside(rules, *at) if at[0] != at[1] else rules.grid.ids[at[0]], _read_site)
"""17.3, 19.3: where engineers work: a hex for a trench, a hexside for a bridge."""


# Several of them


def entry(*kinds: Kind) -> Kind:
    """A few values that belong together, each of its kind."""

    def read(rules: Caporetto, data: Any, place: str) -> tuple[Any, ...]:
        parts = given.listed(data, place, len(kinds))
        if len(parts) != len(kinds):
            raise PositionError(f"{place}: {len(parts)} entries, and there are {len(kinds)} in such a list")
        return tuple([kind.read(rules, part, place) for kind, part in zip(kinds, parts, strict=True)])

    def write(rules: Caporetto, value: Sequence[Any]) -> list[Any]:
        return [kind.write(rules, part) for kind, part in zip(kinds, value, strict=True)]

    return Kind(write, read)


def each(kind: Kind, most: int = MOST_LISTED) -> Kind:
    """A list of such values, in order."""

    def read(rules: Caporetto, data: Any, place: str) -> tuple[Any, ...]:
        found = given.listed(data, place, most)
        return tuple([kind.read(rules, one, f"{place}[{n}]") for n, one in enumerate(found)])

    return Kind(lambda rules, values: [kind.write(rules, one) for one in values], read)


def mask(kind: Kind) -> Kind:
    """A set, kept as an integer and written as a list."""

    def read(rules: Caporetto, data: Any, place: str) -> int:
        found = 0
        for n, one in enumerate(given.listed(data, place, MOST_LISTED)):
            bit = 1 << kind.read(rules, one, f"{place}[{n}]")
            if found & bit:
                raise PositionError(f"{place}[{n}]: {said(one)} is there twice")
            found |= bit
        return found

    return Kind(lambda rules, value: [kind.write(rules, one) for one in bits(value)], read)


def table(key: Kind, kind: Kind) -> Kind:
    """Pairs as a table: hexes with a strength, guns with what they have spent."""

    def read(rules: Caporetto, data: Any, place: str) -> tuple[tuple[Any, Any], ...]:
        rows = mapping(data, place).items()
        return tuple([(key.read(rules, k, place), kind.read(rules, value, f"{place}.{k}")) for k, value in rows])

    return Kind(lambda rules, pairs: {key.write(rules, k): kind.write(rules, value) for k, value in pairs}, read)


def by(words: Words, kind: Kind, empty: Any) -> Kind:
    """What each force, side or formation has, as a table of those that have something."""

    def read(rules: Caporetto, data: Any, place: str) -> list[Any]:
        names = words(rules)
        rows = mapping(data, place, names)
        return [kind.read(rules, rows[n], f"{place}.{n}") if n in rows else empty for n in names]

    def write(rules: Caporetto, values: Iterable[Any]) -> dict[str, Any]:
        return {n: kind.write(rules, one) for n, one in zip(words(rules), values, strict=True) if one != empty}

    return Kind(write, read)


def by_force(kind: Kind, empty: Any) -> Kind:
    """24.1: what each force has."""
    return by(lambda rules: rules.scene.forces, kind, empty)


def by_side(kind: Kind, empty: Any) -> Kind:
    """What each side has."""
    return by(lambda rules: SIDES, kind, empty)
