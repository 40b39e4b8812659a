"""Chapter 7, combat: who may attack whom, with what strength, and when a defender is flanked."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine.decision import AUTO, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Chapter
from fronte.games.inferno import cites
from fronte.games.inferno.battle import Battle
from fronte.games.inferno.frames import phasing
from fronte.games.inferno.ground import DRY, ISONZO, STREAM
from fronte.games.inferno.movement import End
from fronte.games.inferno.panel import ATTACK
from fronte.games.inferno.stacking import counted_steps, overstacked
from fronte.games.inferno.state import FIRED, HIT, MOV, OUT_OF_SUPPLY, RESERVE, STRUCK, State
from fronte.games.inferno.zoc import zoc_of
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

CHAPTER = Chapter()

# 7.2 and 7.4, command limits


def within_command(rules: Inferno, units: Iterable[int], outsiders: int, independents: int) -> bool:
    """7.2, 7.4: one corps and so many outsiders, or without a corps so many independents."""
    corps = Tally(rules.corps[unit] for unit in units)
    alone = corps.pop("", 0)
    if not corps:
        return alone <= independents
    return alone + corps.total() - max(corps.values()) <= outsiders


def attack_command(rules: Inferno, units: Iterable[int]) -> bool:
    """7.2.a, 7.2.b: one corps plus two, or three independents."""
    return within_command(rules, units, 2, 3)


def defence_command(rules: Inferno, units: Iterable[int]) -> bool:
    """7.4.a, 7.4.b: one corps plus one, or two independents."""
    return within_command(rules, units, DEFENDING_WITH_CORPS, DEFENDING_ALONE)


DEFENDING_WITH_CORPS, DEFENDING_ALONE = 1, 2
"""7.4: how many may defend beside a corps, and how many without one."""


def defending_sets(rules: Inferno, units: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """7.4.d/7.4: every defending set to which no further unit could be added."""
    found: set[tuple[int, ...]] = set() if units else {()}
    numbers = range(len(units))
    for corps in dict.fromkeys(rules.corps[unit] for unit in units):
        own = [k for k in numbers if corps and rules.corps[units[k]] == corps]
        others = [k for k in numbers if rules.corps[units[k]] != corps or not corps]
        for more in combinations(others, min(DEFENDING_WITH_CORPS if corps else DEFENDING_ALONE, len(others))):
            group = tuple(sorted([*own, *more]))
            if defence_command(rules, [units[k] for k in group]):
                found.add(group)
    for group in sorted(found, key=lambda group: (-len(group), group)):
        here = [units[k] for k in group]
        if not any(defence_command(rules, [*here, units[k]]) for k in numbers if k not in group):
            yield tuple(here)


# 7.8, terrain

EITHER = "either"
"""Effects of hex and hexside count alike, one at most (in the game without the choice of Isonzo 7.8.b)."""


def is_higher(rules: Inferno, target: int, origin: int) -> bool:
    """7.8.d/7.8.b, 14.1.c, 14.1.d: does the defender stand higher than an attacker from this hex?"""
    board = rules.board
    if towers(rules, target) or attacks_from_stream(rules, origin, target):
        return True
    return board.level[target] > board.level[origin]


def is_lower(rules: Inferno, target: int, origin: int) -> bool:
    """7.8.e/7.8.c: does the attacker stand higher than the defender?"""
    board = rules.board
    if towers(rules, target) or attacks_from_stream(rules, origin, target):
        return False
    return board.level[origin] > board.level[target]


def towers(rules: Inferno, target: int) -> bool:
    """14.1.d: is this a peak, higher than all around?"""
    return rules.peaks_tower and bool(rules.board.peaks >> target & 1)


def attacks_from_stream(rules: Inferno, origin: int, target: int) -> bool:
    """14.1.c: stream hexes are map data; on a map with streams on hexsides only, attacking across one counts."""
    if not rules.streams_are_low:
        return False
    if rules.board.streams:
        return bool(rules.board.streams >> origin & 1)
    return rules.board.edge_to[origin][target].water == STREAM


def hex_effects(rules: Inferno, target: int, origins: Iterable[int]) -> bool:
    """Isonzo 7.8.b: does the defender's hex affect this combat?"""
    return rules.board.terrain[target] == "swamp" or any(is_higher(rules, target, origin) for origin in origins)


def hexside_effects(rules: Inferno, target: int, origins: Iterable[int]) -> bool:
    """Isonzo 7.8.b: does a water hexside affect this combat?"""
    return any(rules.board.edge_to[origin][target].water != DRY for origin in origins)


