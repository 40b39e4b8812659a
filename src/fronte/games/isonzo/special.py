"""Chapter 12, special rules: bridge engineers and pontoons, artillery on its Mov side, trenches and refusal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine import panel
from fronte.engine.decision import AUTO, CHANCE, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Chapter, anybody, open_to_all
from fronte.engine.sheet import Fact, Row, Sheet
from fronte.games.inferno.answers import certain, sure
from fronte.games.inferno.counters import ITALIAN
from fronte.games.inferno.fog import seen_units
from fronte.games.inferno.frames import (
    IN_COMBAT,
    WHO,
    defending_side,
    owner,
    phasing,
    phasing_side,
    the_other,
    units_side,
)
from fronte.games.inferno.ground import ISONZO, RIVER, Edge
from fronte.games.inferno.infiltration import ignores_trenches, suffers_first
from fronte.games.inferno.movement import End, route_usable, why_not_enter, why_not_there
from fronte.games.inferno.procedure import about_battle, defenders_penalty
from fronte.games.inferno.results import ask_losses, reductions, spreads, take_losses
from fronte.games.inferno.state import AS_BRIDGE, MOV, MOVED, WORKED, place
from fronte.games.inferno.suspicion import covers, unseen
from fronte.games.inferno.zoc import zoc
from fronte.games.isonzo.battleground import ON_THE_WAY, EitherOr, controlled, ends_near, why_no_crossing
from fronte.games.isonzo.state import IsonzoState
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.isonzo.game import Isonzo

CHAPTER = Chapter()


# 6.3.1, 12.3.1, 14.2: what bars a step


def why_no_step(rules: Isonzo, state: IsonzoState, unit: int, a: int, edge: Edge, roadblock: int) -> Refusal | None:
    """4.3.a: prohibitions that not even a minimum move overrides."""
    there = edge.to
    if rules.beyond >> there & 1:
        return why_not_there(rules, there)
    side = rules.side[unit]
    if state.occ[1 - side] >> there & 1:
        refusal = why_not_enter(rules, state, unit, there)
        if refusal is not None:
            return refusal
    if rules.board.trench[1 - side] >> there & 1 and not ignores_trenches(rules, unit):
        if rules.board.linked[there] & state.zocs[1 - side]:
            return Refusal("6.3.1", "trench_barred", {"hex": rules.hex_id(there)})
    if edge.water == ISONZO:
        refusal = why_no_crossing(rules, state, unit, edge)
        if refusal is not None:
            return refusal
    if rules.gun[unit] and side == ITALIAN and rules.board.east >> there & 1:
        # 4.5.1 forbids roads in enemy zones; beside other enemies (4.5) only their rate is lost
        along = edge.road and route_usable(rules, state, unit, a, edge, zoc(rules, state, 1 - side))
        if not along and rules.board.terrain[there] != "clear":
            return Refusal("12.3.1.b", "gun_needs_road", {"unit": rules.ids[unit]})
    return None


# 12.2, bridge engineers


class Build(Action, frozen=True):
    """12.2.b: an engineer becomes a pontoon on a river hexside."""

    form = "build {bridge} by {unit}"
    unit: str
    bridge: str


class Repair(Action, frozen=True):
    """12.2.b: an engineer repairs a destroyed bridge."""

    form = "repair {bridge} by {unit}"
    unit: str
    bridge: str


class Recall(Action, frozen=True):
    """12.2.d: a pontoon returns to its Engineer side in one of its end hexes."""

    form = "recall {unit} to {hex}"
    unit: str
    hex: str


class Land(Action, frozen=True):
    """12.2.c: the engineer of a broken pontoon goes to this end hex."""

    form = "land {hex}"
    hex: str


def why_no_work(rules: Isonzo, state: IsonzoState, unit: int, number: int, repair: bool) -> Refusal | None:
    """12.2.b: may this engineer build on, or repair, this hexside?"""
    name = rules.ids[unit]
    if not rules.engineer[unit] or rules.side[unit] != state.active:
        return Refusal("12.2.b", "not_your_engineer", {"unit": name})
    if state.at[unit] < 0:
        return Refusal("12.2.b", "off_map", {"unit": name})
    if state.flags[unit] & WORKED:
        return Refusal("12.2.b", "has_worked", {"unit": name})
    if number < 0:
        return Refusal("12.2.b", "no_river_there")
    hexside = rules.board.sides[number]
    if state.at[unit] not in (hexside.a, hexside.b):
        return Refusal("12.2.b", "not_on_bank", {"unit": name, "bridge": rules.board.hexside_name(number)})
    return why_no_site(rules, state, number, repair)


def why_no_site(rules: Isonzo, state: IsonzoState, number: int, repair: bool) -> Refusal | None:
    """12.2.b: may engineers of the phasing side build on, or repair, this hexside?"""
    hexside = rules.board.sides[number]
    where = rules.board.hexside_name(number)
    if sum(rules.board.ends[number]) & ~controlled(state, state.active):
        return Refusal("12.2.b", "banks_not_controlled", {"bridge": where})
    bridge = rules.board.bridge_at.get(number, -1)
    broken = bridge >= 0 and bool(state.broken >> bridge & 1)
    if repair:
        return None if broken else Refusal("12.2.b", "no_bridge_to_repair", {"bridge": where})
    if hexside.water not in (RIVER, ISONZO):
        return Refusal("12.2.b", "no_river", {"bridge": where})
    if (bridge >= 0 and not broken) or number in state.pontoons.values():
        return Refusal("12.2.b", "bridge_there", {"bridge": where})
    return None


def possible_works(rules: Isonzo, state: IsonzoState) -> Iterator[Action]:
    """12.2.b: everything engineers can do at the end of this Reinforcement Phase."""
    for unit in rules.engineers_of[state.active]:
        if state.at[unit] < 0 or state.flags[unit] & WORKED:
            continue
        for edge in rules.board.edges[state.at[unit]]:
            if edge.side < 0:
                continue
            name = rules.board.hexside_name(edge.side)
            if why_no_work(rules, state, unit, edge.side, False) is None:
                yield Build(rules.ids[unit], name)
            if why_no_work(rules, state, unit, edge.side, True) is None:
                yield Repair(rules.ids[unit], name)


def may_work(rules: Isonzo, state: IsonzoState) -> bool:
    """12.2.b, 5.4: could engineers build or repair something now, as far as the other side sees?"""
    if any(True for _ in possible_works(rules, state)):
        return True
    seen = seen_units(rules, state, state.active)
    hidden = [unit for unit in unseen(rules, state, state.active, seen) if rules.engineer[unit]]
    if all(state.flags[unit] & WORKED for unit in hidden):  # a repair is seen, and so is how many there were
        return False
    banks = (edge.side for h in bits(covers(rules, state, state.active, seen)) for edge in rules.board.edges[h])
    sides = dict.fromkeys(side for side in banks if side >= 0)
    return any(why_no_site(rules, state, side, repair) is None for side in sides for repair in (False, True))


@CHAPTER.step("12.2.b", on="movement_phase", secrets=phasing_side)
def works_phase(rules: Isonzo, state: IsonzoState, frame: Frame, out: list[Event]) -> None:
    """12.2.b: the last step of the Reinforcement Phase."""
    for unit in rules.engineers_of[state.active]:
        state.flags[unit] &= ~WORKED
    if may_work(rules, state):
        state.frames.append(Frame("works", state.active))


@CHAPTER.choice(on="movement_phase", seats=phasing, phases="reinforcement")
class Works(Choice["Isonzo", IsonzoState]):
    """12.2.b: engineers build pontoons or repair bridges."""

    name = "works"
    panel = panel.PLACE
    rules = ("12.2.b", "3.1.A-2")
    verbs = (Build, Repair, End)

    def legal(self, rules: Isonzo, state: IsonzoState, frame: Frame) -> Iterator[Action]:
        yield End()
        yield from possible_works(rules, state)

    def why_not(self, rules: Isonzo, state: IsonzoState, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, End):
            return Refusal("12.3.h", "guns_turn_in_movement") if action.keep else None
        assert isinstance(action, (Build, Repair))
        unit = rules.number.get(action.unit, -1)
        if unit < 0:
            return rules.unknown_unit(action.unit)
        return why_no_work(rules, state, unit, rules.board.hexside(action.bridge), isinstance(action, Repair))

    def apply(self, rules: Isonzo, state: IsonzoState, frame: Frame, action: Action, out: list[Event]) -> None:
        if isinstance(action, End):
            state.frames.pop()
            return
        assert isinstance(action, (Build, Repair))
        unit = rules.number[action.unit]
        number = rules.board.hexside(action.bridge)
        data = {"unit": action.unit, "bridge": action.bridge, "side": rules.seats[frame.seat]}
        state.flags[unit] |= WORKED
        if isinstance(action, Repair):
            state.broken &= ~(1 << rules.board.bridge_at[number])
            veiled = data if rules.shows(state, unit) else data | {"unit": ""}
            out.append(Event("repaired", ("12.2.b", "12.2.f"), data, 1 << frame.seat, veiled))
        else:
            place(rules, state, unit, AS_BRIDGE)
            state.pontoons[unit] = number
            out.append(Event("pontoon", ("12.2.b",), data))
        if not may_work(rules, state):
            state.frames.pop()


def landings(rules: Isonzo, state: IsonzoState, unit: int) -> list[int]:
    """12.2.c, 12.2.d: the end hexes of a pontoon that no enemy occupies."""
    hexside = rules.board.sides[state.pontoons[unit]]
    return [h for h in sorted((hexside.a, hexside.b)) if not state.occ[1 - rules.side[unit]] >> h & 1]


def land(rules: Isonzo, state: IsonzoState, unit: int, h: int, because: str, out: list[Event]) -> None:
    """12.2.c, 12.2.d: the pontoon is an engineer again."""
    number = state.pontoons.pop(unit)
    place(rules, state, unit, h)
    data = {"unit": rules.ids[unit], "bridge": rules.board.hexside_name(number), "hex": rules.hex_id(h)}
    out.append(Event("pontoon_lifted", (because,), data))
    rules.take(state, rules.side[unit], h, out)
    rules.entered(state, (unit,), h, out)


def _no_engineer(rules: Isonzo, state: IsonzoState, frame: Frame) -> str:
    """12.2.c: only engineers are pontoons."""
    (unit,) = frame.args
    return "" if rules.engineer[unit] else f"{rules.ids[unit]} is no engineer"


@CHAPTER.step("12.2.c", "14.4.d", on=ON_THE_WAY, secrets=units_side, takes=(WHO,), fault=_no_engineer, once=False)
def ashore(rules: Isonzo, state: IsonzoState, frame: Frame, out: list[Event]) -> None:
    """12.2.c, 14.4.d: a pontoon is broken: its engineer goes to an end hex, or is lost if enemies hold both."""
    (unit,) = frame.args
    if unit not in state.pontoons:
        return
    ends = landings(rules, state, unit)
    if not ends:
        state.pontoons.pop(unit)
        rules.eliminate(state, unit, ("12.2.c",), out)
    elif len(ends) == 1:
        land(rules, state, unit, ends[0], "12.2.c", out)
    else:
        state.frames.append(Frame("landing", rules.side[unit], (unit,)))


def break_pontoons(rules: Isonzo, state: IsonzoState, side: int, h: int) -> None:
    """12.2.c: enemy pontoons with an end hex here return to their Engineer side."""
    near = ends_near(rules, h)
    for unit, number in sorted(state.pontoons.items()):
        if rules.side[unit] != side and number in near:
            state.frames.append(Frame("ashore", AUTO, (unit,)))


def recallable(rules: Isonzo, state: IsonzoState, side: int) -> list[int]:
    """12.2.d: the pontoons of a side that could return now."""
    return [unit for unit in sorted(state.pontoons) if rules.side[unit] == side and landings(rules, state, unit)]


@CHAPTER.choice(on="movement_begins pontoons", seats=anybody, phases="movement", once=False)
class Pontoons(Choice["Isonzo", IsonzoState]):
    """12.2.d: at the start of any Movement Phase a pontoon may become an engineer again."""

    name = "pontoons"
    panel = panel.PLACE
    rules = ("12.2.d",)
    verbs = (Recall, End)

    def legal(self, rules: Isonzo, state: IsonzoState, frame: Frame) -> Iterator[Action]:
        yield End()
        for unit in recallable(rules, state, frame.seat):
            for h in landings(rules, state, unit):
                yield Recall(rules.ids[unit], rules.hex_id(h))

    def why_not(self, rules: Isonzo, state: IsonzoState, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, End):
            return Refusal("12.3.h", "guns_turn_in_movement") if action.keep else None
        assert isinstance(action, Recall)
        unit = rules.number.get(action.unit, -1)
        if unit not in recallable(rules, state, frame.seat):
            return Refusal("12.2.d", "not_recallable", {"unit": action.unit})
        if rules.grid_index.get(action.hex, -1) not in landings(rules, state, unit):
            return Refusal("12.2.d", "no_free_end", {"hex": action.hex})
        return None

    def apply(self, rules: Isonzo, state: IsonzoState, frame: Frame, action: Action, out: list[Event]) -> None:
        if isinstance(action, End):
            state.frames.pop()
            return
        assert isinstance(action, Recall)
        last = len(recallable(rules, state, frame.seat)) == 1
        if last:
            state.frames.pop()
        land(rules, state, rules.number[action.unit], rules.grid_index[action.hex], "12.2.d", out)


def _no_choice_of_banks(rules: Isonzo, state: IsonzoState, frame: Frame) -> str:
    """12.2.c: both ends are free, so that there is a choice."""
    (unit,) = frame.args
    if unit not in state.pontoons:
        return f"{rules.ids[unit]} is no pontoon"
    return "" if len(landings(rules, state, unit)) == 2 else f"{rules.ids[unit]} has no choice of banks"


@CHAPTER.choice(on=ON_THE_WAY, seats=owner, takes=(WHO,), fault=_no_choice_of_banks)
class Landing(Choice["Isonzo", IsonzoState]):
    """12.2.c: where the engineer of a broken pontoon goes."""

    name = "landing"
    rules = ("12.2.c", "14.4.d")
    verbs = (Land,)

    def legal(self, rules: Isonzo, state: IsonzoState, frame: Frame) -> Iterator[Action]:
        for h in landings(rules, state, frame.args[0]):
            yield Land(rules.hex_id(h))

    def why_not(self, rules: Isonzo, state: IsonzoState, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Land)
        if rules.grid_index.get(action.hex, -1) not in landings(rules, state, frame.args[0]):
            return Refusal("12.2.c", "no_free_end", {"hex": action.hex})
        return None

    def apply(self, rules: Isonzo, state: IsonzoState, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Land)
        state.frames.pop()
        land(rules, state, frame.args[0], rules.grid_index[action.hex], "12.2.c", out)

    def about(self, rules: Isonzo, state: IsonzoState, frame: Frame) -> dict[str, Any]:
        return {"unit": rules.ids[frame.args[0]]}


# 12.3, artillery


def may_unlimber(rules: Isonzo, state: IsonzoState, side: int) -> list[int]:
    """12.3.h: Mov artillery that did not move in its own phase; by option in either player's phase."""
    if side != state.active and rules.option["artillery_redeploy"] == "own_phase":
        return []
    guns = rules.guns_of[side]
    return [gun for gun in guns if state.at[gun] >= 0 and state.flags[gun] & MOV and not state.flags[gun] & MOVED]


