"""Orders that cannot be carried out, of every verb, over whole games: the reason that is given is the true one.

Each reason is held against the position from which it was given, in words of its own: `TRUE` says what must be so.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

import pytest
from eager import eager

import fronte
from fronte.engine.decision import Action, Frame, Refusal
from fronte.games.registry import ruleset
from fronte.games.volturno.counters import COMPASS, FIELD, FORMATIONS, LIGHT, RESERVE, RUIZ, SIDE_OF
from fronte.games.volturno.game import Volturno
from fronte.games.volturno.reaction_zones import in_enemy_zone, is_in_front
from fronte.games.volturno.state import NOBODY, State

NIGHTLY = bool(os.environ.get("FRONTE_NIGHTLY"))
GAMES = 30 if NIGHTLY else 2
EVERY = 3
"""Every so many decisions wrong orders are tried."""


class Said(NamedTuple):
    """A reason, and the position in which it was given."""

    rules: Volturno
    state: State
    frame: Frame
    action: Action
    why: Refusal

    @property
    def unit(self) -> int:
        """The unit of which it speaks."""
        return self.rules.number[self.why.data["unit"]]

    @property
    def hex(self) -> int:
        """The hex of which it speaks."""
        return self.rules.grid.index[self.why.data["hex"]]

    @property
    def counter(self) -> Any:
        """The counter of the unit."""
        return self.rules.counters[self.unit]

    @property
    def formation(self) -> int:
        """The formation of which it speaks."""
        return FORMATIONS.index(self.why.data["formation"])

    def has(self, mask: int) -> bool:
        """Is the unit in this mask?"""
        return bool(mask >> self.unit & 1)

    def enemy(self) -> bool:
        """Does an enemy of the seat stand in the hex?"""
        return bool(self.state.occ[1 - self.frame.seat] >> self.hex & 1)

    def zone(self, h: int) -> bool:
        """Does a hex lie in a zone of the enemy?"""
        return in_enemy_zone(self.rules, self.state, self.frame.seat, h)

    def is_under_way(self) -> bool:
        """Has the unit moved in the action that it has open?"""
        return self.state.mover == self.unit and self.state.steps > 0


TRUE: dict[str, Callable[[Said], bool]] = {
    "not_yours": lambda s: s.rules.side[s.unit] != s.frame.seat,
    "gone": lambda s: s.state.at[s.unit] < 0,
    "leader_waits": lambda s: s.unit in s.rules.leader_set,
    "has_ridden": lambda s: s.unit in s.rules.leader_set and s.has(s.state.led),
    "has_reacted": lambda s: s.unit in s.frame.args[-1],
    "not_concerned": lambda s: s.unit not in s.state.stacks.get(s.frame.args[2], ()) or s.frame.args[1] != "fire",
    "has_acted": lambda s: s.has(s.state.acted),
    "was_called": lambda s: s.has(s.state.called & ~s.state.along),
    "in_command": lambda s: not s.has(s.state.ooc),
    "out_of_command": lambda s: s.has(s.state.ooc) and s.rules.side[s.unit] == s.frame.seat,
    "not_its_formation": lambda s: NOBODY != s.state.formation != s.counter.formation,
    "stays_put": lambda s: bool(s.state.stayed >> s.counter.formation & 1) and s.rules.is_night(s.state.turn),
    "must_attack_now": lambda s: s.is_under_way() and (s.zone(s.state.at[s.unit]) or bool(s.state.bound)),
    "attack_or_leave": lambda s: s.has(s.state.threatened),
    "must_march": lambda s: s.counter.formation == RUIZ,
    "marker_waits": lambda s: bool(s.state.markers) and not s.has(s.state.ooc & ~s.state.along),
    "cannot_assault": lambda s: s.counter.is_artillery or s.counter.is_leader,
    "cannot_charge": lambda s: not s.counter.is_cavalry or s.has(s.state.exhausted) or s.counter.side == 0,
    "cannot_fire": lambda s: not s.counter.is_artillery and s.counter.kind != LIGHT,
    "may_not_fire": lambda s: s.state.row in ("fall_back", "retire"),
    "no_fire_at_night": lambda s: s.rules.is_night(s.state.turn),
    "no_attack_at_night": lambda s: s.rules.is_night(s.state.turn),
    "zone_at_night": lambda s: s.rules.is_night(s.state.turn) and s.zone(s.hex),
    "limbered": lambda s: s.counter.is_artillery and s.has(s.state.column),
    "not_limbered": lambda s: s.counter.is_artillery and not s.has(s.state.column),
    "guns_stay": lambda s: s.counter.kind == FIELD and not s.has(s.state.column),
    "out_of_ammo": lambda s: s.has(s.state.out),
    "moved_already": lambda s: s.is_under_way(),
    "nobody_there": lambda s: not s.enemy() or bool(getattr(s.action, "piece", "")),
    "enemy_there": lambda s: s.enemy(),
    "in_zone": lambda s: s.zone(s.hex),
    "leader_in_zone": lambda s: s.zone(s.hex) and not s.state.occ[s.frame.seat] >> s.hex & 1,
    "off_the_field": lambda s: not s.rules.ground.extent >> s.hex & 1,
    "must_withdraw": lambda s: s.has(s.state.ooc) and s.zone(s.state.at[s.unit]),
    "holds": lambda s: s.state.row == "hold",
    "nearer_to_enemy": lambda s: s.state.row in ("fall_back", "retire"),
    "must_fall_back": lambda s: s.state.row == "fall_back",
    "only_at_start": lambda s: s.state.mover == s.unit,
    "column_keeps_facing": lambda s: s.has(s.state.column),
    "faces_as_friends": lambda s: len(s.state.stacks[s.state.at[s.unit]]) > 1,
    "faces_so": lambda s: COMPASS[s.state.facing[s.unit]] == getattr(s.action, "facing", ""),
    "formed_so": lambda s: (getattr(s.action, "into", "") == "column") == s.has(s.state.column),
    "no_such_form": lambda s: s.why.data["name"] not in ("line", "column"),
    "keeps_facing": lambda s: s.frame.args[1] == "stay",
    "no_facing": lambda s: s.why.data["facing"] not in COMPASS,
    "no_front": lambda s: s.unit in s.rules.leader_set,
    "not_in_front": lambda s: bool(getattr(s.action, "path", ())) or not is_in_front(s.rules, s.state, s.unit, s.hex),
    "has_marker": lambda s: any(marker[3] == s.unit for marker in s.state.markers),
    "marker_there": lambda s: any(marker[1] == s.hex for marker in s.state.markers),
    "no_such_marker": lambda s: s.why.data["name"] not in ("assault", "charge"),
    "not_sighted": lambda s: not s.state.seen >> s.formation & 1,
    "activated_already": lambda s: bool(s.state.activated >> s.formation & 1),
    "not_your_formation": lambda s: SIDE_OF[s.formation] != s.frame.seat,
    "not_in_scenario": lambda s: s.formation not in s.rules.formations[s.frame.seat],
    "not_of_reserve": lambda s: s.counter.formation != RESERVE or s.counter.is_leader,
    "needs_no_call": lambda s: s.state.formation == RESERVE,
    "one_is_along": lambda s: bool(s.state.along),
    "train_is_gone": lambda s: s.state.railed,
    "not_all_placed": lambda s: s.state.phase == "setup" and s.state.at[s.unit] < 0,
    "no_hex": lambda s: s.why.data["name"] not in s.rules.grid.index,
    "not_charging": lambda s: s.unit != s.frame.args[0],
}


def wrong_orders(rules: Volturno, state: State, verb: type[Action], rng: Random) -> Iterator[Action]:
    """A few orders of a kind that are hardly ever right."""
    frame = state.frames[-1]
    own = [name for unit, name in enumerate(rules.ids) if rules.side[unit] == frame.seat]
    for _ in range(3):
        units = own if rng.random() < 0.8 else rules.ids
        if state.formation >= 0 and rng.random() < 0.5:
            units = [rules.ids[unit] for unit in rules.members[state.formation]]
        data: dict[str, Any] = {"unit": rng.choice(units)}
        h = state.at[rules.number[data["unit"]]]
        path: list[str] = []
        for _ in range(rng.randrange(4)):
            if h >= 0:
                h = rng.choice(rules.grid.adjacent[h])
                path.append(rules.grid.ids[h])
        near = [h for h in state.at if h >= 0]
        for name in ("target", "at", "to"):
            h = rng.choice(near) if near else 0
            data[name] = rules.grid.ids[rng.choice((h, *rules.grid.adjacent[h]))]
        data |= {"path": tuple(path), "facing": rng.choice((*COMPASS, "", "up")), "along": ()}
        data |= {"by": rng.choice(("", "charge", "siege")), "into": rng.choice(("line", "column", "square"))}
        data |= {"state": "", "piece": rng.choice(("", "1", "2")), "formation": rng.choice(FORMATIONS)}
        yield verb(**{name: data[name] for name in verb.__struct_fields__})


def test_the_reason_that_is_given_is_true() -> None:
    seen: Counter[str] = Counter()
    false: Counter[str] = Counter()
    for seed in range(GAMES):
        for scenario in ("short", "full"):
            match, rng = fronte.new("volturno", scenario, seed), Random(seed)
            rules: Any = match.rules
            number = 0
            while match.seat >= 0 and (NIGHTLY or number < 900):
                number += 1
                frame = match.state.frames[-1]
                choice = rules.choices[frame.name]
                for verb in choice.verbs if number % EVERY == 0 else ():
                    for action in wrong_orders(rules, match.state, verb, rng):
                        why = choice.why_not(rules, match.state, frame, action)
                        if why is None:
                            continue
                        seen[why.key] += 1
                        said = Said(rules, match.state, frame, action, why)
                        if why.key in TRUE and not TRUE[why.key](said):
                            false[f"{frame.name} {action}: {why.rule} {rules.told(why).why}"] += 1
                match.play(eager(match, rng) if seed % 2 else match.sample(rng))
    assert not false, "\n".join(list(false)[:20])
    assert len([key for key in TRUE if seen[key]]) > 35


@pytest.mark.parametrize("scenario", ["short", "full"])
def test_every_reason_held_against_the_position_is_one_that_is_given(scenario: str) -> None:
    table = ruleset("volturno", scenario).texts("en").tables["refusal"]
    assert set(TRUE) <= set(table)


@pytest.mark.parametrize(
    ("timing", "kind", "who", "key"),
    [
        ("start-of-phase-b", "chiefs", "g-spangaro", "only_the_chief"),
        ("start-of-phase-b", "act", "g-garibaldi", "chief_rides_first"),
        ("phase-d", "act", "g-garibaldi", "chief_rides_last"),
        ("any-own-activation", "stragglers", "g-garibaldi", "leader_waits"),
    ],
)
def test_when_commanders_in_chief_ride_is_told_as_the_option_has_it(timing: str, kind: str, who: str, key: str) -> None:
    """gap.leader-move, cic_move_timing: nobody is told to wait for what will never come."""
    match, rng = fronte.new("volturno", "full", 2, {"cic_move_timing": timing}), Random(2)
    rules: Any = match.rules
    unit, asked = rules.number[who], 0
    while match.seat >= 0:
        state = match.state
        frame = state.frames[-1]
        if frame.name == kind and rules.seats[frame.seat] == "garibaldini" and not state.led >> unit & 1:
            here = state.at[unit]
            why = rules.choices[kind].why_idle(rules, state, frame, unit) if here >= 0 and state.mover < 0 else None
            if why is not None:
                assert (why.rule, why.key) == ("gap.leader-move", key)
                assert all("{" not in rules.texts(language).refusal(why) for language in ("en", "it"))
                asked += 1
        match.play(match.sample(rng))
    assert asked


@pytest.mark.parametrize(
    ("language", "words"), [("en", "counter 1 of the stack, counted from the bottom"), ("it", "pedina 1 della pila")]
)
def test_the_button_for_fire_at_a_lower_counter_says_which_one(language: str, words: str) -> None:
    """9.2.2: counters are numbered as they lie, from the bottom up; the top one needs no number."""
    texts = ruleset("volturno", "short").texts(language)
    top = {"do": "fire", "unit": "g-lanza", "target": "2424"}
    assert words in texts.action(top | {"piece": "1"})
    assert not any(character.isdigit() for character in texts.action(top).replace("2424", "").replace("Lanza", ""))
