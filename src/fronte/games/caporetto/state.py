"""One position of Caporetto 1917: integers and masks, so that a copy is a handful of short list copies.

What can be said of a unit by yes or no is a bit in a mask of units; what can be said of a hex is a bit in a mask of
hexes. Stacks are kept for the hexes that have one. Zones of control are worked out when they are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.decision import Frame
from fronte.games.caporetto import flamethrowers, zoc
from fronte.games.caporetto.printed import DISPLAY, DUE, UNMADE
from fronte.games.caporetto.terrain import COMMON
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted

NOBODY = -1
UNKNOWN = -1
"""A zone that has to be worked out anew."""
NOT_PLANNED = -1
"""7.3: in place of the guns that were paid for."""
MASKS = (
    "emplaced",
    "act",
    "def_fired",
    "answered",
    "activated",
    "ooc",
    "marched",
    "moved",
    "working",
    "attached",
    "commanded",
    "mobile",
    "rommel",
    "retreated",
    "joined",
    "fought",
    "handed",
    "arrived",
    "fed",
    "moving",
    "climbed",
    "rapid",
    "weary",
)
"""The masks of units."""
Assault = tuple[int, int, int]
"""10.2: who has declared an assault, at which hex, and 1 if along the road (10.2.5)."""
Aim = tuple[int, int, int, int]
"""12.1.3, 12.2.1: a unit or gun that fires, at which hex, of a group with how many parts of its factor (else 0), and 1
if at guns in place."""
Support = tuple[int, int]
"""10.2.6: who gives support fire, and at which hex."""


class State:
    """Plain data. What is said of a force is in a list by forces: two, or four where there are sectors (24.1)."""

    __slots__ = [
        "turn",
        "phase",
        "active",
        "sector",
        "order",
        "drawn",
        "step",
        "passed",
        "at",
        "dp",
        "lost",
        "stacks",
        "occ",
        "guns",
        "present",
        "zoc",
        "control",
        "lowered",
        "side_trenches",
        "standing",
        "tested",
        "built",
        "works",
        "barrages",
        "loose",
        "breaking",
        "struck",
        "spent",
        "points",
        "plan",
        "done",
        "assaulted",
        "attacked",
        "division",
        "closed",
        "kind",
        "formations",
        "pool",
        "attachments",
        "reach",
        "aims",
        "leftovers",
        "assaults",
        "supports",
        "advanced",
        "launched",
        "fallen",
        "flanked",
        "bearers",
        "mover",
        "left",
        "steps",
        "captured",
        "quiet",
        "retaken",
        "centres",
        "matajur",
        "wounded",
        "mines",
        "gas",
        "outcome",
        "frames",
        "seed",
        "rolled",
        "forced",
    ] + list(MASKS)

    def __init__(self, counters: int = 0, forces: int = 2, formations: int = 0) -> None:
        self.turn = 1
        self.phase = "setup"
        self.active = 0
        """The force that acts."""
        self.sector = ""
        """24.2: the sector in which formations are activated now."""
        self.order: tuple[str, ...] = ()
        """24.2: the sectors that are still to be played this turn."""
        self.drawn = ""
        """24.2: the sector that is first this turn, or was the turn before."""
        self.step = ""
        """4.0: the step of the phase or of the action, as `[step]` of the texts has them."""
        self.passed = NOBODY
        """4.0: the force that has passed, if nobody has acted since."""
        self.at = [UNMADE] * counters
        self.dp = bytearray(counters)
        """15: points of disorganisation."""
        self.lost = bytearray(counters)
        """16: steps lost."""
        self.stacks: dict[int, tuple[int, ...]] = {}
        """Combat units and guns of each hex that has any, the last that came on top; both sides during an assault."""
        self.occ = [0, 0]
        """For each side the hexes with combat units of it,"""
        self.guns = [0, 0]
        """and those with guns."""
        self.present = 0
        """The combat units and guns that are on the map."""
        self.zoc = [UNKNOWN, UNKNOWN]
        """3.0: for each side the hexes in its zones of control, as far as they are known (`zoc`)."""
        self.control = [0] * forces
        """23.1: for each force the hexes that its combat units were the last to enter."""
        self.lowered = 0
        """17.8: hexes with a printed trench of level 2 that is at level 1."""
        self.side_trenches: tuple[int, ...] = ()
        """17.8, 17.9: the level of each trench along a hexside, as `Ground.side_trenches` numbers them."""
        self.standing = 0
        """19: the printed bridges that stand, by their numbers,"""
        self.tested = 0
        """and those for which the die of 19.2.1 has been thrown."""
        self.built: tuple[tuple[int, int], ...] = ()
        """21.1: bridges where none is printed."""
        self.works: tuple[tuple[int, int, int], ...] = ()
        """17.3, 19.3: what engineers work at: the unit, and the two hexes of a bridge, twice its own for a trench."""
        self.barrages: tuple[tuple[int, int], ...] = ()
        """12.1.6: hexes under an interdiction barrage, and its strength, in the parts of `artillery.PARTS`,"""
        self.loose: tuple[tuple[int, int], ...] = ()
        """12.1.5.6.e1: how much of it comes from guns that do not see the hex themselves, for hexes where any does,"""
        self.breaking = 0
        """12.1.5.T: the hexes under a barrage of guns that hurt trenches,"""
        self.struck: tuple[tuple[int, int], ...] = ()
        """and for each such hex the mask of the units that have suffered it this turn."""
        self.spent: tuple[tuple[int, int], ...] = ()
        """18.9: groups that have fired this turn, and how much of their factor, in the same parts."""
        self.points = [0] * forces
        """6: logistic points; only Italians have them."""
        self.plan = [NOT_PLANNED] * formations
        """7.2: for each formation the guns that were planned with it."""
        self.done = 0
        """13: formations that have been activated this turn."""
        self.assaulted = 0
        """24.9, 24.9.2: formations that have been assaulted in this game,"""
        self.attacked = 0
        """24.9: and those that have been assaulted or bombarded this turn."""
        self.division: list[tuple[str, ...]] = [()] * forces
        """7.9: the division of the formation that each force activated last; two after a change of places (7.11),"""
        """7.9: the division of the formation that each force activated last; two of who changed places (7.11),"""
        self.closed: tuple[tuple[int, str], ...] = ()
        """and the divisions, with their force, of which none can be activated any more this turn."""
        self.kind = ""
        """7.10, 7.11, 14: what sort of action is going on: action, division, swap or reaction."""
        self.formations: tuple[int, ...] = ()
        """The formations that act."""
        self.pool: tuple[tuple[int, int], ...] = ()
        """7.3, 7.4: for each formation that acts, the mask of the guns assigned to it."""
        self.attachments: tuple[tuple[int, int], ...] = ()
        """7.5, 7.10: for each formation that acts, the mask of the independents attached to it; all are `attached`."""
        self.reach = 0
        """7.1, 12.1.1: the hexes that the headquarters of this action reached when they were placed."""
        self.aims: tuple[Aim, ...] = ()
        """12.1.3, 12.2.1: who fires at what in the step that is going on, as far as it is not resolved yet."""
        self.leftovers: tuple[tuple[int, int], ...] = ()
        """4.0-7.A: units that have moved in the step that is going on, and the quarters of a point that each has left
        of its own allowance; below 0 for who marches farther (10.4, 10.3.2)."""
        self.assaults: tuple[Assault, ...] = ()
        self.supports: tuple[Support, ...] = ()
        self.advanced: tuple[tuple[int, int], ...] = ()
        """12.3.5.6: units that have entered an assaulted hex, and the hex from which each assaulted."""
        self.launched = [0, 0]
        """12.3.5: for each side the hexes from which units assaulted in this action that are not there any more."""
        self.fallen: tuple[int, ...] = ()
        """12.4: the hexes that were lost by assault in this action, in order."""
        self.flanked = 0
        """21.5.2: hexes that were assaulted from the flank in this action."""
        self.bearers: tuple[tuple[int, int], ...] = ()
        """21.4: flamethrowers, and the unit to which each is assigned."""
        self.mover = NOBODY
        """10.0.6: the first of the units that move (`moving`) until others do, and in `left` the quarters of a point
        that they still have together,"""
        self.left = 0
        self.steps = 0
        """and how many hexes they have entered."""
        self.captured: tuple[tuple[int, int], ...] = ()
        """23.1, 23.3: the hexes with points that forces of the AHG have taken this turn, with the force,"""
        self.quiet = 0
        """and for how many turns in a row none was taken."""
        self.retaken = [0] * forces
        """23.1: points that each force loses for hexes that were taken back in the turn in which it took them."""
        self.centres = 0
        """24.14: supply centres that have been captured."""
        self.matajur = NOBODY
        """24.15: the force that was first on Monte Matajur."""
        self.wounded = False
        """21.6: Rommel cannot lead any more."""
        self.mines: tuple[int, ...] = ()
        """24.13, 25.13: the hexes where the mines go up in turn 1,"""
        self.gas: tuple[int, ...] = ()
        """and those of the gas."""
        self.emplaced = 0
        """18.1: guns in fire mode."""
        self.act = 0
        """12.1.2: guns that have fired offensively this turn,"""
        self.def_fired = 0
        """12.2.7: and those that have fired defensively."""
        self.answered = 0
        """12.2.1, `mobile_assault_df`: units that have fired defensively in this action."""
        self.activated = 0
        self.ooc = 0
        """7.8: out of command."""
        self.marched = 0
        """10.4: has made a forced march."""
        self.moved = 0
        """10.0.6: has moved this turn."""
        self.working = 0
        """17.3, 19.3: engineers turned to their working side."""
        self.attached = 0
        """7.5: independents that act with the formation."""
        self.commanded = 0
        """7.7: were in command when the action began, with those attached: these act;"""
        self.mobile = 0
        """21.5.3: those who take part in the assault on the move that is going on."""
        self.rommel = 0
        """21.6: companies of the Rommel detachment."""
        self.retreated = 0
        """12.4: have retreated from an assault in this action,"""
        self.joined = 0
        """12.3.7: and into a hex that was under assault itself."""
        self.fought = 0
        """12.3.2: have assaulted in this action, or need not any more."""
        self.handed = 0
        """21.4.e3: flamethrowers that were assigned to another unit this turn."""
        self.arrived = 0
        """5.1: came in as reinforcements this turn: before its end they must not stand too close."""
        self.fed = 0
        """9.1, 20.1: were supplied in phase 11 of this turn, and may recover; nobody's in other phases."""
        self.moving = 0
        """10.0.6: whose move is open: they may go on until others move;"""
        self.climbed = 0
        """10.0.9: of those who moved in this step, who has spent all he had on a cliff,"""
        self.rapid = 0
        """10.3.2: and who has not been near an enemy, so that he may move strategically."""
        self.weary = 0
        """10.4: on a forced march for which the point of disorganisation is still to come."""
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
        twin.sector = self.sector
        twin.order = self.order
        twin.drawn = self.drawn
        twin.step = self.step
        twin.passed = self.passed
        twin.at = self.at.copy()
        twin.dp = self.dp.copy()
        twin.lost = self.lost.copy()
        twin.stacks = self.stacks.copy()
        twin.occ = self.occ.copy()
        twin.guns = self.guns.copy()
        twin.present = self.present
        twin.zoc = self.zoc.copy()
        twin.control = self.control.copy()
        twin.lowered = self.lowered
        twin.side_trenches = self.side_trenches
        twin.standing = self.standing
        twin.tested = self.tested
        twin.built = self.built
        twin.works = self.works
        twin.barrages = self.barrages
        twin.loose = self.loose
        twin.breaking = self.breaking
        twin.struck = self.struck
        twin.spent = self.spent
        twin.points = self.points.copy()
        twin.plan = self.plan.copy()
        twin.done = self.done
        twin.assaulted = self.assaulted
        twin.attacked = self.attacked
        twin.division = self.division.copy()
        twin.closed = self.closed
        twin.kind = self.kind
        twin.formations = self.formations
        twin.pool = self.pool
        twin.attachments = self.attachments
        twin.reach = self.reach
        twin.aims = self.aims
        twin.leftovers = self.leftovers
        twin.assaults = self.assaults
        twin.supports = self.supports
        twin.advanced = self.advanced
        twin.launched = self.launched.copy()
        twin.fallen = self.fallen
        twin.flanked = self.flanked
        twin.bearers = self.bearers
        twin.mover = self.mover
        twin.left = self.left
        twin.steps = self.steps
        twin.captured = self.captured
        twin.quiet = self.quiet
        twin.retaken = self.retaken.copy()
        twin.centres = self.centres
        twin.matajur = self.matajur
        twin.wounded = self.wounded
        twin.mines = self.mines
        twin.gas = self.gas
        twin.outcome = self.outcome
        twin.frames = self.frames.copy()
        twin.seed = self.seed
        twin.rolled = self.rolled
        twin.forced = self.forced
        twin.emplaced = self.emplaced
        twin.act = self.act
        twin.def_fired = self.def_fired
        twin.answered = self.answered
        twin.activated = self.activated
        twin.ooc = self.ooc
        twin.marched = self.marched
        twin.moved = self.moved
        twin.working = self.working
        twin.attached = self.attached
        twin.commanded = self.commanded
        twin.mobile = self.mobile
        twin.rommel = self.rommel
        twin.retreated = self.retreated
        twin.joined = self.joined
        twin.fought = self.fought
        twin.handed = self.handed
        twin.arrived = self.arrived
        twin.fed = self.fed
        twin.moving = self.moving
        twin.climbed = self.climbed
        twin.rapid = self.rapid
        twin.weary = self.weary
        return twin


