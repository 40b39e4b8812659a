"""2.2, 8.5: commanders ride about, and are driven off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Argument, Chapter
from fronte.games.common.positions import UNIT
from fronte.games.volturno.fog import tell, who_knows
from fronte.games.volturno.state import State
from fronte.games.volturno.terrain import foot
from fronte.hexes import flood

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

CHAPTER = Chapter()


def ride(rules: Volturno, state: State, leader: int, to: int, out: list[Event]) -> None:
    """8.5, gap.leader-move: a commander rides once a turn; it is no action, and nobody reacts."""
    here, before = state.at[leader], who_knows(rules, state, leader)
    state.at[leader] = to
    state.led |= 1 << leader
    data = {"path": [rules.grid.ids[here], rules.grid.ids[to]]}
    tell(rules, state, leader, "rode", ("8.5",), data, out, before)


def displace(rules: Volturno, state: State, leader: int, out: list[Event]) -> None:
    """2.2.p4, 2.2.p5: a commander who is driven off goes to the nearest unit of his formation (of his side, if he is
    in chief); without one up to his allowance, whatever the enemy."""
    goals = refuges(rules, state, leader)
    if len(goals) == 1:
        flee(rules, state, leader, goals[0], out)
    elif goals:
        state.frames.append(Frame("displaced", rules.side[leader], (leader,)))


def refuges(rules: Volturno, state: State, leader: int) -> list[int]:
    """2.2.p4: the hexes to which a commander may flee."""
    here, formation = state.at[leader], rules.counters[leader].formation
    units = rules.members[formation] if formation >= 0 else rules.units_of_side[rules.side[leader]]
    there = sorted({state.at[u] for u in units if state.at[u] >= 0})
    if there:
        near = min(rules.grid.distance(here, h) for h in there)
        return [h for h in there if rules.grid.distance(here, h) == near]
    neighbours, cost = rules.grid.neighbours, rules.ground.cost[foot(rules.counters[leader].kind, False)]
    roads = rules.ground.road_cost

    def steps(h: int) -> list[tuple[int, int]]:
        ways = ((there, roads[h * 6 + d] or cost[h * 6 + d]) for d, there in enumerate(neighbours[h]))
        return [(there, price) for there, price in ways if there >= 0 and price]

    found, _ = flood((here,), rules.counters[leader].points, steps)
    taken = state.occ[1 - rules.side[leader]]
    return sorted(h for h in found if not taken >> h & 1 and h != here)


def flee(rules: Volturno, state: State, leader: int, to: int, out: list[Event]) -> None:
    """2.2.p4: he is put there."""
    before, here = who_knows(rules, state, leader), state.at[leader]
    state.at[leader] = to
    data = {"path": [rules.grid.ids[here], rules.grid.ids[to]]}
    tell(rules, state, leader, "leader_flees", ("2.2.p4",), data, out, before)


class Flee(Action, frozen=True):
    """2.2.p4: where a commander goes whose hex the enemy has entered."""

    form = "flee {to}"
    to: str


def _owner(rules: Volturno, state: State, frame: Frame) -> tuple[int, ...]:
    return (rules.side[frame.args[0]],)


def _is_leader(rules: Volturno, state: State, frame: Frame) -> str:
    return "" if frame.args[0] in rules.leader_set else "he is no commander"


@CHAPTER.choice(
    on="act stragglers march watch check_dice phase_c phase_d_over carry_on displaced advance fall_away dressing "
    "overrun storm accompany onset ride_off ridden spent counter_ridden counter_onset redirect",
    seats=_owner,
    takes=(Argument("unit", UNIT),),
    fault=_is_leader,
    once=False,
)
class Displaced(Choice["Volturno", State]):
    """2.2.p4: a driven-off commander's owner says to which of the nearest units he goes."""

    name = "displaced"
    rules = ("2.2.p4",)
    verbs = (Flee,)

    def legal(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        for h in refuges(rules, state, frame.args[0]):
            yield Flee(rules.grid.ids[h])

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Flee)
        named = rules.hex_ids(refuges(rules, state, frame.args[0]))
        return None if action.to in named else Refusal("2.2.p4", "no_refuge", {"name": action.to})

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Flee)
        state.frames.pop()
        flee(rules, state, frame.args[0], rules.grid.index[action.to], out)

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        return {"unit": rules.ids[frame.args[0]]}
