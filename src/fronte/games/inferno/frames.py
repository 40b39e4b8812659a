"""The words with which the chapters of the Inferno games declare their frames: arguments, seats, secrets, marks.

The declarations stand in the chapters, each beside what runs the frame (see `engine.frames`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, TypedDict

from fronte.engine.decision import Frame
from fronte.engine.frames import NUMBER, Argument
from fronte.games.inferno.state import State

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

UNIT, UNITS, HEX, HEXES, HEXSIDE, BRIDGES = "unit", "units", "hex", "hexes", "hexside", "bridges"
MOST_UNITS = 400
"""More than there are counters."""
MOST_TOGETHER = 12
"""More than ever fight or go back together from one hex: stacks are legal when a Combat Phase begins."""
MOST_AFTER = 40
"""More than ever lie in one hex where some fell back upon others."""
LONGEST_PATH = 80
"""More hexes than any unit can enter in one move."""
BATTLE = "battle"
"""The mark of frames that lie on the stack only while a combat is resolved."""
BEATEN = "beaten"
"""The mark of frames of those who go back, and may crowd a hex while they do."""
CLEARS = "clears"
"""The mark of steps that wipe marks off the units of both sides."""

# Arguments

WHO = Argument("unit", UNIT)
AT = Argument("hex", HEX)
SIDE = Argument("side", NUMBER, 0, 1)
HERE = Argument("units", UNITS, 1, MOST_TOGETHER)
LENGTH = Argument("hexes", NUMBER, 1, LONGEST_PATH)
WAY = Argument("way", HEXES, 1, LONGEST_PATH)
REST = Argument("way", HEXES, 0, LONGEST_PATH)
"""The rest of a move. Of an enemy that moves it is not known, so there may be none."""
BEEN = Argument("been", HEXES, 0, LONGEST_PATH)
GONE = Argument("gone", UNITS, 0, MOST_TOGETHER)
PRICE = Argument("price", NUMBER, 0, 99)

# Where and when


class Stage(TypedDict):
    """What several declarations say alike."""

    phases: str
    marks: Collection[str]


IN_COMBAT: Stage = {"phases": "combat", "marks": (BATTLE,)}
"""Of frames that resolve a combat."""
IN_RETREAT: Stage = {"phases": "combat", "marks": (BATTLE, BEATEN)}
"""Of frames of those who go back in a combat."""
RETREATING = "attack_losses attackers_back settle_in advance_if_empty"
"""What the frames of a retreat can lie on: what is still to come of the combat, or others that have to go back."""

# Who decides, and whose secrets are read


def phasing(rules: Inferno, state: State, frame: Frame) -> Collection[int]:
    """3: the side whose turn it is."""
    return (state.active,)


def the_other(rules: Inferno, state: State, frame: Frame) -> Collection[int]:
    """3: the side whose turn it is not; in a combat the defender."""
    return (1 - state.active,)


def owner(rules: Inferno, state: State, frame: Frame) -> Collection[int]:
    """The side of the units that the frame names."""
    return (units_side(rules, state, frame),)


def units_side(rules: Inferno, state: State, frame: Frame) -> int:
    """The side of the first unit that a frame names: the stacks of that side are read."""
    for argument, value in zip(rules.frames[frame.name].takes, frame.args, strict=True):
        if argument.kind == UNIT or (argument.kind == UNITS and value):
            unit: int = value if argument.kind == UNIT else value[0]
            return rules.side[unit]
    raise AssertionError(f"{frame.name} names no unit")


def phasing_side(rules: Inferno, state: State, frame: Frame) -> int:
    """What lies in the stacks of the side whose turn it is."""
    return state.active


def defending_side(rules: Inferno, state: State, frame: Frame) -> int:
    """What lies under the defending stack."""
    return 1 - state.active


def named_side(rules: Inferno, state: State, frame: Frame) -> int:
    """The side that is the frame's argument."""
    return int(frame.args[0])


# What must be true of the state


def why_no_stack(rules: Inferno, state: State, units: Sequence[int], side: int, waiting: bool = False) -> str:
    """9.2.1: units that retreat together stand in one hex; some of those that wait may be lost by then."""
    alive = [unit for unit in units if state.at[unit] >= 0]
    if len(set(units)) < len(units):
        return "a unit is named twice"
    for unit in units:
        if rules.side[unit] != side:
            return f"{rules.ids[unit]} is not of {rules.seats[side]}"
        if not rules.combat[unit] or rules.immobile[unit]:
            return f"{rules.ids[unit]} never retreats"
        if state.at[unit] < 0 and not waiting:
            return f"{rules.ids[unit]} is not on the map"
    if len({state.at[unit] for unit in alive}) > 1:
        return "the units are not in one hex"
    return ""


def why_no_way(rules: Inferno, here: int, path: Sequence[int]) -> str:
    """4.2: every hex of a way lies next to the one before."""
    for there in path:
        if there not in rules.board.edge_to[here]:
            return f"no step leads from {rules.hex_id(here)} to {rules.hex_id(there)}"
        here = there
    return ""


def why_not_active(rules: Inferno, state: State, frame: Frame) -> str:
    """3: the side that the frame names is the one whose turn it is."""
    return "" if frame.args[0] == state.active else "it is the turn of the other side"
