"""Chapter 8, combat procedure: the five stages of one combat, and what the defender decides in them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from fronte.engine import panel
from fronte.engine.decision import AUTO, CHANCE, Action, Choice, Frame, Refusal
from fronte.engine.event import EVERYONE, Event
from fronte.engine.frames import Chapter, open_to_all
from fronte.games.inferno import cites, fortresses, infiltration
from fronte.games.inferno.battle import Battle
from fronte.games.inferno.combat import (
    attack_strength,
    declaration,
    defence_command,
    defence_strength,
    defending_sets,
    guns_on,
    mountain_bonus,
    subsets,
    terrain_choices,
    total_av,
    why_no_fire,
)
from fronte.games.inferno.frames import IN_COMBAT, defending_side, the_other
from fronte.games.inferno.retreats import retreat_penalty
from fronte.games.inferno.state import HIT, STRUCK, State
from fronte.games.inferno.suspicion import may_be_supported, may_need_withholding

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

CHAPTER = Chapter()

replace = msgspec.structs.replace


# Stage 1: the declaration is known, the defender answers it (8.1)


@CHAPTER.step(cites.DEFENCE_COMMAND, cites.HIDDEN, on="reveal", secrets=defending_side, **IN_COMBAT)
def ask_withhold(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """7.4, 5.4: ask whom the defender withholds, wherever there may be too many units as far as the attacker sees."""
    battle = state.battle
    assert battle is not None
    units = may_defend(rules, state, battle)
    if may_need_withholding(rules, state, battle.target) or not defence_command(rules, units):
        state.frames.append(Frame("withhold", 1 - state.active))


@CHAPTER.step(cites.DECLARATION, cites.COMBAT_REVEALS, on="combat", secrets=defending_side, **IN_COMBAT)
def reveal(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """8.1.a, 5.4.b/5.4: show who takes part, and nobody else; defenders without strength die first (7.5.b)."""
    battle = state.battle
    assert battle is not None
    chosen = [unit for unit in may_defend(rules, state, battle) if unit not in battle.withheld]
    others = [unit for unit in state.stacks[battle.target] if rules.combat[unit] and unit not in chosen]
    defence = who_defends(rules, state, battle, chosen, others)
    state.battle = replace(battle, defenders=tuple(defence.defenders), withheld=tuple(defence.withheld))
    shown = sorted(defence.defenders + defence.dead)
    out.append(Event("attacked", (cites.DECLARATION, cites.COMBAT_REVEALS), _shown(rules, state, battle, shown)))
    for unit in defence.dead:
        rules.eliminate(state, unit, (cites.NO_DEFENCE,), out)
    if defence.defenders:
        state.frames += (Frame("ratio", AUTO), Frame("ask_terrain", AUTO), Frame("ask_support", AUTO))
    elif defence.dead:
        state.frames.append(Frame("collapse", AUTO))
    else:
        void(
            rules, state, battle, cites.NO_DEFENCE, out
        )  # in Altipiani: only such as must be withheld, and others hit before


def _shown(rules: Inferno, state: State, battle: Battle, defenders: list[int]) -> dict[str, Any]:
    return declaration(rules, state, battle) | {"defenders": [rules.known_of(state, unit) for unit in defenders]}


def defence_candidates(rules: Inferno, state: State, target: int) -> tuple[list[int], list[int]]:
    """7.3, 7.a/7.0, Isonzo 12.2.a: the combat units that must defend if command allows, and those that cannot."""
    present = [unit for unit in state.stacks[target] if rules.combat[unit]]
    unhurt = [unit for unit in present if not state.flags[unit] & HIT]
    able = [unit for unit in unhurt if not rules.engineer[unit]] or unhurt
    return able, [unit for unit in present if unit not in able]


def may_defend(rules: Inferno, state: State, battle: Battle) -> list[int]:
    """7.3, 7.5: the units to which the command limit applies; in Altipiani units without strength are not of them."""
    return may_stand(rules, state, battle, *defence_candidates(rules, state, battle.target))


def may_stand(rules: Inferno, state: State, battle: Battle, able: list[int], others: list[int]) -> list[int]:
    """The same for given units: those who could defend, and those in the hex who cannot."""
    if rules.dies_at_zero:
        return able
    defence = who_defends(rules, state, battle, able, others)
    return sorted(defence.defenders + defence.dead)


class Defence(NamedTuple):
    """7.5.b: who defends, who takes no part, and who is eliminated before the ratio."""

    defenders: list[int]
    withheld: list[int]
    dead: list[int]


def who_defends(rules: Inferno, state: State, battle: Battle, eligible: list[int], others: list[int]) -> Defence:
    """7.5.b: units whose defence is zero or less are eliminated; in Altipiani withheld if others are in the hex."""
    strong: list[int] = []
    weak: list[int] = []
    for unit in eligible:
        bonus = mountain_bonus(rules, battle.target, unit, battle.attackers)
        (strong if defence_strength(rules, state, unit, bonus) > 0 else weak).append(unit)
    if strong or not others or not all(rules.engineer[unit] and not state.flags[unit] & HIT for unit in others):
        if rules.dies_at_zero or not (strong or others):
            return Defence(strong, others, weak)
        return Defence(strong, sorted(others + weak), [])
    # Isonzo 12.2.a: the engineer is now alone and defends itself.
    alone = who_defends(rules, state, battle, others, [])
    return alone._replace(dead=weak + alone.dead)


class Withhold(Action, frozen=True):
    """7.4.c/7.4: the defender leaves these units out of the combat."""

    form = "withhold[ {units}]"
    odds = True
    units: tuple[str, ...] = ()


@CHAPTER.choice(on="reveal", seats=the_other, **IN_COMBAT)
class WithholdChoice(Choice["Inferno", State]):
    """7.4: beyond the command limit the defender says, before he shows anybody, who takes no part."""

    name = "withhold"
    panel = panel.SUBSET
    rules = (cites.DEFENCE_COMMAND, cites.WITHHOLDING, cites.MOST_DEFEND)
    verbs = (Withhold,)

    def legal(self, rules: Inferno, state: State, frame: Frame) -> Iterator[Action]:
        assert state.battle is not None
        units = may_defend(rules, state, state.battle)
        for group in defending_sets(rules, units):
            yield Withhold(rules.unit_ids([unit for unit in units if unit not in group]))

    def why_not(self, rules: Inferno, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Withhold) and state.battle is not None
        out = rules.units(action.units)
        if isinstance(out, Refusal):
            return out
        units = may_defend(rules, state, state.battle)
        for unit in out:
            if unit not in units:
                return Refusal(cites.DEFENCE_COMMAND, "not_defending", {"unit": rules.ids[unit]})
        rest = tuple(unit for unit in units if unit not in out)
        if not defence_command(rules, rest):
            return Refusal(cites.DEFENCE_COMMAND, "defence_command")
        if any(defence_command(rules, (*rest, unit)) for unit in out):
            return Refusal(cites.MOST_DEFEND, "one_more_must_defend")
        return None

    def apply(self, rules: Inferno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Withhold) and state.battle is not None
        state.frames.pop()
        left_out = [rules.number[name] for name in action.units]
        state.battle = replace(state.battle, withheld=tuple(sorted(left_out)))
        if left_out:  # 5.4: what is withheld stays hidden
            out.append(Event("withheld", (cites.WITHHOLDING,), {"units": list(action.units)}, 1 << frame.seat))

    def about(self, rules: Inferno, state: State, frame: Frame) -> dict[str, Any]:
        assert state.battle is not None
        units = may_defend(rules, state, state.battle)
        excess = not defence_command(rules, units)
        return about_battle(rules, state) | {"defenders": list(rules.unit_ids(units)), "excess": excess}

    def offer(self, rules: Inferno, state: State, frame: Frame) -> dict[str, Any]:
        return panel.subset(super().offer(rules, state, frame), "withhold", "units")


class Support(Action, frozen=True):
    """12.3.b: the defender's artillery that fires in this combat."""

    form = "support[ {guns}]"
    odds = True
    guns: tuple[str, ...] = ()


