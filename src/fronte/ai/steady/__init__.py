"""Steady: a quick player for Inferno sull'Isonzo that goes by rules of thumb.

It sees what its seat sees. For each phase it draws one whole state that fits its view and plans in that; the terms it
judges by are in `posts` and `attack`, what they are worth in `weights`.
"""

from __future__ import annotations

from random import Random

from fronte.ai.seat import Player, Seat
from fronte.ai.steady.attack import Assault, best_from_contact, targets
from fronte.ai.steady.ground import Picture
from fronte.ai.steady.move import plan_moves
from fronte.ai.steady.small import BLIND, SMALL
from fronte.ai.steady.weights import WEIGHTS, Weights
from fronte.engine.decision import Action
from fronte.games.inferno.combat import Attack
from fronte.games.inferno.movement import End
from fronte.games.inferno.state import IN_SUPPLY, LOW_SUPPLY, OUT_OF_SUPPLY
from fronte.games.inferno.supply import IN_RANGE, supply_layers
from fronte.games.isonzo.game import Isonzo
from fronte.games.isonzo.state import IsonzoState

NOBODY = -1
"""Who used a crossing is not seen; it is closed to all (14.2.a)."""
REPLANS = 3
"""How often a Movement Phase is planned anew after something unforeseen."""


class Steady:
    """The player: a callable that answers the decision of its seat."""

    def __init__(self, rng: Random, weights: dict[int, Weights] | None = None) -> None:
        self.rng = rng
        self.weights = WEIGHTS if weights is None else weights
        self.moves: list[Action] | None = None
        self.planned = 0

    def __call__(self, seat: Seat) -> Action:
        kind = seat.decision.kind
        if kind == "movement":
            return self._move(seat)
        if kind == "combat":
            return self._attack(seat)
        if kind == "setup":
            return next(seat.legal())
        if kind in BLIND:
            return BLIND[kind](seat)
        rules, state = self._imagine(seat)
        return SMALL[kind](rules, state, seat, self.weights[rules.seat_index(seat.name)])

    def _imagine(self, seat: Seat) -> tuple[Isonzo, IsonzoState]:
        """A whole state that fits what the seat sees."""
        rules = seat.rules
        if not isinstance(rules, Isonzo):
            raise ValueError(f"steady plays isonzo and not {rules.header.game}")
        state = rules.resample(seat.view, self.rng)
        assert isinstance(state, IsonzoState)
        state.crossed = dict.fromkeys(state.crossed, NOBODY)
        return rules, state

    def _move(self, seat: Seat) -> Action:
        """The next move of the plan; a new plan if the old one has become impossible."""
        if self.moves is None:
            self.planned = 0
            self._plan(seat)
        assert self.moves is not None
        while self.moves:
            action = self.moves.pop(0)
            if seat.why_not(action) is None:
                return action
            if self.planned < REPLANS:
                self._plan(seat)
        self.moves = None
        return End()

    def _plan(self, seat: Seat) -> None:
        self.planned += 1
        rules, state = self._imagine(seat)
        side = rules.seat_index(seat.name)
        infer_supply(rules, state, 1 - side)
        self.moves = plan_moves(rules, state, side, self.weights[side])

    def _attack(self, seat: Seat) -> Action:
        """The most promising attack that can be made now, if any promises enough."""
        rules, state = self._imagine(seat)
        side = rules.seat_index(seat.name)
        infer_supply(rules, state, 1 - side)
        assault = Assault(Picture(rules, state, side), self.weights[side])
        guns = rules.guns_of[side]
        plans = [best_from_contact(assault, target, guns, set()) for target in targets(assault)]
        found = sorted((p for p in plans if p is not None), key=lambda p: (-p.gain, p.target))
        for plan in found:
            if plan.gain < self.weights[side].least_gain:
                break
            units, guns_named = rules.unit_ids(sorted(plan.units)), rules.unit_ids(sorted(plan.guns))
            action = Attack(rules.hex_id(plan.target), units, guns_named)
            if seat.why_not(action) is None:
                return action
        return End()


def infer_supply(rules: Isonzo, state: IsonzoState, foe: int) -> None:
    """11.4: enemy supply is not seen, but where units stand is, and so is whether supply can reach them."""
    layers = supply_layers(rules, state, foe)
    well, low = sum(layers[: IN_RANGE + 1]), sum(layers[IN_RANGE + 1 :])
    for unit in rules.of_side[foe]:
        h = state.at[unit]
        if h >= 0 and rules.zoccer[unit]:
            state.supply[unit] = IN_SUPPLY if well >> h & 1 else LOW_SUPPLY if low >> h & 1 else OUT_OF_SUPPLY


def steady_player(rng: Random) -> Player:
    """A steady player that leaves to chance what this generator says."""
    return Steady(rng)
