"""The state of a game: columns of small integers by unit, masks over hexes, a few scalars and a stack of frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, TypeVar

from fronte.engine.decision import Frame

if TYPE_CHECKING:
    from fronte.games.inferno.battle import Battle
    from fronte.games.inferno.rules import Inferno

# Where a unit is when it is on no hex.
WAITING, ELIMINATED, IN_BOX, AS_BRIDGE = -1, -2, -3, -4
AWAY = {WAITING: "waiting", ELIMINATED: "eliminated", IN_BOX: "box", AS_BRIDGE: "bridge"}
PLACES = {name: number for number, name in AWAY.items()}

# Supply states (11.a/11.0) are the strength they cost.
IN_SUPPLY, LOW_SUPPLY, OUT_OF_SUPPLY = 0, 1, 2
SUPPLY = ("in", "low", "out")

# Flags of a unit.
MOV = 1
"""12.3.g/12.3.f: artillery on its Mov side."""
RESERVE = 2
"""13.1: carries a Reserve marker."""
DONE = 4
"""4: its move is over."""
MOVED = 8
"""It has left its hex or spent movement points in this Movement Phase."""
RECOVERED = 16
"""10.3.1.b/10.3.1: it has recovered in this Movement Phase."""
ESCORTED = 32
"""14.2.b: it began this Movement Phase with a bridge engineer."""
HIT = 64
"""7.a/7.0: it has been attacked in this Combat Phase."""
STRUCK = 128
"""7.a/7.0: it has attacked in this Combat Phase."""
WORKED = 256
"""Isonzo 12.2.b: an engineer that has built or repaired this turn."""
ON_TOP = 512
"""5.3: its owner shows it rather than others of equal attack in the stack."""
FIRED = 1024
"""12.3.d/12.3.b: it has fired in this Combat Phase (where firing does not turn it to Mov)."""
FLAGS = {
    "mov": MOV,
    "reserve": RESERVE,
    "done": DONE,
    "moved": MOVED,
    "recovered": RECOVERED,
    "escorted": ESCORTED,
    "hit": HIT,
    "struck": STRUCK,
    "worked": WORKED,
    "top": ON_TOP,
    "fired": FIRED,
}
LASTING = MOV | RESERVE
PHASES = ("setup", "supply", "reinforcement", "movement", "combat", "end")

UNKNOWN = -1
"""A zone of control that has to be worked out again."""


class State:
    """One position. Plain data: a copy is a handful of list copies."""

    __slots__ = (
        "active",
        "at",
        "battle",
        "ce",
        "fight",
        "flags",
        "forced",
        "frames",
        "held",
        "left",
        "mover",
        "occ",
        "outcome",
        "phase",
        "rolled",
        "seed",
        "stacks",
        "steps",
        "supply",
        "turn",
        "zoc",
        "zocs",
    )

    def __init__(self, units: int, hexes: int) -> None:
        self.turn = 0
        self.phase = "setup"
        self.active = 0
        self.at = [WAITING] * units
        self.steps = [0] * units
        self.ce = [0] * units
        self.supply = [IN_SUPPLY] * units
        self.flags = [0] * units
        self.stacks: list[tuple[int, ...]] = [()] * hexes
        """The units in each hex, in the order of their numbers."""
        self.occ = [0, 0]
        """For each side the hexes with any unit of it."""
        self.fight = [0, 0]
        """For each side the hexes with a combat unit of it."""
        self.zocs = [0, 0]
        """For each side the hexes with a unit that exerts a zone of control."""
        self.zoc = [0, 0]
        self.held = 0
        """Hexes that Italians were the last to enter, or hold from the start."""
        self.mover = -1
        self.left = 0
        """The unit that is moving and what is left of its movement points, in sixths."""
        self.battle: Battle | None = None
        self.outcome = ""
        self.frames: list[Frame] = []
        self.seed = b""
        self.rolled = 0
        self.forced: tuple[int, ...] = ()

    def copy(self) -> Self:
        """A state of its own."""
        twin = object.__new__(type(self))
        twin.turn = self.turn
        twin.phase = self.phase
        twin.active = self.active
        twin.at = self.at[:]
        twin.steps = self.steps[:]
        twin.ce = self.ce[:]
        twin.supply = self.supply[:]
        twin.flags = self.flags[:]
        twin.stacks = self.stacks[:]
        twin.occ = self.occ[:]
        twin.fight = self.fight[:]
        twin.zocs = self.zocs[:]
        twin.zoc = self.zoc[:]
        twin.held = self.held
        twin.mover = self.mover
        twin.left = self.left
        twin.battle = self.battle
        twin.outcome = self.outcome
        twin.frames = self.frames[:]
        twin.seed = self.seed
        twin.rolled = self.rolled
        twin.forced = self.forced
        return twin


if TYPE_CHECKING:
    from typing_extensions import TypeVar as TypeVarWithDefault  # Python's own knows defaults from 3.13 on

    S = TypeVarWithDefault("S", bound=State, default=Any)
else:
    S = TypeVar("S", bound=State)
# The state of one game of the family. The shared chapters write `Inferno` alone, which is the ruleset of either game;
# only what makes a state, or hands it back, says of which.


def place(rules: Inferno, state: State, unit: int, to: int) -> None:
    """Put a unit into a hex or one of the places off the map, and keep every mask true.

    2.5, 6: a hex is marked for a side if any unit of it is there, one that fights, one that exerts a zone of control.
    """
    side, here, stacks = rules.side[unit], state.at[unit], state.stacks
    state.at[unit] = to
    if here >= 0:
        stack = stacks[here]
        left = stacks[here] = () if len(stack) == 1 else tuple([other for other in stack if other != unit])
        friends = [other for other in left if rules.side[other] == side]
        bit = 1 << here
        if not friends:
            state.occ[side] &= ~bit
        if rules.combat[unit]:
            if not any(map(rules.combat.__getitem__, friends)):
                state.fight[side] &= ~bit
            if rules.zoccer[unit] and not any(map(rules.zoccer.__getitem__, friends)):
                state.zocs[side] &= ~bit
                state.zoc[side] = UNKNOWN
    if to >= 0:
        stack = stacks[to]
        stacks[to] = tuple(sorted((*stack, unit))) if stack else (unit,)
        bit = 1 << to
        state.occ[side] |= bit
        if rules.combat[unit]:
            state.fight[side] |= bit
            if rules.zoccer[unit] and not state.zocs[side] & bit:
                state.zocs[side] |= bit
                state.zoc[side] = UNKNOWN


def on_map(state: State, unit: int) -> bool:
    """Is the unit in a hex?"""
    return state.at[unit] >= 0


def fighting(state: State) -> tuple[int, ...]:
    """5.4.b/5.4: the units that take part in the combat at hand, artillery that supports it included."""
    battle = state.battle
    return () if battle is None else (*battle.attackers, *battle.defenders, *battle.guns, *battle.support)
