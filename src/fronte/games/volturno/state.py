"""One position of Volturno 1860: integers and masks, so that a copy is a handful of short list copies.

What can be said of a unit by yes or no is a bit in a mask of units; what can be said of a hex is a bit in a mask of
hexes. Stacks are kept for the hexes that have one. Zones of reaction are worked out when they are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from fronte.engine.decision import Frame
from fronte.games.volturno.counters import FORMATIONS

ROUTED, LOST, WAITING = -1, -2, -3
"""Off the map: routed (13.2), eliminated in another way (11.3.3, 11.4.1), or not yet set up."""
AWAY = {ROUTED: "routed", LOST: "eliminated", WAITING: "waiting"}
NOBODY = -1
UNKNOWN = -1
"""A zone that has to be worked out anew."""
MASKS = (
    "column",
    "ooc",
    "acted",
    "moved",
    "far",
    "withdrew",
    "low",
    "out",
    "exhausted",
    "shown",
    "led",
    "threatened",
    "called",
    "along",
)
"""The masks of units and commanders."""
Marker = tuple[int, int, int, int]
"""7.1: an Assault or Charge marker: kind, hex, direction of its target, and the unit that is named for it."""


class State:
    """Plain data."""

    __slots__ = [
        "turn",
        "phase",
        "active",
        "at",
        "facing",
        "level",
        "stacks",
        "occ",
        "zor",
        "control",
        "morale",
        "orders",
        "initiative",
        "passes",
        "activated",
        "seen",
        "formation",
        "stayed",
        "row",
        "markers",
        "mover",
        "left",
        "steps",
        "bound",
        "origin",
        "fulfilled",
        "losses",
        "aimed",
        "railed",
        "stopped",
        "outcome",
        "frames",
        "seed",
        "rolled",
        "forced",
    ] + list(MASKS)

    def __init__(self, counters: int = 0) -> None:
        self.turn = 1
        self.phase = "setup"
        self.active = 0
        self.at = [WAITING] * counters
        self.facing = [0] * counters
        self.level = [0] * counters
        """2.4: levels of cohesion lost."""
        self.stacks: dict[int, tuple[int, ...]] = {}
        """The combat units of each hex that has any, the last that came on top."""
        self.occ = [0, 0]
        """For each side the hexes with combat units of it."""
        self.zor = [UNKNOWN, UNKNOWN]
        """3: for each side the hexes in its zones of reaction, as far as they are known (`reaction_zones`)."""
        self.control = [0, 0]
        """1.3.p1: for each side the hexes that its units were the last to enter."""
        self.morale = [0] * len(FORMATIONS)
        self.orders = [0] * len(FORMATIONS)
        """6.1.2: failed attempts since the formation was last activated."""
        self.initiative = 0
        self.passes = 0
        self.activated = 0
        """6.1.p2: formations activated this turn."""
        self.seen = 0
        """15.3: Garibaldian formations that have seen an enemy."""
        self.formation = NOBODY
        """The formation whose Action Phase it is."""
        self.stayed = 0
        """15.2.p5: formations that a six at night keeps where they are this turn."""
        self.row = ""
        """6.2: the line of the Personal Initiative table under which it acts; empty if it was activated by order."""
        self.markers: tuple[Marker, ...] = ()
        self.fulfilled = 0
        """7.1.4: those of the markers, by their order, from which somebody has attacked."""
        self.mover = NOBODY
        """The unit whose action is not over, and in `left` the halves of a point that it still has."""
        self.left = 0
        self.steps = 0
        """8.1: the hexes it has entered in this action."""
        self.bound = 0
        """7.1.p2: the hexes one of which the mover has to attack, since it came into an enemy zone on their markers."""
        self.origin = NOBODY
        """5.1.1, 15.8.1: the hex in which its action began."""
        self.losses = (0, 0)
        """11.2.p4: levels that each side has lost in the combat that is being fought."""
        self.aimed: tuple[tuple[int, int], ...] = ()
        """9.2.1.p1: by an option, from which hexes of the active formation which units have been fired at."""
        self.railed = False
        """15.5.p2: the train has been used."""
        self.stopped = False
        """15.8.1.p1: Ruiz has arrived."""
        self.column = 0
        """8.3, 8.4: in column, or limbered."""
        self.ooc = 0
        self.acted = 0
        self.moved = 0
        """10.3.1: has left its hex this turn."""
        self.far = 0
        """13.3: has spent more than half of its points, fired or fought in this activation."""
        self.withdrew = 0
        self.low = 0
        self.out = 0
        self.exhausted = 0
        self.shown = 0
        """8.6.p4: commanders that lie face up."""
        self.led = 0
        """8.5: commanders that have moved this turn."""
        self.threatened = 0
        """3.2: units that began this activation in an enemy zone and have neither left it nor attacked."""
        self.called = 0
        """15.5: units of the reserve that have been taken along by another formation this turn,"""
        self.along = 0
        """and the one that is with the formation whose Action Phase it is."""
        self.outcome = ""
        self.frames: list[Frame] = []
        self.seed = b""
        self.rolled = 0
        self.forced: tuple[int, ...] = ()

    def copy(self) -> State:
        """A state of its own."""
        twin = State.__new__(State)
        twin.turn = self.turn
        twin.phase = self.phase
        twin.active = self.active
        twin.at = self.at[:]
        twin.facing = self.facing[:]
        twin.level = self.level[:]
        twin.stacks = self.stacks.copy()
        twin.occ = self.occ[:]
        twin.zor = self.zor[:]
        twin.control = self.control[:]
        twin.morale = self.morale[:]
        twin.orders = self.orders[:]
        twin.initiative = self.initiative
        twin.passes = self.passes
        twin.activated = self.activated
        twin.seen = self.seen
        twin.formation = self.formation
        twin.stayed = self.stayed
        twin.row = self.row
        twin.markers = self.markers
        twin.mover = self.mover
        twin.left = self.left
        twin.steps = self.steps
        twin.bound = self.bound
        twin.origin = self.origin
        twin.fulfilled = self.fulfilled
        twin.losses = self.losses
        twin.aimed = self.aimed
        twin.railed = self.railed
        twin.stopped = self.stopped
        twin.outcome = self.outcome
        twin.frames = self.frames[:]
        twin.seed = self.seed
        twin.rolled = self.rolled
        twin.forced = self.forced
        twin.column = self.column
        twin.ooc = self.ooc
        twin.acted = self.acted
        twin.moved = self.moved
        twin.far = self.far
        twin.withdrew = self.withdrew
        twin.low = self.low
        twin.out = self.out
        twin.exhausted = self.exhausted
        twin.shown = self.shown
        twin.led = self.led
        twin.threatened = self.threatened
        twin.called = self.called
        twin.along = self.along
        return twin


def place(state: State, unit: int, to: int, side: int) -> None:
    """Put a combat unit on top of a hex, or off the map; stacks and masks stay true, zones are forgotten."""
    here = state.at[unit]
    state.at[unit] = to
    state.zor[side] = UNKNOWN
    if here >= 0:
        state.threatened &= ~(1 << unit)  # 3.2: it has left its hex, of its own will or not
        left = tuple([other for other in state.stacks[here] if other != unit])
        if left:
            state.stacks[here] = left
        else:
            del state.stacks[here]
            state.occ[side] &= ~(1 << here)
    if to >= 0:
        state.stacks[to] = (*state.stacks.get(to, ()), unit)
        state.occ[side] |= 1 << to


def end_action(state: State) -> None:
    """7: the action of the unit that was acting is over, and with it all that it still had to do."""
    state.mover = state.origin = NOBODY
    state.left = state.steps = state.bound = 0


def set_column(state: State, unit: int, side: int, column: bool) -> None:
    """3.p2: a unit forms column or line (limbers or unlimbers), which takes or gives it a zone."""
    bit = 1 << unit
    state.column = state.column | bit if column else state.column & ~bit
    state.zor[side] = UNKNOWN


def units_in(mask: int) -> Sequence[int]:
    """The units of a mask, in the order of their numbers."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