# Where units are


def put(rules: CaporettoPrinted, state: State, unit: int, to: int) -> None:
    """Put a combat unit or a gun on top of a hex, or off the map; stacks and masks stay true, zones are forgotten."""
    here, side = state.at[unit], rules.side[unit]
    state.at[unit] = to
    if (here < 0) != (to < 0):
        state.present ^= 1 << unit
    alike, hexes = (rules.combat, state.occ) if rules.combat >> unit & 1 else (rules.guns, state.guns)
    if here >= 0:
        stack = state.stacks[here]
        if len(stack) == 1:
            del state.stacks[here]
            hexes[side] &= ~(1 << here)
        else:
            left = state.stacks[here] = tuple([other for other in stack if other != unit])
            if not mask_of(left) & alike & rules.of_side[side]:
                hexes[side] &= ~(1 << here)
    if to >= 0:
        state.stacks[to] = (*state.stacks.get(to, ()), unit)
        hexes[side] |= 1 << to
    if rules.zoc_makers >> unit & 1:
        state.zoc[side] = UNKNOWN


def units_of(rules: CaporettoPrinted, state: State, h: int, side: int) -> tuple[int, ...]:
    """The combat units and guns of a side in a hex, the last that came on top."""
    return tuple([unit for unit in state.stacks.get(h, ()) if rules.side[unit] == side])