def terrain_choices(rules: Inferno, target: int, origins: Sequence[int]) -> tuple[str, ...]:
    """Isonzo 7.8.b: the groups of effects that can count; two when the defender has a choice."""
    if not rules.chooses_terrain:
        return (EITHER,)
    hexside = hexside_effects(rules, target, origins)
    if hexside and hex_effects(rules, target, origins):
        return ("hex", "hexside")
    return ("hexside",) if hexside else ("hex",)


def attack_strength(rules: Inferno, state: State, unit: int, origin: int, target: int, terrain: str, bonus: int) -> int:
    """8.1.b/8.1: the attack strength after effectiveness, supply, mountain troops (the bonus) and terrain."""
    strength = rules.face(state, unit).attack - state.ce[unit] - state.supply[unit] + bonus
    water = rules.board.edge_to[origin][target].water
    if terrain != "hexside" and (rules.board.terrain[target] == "swamp" or is_higher(rules, target, origin)):
        return strength - 1  # 7.8.1/7.8.f: never more than one
    if terrain == "hex":
        return strength
    if water == ISONZO:
        return (strength + 1) // 2 if strength > 0 else strength
    return strength - 1 if water != DRY else strength


def defence_strength(rules: Inferno, state: State, unit: int, bonus: int) -> int:
    """8.1.b/8.1: the defence strength after effectiveness, supply and mountain troops (the bonus)."""
    steps = state.steps[unit]
    strength = rules.faces[unit][steps - 1 if steps else 0].defence - state.ce[unit] - state.supply[unit] + bonus
    return strength + rules.more_defence(state, unit) if rules.improves_defence else strength


def mountain_bonus(rules: Inferno, target: int, unit: int, enemies: Iterable[int]) -> int:
    """12.1: mountain troops in a fight for a mountain hex against an enemy without them."""
    if rules.board.terrain[target] not in rules.mountains or not rules.mountain[unit]:
        return 0
    return 1 if rules.yields_to_mountain_troops(enemies) else 0


# 7.6, artillery value


def unit_av(rules: Inferno, state: State, unit: int, higher: bool = False) -> int:
    """7.6, 7.8.e/7.8.c to g/d, 11.1.b/11.1: a unit's artillery value in this combat; nothing when out of supply."""
    if state.supply[unit] == OUT_OF_SUPPLY:
        return 0
    return rules.face(state, unit).av + (1 if higher else 0)


def total_av(rules: Inferno, state: State, battle: Battle) -> tuple[int, int]:
    """7.6: the artillery value of attacker and defender."""
    target = battle.target
    attack = sum(unit_av(rules, state, gun) for gun in battle.guns)
    for unit, origin in zip(battle.attackers, battle.origins, strict=True):
        attack += unit_av(rules, state, unit, is_lower(rules, target, origin))
    high = battle.terrain != "hexside" and all(is_higher(rules, target, origin) for origin in battle.origins)
    defence = sum(unit_av(rules, state, gun) for gun in battle.support)
    defence += sum(unit_av(rules, state, unit, high) for unit in battle.defenders)
    return attack, defence


# 7.9, flank attacks


def is_flanked(rules: Inferno, state: State, side: int, target: int, origins: Iterable[int]) -> bool:
    """7.9: five of the six hexes around hold an enemy or lie in an attacker's zone, and hold no friend."""
    grid = rules.board.grid
    if grid.edge >> target & 1:
        return False  # 7.9.2
    attackers = 0
    for origin in origins:
        attackers |= 1 << origin
    covered = (state.occ[side] | zoc_of(rules, side, attackers)) & ~state.occ[1 - side]
    return (covered & grid.ring[target]).bit_count() >= 5


# Declaring an attack


class Attack(Action, frozen=True):
    """7.1: attack one hex with these units, supported by these guns."""

    form = "attack {target} with {units}[ guns {guns}]"
    odds = True
    target: str
    units: tuple[str, ...]
    guns: tuple[str, ...] = ()


class Bombard(Action, frozen=True):
    """14.4.d: an artillery unit bombards the bridge or pontoon on a hexside."""

    form = "bombard {bridge} with {gun}"
    odds = True
    bridge: str
    gun: str


def why_no_target(rules: Inferno, state: State, target: int) -> Refusal | None:
    """7, 7.a/7.0, 12.3.f/12.3.e: may this hex be attacked at all?"""
    enemy = 1 - state.active
    name = rules.hex_id(target)
    if not state.occ[enemy] >> target & 1:
        return Refusal(cites.COMBAT, "no_enemy", {"hex": name})
    if not state.fight[enemy] >> target & 1:
        return Refusal(cites.OVERRUN, "only_guns", {"hex": name})
    if all(state.flags[unit] & HIT for unit in state.stacks[target] if rules.combat[unit]):
        return Refusal(cites.ONE_COMBAT, "attacked_already", {"hex": name})
    return None


