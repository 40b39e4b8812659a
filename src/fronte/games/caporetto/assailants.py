"""12.3: who assaults whom: the two sides of an assault or a counter-assault, and what frames of either say of them.

In frames the unit that leads is the first of its wave, or of those who stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import Frame
from fronte.engine.frames import NUMBER, Argument
from fronte.games.caporetto import (
    assault,
    sightings,
)
from fronte.games.caporetto.odds import Clash
from fronte.games.caporetto.state import NOBODY, State
from fronte.games.common.positions import HEX, UNITS
from fronte.hexes import mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

MOST = 40
"""More units than assault a hex, or are in it."""
HEX_AND_SIDE = (Argument("hex", HEX), Argument("counter", NUMBER, 0, 1))
WAVE = (*HEX_AND_SIDE, Argument("wave", UNITS, 1, MOST))
CLASH = (*WAVE, Argument("group", UNITS, 0, MOST))


def attacker(rules: Caporetto, state: State, counter: int) -> int:
    """12.4.3: the side that assaults; in a counter-assault the one that does not act."""
    return rules.scene.force_side[state.active] ^ counter


def declared(rules: Caporetto, state: State, h: int, counter: int) -> tuple[int, ...]:
    """10.2: the units of the attacker that have declared the assault of a hex, by their numbers."""
    side = attacker(rules, state, counter)
    return tuple(sorted([one for one, target, _ in assault.now(state) if target == h and rules.side[one] == side]))


def waiting(rules: Caporetto, state: State, h: int, counter: int) -> tuple[int, ...]:
    """10.2.4: those of them that have not assaulted yet."""
    return tuple([unit for unit in declared(rules, state, h, counter) if not state.fought >> unit & 1])


def targets(rules: Caporetto, state: State, counter: int) -> list[int]:
    """12.3.2: the hexes that are still to be assaulted."""
    side = attacker(rules, state, counter)
    found = [(one, h) for one, h, _ in assault.now(state) if rules.side[one] == side]
    return sorted({h for one, h in found if not state.fought >> one & 1})


def is_held(rules: Caporetto, state: State, h: int, counter: int) -> bool:
    """10.2.3, 18.3: is there anybody to fight? Guns alone are none."""
    return assault.is_target(rules, state, h, attacker(rules, state, counter))


def target_fault(rules: Caporetto, state: State, frame: Frame) -> str:
    """What is wrong with the hex of a frame."""
    return "" if rules.ground.extent >> frame.args[0] & 1 else "the hex is out of play"


def clash_fault(rules: Caporetto, state: State, frame: Frame) -> str:
    """What is wrong with the units of a frame."""
    h, counter, wave, *group = frame.args[:4]
    side = attacker(rules, state, counter)
    near = rules.grid.ring[h]
    if any(state.at[unit] < 0 or not near >> state.at[unit] & 1 or rules.side[unit] != side for unit in wave):
        return "it names who cannot assault the hex"
    if any(state.at[unit] != h or rules.side[unit] == side for units in group for unit in units):
        return "it names who is not there to defend it"
    return ""


def clash_of(args: Sequence[Any]) -> Clash:
    """12.3.3: who fights whom, as a frame has it."""
    h, counter, wave, group = args[:4]
    return Clash(h, wave, group, wave[0], group[0] if group else NOBODY, bool(counter))


def about(rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
    """22.3: what a decision in an assault is about, as far as the seat that is asked may know the units of the hex."""
    h, counter = frame.args[:2]
    seen = sightings.known(rules, state, frame.seat)
    units = assault.defenders(rules, state, h, 1 - attacker(rules, state, counter))
    there = rules.unit_ids([unit for unit in units if seen >> unit & 1])
    return {"hex": rules.grid.ids[h], "counter": bool(counter), "defenders": there} | covered(rules, units, seen)


def covered(rules: Caporetto, units: Iterable[int], seen: int) -> dict[str, int]:
    """22.0: how many combat units lie covered among these, so that nobody takes those he sees for all."""
    strange = mask_of(units) & rules.zoc_makers & ~seen
    return {"covered": strange.bit_count()} if strange else {}
