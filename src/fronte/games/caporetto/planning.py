"""7.2 to 7.4, 21.6: the Command Phase. Which formations are to act, with how many guns; in secret."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine.decision import Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Chapter
from fronte.games.caporetto import command, panels, rommel, subsets
from fronte.games.caporetto.reinforcements import pay
from fronte.games.caporetto.seating import FORCE, of_its_force, seat_of
from fronte.games.caporetto.state import NOT_PLANNED, State
from fronte.games.caporetto.terrain import AHG, ITALIAN

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto
    from fronte.games.caporetto.printed import CaporettoPrinted

CHAPTER = Chapter()
MOST_OFFERED = 40
"""How many whole plans an offer lists; the panel has what any other is made of."""


class Plan(Action, frozen=True):
    """7.4, 21.6: the formations of the AHG that may be activated this turn; and the companies that follow Rommel."""

    form = "plan[ {formations}][ rommel {companies}]"
    formations: tuple[str, ...] = ()
    companies: tuple[str, ...] = ()


class Prepare(Action, frozen=True):
    """7.2, 7.3: the Italian formations that are paid for, each with the box of guns in which it is put."""

    form = "prepare[ {boxes:=}]"
    boxes: tuple[tuple[str, int], ...] = ()


# What may be planned


def boxes(rules: CaporettoPrinted, formation: int) -> range:
    """7.2, 24.9.2.e1: the boxes of the Italian display for a formation, by the most guns that each allows."""
    each = rules.tables.number("logistics", "guns_each")
    most = 0 if rules.formations[formation].id in rules.scene.without_guns else rules.most_assigned
    return range(0, most + 1, each)


def plannable(rules: CaporettoPrinted, state: State, force: int) -> list[int]:
    """7.2, 7.7: the formations of a force with a unit on the map. Rommel's is another matter (21.6)."""
    return [
        formation
        for formation in rules.formations_of_force[force]
        if formation != rules.rommel and command.mustered(rules, state, formation)
    ]


def price(rules: CaporettoPrinted, plan: Sequence[tuple[int, int]]) -> int:
    """7.3: what some formations cost with their boxes of guns."""
    return sum(command.plan_price(rules, guns) for _, guns in plan)


def asks(rules: CaporettoPrinted, state: State, force: int) -> bool:
    """7.2, 24.9.e2, 25.9: has a force anything to plan? Italians have not in turn 1. Who has no points left is asked
    all the same unless they lie open, since that is nobody's business (6.0.e1)."""
    opening = rules.scene.opening
    if rules.scene.force_side[force] == ITALIAN:
        if state.turn == rules.scene.first_turn and not opening.italians_planned:
            return False
        if rules.option["lp_visibility"] == "open" and state.points[force] < command.plan_price(rules, 0):
            return False
    return bool(plannable(rules, state, force))


# The plan of the AHG


def _detachments(rules: CaporettoPrinted, state: State, force: int) -> Iterator[tuple[int, ...]]:
    """21.6: none, then up to four companies that are together."""
    yield ()
    yield from rommel.detachments(rules, state, force)


def _why_no_formation(
    rules: CaporettoPrinted, state: State, force: int, names: Sequence[str], rule: str
) -> Refusal | None:
    """7.2, 7.7: why one of these is nothing that a force can plan."""
    able = plannable(rules, state, force)
    numbers = {one.id: number for number, one in enumerate(rules.formations)}
    for place, name in enumerate(names):
        data = {"formation": name}
        if name not in numbers:
            return Refusal("2.2.3", "no_formation", {"name": name})
        if rules.formations[numbers[name]].force != force:
            return Refusal("24.1", "not_your_formation", data)
        if name in names[:place]:
            return Refusal(rule, "planned_twice", data)
        if numbers[name] == rules.rommel:
            return Refusal("21.6", "rommel_by_companies", data)
        if numbers[name] not in able:
            return Refusal("7.7", "formation_empty", data)
    return None


# The decision


