"""4.0-7.A: tactical movement and declarations of assault, of who acts; and formations that change places (7.11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING

from fronte.engine.decision import AUTO, Action, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Chapter, open_to_all
from fronte.games.caporetto import assault, command, engineers, marching, movement, on_the_move, sectors
from fronte.games.caporetto.marching import has_begun, is_open, left_of, manner_of
from fronte.games.caporetto.moving import ROAD, Detach, Done, Exit, March, Move, Moving
from fronte.games.caporetto.prices import step_price
from fronte.games.caporetto.seating import active_seat
from fronte.games.caporetto.state import State
from fronte.games.caporetto.tables import CLOSED, WHOLE_ALLOWANCE
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()
SWAP = "swap"
"""7.11: the kind of action in which a formation behind and one in front change places."""


class Assault(Action, frozen=True):
    """10.2.1, 10.2.5: units declare an assault on a hex, across country or along the road."""

    form = "assault {unit} {target}[ with {along}][ by {by}]"
    odds = True
    words = MappingProxyType({"by": ROAD})
    unit: str
    target: str
    along: tuple[str, ...] = ()
    by: str = ""


class Support(Action, frozen=True):
    """10.2.6: a unit declares support fire for an assault."""

    form = "support {unit} {target}"
    odds = True
    unit: str
    target: str


class Storm(Action, frozen=True):
    """21.5.3: a unit that can infiltrate assaults on the move, at once."""

    form = "storm {unit} {target}[ with {along}][ by {by}]"
    odds = True
    words = MappingProxyType({"by": ROAD})
    unit: str
    target: str
    along: tuple[str, ...] = ()
    by: str = ""


Attack = Assault | Storm
DECLARED = (Assault, Storm, Support)
"""10.2, 21.5.3: what is declared."""


def _acting(rules: Caporetto, state: State, frame: Frame) -> tuple[int, ...]:
    return (active_seat(rules, state),)


# 10.2: declarations


def declared(state: State) -> int:
    """10.2.3, 10.2.6: who has declared something, and moves no more."""
    if not state.assaults and not state.supports:
        return 0
    return mask_of([one[0] for one in (*state.assaults, *state.supports)])


def why_no_assault(rules: Caporetto, state: State, units: Sequence[int], h: int, by: str) -> Refusal | None:
    """10.2.1, 10.2.5, 11.1.e1: why these may not declare an assault on a hex together: each pays for itself, and two
    battalions with a free company may from one hex."""
    if by not in ("", ROAD):
        return Refusal("10.2.5", "no_such_way", {"by": by})
    if len({state.at[unit] for unit in units}) > 1:
        return Refusal("10.2.2", "not_together", {"units": rules.unit_ids(units)})
    for unit in units:
        why = assault.why_not_assault(rules, state, unit, h, left_of(rules, state, (unit,)), by == ROAD)
        if why is not None:
            return why
    here = state.at[units[0]]
    why = assault.why_not_from(rules, state, units, here)
    if why is not None:
        return why
    if by == ROAD:
        along = [one for one, target, road in state.assaults if road and target == h and state.at[one] == here]
        if not movement.fits_road(rules, state, [*along, *units]):
            return Refusal("10.2.5.e1", "road_is_full", {"unit": rules.ids[units[0]]})
    return None


def support(rules: Caporetto, state: State, unit: int, h: int, out: list[Event]) -> None:
    """10.2.6: a Support Fire marker points at a hex."""
    state.supports = (*state.supports, (unit, h))
    data = {"unit": rules.ids[unit], "hex": rules.hex_id(state.at[unit]), "target": rules.hex_id(h)}
    out.append(Event("support_declared", ("10.2.6",), data))


def could_assault(rules: Caporetto, state: State, unit: int, here: int, left: int) -> bool:
    """24.3.common: could a unit declare an assault out of a hex with so much left?"""
    if not rules.assaulting >> unit & 1:
        return False
    inside = sectors.open_to(rules, state, unit)
    for h in bits(rules.grid.ring[here] & state.occ[1 - rules.side[unit]] & inside):
        for by_road in (False, True):
            paid = step_price(rules, state, unit, here, h, by_road)
            if paid not in (CLOSED, WHOLE_ALLOWANCE) and paid <= left:
                return True
    return False


@CHAPTER.choice(on="bombard_step", seats=_acting, phases="action")
class ActChoice(Moving):
    """4.0-7.A: units of the formations that act move, declare assaults and support fire, or assault on the move."""

    name = "act"
    rules = ("4.P7.A", "10.1", "10.2.1", "21.5.3")
    verbs = (Move, March, Assault, Support, Storm, Detach, Exit, Done)

    # Who

    def able(self, rules: Caporetto, state: State, frame: Frame) -> int:
        """7.7, 10.0.6: who acts and has not moved; in an exchange first those behind, then those in front."""
        found = assault.acting(rules, state) & ~state.moved & ~rules.flamethrowers & ~declared(state)
        found &= ~(sectors.held_back(rules, state) | engineers.bridging(state))
        if state.kind == SWAP and _front_has_moved(rules, state):
            found &= ~_members(rules, state, _rear(state))
        return found

    def force(self, rules: Caporetto, state: State, frame: Frame) -> int:
        return state.active

    def why_not_able(self, rules: Caporetto, state: State, frame: Frame, unit: int) -> Refusal:
        data = {"unit": rules.ids[unit]}
        if declared(state) >> unit & 1:
            return Refusal("10.2.3", "has_declared", data)
        if not assault.acting(rules, state) >> unit & 1:
            return Refusal("7.7", "does_not_act", data)
        return Refusal("7.11", "front_has_moved", data)

    # What else there is to do

    def more(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        if state.kind == SWAP:
            return
        able = self.able(rules, state, frame) | state.moving
        for unit in bits(assault.acting(rules, state) & ~rules.flamethrowers & ~declared(state)):
            yield from self.attacks(rules, state, frame, unit)
            if not able >> unit & 1 and self.why_not_forced_here(rules, state, unit) is None:
                yield March(rules.ids[unit])

    def why_not_forced_here(self, rules: Caporetto, state: State, unit: int) -> Refusal | None:
        """10.1.1, 10.4: why a unit that moves no more makes no forced march: it would be for an assault."""
        near = rules.grid.ring[state.at[unit]] & state.occ[1 - rules.side[unit]]
        if not near or not rules.assaulting >> unit & 1:
            return Refusal("10.4", "nobody_to_assault", {"unit": rules.ids[unit]})
        return marching.why_not_forced(rules, state, unit)

    def attacks(self, rules: Caporetto, state: State, frame: Frame, unit: int) -> Iterator[Action]:
        """10.2, 21.5.3: what a unit could declare; March first where points are wanting (10.4)."""
        here, name = state.at[unit], rules.ids[unit]
        near = rules.grid.ring[here] & state.occ[1 - rules.side[unit]]
        for h in bits(near):
            target = rules.grid.ids[h]
            ways = ("", ROAD) if rules.ground.route[rules.ground.way(here, h)] else ("",)
            for by in ways:
                if self.why_no_attack(rules, state, frame, Assault(name, target, (), by), (unit,), h) is None:
                    yield Assault(name, target, (), by)
                    if self.why_no_attack(rules, state, frame, Storm(name, target, (), by), (unit,), h) is None:
                        yield Storm(name, target, (), by)
        for h in sorted({target for _, target, _ in state.assaults if rules.grid.ring[here] >> target & 1}):
            if assault.why_not_support(rules, state, unit, h) is None:
                yield Support(name, rules.grid.ids[h])

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, March):
            unit = rules.number.get(action.unit, -1)
            if unit >= 0 and self._is_after_its_move(rules, state, frame, unit):
                return self.why_not_forced_here(rules, state, unit)
        if not isinstance(action, DECLARED):
            return super().why_not(rules, state, frame, action)
        units = rules.units((action.unit, *getattr(action, "along", ())))
        if isinstance(units, Refusal):
            return units
        hexes = rules.hexes((action.target,))
        if isinstance(hexes, Refusal):
            return hexes
        for unit in units:
            if rules.force[unit] != state.active:
                return Refusal("10.0", "not_yours", {"unit": rules.ids[unit]})
            if state.at[unit] < 0:
                return Refusal("10.0", "off_the_map", {"unit": rules.ids[unit]})
            if rules.flamethrowers >> unit & 1:
                return Refusal("21.4", "goes_with_bearer", {"unit": rules.ids[unit]})
        if state.kind == SWAP:
            return Refusal("7.11", "swap_only_moves", {})
        if isinstance(action, Support):
            if any(one == units[0] for one, _, _ in state.assaults):
                return Refusal("10.2.3", "has_declared", {"unit": action.unit})
            return assault.why_not_support(rules, state, units[0], hexes[0])
        return self.why_no_attack(rules, state, frame, action, units, hexes[0])

    def _is_after_its_move(self, rules: Caporetto, state: State, frame: Frame, unit: int) -> bool:
        """10.2.1: does it act, and move no more, so that an assault is all it could march for?"""
        acts = assault.acting(rules, state) & ~rules.flamethrowers & ~declared(state) & ~state.moving
        return bool(acts >> unit & 1) and not self.able(rules, state, frame) >> unit & 1 and state.kind != SWAP

    def why_no_attack(
        self, rules: Caporetto, state: State, frame: Frame, action: Attack, units: Sequence[int], h: int
    ) -> Refusal | None:
        """10.2, 11.2, 21.5.3: why units may not assault a hex so."""
        others = state.moving & ~state.activated & ~mask_of(units)
        if others and not is_open(state, units[:1]) and isinstance(action, Storm):
            why = self.why_not_leave(rules, state, frame)
            if why is not None:
                return why
        if any(one in units for one, _ in state.supports):
            return Refusal("10.2.6", "supports_already", {"unit": rules.ids[units[0]]})
        why = why_no_assault(rules, state, units, h, action.by) or self._why_too_close(rules, state, frame, units)
        if why is not None or isinstance(action, Assault):
            return why
        why = self.why_too_full(rules, state, frame)  # 11.2: the limit holds in every combat
        if why is not None:
            return why
        left = left_of(rules, state, units)
        return assault.why_not_on_the_move(rules, state, units, h, left, action.by == ROAD)

    def _why_too_close(self, rules: Caporetto, state: State, frame: Frame, units: Sequence[int]) -> Refusal | None:
        """11.2: out of a hex that is too full nobody declares who could still leave it."""
        h = state.at[units[0]]
        if h not in self.crowded(rules, state, frame):
            return None
        free = self.able(rules, state, frame) | state.moving & ~state.activated
        for unit in units:
            if free >> unit & 1 and self.can_go(rules, state, frame, unit):
                return Refusal("11.2", "still_too_full", {"hex": rules.hex_id(h)})
        return None

    # Where moves may end

    def ends_anywhere(self, state: State) -> bool:
        return state.kind != SWAP

    def why_no_end(
        self, rules: Caporetto, state: State, frame: Frame, units: Sequence[int], h: int, left: int
    ) -> Refusal | None:
        if state.kind != SWAP:
            return super().why_no_end(rules, state, frame, units, h, left)
        if sectors.is_common(rules, h):
            return Refusal("24.3.common", "common_hex", {"hex": rules.hex_id(h)})
        if _members(rules, state, _rear(state)) >> units[0] & 1:
            front = _members(rules, state, _front(state))
            if not any(front >> unit & 1 for unit in state.stacks.get(h, ())):
                return Refusal("7.11", "not_to_the_front", {"hex": rules.hex_id(h)})
            return self._why_full(rules, state, frame, units, h)
        if self._is_nearer(rules, state, units, h) and self._could_go_back(rules, state, units):
            return Refusal("7.11", "not_farther", {"hex": rules.hex_id(h)})
        return super().why_no_end(rules, state, frame, units, h, left)

    def _is_nearer(self, rules: Caporetto, state: State, units: Sequence[int], h: int) -> bool:
        """7.11: is a hex no farther from the nearest enemy than where they stand? Who is on his way back already must
        not come nearer again."""
        side = rules.side[units[0]]
        now, then = (nearest_enemy(rules, state, side, one) for one in (state.at[units[0]], h))
        return then < now if has_begun(state, units[0]) else then <= now

    def _could_go_back(self, rules: Caporetto, state: State, units: Sequence[int]) -> bool:
        """7.11: have they the points to come farther away from every enemy?"""
        left, manner = left_of(rules, state, units), manner_of(state, units)
        found = movement.spread(rules, state, units, left, manner).left if left > 0 else {}
        return any(not self._is_nearer(rules, state, units, h) for h in found)

    def may_stay_in_common(self, rules: Caporetto, state: State, units: Sequence[int], h: int, left: int) -> bool:
        """24.3.common: who can declare an assault out of it."""
        return all(could_assault(rules, state, unit, h, left) for unit in units)

    def why_not_leave(self, rules: Caporetto, state: State, frame: Frame, declaring: bool = False) -> Refusal | None:
        """24.3.common: who has come to a common hex goes on, or declares his assault, before anybody else moves."""
        if not rules.scene.sectors:
            return None
        going = state.moving & ~state.activated & ~declared(state)
        for unit in bits(going):
            if sectors.is_common(rules, state.at[unit]):
                if could_assault(rules, state, unit, state.at[unit], left_of(rules, state, (unit,))):
                    return Refusal("24.3.common", "must_go_on", {"unit": rules.ids[unit]})
                if self.can_go(rules, state, frame, unit):
                    return Refusal("24.3.common", "must_go_on", {"unit": rules.ids[unit]})
        return None

    def why_not_done(self, rules: Caporetto, state: State, frame: Frame) -> Refusal | None:
        why = super().why_not_done(rules, state, frame)
        if why is not None or not rules.scene.sectors or state.kind == SWAP:
            return why
        for unit, _ in state.leftovers:
            if self._must_declare(rules, state, frame, unit):
                return Refusal("24.3.common", "must_go_on", {"unit": rules.ids[unit]})
        return None

    def _must_declare(self, rules: Caporetto, state: State, frame: Frame, unit: int) -> bool:
        """24.3.common: has it moved to a common hex, and could still assault out of it?"""
        here = state.at[unit]
        if here < 0 or not sectors.is_common(rules, here) or declared(state) >> unit & 1:
            return False
        if not assault.acting(rules, state) >> unit & 1:
            return False
        return any(isinstance(one, Assault) for one in self.attacks(rules, state, frame, unit))

    # Carrying out

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        if not isinstance(action, Done):
            state.frames.append(Frame("look_round", AUTO))
        if not isinstance(action, DECLARED):
            super().apply(rules, state, frame, action, out)
            return
        h = rules.grid.index[action.target]
        units = [rules.number[name] for name in (action.unit, *getattr(action, "along", ()))]
        if isinstance(action, Storm):
            self.turn_to(rules, state, units, out)
            marching.close(state)
            on_the_move.begin(rules, state, units, h, action.by == ROAD, out)
            marching.tire(rules, state, out, units)
            return
        for unit in units:
            if isinstance(action, Support):
                support(rules, state, unit, h, out)
            else:
                assault.declare(rules, state, unit, h, action.by == ROAD, out)
        marching.drop_out(state, units)

    # At random

    def something(self, rules: Caporetto, state: State, frame: Frame, movers: int, rng: Random) -> Action | None:
        """An attack where one can be declared, else what others do besides moving."""
        units = list(bits(assault.acting(rules, state) & ~rules.flamethrowers & ~declared(state)))
        foes = state.occ[1 - rules.scene.force_side[state.active]]
        close = [unit for unit in units if rules.grid.ring[state.at[unit]] & foes]
        if close and state.kind != SWAP and rng.random() < 0.8:
            found = list(self.attacks(rules, state, frame, rng.choice(close)))
            if found:
                return rng.choice(found)
        return super().something(rules, state, frame, movers, rng)


def begin(rules: Caporetto, state: State, out: list[Event]) -> None:
    """4.0-7.A: all is prepared, and the step begins; where nobody can do anything it is over."""
    state.step = "move"
    _end_if_idle(rules, state, out)


FEW = 2
"""Of more units that have not moved one can surely do something; of so few it is looked at."""


@CHAPTER.step("4.P7.A", on="act", secrets=open_to_all, phases="action")
def look_round(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """4.0-7.A: something has been done; where nobody can do anything more the step is over."""
    choice = rules.choices["act"]
    assert isinstance(choice, ActChoice)
    if choice.able(rules, state, state.frames[-1]).bit_count() <= FEW:
        _end_if_idle(rules, state, out)


def _end_if_idle(rules: Caporetto, state: State, out: list[Event]) -> None:
    frame, choice = state.frames[-1], rules.choices["act"]
    assert isinstance(choice, ActChoice)
    if choice.is_idle(rules, state, frame):
        choice.apply(rules, state, frame, Done(), out)


# 7.11: formations change places


def _front(state: State) -> int:
    return state.formations[0]


def _rear(state: State) -> int:
    return state.formations[1]


def _members(rules: Caporetto, state: State, formation: int) -> int:
    return command.mustered(rules, state, formation)


def _front_has_moved(rules: Caporetto, state: State) -> bool:
    """7.11: first those behind move, then those in front."""
    front = rules.formations[_front(state)].mask
    return any(front >> unit & 1 for unit, _ in state.leftovers)


def nearest_enemy(rules: Caporetto, state: State, side: int, h: int) -> int:
    """7.11: how many hexes away the nearest enemy is, gun or not; far where there is none."""
    enemies = state.occ[1 - side] | state.guns[1 - side]
    for far in range(1, rules.grid.span):
        if rules.grid.within(h, far) & enemies:
            return far
    return rules.grid.span
