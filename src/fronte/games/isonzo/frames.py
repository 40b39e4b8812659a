"""The frames that only Inferno sull'Isonzo has: set-up, reinforcements, engineers, bridges, refusal, Phase C."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.decision import Frame
from fronte.engine.frames import Declared, anybody, open_to_all
from fronte.games.inferno.frames import (
    BATTLE,
    HEX,
    HEXSIDE,
    UNIT,
    Bounds,
    asks,
    defending_side,
    owner,
    phasing,
    phasing_side,
    step,
    the_other,
    throw,
    units_side,
)
from fronte.games.isonzo.battleground import bombardable
from fronte.games.isonzo.reinforcements import all_fit, unplaced
from fronte.games.isonzo.special import landings
from fronte.games.isonzo.state import IsonzoState

if TYPE_CHECKING:
    from fronte.games.isonzo.game import Isonzo

AT: Bounds = ("hex", HEX, 0, 0)
WHO: Bounds = ("unit", UNIT, 0, 0)
ON_THE_WAY = (
    "reinforcement works_phase pontoons movement_begins movement march combat finish close attack_losses "
    "go_on_back settle_in demolition ashore"
)
"""What the entering of a hex can interrupt, and other interruptions."""


def _setup(rules: Isonzo, state: IsonzoState, frame: Frame) -> str:
    """1.1: units that wait, and room for all of them."""
    waiting = unplaced(rules, state, frame.seat)
    if not waiting:
        return "nobody waits to be set up"
    return "" if all_fit(rules, state, waiting) else "the units that wait do not all fit into their areas (1.1, 5.1)"


def _demolition(rules: Isonzo, state: IsonzoState, frame: Frame) -> str:
    """14.4.b: the bridges of a hex that this side was given a try at."""
    (at,) = frame.args
    if not any(rules.board.sides[number].bridge_hex == at for number in rules.board.bridges):
        return f"there is no bridge at {rules.hex_id(at)}"
    tried = state.tried[0] | state.tried[1] if frame.seat < 0 else state.tried[frame.seat]
    return "" if tried >> at & 1 else f"nobody was given a try at {rules.hex_id(at)}"


def _bombardment(rules: Isonzo, state: IsonzoState, frame: Frame) -> str:
    """14.4.d: a gun of the phasing side, and something to bombard."""
    gun, number = frame.args
    if not rules.gun[gun] or rules.side[gun] != state.active or state.at[gun] < 0:
        return f"{rules.ids[gun]} does not bombard"
    return "" if bombardable(rules, state, number) else "there is nothing to bombard"


def _ashore(rules: Isonzo, state: IsonzoState, frame: Frame) -> str:
    (unit,) = frame.args
    return "" if rules.engineer[unit] else f"{rules.ids[unit]} is no engineer"


def _landing(rules: Isonzo, state: IsonzoState, frame: Frame) -> str:
    """12.2.c: both ends are free, so that there is a choice."""
    (unit,) = frame.args
    if unit not in state.pontoons:
        return f"{rules.ids[unit]} is no pontoon"
    return "" if len(landings(rules, state, unit)) == 2 else f"{rules.ids[unit]} has no choice of banks"


def _refusal(rules: Isonzo, state: IsonzoState, frame: Frame) -> str:
    battle = state.battle
    assert battle is not None
    return "" if battle.trench and battle.defence_retreat else "there is no retreat to refuse"


def _standing(rules: Isonzo, state: IsonzoState, frame: Frame) -> str:
    battle = state.battle
    assert battle is not None
    return "" if battle.refusing and battle.defence_retreat else "nobody refuses to retreat"


FRAMES: tuple[Declared, ...] = (
    # Chapters 1 and 13
    asks("setup", "player_turn setup", anybody, fault=_setup, phases="setup", once=False),
    step("reinforcement_phase", "works_phase", phasing_side),
    asks("reinforcement", "works_phase", phasing, phases="reinforcement"),
    # Chapter 12, engineers
    step("works_phase", "movement_phase", phasing_side),
    asks("works", "movement_phase", phasing, phases="reinforcement"),
    asks("pontoons", "movement_begins pontoons", anybody, phases="movement", once=False),
    step("ashore", ON_THE_WAY, units_side, WHO, fault=_ashore, once=False),
    asks("landing", ON_THE_WAY, owner, WHO, fault=_landing),
    # Chapter 12.5, refusing a retreat
    asks("refusal", "close", the_other, fault=_refusal, phases="combat", marks=BATTLE),
    step("stand", "advance_if_empty", open_to_all, fault=_standing, phases="combat", marks=BATTLE),
    throw("refusal_die", "advance_if_empty", defending_side, fault=_standing, phases="combat", marks=BATTLE),
    asks("exchange", "advance_if_empty", the_other, fault=_standing, phases="combat", marks=BATTLE),
    # Chapter 14, bridges
    asks("demolition", ON_THE_WAY, anybody, AT, fault=_demolition, once=False),
    throw("demolition_die", ON_THE_WAY, open_to_all, AT, fault=_demolition),
    throw("bombardment_die", "combat", units_side, WHO, ("bridge", HEXSIDE, 0, 0), fault=_bombardment, phases="combat"),
    # Phase C
    throw("points_die", "demolitions", open_to_all, phases="end"),
    step("demolitions", "end_roll", open_to_all, phases="end"),
    asks("demolish", "end_roll demolish", anybody, phases="end", once=False),
    step("end_roll", "next_turn", open_to_all, phases="end"),
    throw("end_die", "next_turn", open_to_all, phases="end"),
    step("next_turn", "ground", open_to_all, phases="end"),
)
