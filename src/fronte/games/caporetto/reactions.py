"""14: reaction. After an action the other side may try to activate one formation at once."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import CHANCE, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, open_to_all
from fronte.games.caporetto import actions, artillery, command, headquarters, panels
from fronte.games.caporetto.headquarters import FORMATION, REACTION
from fronte.games.caporetto.roster import NO_ONE
from fronte.games.caporetto.seating import foe, other_seat
from fronte.games.caporetto.state import State
from fronte.games.caporetto.terrain import AHG, ITALIAN

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()
MOST_GUNS = 15


class React(Action, frozen=True):
    """14: a formation tries to react; one that pays for it with up to so many guns."""

    form = "react {formation}[ {guns}]"
    odds = True
    formation: str
    guns: int = 0


class Decline(Action, frozen=True):
    """14: nobody tries."""

    form = "decline"


def could_react(rules: Caporetto, state: State, force: int) -> bool:
    """14, 24.9: could a force try to react, for all that is no secret? What was planned and points are secrets."""
    return any(why_never(rules, state, force, f) is None for f in rules.formations_of_force[force])


def why_never(rules: Caporetto, state: State, force: int, formation: int) -> Refusal | None:
    """13, 7.7, 24.9.e2: why a formation cannot react whatever was planned and paid."""
    one = rules.formations[formation]
    data = {"formation": one.id}
    if one.force != force:
        return Refusal("14.0", "formation_of_another", data)
    if state.done >> formation & 1:
        return Refusal("13.0", "activated_already", data)
    if not command.mustered(rules, state, formation):
        return Refusal("7.7", "nobody_left", data)
    narrow = rules.scene.opening.react_if_assaulted and state.turn == rules.scene.first_turn
    if narrow and one.side == ITALIAN and not state.assaulted >> formation & 1:
        return Refusal("24.9.e2", "not_assaulted_yet", data)
    return None


def shares(rules: Caporetto, state: State, formation: int) -> list[int]:
    """14.0.lp1, 14.0.lp2: with up to how many guns it may try: with those that were planned, which is 0 here; of an
    Italian one that was not planned none, or as many as one price brings, up to the Initiative Value."""
    one = rules.formations[formation]
    if one.side == AHG or command.is_planned(rules, state, formation):
        return [0]
    most = command.most_guns(rules, state, formation, reacts=True) if artillery.serving(rules, state, formation) else 0
    numbers = [0]
    for guns in range(1, most + 1):
        last = guns == most or command.plan_price(rules, guns + 1) > command.plan_price(rules, guns)
        if last:
            numbers.append(guns)
    return [n for n in numbers if command.reaction_price(rules, state, formation, n) <= state.points[one.force]]


def why_not_react(rules: Caporetto, state: State, force: int, name: str, guns: int) -> Refusal | None:
    """14, 6.1: why a formation does not try to react (so)."""
    formation, data = actions.find(rules, name), {"formation": name}
    if formation == NO_ONE:
        return Refusal("2.2.3", "no_formation", {"name": name})
    why = why_never(rules, state, force, formation)
    if why is not None:
        return why
    if command.reaction_price(rules, state, formation, 0) > state.points[force]:
        return Refusal("14.0.lp3", "no_points_to_react", data)
    if guns not in shares(rules, state, formation):
        return Refusal("14.0.lp2", "not_so_many_guns", data | {"guns": guns})
    return actions.why_not_commanded(rules, state, formation)


@CHAPTER.step("14.0", on="next_action", secrets=open_to_all, phases="action")
def react_step(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """4.0-7.I: the other side is asked, if for all that one may know it could react."""
    state.step = "react"
    if could_react(rules, state, foe(rules, state.active)):
        state.frames.append(Frame("react", other_seat(rules, state)))


def _other(rules: Caporetto, state: State, frame: Frame) -> tuple[int, ...]:
    return (other_seat(rules, state),)


@CHAPTER.choice(on="next_action", seats=_other, phases="action")
class ReactChoice(Choice["Caporetto", State]):
    """14: try to react with one formation, or not at all."""

    name = "react"
    rules = ("14.0",)
    verbs = (React, Decline)
    panel = panels.ACTIVATE

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        yield Decline()
        force = foe(rules, state.active)
        for formation in command.able_to_react(rules, state, force):
            for guns in shares(rules, state, formation):
                yield React(rules.formations[formation].id, guns)

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        force = foe(rules, state.active)
        formation = rng.choice(rules.formations_of_force[force])
        name, guns = rules.formations[formation].id, rng.choice(shares(rules, state, formation) or [0])
        if rng.randrange(2) or why_not_react(rules, state, force, name, guns) is not None:
            return Decline()
        return React(name, guns)

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, Decline):
            return None
        assert isinstance(action, React)
        return why_not_react(rules, state, foe(rules, state.active), action.formation, action.guns)

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        if isinstance(action, Decline):
            return
        assert isinstance(action, React)
        formation = actions.find(rules, action.formation)
        state.active = foe(rules, state.active)
        out.append(Event("tries_to_react", ("14.0",), {"formation": action.formation}))
        if rules.option["reaction_lp_timing"] == "on-attempt":
            _pay(rules, state, formation, action.guns, out)
        state.frames.append(Frame("reaction_die", CHANCE, (formation, action.guns)))
        headquarters.ask_place(rules, state, formation, out)

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return {"side": rules.scene.forces[foe(rules, state.active)]}


def _pay(rules: Caporetto, state: State, formation: int, guns: int, out: list[Event]) -> None:
    """14.0.lp2, 6.0.e1: what it costs is told to who pays."""
    price = command.reaction_price(rules, state, formation, guns)
    if price:
        force = state.active
        state.points[force] -= price
        data = {"side": rules.scene.forces[force], "points": price, "left": state.points[force]}
        seats = -1 if rules.option["lp_visibility"] == "open" else 1 << rules.scene.seat_of[force]
        out.append(Event("paid", ("14.0.lp2",), data, seats))


@CHAPTER.throw(
    1,
    "14.0",
    on="next_action",
    secrets=headquarters.mover,
    takes=(FORMATION, Argument("guns", NUMBER, 0, MOST_GUNS)),
    fault=headquarters.fault,
    phases="action",
)
def reaction_die(rules: Caporetto, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """14: up to the Initiative Value the formation acts at once; else its headquarters goes back to the display."""
    formation, guns = frame.args
    one = rules.formations[formation]
    reacts = dice[0] <= one.initiative
    data = {"formation": one.id, "die": dice[0], "initiative": one.initiative}
    out.append(Event("reacts" if reacts else "does_not_react", ("14.0" if reacts else "14.0.fail",), data))
    if not reacts:
        headquarters.withdraw(rules, state, formation)
        state.active = foe(rules, state.active)
        return
    if rules.option["reaction_lp_timing"] == "on-success":
        _pay(rules, state, formation, guns, out)
    if one.side == ITALIAN and not command.is_planned(rules, state, formation):
        state.plan[formation] = guns
    actions.begin_action(rules, state, REACTION, (formation,), out)