# 12.5.1, refusing a retreat


class Refuse(Action, frozen=True):
    """12.5.1.a: try to refuse one hex of retreat."""

    form = "refuse"
    odds = True


class Accept(Action, frozen=True):
    """12.5.1.a: retreat as the result says."""

    form = "accept"
    odds = True


def _nothing_to_refuse(rules: Isonzo, state: IsonzoState, frame: Frame) -> str:
    """12.5.1.a: a retreat out of a trench."""
    battle = state.battle
    assert battle is not None
    return "" if battle.trench and battle.defence_retreat else "there is no retreat to refuse"


@CHAPTER.choice(on="close", seats=the_other, fault=_nothing_to_refuse, **IN_COMBAT)
class Refusing(EitherOr):
    """12.5.1.a: defenders in their own trench may try to refuse one hex of retreat."""

    name = "refusal"
    rules = ("12.5.1.a", "12.5.1")
    verbs = (Refuse, Accept)

    def apply(self, rules: Isonzo, state: IsonzoState, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        battle = state.battle
        assert battle is not None
        losses = (Frame("defence_losses", AUTO), Frame("attack_losses", AUTO))
        advance = Frame("advance_if_empty", AUTO)
        if isinstance(action, Accept):
            retreat = Frame("defence_retreat", AUTO, (battle.defence_retreat,))
            state.frames += (*losses, advance, retreat)
            return
        # Losses come first here, so what the whole retreat would cost as things stand is counted with them.
        price = defenders_penalty(rules, state, battle, battle.defence_retreat)
        state.battle = msgspec.structs.replace(battle, refusing=True, defence_penalty=price)
        out.append(Event("refusing", ("12.5.1.a",), {"hex": rules.hex_id(battle.target)}))
        state.frames += (advance, Frame("stand", AUTO), *losses)

    def about(self, rules: Isonzo, state: IsonzoState, frame: Frame) -> dict[str, Any]:
        assert state.battle is not None
        die = state.battle.lrt_die
        about = {"retreat": state.battle.defence_retreat, "lrt": die, "strength": stand_strength(rules, state)}
        return about_battle(rules, state) | about


def stand_strength(rules: Isonzo, state: IsonzoState) -> int:
    """12.5.1.a: the highest defence strength in the hex, withheld units included, modified or by option printed."""
    battle = state.battle
    assert battle is not None
    here = [unit for unit in state.stacks[battle.target] if rules.combat[unit]]
    if rules.option["refusal_strength"] == "printed":
        return max((rules.face(state, unit).defence for unit in here), default=0)
    return max((rules.defence_in_combat(state, unit) for unit in here), default=0)


def _nobody_refuses(rules: Isonzo, state: IsonzoState, frame: Frame) -> str:
    """12.5.1.a: those who defend have refused a retreat."""
    battle = state.battle
    assert battle is not None
    return "" if battle.refusing and battle.defence_retreat else "nobody refuses to retreat"


@CHAPTER.step("12.5.1.a", on="advance_if_empty", secrets=open_to_all, fault=_nobody_refuses, **IN_COMBAT)
def stand(rules: Isonzo, state: IsonzoState, frame: Frame, out: list[Event]) -> None:
    """12.5.1.a: after losses, if anybody is left, throw the die; the dead refuse nothing."""
    battle = state.battle
    assert battle is not None
    if any(state.at[unit] == battle.target for unit in battle.defenders):
        state.frames.append(Frame("refusal_die", CHANCE))
    else:
        state.frames.append(Frame("defence_retreat", AUTO, (battle.defence_retreat,)))


@CHAPTER.throw(1, "12.5.1.a", on="advance_if_empty", secrets=defending_side, fault=_nobody_refuses, **IN_COMBAT)
def refusal_die(rules: Isonzo, state: IsonzoState, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """12.5.1.a: on the strength or less a hex can be exchanged; on more the retreat is made and a reduction taken."""
    battle = state.battle
    assert battle is not None
    strength = stand_strength(rules, state)
    stands = dice[0] <= strength
    known = {"die": dice[0], "stands": stands, "retreat": battle.defence_retreat - (1 if stands else 0)}
    # 5.4: the strength may be that of a unit that was withheld and lies hidden.
    out.append(Event("refusal", ("12.5.1.a",), known | {"strength": strength}, 1 << 1 - state.active, known))
    if stands:
        state.frames.append(Frame("exchange", 1 - state.active))
    else:
        pay_refusal(rules, state, battle.defence_retreat, out)


def pay_refusal(rules: Isonzo, state: IsonzoState, hexes: int, out: list[Event]) -> None:
    """12.5.1.a: one reduction for those who defended, then what is left of the retreat."""
    battle = state.battle
    assert battle is not None
    # A retreat refused whole is none: should the price of it kill the last defender, 7.7.c and 12.3.j hold.
    state.battle = msgspec.structs.replace(battle, defence_retreat=hexes)
    state.frames.append(Frame("defence_retreat", AUTO, (hexes,)))
    units = tuple(unit for unit in battle.defenders if state.at[unit] == battle.target)
    ask_losses(rules, state, 1 - state.active, units, 1, False, out)


class Exchange(Action, frozen=True):
    """12.5.1.a: give one reduction for one hex of retreat."""

    form = "exchange"
    odds = True


@CHAPTER.choice(on="advance_if_empty", seats=the_other, fault=_nobody_refuses, **IN_COMBAT)
class Exchanging(EitherOr):
    """12.5.1.a: the die allows it: one hex of retreat for one reduction, or the whole retreat and none."""

    name = "exchange"
    rules = ("12.5.1.a", "12.5.1")
    verbs = (Exchange, Accept)

    def apply(self, rules: Isonzo, state: IsonzoState, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        battle = state.battle
        assert battle is not None
        exchanged = isinstance(action, Exchange)
        hexes = battle.defence_retreat - (1 if exchanged else 0)
        data = {"hex": rules.hex_id(battle.target), "exchanged": exchanged, "retreat": hexes}
        out.append(Event("exchanged", ("12.5.1.a",), data))
        if exchanged:
            pay_refusal(rules, state, hexes, out)
        else:
            state.frames.append(Frame("defence_retreat", AUTO, (hexes,)))

    def about(self, rules: Isonzo, state: IsonzoState, frame: Frame) -> dict[str, Any]:
        assert state.battle is not None
        return about_battle(rules, state) | {"retreat": state.battle.defence_retreat}


def refusal_sheet(rules: Isonzo, state: IsonzoState, action: Action) -> Sheet:
    """12.5.1.a: how likely the trench is held and for what, or what going back costs; the loss die has fallen."""
    battle = state.battle
    assert battle is not None
    who, rule, hexes = rules.seats[1 - state.active], rules.cite("12.5.1.a"), battle.defence_retreat
    if state.frames[-1].name == "exchange":
        kept = int(isinstance(action, Exchange))
        rows = Row("retreat", sure(hexes - kept), who, rule), Row("loss", sure(kept), who, rule)
        return Sheet("refusal", 1, {}, (), rows)
    price = defenders_penalty(rules, state, battle, hexes)
    due = msgspec.structs.replace(battle, defence_penalty=max(battle.defence_penalty, price))
    goes = certain(rules, "refusal", due, False, price, hexes)
    if isinstance(action, Accept):
        return goes
    strengths = _strengths_left(rules, state, reductions(rules, due, False))
    if not strengths:
        return Sheet("refusal", 0, {}, (Fact("all_lost", {}, "", rule),))
    # Of several ways to take the losses the one that leaves him strongest is assumed.
    stands = max(0, min(6, max(strengths)))
    fact = Fact("stand_strength", {"n": stands}, "", rule)
    lost = len(goes.rows[1].counts) - 1  # one more than going back
    held = (
        Row("stands", (6 - stands, stands), who, rule),
        Row("retreat", (*(0,) * (hexes - 1), stands, 6 - stands, 0), who, rule),
        Row("loss", sure(lost, 6), who, rule),
    )
    return Sheet("refusal", 6, {}, (*goes.facts, fact), held, ("how losses are spread",) if len(strengths) > 1 else ())


def _strengths_left(rules: Isonzo, state: IsonzoState, number: int) -> set[int]:
    """12.5.1.a, 9.4.2: the strengths that may be left to hold the trench, by each way to spread the losses."""
    battle = state.battle
    assert battle is not None
    units = tuple(unit for unit in battle.defenders if state.at[unit] == battle.target)
    found = set()
    ways = spreads(rules, state, units, number, suffers_first(rules, units, False))
    for hits in ways if number else [(0,) * len(units)]:
        twin = state.copy()
        if number:
            take_losses(rules, twin, units, hits, number, [])
        if any(twin.at[unit] == battle.target for unit in units):
            found.add(stand_strength(rules, twin))
    return found