def in_box(state: State, box: int) -> list[int]:
    """Who is in a box off the map; most often hardly anybody is."""
    at, found, unit = state.at, list[int](), -1
    for _ in range(at.count(box)):
        unit = at.index(box, unit + 1)
        found.append(unit)
    return found


def zone_of(rules: CaporettoPrinted, state: State, side: int) -> int:
    """3.0, 8.1, 24.3: the hexes in the zones of control of a side, as the weather of the turn has them; in scenario 1
    zones end at the line between the sectors, and out of a common hex they reach into the unit's own."""
    found = state.zoc[side]
    if found == UNKNOWN:
        ground, hidden, levelled = rules.ground, rules.blind[state.turn], 0
        for number, level in enumerate(state.side_trenches):
            levelled |= (not level) << number
        found = 0
        for part, holders in _holders(rules, state, side):
            found |= zoc.zone(ground, side, holders, state.standing, levelled, hidden, state.built) & part
        state.zoc[side] = found
    return found


def _holders(rules: CaporettoPrinted, state: State, side: int) -> list[tuple[int, int]]:
    """24.3.zoc: the parts of the map in which zones end, each with the hexes from which a side has them there: the
    whole of it, or each sector with the common hexes, in which only its own units count."""
    ground, there = rules.ground, state.occ[side] & rules.ground.extent
    if not rules.scene.sectors:
        return [(ground.extent, there)]
    found = []
    for part in ground.inside.values():
        strange = mask_of(
            h
            for h in bits(there & ground.sector[COMMON])
            if not any(rules.combat >> u & 1 and rules.home(u) == part for u in units_of(rules, state, h, side))
        )
        found.append((part, there & part & ~strange))
    return found