def why_not_attacker(rules: Inferno, state: State, unit: int, target: int) -> Refusal | None:
    """7, 7.5.a, 7.a/7.0, 12, 13.1.a: may this unit take part in an attack on this hex?"""
    name = rules.ids[unit]
    if rules.side[unit] != state.active:
        return Refusal(cites.COMBAT, "not_yours", {"unit": name})
    if state.at[unit] < 0 or target not in rules.board.grid.adjacent[state.at[unit]]:
        return Refusal(cites.COMBAT, "unit_not_adjacent", {"unit": name, "hex": rules.hex_id(target)})
    if target not in rules.board.edge_to[state.at[unit]]:
        return Refusal(cites.CRAG_BETWEEN, "crag_before", {"unit": name, "hex": rules.hex_id(target)})
    if rules.gun[unit]:
        return Refusal(cites.ARTILLERY, "guns_only_support", {"unit": name})
    if rules.engineer[unit]:
        return Refusal(cites.ENGINEERS, "engineers_do_not_attack", {"unit": name})
    if state.flags[unit] & RESERVE:
        return Refusal(cites.RESERVES, "in_reserve", {"unit": name})
    if state.flags[unit] & STRUCK:
        return Refusal(cites.ONE_COMBAT, "has_attacked", {"unit": name})
    barred = rules.why_no_attack_across(state, unit, rules.board.edge_to[state.at[unit]][target])
    if barred is not None:
        return barred
    if not has_strength(rules, state, unit, target, bits(state.fight[state.active] & rules.board.grid.ring[target])):
        return _no_strength(name)
    return None


def _no_strength(name: str) -> Refusal:
    return Refusal(cites.NO_ATTACK, "no_strength", {"unit": name})


def has_strength(rules: Inferno, state: State, unit: int, target: int, origins: Iterable[int]) -> bool:
    """7.5.a: in an attack from these hexes, does some choice of the defender (Isonzo 7.8.b) leave the unit strength?

    Whoever may be hidden in the target, mountain troops are given their bonus (12.1).
    """
    bonus = 1 if rules.mountain[unit] and rules.board.terrain[target] in rules.mountains else 0
    strength = rules.face(state, unit).attack - state.ce[unit] - state.supply[unit] + bonus
    if strength != 1:
        return strength > 1  # 7.8.1/7.8.f: terrain takes one, or halves and rounds up
    origin = state.at[unit]
    choices = terrain_choices(rules, target, tuple(origins))
    return any(attack_strength(rules, state, unit, origin, target, choice, bonus) > 0 for choice in choices)


def attacking_steps(rules: Inferno, state: State, units: Iterable[int]) -> int:
    """7.8.c/7.8.a: how many steps attack from one hex: all of them; by option a battalion is free as in stacking."""
    if rules.free_battalion_attacks:
        return counted_steps(rules, state, units)
    return sum(state.steps[unit] for unit in units if rules.counts[unit])


def why_not_together(rules: Inferno, state: State, units: Sequence[int], target: int) -> Refusal | None:
    """7.2, 7.5.a, 7.8.c/7.8.a, 14.2.a: may these units, each fit to attack, attack together?"""
    if not attack_command(rules, units):
        return Refusal(cites.ATTACK_COMMAND, "attack_command")
    limit = rules.board.stacking[target]
    origins: dict[int, list[int]] = {}
    for unit in units:
        origins.setdefault(state.at[unit], []).append(unit)
    for unit in units:
        if not has_strength(rules, state, unit, target, origins):
            return _no_strength(rules.ids[unit])
    for origin, group in origins.items():
        steps = attacking_steps(rules, state, group)
        if steps > limit:
            data = {"steps": steps, "from": rules.hex_id(origin), "hex": rules.hex_id(target), "limit": limit}
            return Refusal(cites.ATTACKING_STEPS, "too_many_attack", data)
        barred = rules.why_not_across_together(state, group, rules.board.edge_to[origin][target])
        if barred is not None:
            return barred
    return None


