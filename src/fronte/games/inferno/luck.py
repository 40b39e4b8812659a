"""What the dice of a combat can do to either side, for every way they can fall: the measure of luck."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.engine.dice import outcomes
from fronte.engine.rules import Weighing
from fronte.games.inferno.battle import Battle
from fronte.games.inferno.procedure import attackers_penalty, defenders_penalty, loss_modifiers
from fronte.games.inferno.state import State

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno


def weigh(rules: Inferno, state: State) -> Weighing | None:
    """8.3 to 8.5: the reductions of both sides for all 216 ways; None unless the dice of a combat are due.

    When the dice fall, all that decides about them is open to both sides: who takes part and how fresh they are
    (5.4.b/5.4), zones of control, ways to retreat. What happens later on a retreat is not the luck of this throw.
    """
    battle = state.battle
    if battle is None or not state.frames or state.frames[-1].name != "combat_dice":
        return None
    modifiers = {total: _modifiers(rules, state, battle, total) for total in range(2, 13)}
    losses = []
    for one, two, three in outcomes(3):
        attack, defence = modifiers[one + two]
        pair = [0, 0]
        pair[state.active] = rules.tables.reductions(battle.steps, three + attack)
        pair[1 - state.active] = rules.tables.reductions(battle.steps, three + defence)
        losses.append(tuple(pair))
    return Weighing(state.turn, rules.hex_id(battle.target), state.active, tuple(losses))


def _modifiers(rules: Inferno, state: State, battle: Battle, total: int) -> tuple[int, int]:
    """9.4.1: what is added to the loss die of attacker and defender when two dice show this total."""
    cell = rules.tables.result(battle.column, total)
    attack, defence = loss_modifiers(rules, battle, cell.attack_drm, cell.defence_drm)
    if cell.attack_retreat:
        attack += attackers_penalty(rules, state, battle, cell.attack_retreat)
    if cell.defence_retreat:
        defence += defenders_penalty(rules, state, battle, cell.defence_retreat)
    return attack, defence
