"""The Combat Phase in small choices: a target, units and guns one at a time; or a bridge to bombard."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from fronte.games.inferno import cites
from fronte.games.inferno.combat import (
    Attack,
    Bombard,
    CombatPhase,
    attackers_on,
    guns_on,
    why_no_fire,
    why_not_together,
)
from fronte.games.inferno.movement import End
from fronte.games.inferno.procedure import Support, SupportChoice
from fronte.games.inferno.state import State
from fronte.rl.dialogue import Dialogue, listed, pick
from fronte.rl.inferno.alphabet import InfernoAlphabet

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

NO_STRENGTH = cites.NO_ATTACK
"""The one refusal of a group that more attackers can lift, as what the defender may choose (7.8.b) changes."""


class Declaration:
    """7.1: an attack on one hex being put together."""

    def __init__(self, rules: Inferno, state: State, target: int) -> None:
        self.rules, self.state, self.target = rules, state, target
        self.units = attackers_on(rules, state, target)
        self._fits: dict[tuple[int, ...], bool] = {}
        self._forbids = rules.option["illegal_odds_attack"] == "forbid_before_reveal"

    def is_possible(self) -> bool:
        """Is there any legal attack on this hex?"""
        return any(self.may_add([], k) for k in range(len(self.units)))

    def may_add(self, chosen: list[int], k: int) -> bool:
        """Can the unit in this place join those chosen, so that with some of the later ones they make an attack?"""
        return self._leads_on((*chosen, k))

    def _leads_on(self, chosen: tuple[int, ...]) -> bool:
        found = self._fits.get(chosen)
        if found is None:
            units = [self.units[k] for k in chosen]
            refusal = why_not_together(self.rules, self.state, units, self.target)
            if refusal is not None and refusal.rule != NO_STRENGTH:
                found = False
            elif refusal is None and self._has_odds(units):
                found = True
            else:
                found = any(self._leads_on((*chosen, later)) for later in range(chosen[-1] + 1, len(self.units)))
            self._fits[chosen] = found
        return found

    def may_stop(self, chosen: list[int]) -> bool:
        """7.2, 7.5.a, 8.2.b: are these units an attack, with some guns if need be?"""
        units = [self.units[k] for k in chosen]
        if not units or why_not_together(self.rules, self.state, units, self.target) is not None:
            return False
        return self._has_odds(units)

    def _has_odds(self, units: list[int]) -> bool:
        """8.2.b: by option the odds must be good enough; guns can change them only by being there (12.4.b)."""
        if not self._forbids:
            return True
        groups: list[list[int]] = [[], *([gun] for gun in self.guns(units))]
        return any(self.rules.why_no_odds(self.state, self.target, units, guns) is None for guns in groups)

    def guns(self, units: list[int]) -> list[int]:
        """12.3: the guns that may support an attack of these units."""
        rules, state = self.rules, self.state
        hexes = rules.in_range(self.target, [state.at[unit] for unit in units])
        guns = [gun for gun in guns_on(rules, state, state.active, self.target, True) if gun not in units]
        return [gun for gun in guns if why_no_fire(rules, state, gun, hexes, True) is None]

    def choose_guns(self, alphabet: InfernoAlphabet, units: list[int]) -> Generator[list[int], int, list[int]]:
        """12.3.b: the guns that fire, one at a time."""
        guns = self.guns(units)

        def enough(chosen: list[int]) -> bool:
            if not self._forbids:
                return True
            return self.rules.why_no_odds(self.state, self.target, units, [guns[k] for k in chosen]) is None

        def may_add(chosen: list[int], k: int) -> bool:
            if enough([*chosen, k]):
                return True
            return any(may_add([*chosen, k], later) for later in range(k + 1, len(guns)))

        chosen = yield from pick([alphabet.first_unit + gun for gun in guns], may_add, enough)
        return [guns[k] for k in chosen]


def combat(rules: Inferno, state: State, alphabet: InfernoAlphabet) -> Dialogue:
    """3.1.A-4: the small choices of a Combat Phase."""
    phase = rules.choices["combat"]
    assert isinstance(phase, CombatPhase)
    declared = {h: Declaration(rules, state, h) for h in phase.targets(rules, state)}
    choices = [alphabet.first_hex + h for h, attack in declared.items() if attack.is_possible()]
    bombard, end = alphabet.verb["bombard"], alphabet.verb["end"]
    bombardments = rules.bombardments(state)
    if bombardments:
        choices.append(bombard)
    choices.append(end)
    chosen = yield choices
    if chosen == end:
        return End()
    if chosen == bombard:
        name = rules.board.hexside_name
        return (yield from listed(alphabet, [Bombard(name(side), rules.ids[gun]) for gun, side in bombardments], 1))
    attack = declared[chosen - alphabet.first_hex]
    places = yield from pick([alphabet.first_unit + unit for unit in attack.units], attack.may_add, attack.may_stop)
    units = [attack.units[k] for k in places]
    guns = yield from attack.choose_guns(alphabet, units)
    return Attack(rules.hex_id(attack.target), rules.unit_ids(units), rules.unit_ids(guns))


def support(rules: Inferno, state: State, alphabet: InfernoAlphabet) -> Dialogue:
    """12.3.b: the guns that support a defence, one at a time."""
    choice = rules.choices["support"]
    assert isinstance(choice, SupportChoice)
    guns = choice.guns(rules, state, state.frames[-1])
    chosen = yield from pick([alphabet.first_unit + gun for gun in guns])
    return Support(rules.unit_ids([guns[k] for k in chosen]))