def why_no_fire(rules: Inferno, state: State, gun: int, hexes: int, attacking: bool) -> Refusal | None:
    """12.3.b to i: may this gun (or fortress) fire? One of these hexes (a mask) must be in its range."""
    name = rules.ids[gun]
    if not rules.supports[gun]:
        return Refusal(cites.ARTILLERY, "no_gun", {"unit": name})
    if state.at[gun] < 0:
        return Refusal(cites.GUN_RANGE, "off_map", {"unit": name})
    if state.flags[gun] & MOV:
        return Refusal(cites.ON_MOV_SIDE, "on_mov_side", {"unit": name})
    heavy = rules.counters[gun].type == "heavy_artillery"
    if heavy and not attacking:
        return Refusal(cites.HEAVY_GUNS, "heavy_in_defence", {"unit": name})
    if state.flags[gun] & FIRED:
        return Refusal(cites.FIRES_ONCE, "has_fired", {"unit": name})
    reach = rules.heavy_reach if heavy else rules.gun_reach
    if not rules.board.grid.within(state.at[gun], reach) & hexes:
        return Refusal(cites.HEAVY_GUNS if heavy else cites.GUN_RANGE, "out_of_range", {"unit": name, "reach": reach})
    return rules.silenced(state, gun)


def attackers_on(rules: Inferno, state: State, target: int) -> list[int]:
    """The units that may take part in an attack on this hex."""
    near = [unit for h in rules.board.grid.adjacent[target] for unit in state.stacks[h]]
    return [unit for unit in near if why_not_attacker(rules, state, unit, target) is None]


def guns_on(rules: Inferno, state: State, side: int, target: int, attacking: bool) -> list[int]:
    """The guns of a side that may support a combat in this hex, whichever units take part."""
    origins = bits(state.fight[side] & rules.board.grid.ring[target]) if attacking else ()
    hexes, at, near = rules.in_range(target, origins), state.at, 0
    for h in bits(hexes):
        near |= rules.board.grid.within(h, rules.heavy_reach)  # from farther away nobody fires
    guns = [gun for gun in rules.supporters_of[side] if at[gun] >= 0 and near >> at[gun] & 1]
    return [gun for gun in guns if why_no_fire(rules, state, gun, hexes, attacking) is None]


def subsets(items: Sequence[int], least: int = 0) -> Iterator[tuple[int, ...]]:
    """All subsets, smaller first."""
    for size in range(least, len(items) + 1):
        yield from combinations(items, size)


