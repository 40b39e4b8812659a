"""Standing orders for reactions (12): who reacts by himself, how and when; a side is asked only where it matters.

Each policy answers for the unit that does it best, or leaves the window to the next policy of the order. The window is
laid again after each reaction, so an order is followed by everybody whom it concerns, one after the other. Nothing is
weighed here that the side does not see: enemies next to its units are known, and of others only their backs count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import Action, Frame
from fronte.engine.dice import outcomes
from fronte.engine.standing import HEX, NUMBER, PIECE, WORD, Parameter, Policies, Policy, Value
from fronte.games.volturno import assault, charge, cohesion, declarations, fire, movement, reactions, withdrawals
from fronte.games.volturno.counters import COMPASS
from fronte.games.volturno.fog import knows
from fronte.games.volturno.reaction_zones import is_in_front

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno
    from fronte.games.volturno.state import State

Given = Mapping[str, Value]
ALWAYS, AIMED, UNAIMED = "always", "aimed", "unaimed"
ALL, GUNS = "all", "guns"
PERCENT = 100
FAIR = 25
"""The chance of a hit, in percent, from which a shot is usual: that of most units that have not fired yet."""
UNIT = Parameter("unit", PIECE)
AT = Parameter("at", HEX)
"""Only those who stand in one hex."""
WHEN = Parameter("when", WORD, words=(ALWAYS, AIMED, UNAIMED), default=ALWAYS)
"""Only when the enemy stands on a marker that points at one's own, or only when he does not."""
WHO = Parameter("who", WORD, words=(ALL, GUNS), default=ALL)
LOW = Parameter("low", WORD, words=("yes", "no"), default="yes")
"""Whether also those fire who are low on ammunition."""


def odds(default: int) -> Parameter:
    """The least chance, in percent."""
    return Parameter("odds", NUMBER, 0, PERCENT, default=default)


# What is weighed


def is_aimed(rules: Volturno, state: State, frame: Frame) -> bool:
    """7.1: does the enemy who is reacted to stand where a marker points at units of the side that is asked?"""
    unit, trigger = frame.args[:2]
    if trigger not in ("enter", "assault"):
        return bool(trigger == "rescue")
    here, side = state.at[unit], rules.side[unit]
    return any(movement.goals(rules, state, side, here, kind) for kind in (movement.ASSAULT, movement.CHARGE))


@cache
def _at_least(total: int) -> int:
    """In how many of the 36 ways two dice give at least this."""
    return sum(sum(dice) >= total for dice in outcomes(2))


def hit_chance(rules: Volturno, state: State, frame: Frame, reactor: int) -> int:
    """9.4, 9.4.3.p1: the chance in percent that a shot takes a level, and that there is ammunition for it."""
    drm = sum(modifier.amount for modifier in fire.modifiers(rules, state, reactor, frame.args[0]))
    found = _at_least(int(rules.tables["fire"]["levels"][0][0]) - drm) / 36
    if state.low >> reactor & 1:
        found *= (6 - int(rules.tables["ammunition"]["out"])) / 6
    return int(found * PERCENT)


def pass_chance(rules: Volturno, state: State, frame: Frame, reactor: int, extra: int = 0) -> float:
    """13.1: the chance that a unit passes the check of its reaction; infantry fears the charge that is aimed at it."""
    drm = extra + sum(modifier.amount for modifier in cohesion.modifiers(rules, state, reactor))
    drm += charge.fear(rules, state, frame.args[0], reactor)
    return 1 - _at_least(cohesion.current(rules, state, reactor) - drm + 1) / 36