@CHAPTER.choice(on="next_phase ask", seats=of_its_force, takes=(FORCE,), phases="command")
class PlanChoice(Choice["Caporetto", State]):
    """4.0-2, 7.2 to 7.4: the whole plan of a force for the turn, which nobody else sees."""

    name = "plan"
    rules = ("7.2", "7.3", "7.4")
    verbs = (Plan, Prepare)
    panel = panels.PLAN

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        (force,) = frame.args
        able = plannable(rules, state, force)
        if rules.scene.force_side[force] == AHG:
            for chosen in subsets.listed(able):
                for units in _detachments(rules, state, force):
                    yield Plan(_names(rules, chosen), rules.unit_ids(units))
            return
        for plan in _affordable(rules, able, state.points[force]):
            yield Prepare(_named(rules, plan))

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        (force,) = frame.args
        able = plannable(rules, state, force)
        if rules.scene.force_side[force] == AHG:
            units = rng.choice(list(_detachments(rules, state, force)))
            return Plan(_names(rules, subsets.drawn(able, rng, lambda _: True)), rules.unit_ids(units))
        left, plan = rng.randint(0, state.points[force]), []
        for formation in rng.sample(able, len(able)):
            guns = rng.choice(boxes(rules, formation))
            paid = command.plan_price(rules, guns)
            if paid <= left:
                left -= paid
                plan.append((formation, guns))
        return Prepare(_named(rules, sorted(plan)))

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        (force,) = frame.args
        if isinstance(action, Plan):
            if rules.scene.force_side[force] != AHG:
                return Refusal("7.3", "italians_pay", {"force": rules.scene.forces[force]})
            units = rules.units(action.companies)
            if isinstance(units, Refusal):
                return units
            why = _why_no_formation(rules, state, force, action.formations, "7.4")
            return why or (rommel.why_not_formed(rules, state, force, units) if units else None)
        assert isinstance(action, Prepare)
        if rules.scene.force_side[force] != ITALIAN:
            return Refusal("7.4", "ahg_pays_nothing", {"force": rules.scene.forces[force]})
        why = _why_no_formation(rules, state, force, [name for name, _ in action.boxes], "7.3")
        return why or _why_not_paid(rules, state, force, _numbered(rules, action.boxes))

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        (force,) = frame.args
        for formation in rules.formations_of_force[force]:
            state.plan[formation] = NOT_PLANNED
        if isinstance(action, Plan):
            _carry_out_plan(rules, state, force, action, out)
            return
        assert isinstance(action, Prepare)
        plan = _numbered(rules, action.boxes)
        for formation, guns in plan:
            state.plan[formation] = guns
        _tell(rules, force, "7.3", {"planned": len(plan)}, out)
        mine = 1 << seat_of(rules, force)
        for name, guns in action.boxes:
            out.append(Event("prepared", ("7.3",), {"formation": name, "box": f"guns_{guns}"}, mine))
        pay(rules, state, force, price(rules, plan), "7.3", out)

    def offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        """The first plans whole, and what any other is made of."""
        (force,) = frame.args
        found = []
        for action in self.legal(rules, state, frame):
            found.append(msgspec.to_builtins(action))
            if len(found) == MOST_OFFERED:
                break
        able = plannable(rules, state, force)
        italian = rules.scene.force_side[force] == ITALIAN
        return {
            "actions": found,
            "more": len(found) == MOST_OFFERED,
            "formations": {
                rules.formations[one].id: list(boxes(rules, one)) if italian else [rules.most_assigned] for one in able
            },
            "points": state.points[force] if italian else None,
            "companies": list(rules.unit_ids(rommel.companies(rules, state, force))),
        }

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        (force,) = frame.args
        italian = rules.scene.force_side[force] == ITALIAN
        points = {"points": state.points[force]} if italian else {}
        return {"force": rules.scene.forces[force], "turn": state.turn, **points}


def _carry_out_plan(rules: Caporetto, state: State, force: int, action: Plan, out: list[Event]) -> None:
    """7.4, 6.2, 21.6: the AHG pays nothing; Rommel's detachment is declared, and so seen by all."""
    chosen = {rules.formation_number(name) for name in action.formations}
    for formation in chosen:
        state.plan[formation] = rules.most_assigned
    _tell(rules, force, "7.4", {"planned": len(chosen)}, out)
    for formation in plannable(rules, state, force):
        if formation not in chosen:
            data = {"formation": rules.formations[formation].id}
            out.append(Event("not_planned", ("7.4",), data, 1 << seat_of(rules, force)))
    if action.companies:
        rommel.form(rules, state, rules.known(action.companies), out)


def _tell(rules: Caporetto, force: int, rule: str, secret: dict[str, Any], out: list[Event]) -> None:
    """7.2: everybody sees that a force has planned; what, its own player alone."""
    told = {"force": rules.scene.forces[force]}
    out.append(Event("has_planned", (rule,), told | secret, 1 << seat_of(rules, force), told))


def _why_not_paid(rules: CaporettoPrinted, state: State, force: int, plan: Sequence[tuple[int, int]]) -> Refusal | None:
    """7.2, 7.3, 24.9.2.e1: why these formations cannot be put into these boxes."""
    for formation, guns in plan:
        one = rules.formations[formation].id
        if guns not in boxes(rules, formation):
            data = {"formation": one, "guns": guns}
            if guns > 0 and one in rules.scene.without_guns:
                return Refusal("24.9.2.e1", "brigade_without_guns", data)
            return Refusal("7.2", "no_such_box", data)
    need, have = price(rules, plan), state.points[force]
    return Refusal("7.3", "too_dear", {"need": need, "have": have}) if need > have else None


def _affordable(rules: CaporettoPrinted, able: Sequence[int], points: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """7.3: the plans for which so many points are enough: fewer formations first, and of the same ones fewer guns."""
    for size in range(min(len(able), points // command.plan_price(rules, 0)) + 1):
        for chosen in combinations(able, size):
            for guns in product(*(boxes(rules, formation) for formation in chosen)):
                plan = tuple(zip(chosen, guns, strict=True))
                if price(rules, plan) <= points:
                    yield plan


def _names(rules: CaporettoPrinted, formations: Sequence[int]) -> tuple[str, ...]:
    return tuple([rules.formations[formation].id for formation in formations])


def _named(rules: CaporettoPrinted, plan: Sequence[tuple[int, int]]) -> tuple[tuple[str, int], ...]:
    return tuple([(rules.formations[formation].id, guns) for formation, guns in plan])


def _numbered(rules: CaporettoPrinted, plan: Sequence[tuple[str, int]]) -> list[tuple[int, int]]:
    return [(rules.formation_number(name), guns) for name, guns in plan]