@CHAPTER.choice(on="player_turn_ends", seats=phasing, phases="combat")
class CombatPhase(Choice["Inferno", State]):
    """3.1.A-4/3.1.4: the phasing player declares attacks and bombardments one at a time, or ends the phase."""

    name = "combat"
    panel = ATTACK
    rules = (cites.COMBAT, cites.COMBAT_PHASE, cites.BOMBARDMENT)
    verbs = (Attack, Bombard, End)

    def legal(self, rules: Inferno, state: State, frame: Frame) -> Iterator[Action]:
        yield End()
        for target in self.targets(rules, state):
            guns = guns_on(rules, state, state.active, target, True)
            for units in subsets(attackers_on(rules, state, target), 1):
                if why_not_together(rules, state, units, target) is not None:
                    continue
                hexes = rules.in_range(target, [state.at[unit] for unit in units])
                others = [gun for gun in guns if gun not in units]
                able = [gun for gun in others if why_no_fire(rules, state, gun, hexes, True) is None]
                for fire in subsets(able):
                    if rules.why_no_odds(state, target, units, fire) is None:
                        yield Attack(rules.hex_id(target), rules.unit_ids(units), rules.unit_ids(fire))
        for gun, side in rules.bombardments(state):
            yield Bombard(rules.board.hexside_name(side), rules.ids[gun])

    def targets(self, rules: Inferno, state: State) -> list[int]:
        """The hexes that somebody may attack now."""
        near = rules.board.around(state.fight[state.active])
        return [h for h in bits(near & state.fight[1 - state.active]) if why_no_target(rules, state, h) is None]

    def why_not(self, rules: Inferno, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, End):
            return Refusal(cites.TO_BATTERY, "guns_turn_in_movement") if action.keep else None
        if isinstance(action, Bombard):
            return rules.why_no_bombardment(state, action.gun, action.bridge)
        assert isinstance(action, Attack)
        target = rules.grid_index.get(action.target, -1)
        if target < 0:
            return Refusal(cites.ONE_TARGET, "no_target", {"name": action.target})
        refusal = why_no_target(rules, state, target)
        if refusal is not None:
            return refusal
        units, guns = rules.units(action.units), rules.units(action.guns)
        if isinstance(units, Refusal):
            return units
        if isinstance(guns, Refusal):
            return guns
        if not units:
            return Refusal(cites.ARTILLERY if guns else cites.ATTACK, "nobody_attacks")
        return why_not_attack(rules, state, target, units, guns)

    def apply(self, rules: Inferno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        if isinstance(action, End):
            state.frames.pop()
            rules.end_combat(state, out)
        elif isinstance(action, Bombard):
            rules.bombard(state, rules.number[action.gun], rules.board.hexside(action.bridge), out)
        else:
            assert isinstance(action, Attack)
            units = tuple(rules.number[name] for name in action.units)
            state.battle = Battle(
                target=rules.grid_index[action.target],
                attackers=units,
                origins=tuple(state.at[unit] for unit in units),
                guns=tuple(rules.number[name] for name in action.guns),
            )
            out.append(Event("declared", (cites.DECLARATION,), declaration(rules, state, state.battle)))
            state.frames += (Frame("reveal", AUTO), Frame("ask_withhold", AUTO))

    def sample(self, rules: Inferno, state: State, frame: Frame, rng: Random) -> Action:
        targets = self.targets(rules, state)
        if not targets or rng.randrange(len(targets) + 1) == 0:
            return End()
        target = rng.choice(targets)
        able = attackers_on(rules, state, target)
        rng.shuffle(able)
        units: list[int] = []
        for unit in able[: rng.randrange(1, 6)]:
            if why_not_together(rules, state, [*units, unit], target) is None:
                units.append(unit)
        hexes = rules.in_range(target, [state.at[unit] for unit in units])
        guns = [gun for gun in guns_on(rules, state, state.active, target, True) if rng.random() < 0.5]
        guns = [gun for gun in guns if gun not in units]
        guns = [gun for gun in guns if why_no_fire(rules, state, gun, hexes, True) is None]
        if not units or rules.why_no_odds(state, target, units, guns) is not None:
            return End()
        return Attack(rules.hex_id(target), rules.unit_ids(units), rules.unit_ids(guns))

    def offer(self, rules: Inferno, state: State, frame: Frame) -> dict[str, Any]:
        """For each target who can take part, and a good first set; the actions are these attacks and what is left."""
        targets = {}
        answers: list[Action] = []
        for target in self.targets(rules, state):
            able = attackers_on(rules, state, target)
            if not able:
                continue
            first = rules.unit_ids(first_attackers(rules, state, target, able))
            guns = rules.unit_ids(guns_on(rules, state, state.active, target, True))
            targets[rules.hex_id(target)] = {
                "units": list(rules.unit_ids(able)),
                "guns": list(guns),
                "first": list(first),
                # 12.3: guns that may fire in every combat are all taken, else each is a decision
                "first_guns": [] if rules.firing_flips or rules.fires_once else list(guns),
                "steps_per_hex": rules.board.stacking[target],
            }
            if first:
                answers.append(Attack(rules.hex_id(target), first))
        for gun, side in rules.bombardments(state):
            answers.append(Bombard(rules.board.hexside_name(side), rules.ids[gun]))
        crowded = list(rules.hex_ids(overstacked(rules, state, state.active)))
        return {
            "targets": targets,
            "actions": [msgspec.to_builtins(action) for action in (*answers, End())],
            "warnings": {"overstacked": crowded},
        }


def first_attackers(rules: Inferno, state: State, target: int, able: Sequence[int]) -> list[int]:
    """7.1 to 7.3: as many as may attack together, those with the largest attack first, for a player to begin with."""
    taken: list[int] = []
    for unit in sorted(able, key=lambda unit: -rules.face(state, unit).attack):
        both = [*taken, unit]
        if why_not_attack(rules, state, target, both, ()) is None:
            taken = both
    return taken


def declaration(rules: Inferno, state: State, battle: Battle) -> dict[str, Any]:
    """8.1.a: what the attacker says: the hex, his units, which are open from now on (5.4.b/5.4), and his guns."""
    return {
        "target": rules.hex_id(battle.target),
        "attackers": [rules.known_of(state, unit) for unit in battle.attackers],
        "guns": list(rules.unit_ids(battle.guns)),
    }


def why_not_attack(
    rules: Inferno, state: State, target: int, units: Sequence[int], guns: Sequence[int]
) -> Refusal | None:
    """7.1 to 7.8, 12.3: the whole of a declaration."""
    for unit in units:
        refusal = why_not_attacker(rules, state, unit, target)
        if refusal is not None:
            return refusal
    for gun in guns:
        if rules.side[gun] != state.active:
            return Refusal(cites.ARTILLERY, "not_yours", {"unit": rules.ids[gun]})
        if gun in units:
            return Refusal(cites.ONE_PART, "attacks_itself", {"unit": rules.ids[gun]})
        refusal = why_no_fire(rules, state, gun, rules.in_range(target, [state.at[unit] for unit in units]), True)
        if refusal is not None:
            return refusal
    return why_not_together(rules, state, units, target) or rules.why_no_odds(state, target, units, guns)
