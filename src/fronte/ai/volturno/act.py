"""7: the plan of an activation: markers, guns, assaults, moves, and the commanders last.

It is made in a state of its own, in which units are put where they are to go; what dice and enemies will make of it
is not foreseen. Whoever plays it leaves out what has become impossible, and plans anew after a combat.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fronte.ai.reasons import Answer, Reason
from fronte.ai.volturno.attack import Attack, best_markers, fire_drm, in_line, judge
from fronte.ai.volturno.chart import Picture
from fronte.ai.volturno.ground import level_worth
from fronte.ai.volturno.odds import expected
from fronte.ai.volturno.posts import (
    AS_IT_GOES,
    FRONT,
    Post,
    best_facing,
    facing_score,
    gun_post,
    post,
    rest,
    rest_at_most,
)
from fronte.ai.volturno.weights import Weights, spirited
from fronte.engine.decision import Action
from fronte.games.volturno import acting, assault, charge, declarations, fire, movement, reserve
from fronte.games.volturno.acting import Form, Move, Turn
from fronte.games.volturno.command import radius
from fronte.games.volturno.counters import COMPASS, HORSE, LIGHT, RESERVE
from fronte.games.volturno.fog import MARKERS
from fronte.games.volturno.movement import CHARGE
from fronte.games.volturno.state import place, set_column
from fronte.hexes import bits, trace

FAR = 9
"""With no enemy within so many hexes a unit may form column."""
OPENED = 6
"""Guns unlimber with an enemy within so many hexes."""
BY_TRAIN = 1.5
"""What a ride by train, of which there is but one, has to be better by."""
TRIED = 12
"""Of the best hexes of a unit so many are looked at closely."""
TURNED = 0.6
"""A unit turns where it stands if less than this part of what may come is before it."""
NEAR, SPOTS = 4, 3
"""A commander looks at so many hexes that have most troops so near."""


class Activation:
    """The actions of one formation, planned one after the other in a state that may be changed."""

    def __init__(self, picture: Picture, weights: Weights) -> None:
        self.picture, self.weights = picture, spirited(weights, picture.boldness(picture.state.formation))
        self.rules, self.state, self.side = picture.rules, picture.state, picture.side
        self.answers: list[Answer] = []
        self.done: set[int] = set()
        self.moved = False
        """Have the moves been planned too?"""

    def plan(self, whole: bool = True) -> list[Answer]:
        """All that is to be done now, without the end of it; or only what is done before dice change it."""
        for part in self._parts():
            for _ in part:
                pass
            if self.answers and not whole:
                break
        return self.answers

    def unfold(self) -> Iterator[Answer]:
        """All that is to be done now, each thing worked out when it is asked for: dice may change what is left."""
        told = 0
        for part in self._parts():
            for _ in part:
                yield from self.answers[told:]
                told = len(self.answers)

    def _parts(self) -> Iterator[Iterator[None]]:
        """Markers, then fire and assaults, then moves; each part one thing after the other."""
        frame = self.state.frames[-1]
        if frame.name == "declare":
            yield self._declaring()
            self.state.frames.pop()
            frame = self.state.frames[-1]
        choice: Any = self.rules.choices[frame.name]
        able = choice.movers(self.rules, self.state, frame)
        units = [u for u in able if u not in self.rules.leader_set and self.state.at[u] >= 0]
        yield self._fighting(units)
        self.moved = True
        yield self._moving([u for u in units if u not in self.done], [u for u in able if u in self.rules.leader_set])

    def _declaring(self) -> Iterator[None]:
        self.declare()
        yield

    def _fighting(self, units: list[int]) -> Iterator[None]:
        yield from self.shoot([u for u in units if self.rules.counters[u].is_artillery])
        yield from self.assault([u for u in units if not self.rules.counters[u].is_artillery])

    def _moving(self, units: list[int], leaders: list[int]) -> Iterator[None]:
        yield from self.move(units)
        self.call()
        yield
        for leader in leaders:
            self.ride(leader)
            yield

    def add(self, action: Action, key: str, **data: Any) -> None:
        """One action more, and why."""
        self.answers.append(Answer(action, Reason(key, data)))

    # Markers

    def declare(self) -> None:
        """7.1: lay markers for the assaults that promise enough."""
        rules, state = self.rules, self.state
        for one in best_markers(self.picture, self.weights, state.row == "attack"):
            ids = rules.grid.ids
            by = MARKERS[one.kind] if one.kind == CHARGE else ""
            action = declarations.Declare(rules.ids[one.unit], ids[one.at], ids[one.target], by)
            self.add(action, "declare_charge" if by else "declare", hex=ids[one.target], win=round(100 * one.win))
            towards = rules.ground.facings.toward(one.at, one.target)
            state.markers = (*state.markers, (one.kind, one.at, towards, one.unit))
        self.add(declarations.Declared(), "declared" if state.markers else "no_attack")

    # Fire

    def shoot(self, guns: list[int]) -> Iterator[None]:
        """9: guns fire where it does most, first where an assault is to follow."""
        marked = {assault.target_of(self.rules, marker) for marker in self.state.markers}
        for gun in guns:
            best = self.best_shot(gun, marked)
            if best is not None:
                self.add(best, "fire", hex=best.target)
                self.done.add(gun)
                yield

    def best_shot(self, unit: int, marked: set[int]) -> fire.Fire | None:
        """The shot that takes most."""
        rules, state = self.rules, self.state
        if acting.bound_to_leave(rules, state, unit) and not assault.targets(rules, state, unit):
            return None
        best: tuple[float, fire.Fire] | None = None
        for action in fire.shots(rules, state, unit):
            h = rules.grid.index[action.target]
            stack = state.stacks[h]
            target = stack[int(action.piece) - 1] if action.piece else stack[-1]
            levels = expected(self.picture.chart.odds.fire(fire_drm(self.picture, unit, target)))
            worth = levels * rules.counters[target].strength * (1 + 0.5 * state.level[target])
            if h in marked and not rules.counters[target].is_artillery:
                worth *= 1.5
            if best is None or worth > best[0] + 1e-9:
                best = worth, action
        return None if best is None or best[0] < 0.1 else best[1]

    # Assaults

    def assault(self, units: list[int]) -> Iterator[None]:
        """11: from every marker whose target stands; also once more, if that promises enough."""
        rules, state = self.rules, self.state
        if acting.committed(rules, state):
            self.strike(self.committed())
            yield
            return
        for number, marker in enumerate(state.markers):
            target = assault.target_of(rules, marker)
            if target < 0 or not state.occ[1 - self.side] >> target & 1:
                continue
            owed = not state.fulfilled >> number & 1
            able = [u for u in units if u not in self.done]
            named = marker[3] in able and owed
            if marker[0] == CHARGE:
                self.charge(number, [marker[3]] if named else able, owed)
                yield
                continue
            found = [
                judge(self.picture, self.weights, u, marker[1], target)
                for u in ([marker[3]] if named else able)
                if assault.can_assault(rules, u)
                and rules.grid.distance(state.at[u], marker[1]) <= 2 * rules.counters[u].ma
                and self.comes_to(u, marker[1], target)
            ]
            best = max(found, key=lambda one: (one.gain, -one.unit), default=None)
            if best is not None and (owed or best.gain >= self.weights.least_gain):
                self.strike(best)
                yield

    def comes_to(self, unit: int, at: int, target: int) -> bool:
        """7.1.4: does a unit come to a marker in line, and could it go on from there?"""
        rules, state = self.rules, self.state

        def found() -> bool:
            if not movement.step_cost(rules, state, unit, at, target):
                return False
            return at == state.at[unit] or movement.comes_to(rules, state, unit, at)

        return in_line(self.picture, unit, found)

    def charge(self, number: int, units: list[int], owed: bool) -> None:
        """10.1.2: from a Charge marker."""
        rules, state, ids = self.rules, self.state, self.rules.grid.ids
        _, at, _, _ = state.markers[number]
        target = assault.target_of(rules, state.markers[number])
        best: tuple[Attack, list[int]] | None = None
        for unit in units:
            for found, path in charge.markers_for(rules, state, unit):
                if found == number:
                    one = judge(self.picture, self.weights, unit, at, target, CHARGE)
                    best = (one, path) if best is None or one.gain > best[0].gain else best
        if best is None or not (owed or best[0].gain >= self.weights.least_gain):
            return
        one, path = best
        self.done.add(one.unit)
        action = charge.Charge(rules.ids[one.unit], ids[target], rules.hex_ids(path))
        self.add(action, "charge", hex=ids[target], win=round(100 * one.win))

    def committed(self) -> Attack:
        """7.1.p2: the attack to which the unit that acts is bound."""
        unit = self.state.mover
        found = [
            judge(self.picture, self.weights, unit, self.state.at[unit], target)
            for target in assault.targets(self.rules, self.state, unit)
        ]
        return max(found, key=lambda one: one.gain)

    def strike(self, one: Attack) -> None:
        """Go to the marker, if it is not there yet, and attack; light infantry may rather fire."""
        rules, state, ids = self.rules, self.state, self.rules.grid.ids
        unit, name, data = one.unit, rules.ids[one.unit], {"hex": ids[one.target], "win": round(100 * one.win)}
        self.done.add(unit)
        column = movement.is_column(state, unit)
        if column and acting.why_no_form(rules, state, unit, "line") is None:
            self.add(Form(name, "line"), "form_line", hex=ids[state.at[unit]])
            set_column(state, unit, self.side, False)
        if state.at[unit] != one.at:
            _, before = movement.spread(rules, state, unit, toward=1 << one.at)
            if one.at not in before:
                return
            facing = COMPASS[rules.ground.facings.toward(one.at, one.target)]
            self.add(Move(name, rules.hex_ids(trace(before, one.at)), facing), "advance", **data)
        if self.rather_fires(one):
            self.add(fire.Fire(name, ids[one.target]), "fire", hex=ids[one.target])
        self.add(assault.Assault(name, ids[one.target]), "assault", **data)

    def rather_fires(self, one: Attack) -> bool:
        """7.1.p3: does light infantry do better to fire from the marker?"""
        if self.rules.counters[one.unit].kind != LIGHT:
            return False
        picture, state = self.picture, self.state
        target = state.stacks[one.target][-1]
        was = state.at[one.unit]
        state.at[one.unit] = one.at
        levels = expected(picture.chart.odds.fire(fire_drm(picture, one.unit, target)))
        state.at[one.unit] = was
        worth = levels * self.rules.counters[target].strength * level_worth(picture, self.weights)
        return worth > one.gain

    # Moves

    def move(self, units: list[int]) -> Iterator[None]:
        """8: everybody else to the best hex in reach; who is nearest to the enemy or his goal goes first."""
        picture = self.picture
        near = {u: picture.nearest_foe(self.state.at[u]) for u in units}
        for unit in sorted(units, key=lambda u: (near[u], -picture.pull(u, self.state.at[u]), u)):
            if acting.why_no_march_by_row(self.rules, self.state, unit):
                self.turn(unit)  # 6.2: his commander holds, and nobody leaves his hex
            elif self.rules.counters[unit].is_artillery:
                self.move_guns(unit, near[unit])
            else:
                self.move_unit(unit, near[unit])
            yield

    def move_unit(self, unit: int, near: int) -> None:
        """A unit that does not attack."""
        rules, state, picture, weights = self.rules, self.state, self.picture, self.weights
        here = state.at[unit]
        column = movement.is_column(state, unit)
        bound = acting.bound_to_leave(rules, state, unit) or acting.must_march(rules, state, unit)
        stays = post(picture, weights, unit, here, column) + rest(picture, weights, unit, here, 0, True)
        best: tuple[float, int, list[int], bool] | None = None
        modes = [column]
        if column and near <= FRONT:
            modes = [False]
        elif near > FAR:
            modes = [True]
        sent, _ = picture.errand(rules.counters[unit].formation)
        if near > FAR and not bound and picture.is_idle(unit) and sent != unit:
            return
        if not bound and not column and self.train(unit, stays):
            return
        for mode in modes:
            if mode != column and acting.why_no_form(rules, state, unit, "column" if mode else "line") is not None:
                continue
            found = self.best_move(unit, mode, -99.0 if bound else stays + weights.stay)
            if found is not None and (best is None or found[0] > best[0] + 0.02):
                best = (*found, mode)
        name = rules.ids[unit]
        if best is None:
            if self.forms_line(unit, column, near):
                self.add(Form(name, "line"), "form_line", hex=rules.grid.ids[here])
                set_column(state, unit, self.side, False)
            else:
                self.turn(unit)
            return
        _, to, path, mode = best
        if mode != column:
            word = "column" if mode else "line"
            self.add(Form(name, word), f"form_{word}", hex=rules.grid.ids[here])
            set_column(state, unit, self.side, mode)
        self.go(unit, to, path, mode)

    def forms_line(self, unit: int, column: bool, near: int) -> bool:
        """8.3: should it leave column now?"""
        free = acting.why_no_form(self.rules, self.state, unit, "line") is None
        return column and near <= FRONT and free

    def go(self, unit: int, to: int, path: list[int], column: bool) -> None:
        """Move, look the right way, and be there for those who are still to go."""
        rules, state = self.rules, self.state
        facing = AS_IT_GOES if column else best_facing(self.picture, to)
        word = "" if facing < 0 else COMPASS[facing]
        key, data = self.why_there(unit, to)
        self.add(Move(rules.ids[unit], rules.hex_ids(path), word), key, **data)
        place(state, unit, to, self.side)
        if facing >= 0:
            state.facing[unit] = facing

    def why_there(self, unit: int, to: int) -> tuple[str, dict[str, Any]]:
        """Why a unit goes to a hex."""
        picture, ids = self.picture, self.rules.grid.ids
        if to in picture.chart.values:
            return ("garrison" if picture.is_ours(to) else "occupy"), {"hex": ids[to]}
        here = self.state.at[unit]
        goal = picture.goal(self.rules.counters[unit].formation)
        if goal >= 0 and picture.pull(unit, to) > picture.pull(unit, here):
            key = "cover" if picture.is_ours(goal) else "approach"
            return key, {"hex": ids[to], "goal": ids[goal]}
        if picture.danger[to] < picture.danger[here]:
            return "pull_back", {"hex": ids[to]}
        return "line", {"hex": ids[to]}

    def best_move(self, unit: int, column: bool, floor: float) -> tuple[float, int, list[int]] | None:
        """The best hex in reach in line or column that is better than staying, and the way."""
        rules, state = self.rules, self.state
        was = state.column
        set_column(state, unit, self.side, column)
        cost, before = movement.spread(rules, state, unit)
        ranked = self.ranked(unit, cost, column, floor)
        state.column = was
        state.zor[self.side] = -1
        for worth, h in ranked[:TRIED]:
            if acting.why_no_end(rules, state, unit, h) is None and not self.marked(h):
                return worth, h, trace(before, h)
        return None

    def marked(self, h: int) -> bool:
        """7.1: is this a hex in which one would have to attack?"""
        return any(marker[1] == h for marker in self.state.markers)

    def ranked(self, unit: int, cost: dict[int, int], column: bool, floor: float) -> list[tuple[float, int]]:
        """The hexes in reach that are better than a floor, the best first."""
        picture, weights = self.picture, self.weights
        level, at_post = self.state.level[unit], Post(picture, weights, unit, column)
        most = max(0.0, rest_at_most(picture, weights, unit, False)) if level else 0.0
        found = []
        for worth, h in at_post.better(cost, floor, most):
            if level:
                worth += rest(picture, weights, unit, h, cost[h], False)
            if worth > floor:
                found.append((worth, h))
        found.sort(key=lambda pair: (-pair[0], pair[1]))
        return found

    def turn(self, unit: int) -> None:
        """8.2: a unit that stays turns where most of what may come is not before it."""
        rules, state = self.rules, self.state
        if acting.why_no_turn(rules, state, unit) is not None or movement.is_column(state, unit):
            return
        here, now = state.at[unit], state.facing[unit]
        score = facing_score(self.picture, here)
        best = best_facing(self.picture, here)
        if best < 0 or best == now or score[now] >= TURNED * score[best]:
            return
        self.add(Turn(rules.ids[unit], COMPASS[best]), "turn", hex=rules.grid.ids[here])
        state.facing[unit] = best

    # Guns

    def move_guns(self, unit: int, near: int) -> None:
        """8.4: guns that have nothing to shoot at go on limbered, and unlimber where they come before the enemy."""
        rules, state, picture, weights = self.rules, self.state, self.picture, self.weights
        here, limbered, name = state.at[unit], movement.is_column(state, unit), rules.ids[unit]
        limber = rules.ground.limber
        left = movement.left_of(rules, state, unit)
        free = rules.counters[unit].kind == HORSE
        if not limbered and acting.why_no_form(rules, state, unit, "column") is not None:
            return
        was = state.column
        set_column(state, unit, self.side, True)
        cost, before = movement.spread(rules, state, unit)
        set_column(state, unit, self.side, bool(was >> unit & 1))
        used = 0 if limbered else limber
        stays = post(picture, weights, unit, here, limbered) + gun_post(
            picture, weights, unit, here, limbered and near > OPENED
        )
        bound = acting.bound_to_leave(rules, state, unit)
        floor = -99.0 if bound else stays + weights.stay + (0.0 if limbered else 0.15)
        rough = self.ranked(unit, {h: c for h, c in cost.items() if c + used <= left}, True, floor - 2.0)
        best: tuple[float, int, bool] | None = None
        for worth, h in rough[:TRIED]:
            opens = free or left - used - cost[h] >= limber
            total = worth + gun_post(picture, weights, unit, h, not opens)
            if total > floor and (best is None or total > best[0]) and acting.why_no_end(rules, state, unit, h) is None:
                best = total, h, opens
        ids = rules.grid.ids
        if best is None:
            if limbered and near <= OPENED and acting.why_no_form(rules, state, unit, "line") is None:
                self.add(Form(name, "line"), "unlimber", hex=ids[here])
                set_column(state, unit, self.side, False)
            return
        _, to, opens = best
        if not limbered:
            self.add(Form(name, "column"), "limber", hex=ids[here])
        facing = best_facing(picture, to)
        self.add(
            Move(name, rules.hex_ids(trace(before, to)), "" if facing < 0 else COMPASS[facing]), "guns", hex=ids[to]
        )
        place(state, unit, to, self.side)
        set_column(state, unit, self.side, True)
        if opens and picture.nearest_foe(to) <= OPENED:
            self.add(Form(name, "line"), "unlimber", hex=ids[to])
            set_column(state, unit, self.side, False)

    # The reserve

    def call(self) -> None:
        """15.5: take along a unit of the reserve: the one that is sent to guard something, or the strongest; by train
        if that is worth it."""
        rules, state = self.rules, self.state
        free = reserve.callable_ones(rules, state)
        if not free or state.activated >> RESERVE & 1 or self.picture.goal(RESERVE) < 0:
            return
        draw = {u: self.picture.pull(u, state.at[u]) for u in free if not self.picture.chart.is_gun[u]}
        held = [h for h in self.picture.chart.values if self.picture.is_ours(h)]
        able = [u for u in draw if not (state.at[u] in held and len(state.stacks[state.at[u]]) == 1)]
        able = [u for u in able if not acting.why_no_march_by_row(rules, state, u)]  # 15.5.p1: it would be in vain
        strong = self.picture.chart.strength
        sent, _ = self.picture.errand(RESERVE)
        able.sort(key=lambda u: (u != sent, -strong[u], draw[u], u))
        before = len(self.answers)
        for unit in able if not state.railed and sent not in able else ():
            stays = post(self.picture, self.weights, unit, state.at[unit], False)
            if not movement.is_column(state, unit) and self.train(unit, stays):
                reserve.call(rules, state, unit, [])
                self.answers.insert(before, Answer(reserve.Call(rules.ids[unit]), Reason("call")))
                return
        if not able:
            return
        unit = able[0]
        self.add(reserve.Call(rules.ids[unit]), "call")
        reserve.call(rules, state, unit, [])
        self.move_unit(unit, self.picture.nearest_foe(state.at[unit]))
        if len(self.answers) == before + 1:
            self.answers.pop()

    def train(self, unit: int, floor: float) -> bool:
        """15.5.p2: once a game a unit of the reserve goes by train, if that brings it to where it is needed."""
        rules, picture = self.rules, self.picture
        if rules.counters[unit].formation != RESERVE or self.state.railed or picture.goal(RESERVE) < 0:
            return False
        best: tuple[float, reserve.Train] | None = None
        for action in reserve.trains(rules, self.state, unit):
            h = rules.grid.index[action.to]
            worth = post(picture, self.weights, unit, h, False)
            if worth > (floor + BY_TRAIN if best is None else best[0]):
                best = worth, action
        if best is None:
            return False
        to = rules.grid.index[best[1].to]
        if acting.why_no_end(rules, self.state, unit, to) is not None:
            return False
        self.add(best[1], "train", hex=best[1].to)
        place(self.state, unit, to, self.side)
        self.state.railed = True
        return True

    # Commanders

    def ride(self, leader: int) -> None:
        """8.5: a commander goes where most of his troops are within his reach; the one in chief to whom it matters."""
        rules, state = self.rules, self.state
        if state.led >> leader & 1:
            return
        counter = rules.counters[leader]
        if counter.formation < 0:
            self.ride_in_chief(leader)
            return
        mine = [u for u in rules.members[counter.formation] if state.at[u] >= 0]
        if not mine:
            return
        here = state.at[leader]
        spots = sorted({state.at[u] for u in mine} | {here})
        worth = {h: self.led_from(leader, h, mine) for h in self.shortlist(spots, mine, here)}
        self.ride_to(leader, worth, worth[here])

    def ride_to(self, leader: int, worth: dict[int, float], floor: float) -> None:
        """To the best of these places that he can come to, if it is better than where he is."""
        rules, state = self.rules, self.state
        for best in sorted(worth, key=lambda h: (-worth[h], h)):
            if worth[best] <= floor:
                return
            _, before = movement.spread(rules, state, leader, toward=1 << best)
            if best not in before or acting.why_no_end(rules, state, leader, best) is not None:
                continue
            self.add(Move(rules.ids[leader], rules.hex_ids(trace(before, best))), "ride", hex=rules.grid.ids[best])
            state.at[leader] = best
            return

    def shortlist(self, spots: list[int], units: list[int], here: int) -> list[int]:
        """Where he is, and the hexes that have most of his troops around them."""
        state, distance, strong = self.state, self.rules.grid.distance, self.picture.chart.strength
        near = {h: sum([strong[u] for u in units if distance(h, state.at[u]) <= NEAR]) for h in spots}
        return list(dict.fromkeys([here, *sorted(spots, key=lambda h: (-near[h], h))[:SPOTS]]))

    def led_from(self, leader: int, h: int, units: list[int]) -> float:
        """How well units are led from a hex."""
        rules, state, picture = self.rules, self.state, self.picture
        was = state.at[leader]
        state.at[leader] = h
        reach = radius(rules, state, leader, rules.command_radius)
        state.at[leader] = was
        found = 0.0
        for unit in units:
            at = state.at[unit]
            if at in reach:
                found += rules.counters[unit].strength + 0.3
            else:
                found -= 0.05 * min(20, rules.grid.distance(at, h))
        if h not in state.stacks:
            found -= 3.0
        return found - 0.02 * picture.danger[h] + 0.5 * self.weights.pull * picture.pull(units[0], h)

    def ride_in_chief(self, leader: int) -> None:
        """2.2.2: to the commander whose troops are closest to the enemy."""
        rules, state = self.rules, self.state
        here, far = state.at[leader], rules.grid.distance
        fronts = []
        for formation in rules.formations[self.side]:
            at = state.at[rules.leader_of[formation]]
            units = [u for u in rules.members[formation] if state.at[u] >= 0]
            strong = sum(rules.counters[u].strength for u in units if self.picture.danger[state.at[u]] > 1)
            if at >= 0 and strong:
                fronts.append((at, strong))

        def worth(h: int) -> float:
            return sum([strong / (1.0 + max(0, far(h, at) - 2)) for at, strong in fronts])

        spots = bits(rules.grid.within(here, rules.counters[leader].points) & state.occ[self.side])
        self.ride_to(leader, {h: worth(h) for h in spots if h != here}, worth(here) + 0.5)