def counter_chance(rules: Volturno, state: State, frame: Frame, reactor: int) -> int:
    """12.2.3: the chance in percent to pass the check and to win outright."""
    h = state.at[frame.args[0]]
    won = 1.0
    if not all(rules.counters[other].is_artillery for other in state.stacks[h]):
        other = assault.reference(rules, state, reactor, h)
        drm = sum(modifier.amount for modifier in assault.modifiers(rules, state, reactor, h, other))
        rows, lowest = rules.tables["assault"]["assault"], int(rules.tables["assault"]["lowest"])
        best = next((n for n, row in enumerate(rows) if row[2] == assault.BLUE), len(rows))
        won = _at_least(best + lowest - drm) / 36
    return int(pass_chance(rules, state, frame, reactor) * won * PERCENT)


# Policies


def _concerned(rules: Volturno, state: State, frame: Frame, given: Given) -> Iterator[int]:
    """The units that may react and that an order is for; none when it is not for this moment."""
    when = given.get("when", ALWAYS)
    if when != ALWAYS and is_aimed(rules, state, frame) != (when == AIMED):
        return
    for reactor in reactions.watchers(rules, state, frame):
        if given.get("unit", "") not in ("", rules.ids[reactor]):
            continue
        if given.get("at", "") not in ("", rules.grid.ids[state.at[reactor]]):
            continue
        if given.get("who", ALL) == ALL or rules.counters[reactor].is_artillery:
            yield reactor


def _may(rules: Volturno, state: State, frame: Frame, action: Action) -> bool:
    return rules.choices["react"].why_not(rules, state, frame, action) is None


def _best(
    rules: Volturno, state: State, frame: Frame, given: Given, chance: Callable[[int], int], able: Callable[[int], bool]
) -> int:
    """The unit with the best chance, if that is good enough; -1 if there is none."""
    found = [(chance(reactor), -reactor) for reactor in _concerned(rules, state, frame, given) if able(reactor)]
    best, unit = max(found, default=(-1, 1))
    return -unit if found and best >= int(given["odds"]) else -1


def hold(rules: Volturno, state: State, frame: Frame, given: Given) -> Action | None:
    """12: nobody reacts (any more), or nobody in one hex where nobody else could."""
    when, at = given["when"], given["at"]
    if at and any(rules.grid.ids[state.at[unit]] != at for unit in reactions.watchers(rules, state, frame)):
        return None
    return reactions.Hold() if when == ALWAYS or is_aimed(rules, state, frame) == (when == AIMED) else None


def shoot(rules: Volturno, state: State, frame: Frame, given: Given) -> Action | None:
    """12.2.2: who hits most probably fires."""
    tired = state.low if given["low"] == "no" else 0
    unit = _best(
        rules,
        state,
        frame,
        given,
        lambda reactor: hit_chance(rules, state, frame, reactor),
        lambda reactor: not tired >> reactor & 1 and _may(rules, state, frame, reactions.Shoot(rules.ids[reactor])),
    )
    return None if unit < 0 else reactions.Shoot(rules.ids[unit])


def counter(rules: Volturno, state: State, frame: Frame, given: Given) -> Action | None:
    """12.2.3: who wins most probably counter-attacks, next to him: of enemies farther away too little is known."""
    unit = _best(
        rules,
        state,
        frame,
        given,
        lambda reactor: counter_chance(rules, state, frame, reactor),
        lambda reactor: (
            state.at[frame.args[0]] in rules.grid.adjacent[state.at[reactor]]
            and _may(rules, state, frame, reactions.Counter(rules.ids[reactor]))
        ),
    )
    return None if unit < 0 else reactions.Counter(rules.ids[unit])


def face(rules: Volturno, state: State, frame: Frame, given: Given) -> Action | None:
    """12.2.1: who has the enemy behind him turns to him."""
    h = state.at[frame.args[0]]
    facings = rules.ground.facings

    def turned(reactor: int) -> Action:
        return reactions.Face(rules.ids[reactor], COMPASS[fire.towards(rules, state, reactor, h)])

    unit = _best(
        rules,
        state,
        frame,
        given,
        lambda reactor: int(pass_chance(rules, state, frame, reactor) * PERCENT),
        lambda reactor: (
            not facings.all_round >> state.at[reactor] & 1
            and not is_in_front(rules, state, reactor, h)
            and _may(rules, state, frame, turned(reactor))
        ),
    )
    return None if unit < 0 else turned(unit)


