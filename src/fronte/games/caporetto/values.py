"""Kinds of values in positions of Caporetto: how each is written in names, and read with its place in every error.

A kind is two functions. Small ones are put together: a list of pairs, a set as a list, what every force has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
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


class Names(NamedTuple):
    """By which names units go where something is written: their own, or what a seat may call them."""

    rules: Caporetto
    name: positions.Namer
    find: positions.Finder


def printed_names(rules: Caporetto) -> Names:
    """Units by their ids."""
    return Names(rules, rules.ids.__getitem__, rules.find_unit)


class Kind(NamedTuple):
    """How a value is written, and how it is read: from data, at a place."""

    write: Callable[[Names, Any], Any]
    read: Callable[[Names, Any, str], Any]


Words = Callable[["Caporetto"], Sequence[str]]
"""The words that a ruleset knows for something."""


# Single values


def number(low: int, high: int) -> Kind:
    """A whole number within bounds."""
    return Kind(lambda at, value: value, lambda at, data, place: given.whole(data, place, low, high))


def word(words: Words) -> Kind:
    """One of some words."""
    return Kind(lambda at, value: value, lambda at, data, place: given.word(data, place, words(at.rules)))


def named(words: Words) -> Kind:
    """A number that stands for one of some words: a force, a side, a formation."""
    return Kind(
        lambda at, value: words(at.rules)[value],
        lambda at, data, place: words(at.rules).index(given.word(data, place, words(at.rules))),
    )


def _plain(kind: str) -> Kind:
    """A kind of all games."""
    return Kind(
        lambda at, value: positions.write_value(at.rules, kind, value, at.name),
        lambda at, data, place: positions.read_value(at.rules, kind, data, place, at.find),
    )


FLAG = Kind(lambda at, value: value, lambda at, data, place: given.flag(data, place))
BIT = Kind(lambda at, value: bool(value), lambda at, data, place: int(given.flag(data, place)))
"""True or false that the state keeps as 1 or 0."""
UNIT, HEX = _plain(positions.UNIT), _plain(positions.HEX)
FORCE = named(lambda rules: rules.scene.forces)
SIDE = named(lambda rules: SIDES)
FORMATION = named(lambda rules: rules.formation_ids)


def _ends(at: Names, data: Any, place: str) -> tuple[int, int]:
    """The two hexes of a hexside as 1524/1624."""
    parts = given.text(data, place).split("/")
    if len(parts) != 2:
        raise PositionError(f"{place}: {said(data)} is no hexside, which is written as 1524/1624")
    a, b = (HEX.read(at, part, place) for part in parts)
    if b not in at.rules.grid.adjacent[a]:
        raise PositionError(f"{place}: {said(data)}, which are no neighbours")
    return a, b


def hexside(rules: Caporetto, a: int, b: int) -> str:
    """A hexside as it is written."""
    return f"{rules.grid.ids[a]}/{rules.grid.ids[b]}"


HEXSIDE = Kind(lambda at, ends: hexside(at.rules, *ends), _ends)


def _read_bridge(at: Names, data: Any, place: str) -> int:
    found = at.rules.ground.bridge[at.rules.ground.way(*_ends(at, data, place))]
    if found < 0:
        raise PositionError(f"{place}: no bridge is printed at {said(data)} (19.1.2)")
    return found


BRIDGE = Kind(lambda at, one: hexside(at.rules, *at.rules.ground.bridges[one][:2]), _read_bridge)


def _read_site(at: Names, data: Any, place: str) -> tuple[int, int]:
    if "/" in given.text(data, place):
        return _ends(at, data, place)
    h = HEX.read(at, data, place)
    return h, h


SITE = Kind(lambda at, ends: hexside(at.rules, *ends) if ends[0] != ends[1] else at.rules.grid.ids[ends[0]], _read_site)
"""17.3, 19.3: where engineers work: a hex for a trench, a hexside for a bridge."""


# Several of them


def entry(*kinds: Kind) -> Kind:
    """A few values that belong together, each of its kind."""

    def read(at: Names, data: Any, place: str) -> tuple[Any, ...]:
        parts = given.listed(data, place, len(kinds))
        if len(parts) != len(kinds):
            raise PositionError(f"{place}: {len(parts)} entries, and there are {len(kinds)} in such a list")
        return tuple([kind.read(at, part, place) for kind, part in zip(kinds, parts, strict=True)])

    def write(at: Names, value: Sequence[Any]) -> list[Any]:
        return [kind.write(at, part) for kind, part in zip(kinds, value, strict=True)]

    return Kind(write, read)


def each(kind: Kind, most: int = MOST_LISTED) -> Kind:
    """A list of such values, in order."""

    def read(at: Names, data: Any, place: str) -> tuple[Any, ...]:
        found = given.listed(data, place, most)
        return tuple([kind.read(at, one, f"{place}[{n}]") for n, one in enumerate(found)])

    return Kind(lambda at, values: [kind.write(at, one) for one in values], read)


@lru_cache(maxsize=64)
def _hexes(rules: Caporetto, value: int) -> tuple[str, ...]:
    """The names of hexes; what each force holds changes seldom, and is long."""
    return tuple(sorted(rules.hex_ids(bits(value))))


def mask(kind: Kind) -> Kind:
    """A set, kept as an integer and written as a list."""

    def read(at: Names, data: Any, place: str) -> int:
        found = 0
        for n, one in enumerate(given.listed(data, place, MOST_LISTED)):
            bit = 1 << kind.read(at, one, f"{place}[{n}]")
            if found & bit:
                raise PositionError(f"{place}[{n}]: {said(one)} is there twice")
            found |= bit
        return found

    if kind is HEX:
        return Kind(lambda at, value: list(_hexes(at.rules, value)), read)
    # by name, since the order of their numbers would tell who is hidden behind a name
    return Kind(lambda at, value: sorted([kind.write(at, one) for one in bits(value)]), read)


def table(key: Kind, kind: Kind) -> Kind:
    """Pairs as a table: hexes with a strength, guns with what they have spent."""

    def read(at: Names, data: Any, place: str) -> tuple[tuple[Any, Any], ...]:
        rows = mapping(data, place).items()
        return tuple([(key.read(at, k, place), kind.read(at, value, f"{place}.{k}")) for k, value in rows])

    return Kind(lambda at, pairs: {key.write(at, k): kind.write(at, value) for k, value in pairs}, read)


def by(words: Words, kind: Kind, empty: Any) -> Kind:
    """What each force, side or formation has, as a table of those that have something."""

    def read(at: Names, data: Any, place: str) -> list[Any]:
        names = words(at.rules)
        rows = mapping(data, place, names)
        return [kind.read(at, rows[n], f"{place}.{n}") if n in rows else empty for n in names]

    def write(at: Names, values: Iterable[Any]) -> dict[str, Any]:
        return {n: kind.write(at, one) for n, one in zip(words(at.rules), values, strict=True) if one != empty}

    return Kind(write, read)


def by_force(kind: Kind, empty: Any) -> Kind:
    """24.1: what each force has."""
    return by(lambda rules: rules.scene.forces, kind, empty)


def by_side(kind: Kind, empty: Any) -> Kind:
    """What each side has."""
    return by(lambda rules: SIDES, kind, empty)
