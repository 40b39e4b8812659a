"""Positions: what the states of all games have, as readable data that can be written by hand, and back.

A family writes and reads its units and what else it has. Stage, frames and dice are written and read here, and every
error names its place. What a position describes is handed on only if nothing about it is broken.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Protocol, TypeVar

from fronte.engine import frames
from fronte.engine.decision import Frame
from fronte.engine.given import PositionError, listed, mapping, said, text, whole, word
from fronte.engine.rules import State
from fronte.games.common.game import Game

FIELDS = ("game", "turn", "phase", "active", "units", "frames", "rolled", "forced", "outcome")
"""The fields that every position has, or may have."""
UNIT, UNITS, HEX, HEXES, PLACE, WORD = "unit", "units", "hex", "hexes", "place", "word"
"""The kinds of value, besides numbers, that every game may have: a place is a hex or one off the map."""
MOST_LISTED = 400
"""More than any list in a position is long: units and hexes of a path, not hexes of a region."""
MOST_TURNS = 60
MOST_ROLLED = 1_000_000
MOST_FORCED = 1_000
MOST_SAID = 5
"""How many faults are told at once."""

Namer = Callable[[int], str]
"""The name of a unit, as whoever reads the position may know it."""
Finder = Callable[[str], int]
"""The unit that such a name means; PositionError if it means none."""


class Positioned(State, Protocol):
    """What a state has whose position is written here."""

    turn: int
    phase: str
    active: int
    outcome: str


P = TypeVar("P", bound=Positioned)


# Names


def write_value(rules: Game[Any], kind: str, value: Any, name: Namer) -> Any:
    """A value with names instead of numbers."""
    if kind == UNIT:
        return name(value)
    if kind == UNITS:
        return list(dict.fromkeys(name(unit) for unit in value))
    if kind in (HEX, PLACE):
        return rules.hex_id(value)
    if kind == HEXES:
        return list(rules.hex_ids(value))
    return value


def read_value(rules: Game[Any], kind: str, value: Any, place: str, find: Finder) -> Any:
    """What a word, a number or a list of them means; PositionError with the place."""
    if kind in (UNITS, HEXES):
        one = UNIT if kind == UNITS else HEX
        return tuple(read_value(rules, one, each, place, find) for each in listed(value, place, MOST_LISTED))
    if kind == frames.NUMBER:
        return whole(value, place, -MOST_ROLLED, MOST_ROLLED)
    name = text(value, place)
    if kind == WORD:
        return name
    try:
        if kind == UNIT:
            return find(name)
        return rules.read_where(name) if kind == PLACE else rules.read_hex(name)
    except PositionError as wrong:
        raise PositionError(f"{place}: {wrong}") from None


def write_frame(rules: Game[Any], frame: Frame, name: Namer) -> list[Any]:
    """A frame with names instead of numbers, in a game without kinds of value of its own."""
    return frames.write_frame(rules.frames, frame, lambda kind, value: write_value(rules, kind, value, name))


def read_frame(rules: Game[Any], data: Any, place: str, find: Finder) -> Frame:
    """The frame that such data describe."""
    return frames.read_frame(
        rules.frames, data, place, lambda kind, value, at: read_value(rules, kind, value, at, find)
    )


# Writing


def write_position(
    rules: Game[P],
    state: P,
    units: Mapping[str, Any],
    board: Mapping[str, Any],
    more: Mapping[str, Any],
    frame: Callable[[Frame], Any],
) -> dict[str, Any]:
    """A position: the stage, the units, what is on the board, the frames and the dice, and what else a family has."""
    return {
        "game": rules.header.game,
        "turn": state.turn,
        "phase": state.phase,
        "active": rules.seats[state.active],
        "units": units,
        **board,
        "frames": [frame(one) for one in state.frames],
        "rolled": state.rolled,
        **more,
        **({"outcome": state.outcome} if state.outcome else {}),
        **({"forced": list(state.forced)} if state.forced else {}),
    }


# Reading


def read_position(
    rules: Game[P], data: Any, fields: Collection[str], required: Collection[str], read: Callable[[dict[str, Any]], P]
) -> P:
    """The state that a position describes. `fields` are those that a family adds, `required` those of all that must be
    there; `read` makes the state. PositionError names what cannot be."""
    state = read(mapping(data, "", (*FIELDS, *fields), required))
    broken = rules.broken(state)
    if broken:
        more = f" (and {len(broken) - MOST_SAID} more)" if len(broken) > MOST_SAID else ""
        raise PositionError("; ".join(broken[:MOST_SAID]) + more)
    return state


def read_stage(rules: Game[P], state: P, data: Mapping[str, Any], phases: Collection[str]) -> None:
    """Of which game a position is, where that stands, and which dice have fallen."""
    game = rules.header.game
    if data.get("game", game) != game:
        raise PositionError(f"game: the position is of {said(data['game'])}, not of {game}")
    state.turn = whole(data["turn"], "turn", 1, MOST_TURNS)
    state.phase = word(data["phase"], "phase", phases)
    state.active = rules.seat_index(word(data["active"], "active", rules.seats))
    state.rolled = whole(data.get("rolled", 0), "rolled", 0, MOST_ROLLED)
    state.forced = tuple(whole(die, "forced", 1, 6) for die in listed(data.get("forced", ()), "forced", MOST_FORCED))
    state.outcome = text(data.get("outcome", ""), "outcome")


def read_units(
    rules: Game[Any], data: Any, fields: Collection[str], find: Finder
) -> Iterator[tuple[int, int, str, dict[str, Any]]]:
    """The units of a position: each with its number, where it is, its place in the data, and its fields (`at` too)."""
    for name, unit in mapping(data, "units").items():
        number = read_value(rules, UNIT, name, "units", find)
        here = f"units.{name}"
        given = mapping(unit, here, fields, ("at",))
        where = read_value(rules, PLACE, given["at"], f"{here}.at", find)
        yield number, where, here, given


def read_frames(data: Any, read: Callable[[Any, str], Frame]) -> list[Frame]:
    """The stack of frames; `read` reads one at a place."""
    stack = listed(data, "frames", frames.DEEPEST)
    return [read(frame, f"frames[{number}]") for number, frame in enumerate(stack)]