def withdraw(rules: Volturno, state: State, frame: Frame, given: Given) -> Action | None:
    """12.2.5: who may gets away, to the hex that lies farthest from enemies; commanders go along."""

    def goals(reactor: int) -> list[Action]:
        found = reactions.reactions(rules, state, frame, reactor)
        return [action for action in found if isinstance(action, withdrawals.Withdraw)]

    def extra(reactor: int) -> int:
        seen = knows(rules, state, frame.seat, frame.args[0])
        return reactions.swiftness(rules, frame.args[0], reactor) if seen else 0

    unit = _best(
        rules,
        state,
        frame,
        given,
        lambda reactor: int(pass_chance(rules, state, frame, reactor, extra(reactor)) * PERCENT),
        lambda reactor: bool(goals(reactor)),
    )
    if unit < 0:
        return None

    def merit(action: Action) -> tuple[int, int]:
        assert isinstance(action, withdrawals.Withdraw)
        h = rules.grid.index[action.to]
        return movement.nearest_enemy(rules, state, frame.seat, h), len(action.along)

    return max(goals(unit), key=merit)


def limber(rules: Volturno, state: State, frame: Frame, given: Given) -> Action | None:
    """8.4: guns in position limber."""
    for reactor in _concerned(rules, state, frame, given):
        action = reactions.Change(rules.ids[reactor], "column")
        if _may(rules, state, frame, action):
            return action
    return None


def line(rules: Volturno, state: State, frame: Frame, given: Given) -> Action | None:
    """12.1.t1: who is fired at in column leaves it."""
    for reactor in _concerned(rules, state, frame, given):
        action = reactions.Change(rules.ids[reactor], "line")
        if not rules.counters[reactor].is_artillery and _may(rules, state, frame, action):
            return action
    return None


def usual(rules: Volturno, state: State, frame: Frame, given: Given) -> Action | None:
    """Guns at which a marker points get away if they can; whoever is not about to be attacked fires where he hits well
    and does nothing else; columns under fire deploy. What to do against an assault is asked: who has fired at it can do
    nothing else any more."""
    everybody: dict[str, Any] = {"unit": "", "at": "", "when": ALWAYS, "who": ALL, "low": "yes"}
    return (
        withdraw(rules, state, frame, {**everybody, "who": GUNS, "when": AIMED, "odds": 0})
        or shoot(rules, state, frame, {**everybody, "when": UNAIMED, "odds": given["odds"]})
        or line(rules, state, frame, everybody)
        or hold(rules, state, frame, {"at": "", "when": UNAIMED})
    )


def leave(rules: Volturno, state: State, frame: Frame, given: Given) -> Action | None:
    """7.1.5: markers whose target is gone stay as they are."""
    return declarations.Leave()


POLICIES: Mapping[str, Policies] = {
    "react": {
        "usual": Policy(usual, (odds(FAIR),)),
        "hold": Policy(hold, (AT, WHEN)),
        "shoot": Policy(shoot, (UNIT, AT, WHEN, odds(0), LOW)),
        "counter": Policy(counter, (UNIT, AT, WHEN, odds(50))),
        "face": Policy(face, (UNIT, AT, WHEN, odds(50))),
        "withdraw": Policy(withdraw, (UNIT, AT, WHO, WHEN, odds(0))),
        "limber": Policy(limber, (UNIT, AT, WHEN)),
        "line": Policy(line, (UNIT, AT, WHEN)),
    },
    "redirect": {"leave": Policy(leave)},
}
"""What a side can leave standing; tried in the order in which it is written, `usual; counter odds=60; hold`."""
ROUTINE: Mapping[str, str] = {"react": "usual"}
"""12: who has a fair shot at those who pass fires; what to do against an assault is asked."""