def forget_zones(state: State) -> None:
    """The weather, a bridge or a trench along a hexside has changed: zones have to be worked out anew."""
    state.zoc = [UNKNOWN, UNKNOWN]


# The first position


def begin(rules: CaporettoPrinted, seed: bytes) -> State:
    """24.8 to 27.4: everybody where the set-up cards have them, the map as it is printed, nothing done yet."""
    state = State(len(rules.counters), len(rules.scene.forces), len(rules.formations))
    state.seed = seed
    state.turn = rules.scene.first_turn
    sides = rules.scene.force_side
    state.control = [rules.ground.held[side] & home for side, home in zip(sides, rules.homes, strict=True)]
    state.standing = rules.ground.all_bridges & ~rules.ground.blown
    state.side_trenches = tuple([trench.level for trench in rules.ground.side_trenches])
    for force, logistics in rules.scene.logistics.items():
        state.points[force] = logistics.start
    state.emplaced = rules.guns
    state.mines, state.gas = rules.scene.mines.hexes, rules.scene.gas.hexes
    for unit, h in enumerate(rules.begins):
        if h >= 0:
            put(rules, state, unit, h)
            state.lost[unit] = rules.reduced >> unit & 1
        elif rules.hqs >> unit & 1:
            state.at[unit] = DISPLAY
        elif rules.arrives[unit]:
            state.at[unit] = DUE
    for unit in bits(rules.flamethrowers):
        if state.at[unit] >= 0:
            flamethrowers.take_up(rules, state, unit)
    return state
