"""Odds of the answers in a combat, for whoever gives them: who is left out, which guns fire, hex or hexside, ways back.

They are made by the same functions that resolve the combat, from the combat at hand with the answer put in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine.decision import Action
from fronte.engine.sheet import Fact, Row, Sheet
from fronte.games.inferno import cites, sheets
from fronte.games.inferno.arithmetic import each
from fronte.games.inferno.battle import Battle
from fronte.games.inferno.odds import best_terrain, forecast, retreats_are_open
from fronte.games.inferno.procedure import Support, Terrain, Withhold, may_defend, totals, who_defends
from fronte.games.inferno.retreats import Retreat, RetreatChoice
from fronte.games.inferno.state import State

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

replace = msgspec.structs.replace


def answer_sheet(rules: Inferno, state: State, action: Action) -> Sheet | None:
    """What an answer to a question of a combat would come to; None where it is none of these."""
    battle = state.battle
    if battle is None:
        return None
    if isinstance(action, Withhold):
        return _withheld(rules, state, battle, action)
    if isinstance(action, Support):
        guns = tuple(rules.known(action.guns))
        return fought(rules, state, best_terrain(rules, state, replace(battle, support=guns)))
    if isinstance(action, Terrain):
        return fought(rules, state, totals(rules, state, replace(battle, terrain=action.use)))
    if isinstance(action, Retreat):
        return _retreat(rules, state, battle, action)
    return None


def fought(rules: Inferno, state: State, battle: Battle, unknown: tuple[str, ...] = ()) -> Sheet:
    """8.1 to 9.4: the odds of a combat whose totals are known."""
    found: dict[str, Any] = forecast(rules, state, battle)
    if retreats_are_open(rules, state, battle):
        unknown = (*unknown, "how retreats end")
    more = {"unknown": unknown, "each": [] if battle.column < 0 else each(rules, state, battle)}
    return sheets.attack_sheet(rules, found | more, state.active)


def _withheld(rules: Inferno, state: State, battle: Battle, action: Withhold) -> Sheet:
    """7.4, 7.5.b: with these left out, and before the defender's guns are asked for."""
    out = rules.known(action.units)
    chosen = [unit for unit in may_defend(rules, state, battle) if unit not in out]
    others = [unit for unit in state.stacks[battle.target] if rules.combat[unit] and unit not in chosen]
    defence = who_defends(rules, state, battle, chosen, others)
    if not defence.defenders:
        return sheets.attack_sheet(rules, {"collapse": True} if defence.dead else {"void": True}, state.active)
    stands = replace(battle, defenders=tuple(defence.defenders), withheld=tuple(defence.withheld))
    return fought(rules, state, best_terrain(rules, state, stands), ("own guns",))


def _retreat(rules: Inferno, state: State, battle: Battle, action: Retreat) -> Sheet:
    """9.4.1.d: the loss die has fallen; what this way adds to it, and the reductions that makes."""
    frame = state.frames[-1]
    choice = rules.choices["retreat"]
    assert isinstance(choice, RetreatChoice)
    path = tuple(rules.grid_index[name] for name in action.path)
    price = choice.ways(rules, state, frame, rules.known(action.join)).prices[path]
    attacks = frame.seat == state.active
    if not any(one.name == ("attack_losses" if attacks else "defence_losses") for one in state.frames):
        return Sheet("retreat", 0, {}, (Fact("paid", {}, "", rules.cite(cites.LOSSES)),))
    before = battle.attack_penalty if attacks else battle.defence_penalty
    due = replace(battle, **{"attack_penalty" if attacks else "defence_penalty": max(before, price)})
    return certain(rules, "retreat", due, attacks, price)


def sure(number: int, ways: int = 1) -> tuple[int, ...]:
    """So many of it, however the dice fall; there is always room for more, as it is no matter of yes and no."""
    return (*(0,) * number, ways, 0)


def certain(
    rules: Inferno, heading: str, battle: Battle, attacks: bool, price: int, hexes: int = -1, more: int = 0
) -> Sheet:
    """9.4: the loss die is known, so the reductions are too: what counts for them, and how many they are."""
    side = rules.side[battle.attackers[0]]
    who = rules.seats[side if attacks else 1 - side]
    drm = battle.attack_drm if attacks else battle.defence_drm
    penalty = battle.attack_penalty if attacks else battle.defence_penalty
    number = more + rules.tables.reductions(battle.steps, battle.lrt_die + drm + penalty)
    facts = [
        Fact("loss_die", {"die": battle.lrt_die}, f"+{battle.lrt_die}", rules.cite(cites.LOSSES)),
        Fact("loss_drm", {}, f"{drm:+d}", rules.cite(cites.LOSS_MODIFIERS)),
    ]
    if price or penalty:
        facts.append(Fact("way_back", {}, f"{max(price, penalty):+d}", rules.cite(cites.LOSSES_BY_RETREAT)))
    rows = [Row("loss", sure(number), who, rules.cite(cites.LOSSES))]
    if hexes >= 0:
        rows.insert(0, Row("retreat", sure(hexes), who, rules.cite(cites.RETREAT)))
    return Sheet(heading, 1, {}, tuple(facts), tuple(rows))