@CHAPTER.step(cites.GUN_RANGE, cites.HIDDEN, on="ask_terrain", secrets=defending_side, **IN_COMBAT)
def ask_support(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """12.3.b, 5.4: ask the defender for artillery, wherever some could fire as far as the attacker sees."""
    assert state.battle is not None
    asked = Frame("support", 1 - state.active)
    guns = rules.choices["support"].guns(rules, state, asked)  # type: ignore[attr-defined]
    if guns or may_be_supported(rules, state, state.battle.target):
        state.frames.append(asked)


@CHAPTER.choice(on="ask_terrain", seats=the_other, **IN_COMBAT)
class SupportChoice(Choice["Inferno", State]):
    """12.3.b, 8.1.a: which artillery supports the defence."""

    name = "support"
    panel = panel.SUBSET
    rules = (cites.GUN_RANGE, cites.HEAVY_GUNS, cites.DECLARATION)
    verbs = (Support,)

    def guns(self, rules: Inferno, state: State, frame: Frame) -> list[int]:
        """The defender's guns that may fire."""
        assert state.battle is not None
        guns = guns_on(rules, state, frame.seat, state.battle.target, False)
        return [gun for gun in guns if gun not in state.battle.defenders]

    def legal(self, rules: Inferno, state: State, frame: Frame) -> Iterator[Action]:
        for group in subsets(self.guns(rules, state, frame)):
            yield Support(rules.unit_ids(group))

    def why_not(self, rules: Inferno, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Support) and state.battle is not None
        guns = rules.units(action.guns)
        if isinstance(guns, Refusal):
            return guns
        for gun in guns:
            if rules.side[gun] != frame.seat:
                return Refusal(cites.GUN_RANGE, "not_yours", {"unit": rules.ids[gun]})
            if gun in state.battle.defenders:
                return Refusal(cites.GUN_RANGE, "defends_itself", {"unit": rules.ids[gun]})
            refusal = why_no_fire(rules, state, gun, rules.in_range(state.battle.target, ()), False)
            if refusal is not None:
                return refusal
        return None

    def apply(self, rules: Inferno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Support) and state.battle is not None
        state.frames.pop()
        state.battle = replace(state.battle, support=tuple(rules.number[name] for name in action.guns))
        seen = EVERYONE if action.guns else 1 << frame.seat  # 5.4: silent guns stay hidden
        out.append(Event("supported", (cites.GUN_RANGE,), {"guns": list(action.guns)}, seen))

    def sample(self, rules: Inferno, state: State, frame: Frame, rng: Random) -> Action:
        return Support(rules.unit_ids([gun for gun in self.guns(rules, state, frame) if rng.random() < 0.5]))

    def about(self, rules: Inferno, state: State, frame: Frame) -> dict[str, Any]:
        return about_battle(rules, state) | {"able": list(rules.unit_ids(self.guns(rules, state, frame)))}

    def offer(self, rules: Inferno, state: State, frame: Frame) -> dict[str, Any]:
        """Any of them may fire: none and all are told as answers."""
        guns = list(rules.unit_ids(self.guns(rules, state, frame)))
        answers = [Support(), *([Support(tuple(guns))] if guns else [])]
        return {
            "verb": "support",
            "field": "guns",
            "pieces": guns,
            "free": True,
            "actions": [msgspec.to_builtins(action) for action in answers],
        }


class Terrain(Action, frozen=True):
    """Isonzo 7.8.b: the defender relies on his hex or on the hexside."""

    form = "terrain {use}"
    odds = True
    use: str


@CHAPTER.step(cites.TERRAIN_CHOICE, on="ratio", secrets=open_to_all, **IN_COMBAT)
def ask_terrain(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """Isonzo 7.8.b: ask the defender when both hex and hexside would help him."""
    assert state.battle is not None
    choices = terrain_choices(rules, state.battle.target, state.battle.origins)
    if len(choices) > 1:
        state.frames.append(Frame("terrain", 1 - state.active))
    else:
        state.battle = replace(state.battle, terrain=choices[0])


def _no_choice_of_terrain(rules: Inferno, state: State, frame: Frame) -> str:
    """Isonzo 7.8.b: both hex and hexside would help."""
    battle = state.battle
    assert battle is not None
    choices = terrain_choices(rules, battle.target, battle.origins)
    return "" if len(choices) > 1 else "there is no choice of terrain"


@CHAPTER.choice(on="ratio", seats=the_other, fault=_no_choice_of_terrain, **IN_COMBAT)
class TerrainChoice(Choice["Inferno", State]):
    """Isonzo 7.8.b: hex or hexside effects, for the whole combat."""

    name = "terrain"
    rules = (cites.TERRAIN_CHOICE,)
    verbs = (Terrain,)

    def legal(self, rules: Inferno, state: State, frame: Frame) -> Iterator[Action]:
        yield Terrain("hex")
        yield Terrain("hexside")

    def why_not(self, rules: Inferno, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Terrain)
        if action.use not in ("hex", "hexside"):
            return Refusal(cites.TERRAIN_CHOICE, "hex_or_hexside", {"use": action.use})
        return None

    def apply(self, rules: Inferno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Terrain) and state.battle is not None
        state.frames.pop()
        state.battle = replace(state.battle, terrain=action.use)
        out.append(Event("terrain_chosen", (cites.TERRAIN_CHOICE,), {"use": action.use}))

    def about(self, rules: Inferno, state: State, frame: Frame) -> dict[str, Any]:
        return about_battle(rules, state)


# Stages 1 and 2: ratio and column (8.1, 8.2)


def totals(rules: Inferno, state: State, battle: Battle) -> Battle:
    """8.1, 8.2, 8.4: strengths, column with its shifts, artillery, magnitude. Attackers without strength drop out."""
    strengths = []
    for unit, origin in zip(battle.attackers, battle.origins, strict=True):
        bonus = mountain_bonus(rules, battle.target, unit, battle.defenders)
        strengths.append(attack_strength(rules, state, unit, origin, battle.target, battle.terrain, bonus))
    able = [k for k, strength in enumerate(strengths) if strength > 0]
    battle = replace(
        battle,
        attackers=tuple(battle.attackers[k] for k in able),
        origins=tuple(battle.origins[k] for k in able),
    )
    if not able:
        return replace(battle, column=rules.impossible)
    attack = sum(strengths[k] for k in able)
    defence = sum(
        defence_strength(rules, state, unit, mountain_bonus(rules, battle.target, unit, battle.attackers))
        for unit in battle.defenders
    )
    side = rules.side[battle.attackers[0]]
    infiltrates = infiltration.takes_part(rules, battle.attackers)
    flanked = infiltrates or rules.is_flanked(state, battle)
    trench = bool(rules.board.trench[1 - side] >> battle.target & 1)
    column = rules.tables.column(attack, defence)
    column += rules.flank_shift if flanked else 0
    column += rules.trench_shift if trench else 0
    attack_av, defence_av = total_av(rules, state, battle)
    return replace(
        battle,
        attack=attack,
        defence=defence,
        column=column,
        infiltration=infiltrates,
        flanked=flanked,
        trench=trench,
        attack_av=attack_av,
        defence_av=defence_av,
        steps=sum(state.steps[unit] for unit in (*battle.attackers, *battle.defenders)),
    )


@CHAPTER.step(cites.RATIO, cites.COLUMN, on="combat", secrets=defending_side, **IN_COMBAT)
def ratio(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """8.1, 8.2: work out the final column; below 1:3 there is no combat (8.2.b/8.2)."""
    assert state.battle is not None
    declared = state.battle
    battle = totals(rules, state, declared)
    state.battle = battle
    if battle.column < 0:
        void(rules, state, declared, cites.LEAST_ODDS, out)
        return
    flanked_by, rule = rules.flanked_by(state, battle) if battle.flanked else ("", "")
    spend(rules, state, declared)
    rules.attacked(state, battle.target)
    mark(state, (*battle.defenders, *battle.withheld), HIT)
    data = {
        "attack": battle.attack,
        "defence": battle.defence,
        "column": rules.tables.column_name(battle.column),
        "flanked": battle.flanked,
        "flanked_by": flanked_by,
        "trench": battle.trench,
        "terrain": battle.terrain,
        "attack_av": battle.attack_av,
        "defence_av": battle.defence_av,
        "steps": battle.steps,
    }
    rules_told = (cites.RATIO, cites.COLUMN, *((rule,) if rule else ()), cites.MAGNITUDE)
    out.append(Event("ratio", rules_told, data))
    state.frames.append(Frame("combat_dice", CHANCE))


def void(rules: Inferno, state: State, battle: Battle, rule: str, out: list[Event]) -> None:
    """8.2.b/8.2: an attack that is not allowed does not take place; by option its units may attack again."""
    spent = rules.option["illegal_odds_attack"] != "void_free"
    if spent:
        spend(rules, state, battle)
    data = {"target": rules.hex_id(battle.target), "spent": spent, "undefended": rule == cites.NO_DEFENCE}
    out.append(Event("void", (rule,), data))
    state.battle = None


def spend(rules: Inferno, state: State, battle: Battle) -> None:
    """7.a/7.0, 14.2.a: these units have attacked, and with that crossed the river between."""
    mark(state, battle.attackers, STRUCK)
    for unit, origin in zip(battle.attackers, battle.origins, strict=True):
        rules.crosses_in_attack(state, unit, rules.board.edge_to[origin][battle.target])


def mark(state: State, units: tuple[int, ...], flag: int) -> None:
    """Set a flag on units."""
    for unit in units:
        state.flags[unit] |= flag


@CHAPTER.step(cites.NO_DEFENCE, cites.GUNS_ALONE, on="combat", secrets=defending_side, **IN_COMBAT)
def collapse(rules: Inferno, state: State, frame: Frame, out: list[Event]) -> None:
    """7.5.b, 12.3.j/12.3.g: nobody is left to defend; no dice, and the attackers may advance."""
    battle = state.battle
    assert battle is not None
    spend(rules, state, battle)
    rules.attacked(state, battle.target)
    mark(state, battle.withheld, HIT)
    out.append(Event("collapsed", (cites.NO_DEFENCE,), {"target": rules.hex_id(battle.target)}))
    state.frames.append(Frame("close", AUTO))


# Stages 3 to 5: dice, results, losses (8.3 to 8.5)


class Loss(NamedTuple):
    """9.4.1: the modifiers of both loss rolls; what retreats add is known when they have ended."""

    attack: int
    defence: int


def loss_modifiers(rules: Inferno, battle: Battle, attack_drm: int, defence_drm: int) -> Loss:
    """9.4.1.a to f without d: modifiers of both sides for a printed result."""
    drm = rules.tables.lrt_drm
    attack = attack_drm + rules.tables.av_drm(battle.defence_av)
    defence = defence_drm + rules.tables.av_drm(battle.attack_av)
    if battle.flanked:
        defence += int(drm["flanked_defender"])
    if battle.trench:
        defence += int(drm["trench_defender"])
        if not battle.infiltration:
            attack += int(drm["trench_attacker"])
    over = rules.tables.over(battle.column)
    if over and rules.high_odds_lrt:
        attack += int(drm.get("high_odds_attacker", 0)) * over
        defence += int(drm.get("high_odds_defender", 0)) * over
    return Loss(attack, defence)


@CHAPTER.throw(3, cites.DICE_TOGETHER, on="combat", secrets=open_to_all, **IN_COMBAT)
def combat_dice(rules: Inferno, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """8.3, 8.5: two dice for the results table, the third for the losses of both sides."""
    battle = state.battle
    assert battle is not None
    cell = rules.tables.result(battle.column, dice[0] + dice[1])
    attack, defence = loss_modifiers(rules, battle, cell.attack_drm, cell.defence_drm)
    state.battle = battle = replace(
        battle,
        lrt_die=dice[2],
        attack_drm=attack,
        defence_drm=defence,
        attack_retreat=cell.attack_retreat,
        defence_retreat=cell.defence_retreat,
        fought=True,
    )
    data = {
        "crt": dice[0] + dice[1],
        "lrt": dice[2],
        "attacker": {"drm": cell.attack_drm, "retreat": cell.attack_retreat, "loss_drm": attack},
        "defender": {"drm": cell.defence_drm, "retreat": cell.defence_retreat, "loss_drm": defence},
    }
    out.append(Event("result", (cites.DICE, cites.RESULT, cites.LOSS_MODIFIERS), data))
    losses = (Frame("defence_losses", AUTO), Frame("attack_losses", AUTO))
    state.frames += (Frame("close", AUTO), *losses)
    if battle.attack_retreat:
        state.frames.append(Frame("attack_retreat", AUTO))
    elif battle.defence_retreat and battle.trench:
        del state.frames[-2:]
        state.frames.append(Frame("refusal", 1 - state.active))
    elif battle.defence_retreat:
        state.frames += (Frame("advance_if_empty", AUTO), Frame("defence_retreat", AUTO, (battle.defence_retreat,)))


def defenders_penalty(rules: Inferno, state: State, battle: Battle, hexes: int) -> int:
    """9.2.2.c/9.2.1.c, 9.4.1.d: what a retreat of the defenders adds to their loss roll at least; fortresses stay."""
    side = rules.side[battle.defenders[0]]
    free = retreat_penalty(rules, state, battle.target, side, hexes)
    return max(free, fortresses.retreat_penalty(rules, battle.defenders))


def attackers_penalty(rules: Inferno, state: State, battle: Battle, hexes: int) -> int:
    """9.2.2.c/9.2.1.c, 9.4.1.d: at least the worst failure of the attacking hexes that must retreat; it counts once."""
    side = rules.side[battle.attackers[0]]
    failures = [retreat_penalty(rules, state, origin, side, hexes) for origin in retreating_origins(rules, battle)]
    return max([*failures, fortresses.retreat_penalty(rules, battle.attackers)]) if failures else 0


def retreating_origins(rules: Inferno, battle: Battle) -> list[int]:
    """12.5.1.b: the attacking hexes that obey a retreat; units in a trench of their own ignore it."""
    side = rules.side[battle.attackers[0]]
    trench = rules.board.trench[side]
    return sorted({origin for origin in battle.origins if not trench >> origin & 1})


def about_battle(rules: Inferno, state: State) -> dict[str, Any]:
    """The combat at hand, in names, for the seat that decides in it. Withheld defenders stay hidden (5.4.b/5.4)."""
    battle = state.battle
    assert battle is not None
    about = {
        "target": rules.hex_id(battle.target),
        "attackers": list(rules.unit_ids(battle.attackers)),
        "guns": list(rules.unit_ids(battle.guns)),
        "defenders": list(rules.unit_ids(battle.defenders)),
    }
    if state.frames[-1].seat != state.active:
        about["withheld"] = list(rules.unit_ids(battle.withheld))
    return about
