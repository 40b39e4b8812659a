"""Whether a state of Caporetto can be: what is impossible about it, each with its place in a position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fronte.engine.frames import faults
from fronte.games.caporetto import artillery, flamethrowers
from fronte.games.caporetto.printed import AWAY, DISPLAY, DUE, ELIMINATED, EXITED, ROUTED, SURRENDERED, UNMADE, WAITING
from fronte.games.caporetto.roster import NO_ONE
from fronte.games.caporetto.state import MASKS, NOBODY, NOT_PLANNED, UNKNOWN, State, forget_zones, zone_of
from fronte.games.caporetto.terrain import AHG, ITALIAN, SIDES
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

GONE = (ELIMINATED, SURRENDERED, ROUTED, EXITED)
OFF_MAP = tuple(name for name in MASKS if name not in ("emplaced", "mobile"))
"""What nobody has who is not on the map; a gun that is still to come is in one of its modes already, and an assault on
the move goes on to its end though who made it is gone (21.5.3)."""


def broken(rules: Caporetto, state: State) -> list[str]:
    """What no game can have."""
    parts = (_units, _marks, _stacks, _masks, _ground, _barrages, _stage, _command, _declared, _flamethrowers, _points)
    found = [fault for part in parts for fault in part(rules, state)]
    return found or list(faults(rules.frames, rules, state))


# Units


def _units(rules: Caporetto, state: State) -> Iterator[str]:
    """5.1, 7.2, 16, 21.10: where each can be, and how worn."""
    ground, fighting = rules.ground, is_fighting(state)
    for unit, at in enumerate(state.at):
        name = f"units.{rules.ids[unit]}"
        if at >= 0 and not (ground.extent | ground.left_bank) >> at & 1:
            yield f"{name}: {rules.grid.ids[at]} is not in play (21.7, 26.2, 27.2)"
        if at < 0 and at not in AWAY:
            yield f"{name}: there is no such place"
        if rules.hqs >> unit & 1:
            if at < 0 and at != DISPLAY:
                yield f"{name}: a headquarters is on the display or on the map (7.2)"
        elif at == DISPLAY:
            yield f"{name}: only headquarters are on the display (7.2)"
        if at == UNMADE and not rules.generic >> unit & 1:
            yield f"{name}: only companies of battalions are not detached yet (21.10)"
        if at == DUE and not rules.arrives[unit]:
            yield f"{name}: it is not still to come (5.1)"
        if at == WAITING and state.phase != "setup":
            yield f"{name}: it has not been set up (24.8)"
        yield from _worth(rules, state, unit, name, fighting)


def _worth(rules: Caporetto, state: State, unit: int, name: str, fighting: bool) -> Iterator[str]:
    """15.4, 16.1: steps and points. Points may have reached morale for as long as a fight is not over."""
    at, dp, lost, full = state.at[unit], state.dp[unit], state.lost[unit], rules.full_steps[unit]
    if not 0 <= lost <= full:
        yield f"{name}.lost: it has lost {lost} of {full} steps (16.1)"
    elif at >= 0 and full and lost == full:
        yield f"{name}.lost: it has no step left and is on the map (16.1)"
    if dp < 0 or (dp and not rules.morale[unit]):
        yield f"{name}.dp: it cannot have {dp} points (15.2)"
    elif dp and at < 0:
        yield f"{name}.dp: it is off the map (15)"
    elif dp and not fighting and dp >= rules.morale[unit]:
        yield f"{name}.dp: its points have reached its morale (15.4)"


def is_fighting(state: State) -> bool:
    """15.4: is something going on after which units are tested for surrender?"""
    return bool(state.kind) or state.phase in ("artillery", "supply")


def _marks(rules: Caporetto, state: State) -> Iterator[str]:
    """2.2, 7.5, 12.1.2, 17.3, 18.1, 21.4, 21.6: who can be marked so."""
    away = mask_of(unit for unit, at in enumerate(state.at) if at < 0)
    able = {
        "emplaced": (rules.guns, "only guns are put in place (18.1)"),
        "act": (rules.guns, "only guns fire offensively (12.1.2)"),
        "working": (rules.engineers, "only engineers are at work (17.3)"),
        "attached": (rules.independents, "only independents are attached (7.5)"),
        "rommel": (rules.rommel_companies, "it is no company that Rommel may take (21.6)"),
        "handed": (rules.flamethrowers, "only flamethrowers are handed over (21.4.e3)"),
        "mobile": (rules.combat, "it cannot assault on the move (21.5.3)"),
    }
    for name in MASKS:
        found = getattr(state, name)
        for unit in bits(found & away) if name in OFF_MAP else ():
            yield f"units.{rules.ids[unit]}.marks: it is off the map and {name}"
        if name in able:
            for unit in bits(found & ~able[name][0]):
                yield f"units.{rules.ids[unit]}.marks: {able[name][1]}"
    for unit in bits(rules.groups & ~state.emplaced & ~away):
        yield f"units.{rules.ids[unit]}.marks: a group does not move (18.9.1)"


def _stacks(rules: Caporetto, state: State) -> Iterator[str]:
    """10.0.5, 18.3: who is together in a hex. Enemies are so only while an action lasts, when one was assaulted."""
    piled: set[int] = set()
    for h, stack in state.stacks.items():
        name = rules.grid.ids[h]
        if not stack or any(state.at[unit] != h for unit in stack) or piled & set(stack):
            yield f"units: the stack in {name} is not of those who are there"
        piled |= set(stack)
        if mask_of(stack) & rules.hqs:
            yield f"units: a headquarters lies in the stack in {name} (7.6)"
        if len({rules.side[unit] for unit in stack}) > 1 and not state.kind:
            yield f"units: both sides are in {name} (10.0.5)"
    for unit, at in enumerate(state.at):
        if at >= 0 and unit not in piled and not rules.hqs >> unit & 1:
            yield f"units.{rules.ids[unit]}: it is in no stack"


def _masks(rules: Caporetto, state: State) -> Iterator[str]:
    """3.0: what is worked out from where units are is true."""
    occ, guns, present = [0, 0], [0, 0], 0
    for unit, at in enumerate(state.at):
        if at >= 0:
            present |= 1 << unit & ~rules.hqs
            for kind, hexes in ((rules.combat, occ), (rules.guns, guns)):
                hexes[rules.side[unit]] |= (kind >> unit & 1) << at
    if state.occ != occ or state.guns != guns or state.present != present:
        yield "units: the hexes that are occupied are not those with units"
        return
    known = [side for side in range(len(SIDES)) if state.zoc[side] != UNKNOWN]
    if known:
        fresh = state.copy()
        forget_zones(fresh)
        if any(zone_of(rules, fresh, side) != state.zoc[side] for side in known):
            yield "units: the zones of control are not those of the units (3.0)"


# The map


def _ground(rules: Caporetto, state: State) -> Iterator[str]:
    """17.8, 17.9, 19, 21.1, 23.1, 24.14."""
    ground = rules.ground
    deep = mask_of(h for h, level in enumerate(ground.trench_level) if level > 1)
    for h in bits(state.lowered & ~deep):
        yield f"lowered: {rules.grid.ids[h]} has no trench of level 2 (17.8)"
    printed = [trench.level for trench in ground.side_trenches]
    if len(state.side_trenches) != len(printed):
        yield "side_trenches: each has its level (17.9)"
    elif any(not 0 <= now <= most for now, most in zip(state.side_trenches, printed, strict=True)):
        yield "side_trenches: none is deeper than it is printed (17.1)"
    if (state.standing | state.tested) & ~ground.all_bridges:
        yield "standing: there is no such bridge (19.1.2)"
    for number, (a, b) in enumerate(state.built):
        if b not in rules.grid.adjacent[a] or not ground.water[way := ground.way(a, b)] or ground.bridge[way] >= 0:
            yield f"built[{number}]: no bridge can be built there (21.1)"
    forces = rules.scene.force_side
    mine, theirs = (mask_any(state.control[f] for f, one in enumerate(forces) if one == side) for side in (0, 1))
    for h in bits(mine & theirs):
        yield f"control: both sides hold {rules.grid.ids[h]} (23.1)"
    for h in bits(state.centres):
        if h not in rules.scene.depots:
            yield f"centres: {rules.grid.ids[h]} is no supply centre (24.14)"
    yield from _works(rules, state)


def mask_any(masks: Iterator[int]) -> int:
    """All that is in any of some sets."""
    found = 0
    for one in masks:
        found |= one
    return found


def _works(rules: Caporetto, state: State) -> Iterator[str]:
    """17.3, 19.3: who works has something to work at, where he is."""
    busy = [unit for unit, _, _ in state.works]
    if len(set(busy)) < len(busy) or mask_of(busy) != state.working:
        yield "works: every engineer at work has one work, and nobody else (17.3, 19.3)"
    for number, (unit, a, b) in enumerate(state.works):
        if state.at[unit] not in (a, b):
            yield f"works[{number}]: {rules.ids[unit]} is not there (17.3, 19.3)"
        elif a == b and not rules.ground.trench_level[a] and not any(t.hex == a for t in rules.ground.side_trenches):
            yield f"works[{number}]: there is no trench in {rules.grid.ids[a]} (17.3)"


def _barrages(rules: Caporetto, state: State) -> Iterator[str]:
    """12.1.6: what falls where, and on whom it has fallen; 18.9: what groups have fired."""
    falls = dict(state.barrages)
    if len(falls) < len(state.barrages) or any(amount <= 0 for amount in falls.values()):
        yield "barrages: each hex is there once, with a strength (12.1.6)"
    for h, amount in state.loose:
        if not 0 < amount <= falls.get(h, 0):
            yield f"loose: more comes from guns that do not see {rules.grid.ids[h]} than falls there (12.1.5.6.e1)"
    for name, hexes in (("breaking", bits(state.breaking)), ("struck", [h for h, _ in state.struck])):
        for h in hexes:
            if h not in falls:
                yield f"{name}: there is no barrage in {rules.grid.ids[h]} (12.1.6)"
    for gun, amount in state.spent:
        if not rules.groups >> gun & 1:
            yield f"spent: {rules.ids[gun]} is no group (18.9)"
        elif not 0 < amount <= rules.factor[gun] * artillery.PARTS:
            yield f"spent: {rules.ids[gun]} has fired more than it has (18.9)"


# The course of the game


def _stage(rules: Caporetto, state: State) -> Iterator[str]:
    """4.0, 23.0, 24.2."""
    if bool(state.outcome) == bool(state.frames):
        yield "frames: somebody owes something, or the game is over"
    if (state.sector or state.order or state.drawn) and not rules.scene.sectors:
        yield "sector: there are sectors in scenario 1 alone (24.2)"
    if len(set(state.order)) < len(state.order) or "" in state.order:
        yield "order: each sector is played once (24.2)"
    if state.mover != NOBODY and (rules.hqs >> state.mover & 1 or state.at[state.mover] < 0):
        yield "mover: it is no unit on the map (10.0)"
    if state.mover == NOBODY and (state.left or state.steps):
        yield "left: nobody is moving (10.0)"


def _command(rules: Caporetto, state: State) -> Iterator[str]:
    """7: what was planned, what acts, with which guns."""
    every = (1 << len(rules.formations)) - 1
    for name in ("done", "assaulted", "attacked"):
        if getattr(state, name) & ~every:
            yield f"{name}: there is no such formation"
    for number, guns in enumerate(state.plan):
        one = rules.formations[number]
        if guns != NOT_PLANNED and not 0 <= guns <= rules.most_assigned:
            yield f"plan.{one.id}: a formation has at most {rules.most_assigned} guns (7.3)"
    if bool(state.kind) != bool(state.formations):
        yield "formations: some act in an action, and at no other time (7)"
    if len(set(state.formations)) < len(state.formations):
        yield "formations: one is there twice (7)"
    if any(rules.formations[one].force != state.active for one in state.formations):
        yield "formations: they are of the force that acts (4.0)"
    taken = 0
    for formation, guns in state.pool:
        name = rules.formations[formation].id
        if formation not in state.formations:
            yield f"pool.{name}: it does not act (7.3)"
        if guns & ~rules.guns or guns & taken:
            yield f"pool.{name}: guns, and each of them once (7.3, 18.8)"
        if guns.bit_count() > rules.most_assigned:
            yield f"pool.{name}: more than {rules.most_assigned} guns (7.3)"
        taken |= guns
    attached = 0
    for formation, units in state.attachments:
        name = rules.formations[formation].id
        if formation not in state.formations:
            yield f"attachments.{name}: it does not act (7.5)"
        if units & ~rules.independents or units & attached:
            yield f"attachments.{name}: independents, and each of them once (7.5)"
        attached |= units
    if state.attached & ~attached:  # who has left the map may still be listed
        yield "attachments: every independent that is attached is so to one formation (7.5, 7.10)"
    if not state.kind and (state.attached | state.commanded | state.mobile):
        yield "units: some act though there is no action (7.7)"
    for number, (force, division) in enumerate(state.closed):
        if not division or (force, division) in state.closed[:number]:
            yield f"closed[{number}]: a division, and each once (7.9)"


def _declared(rules: Caporetto, state: State) -> Iterator[str]:
    """10.2, 12.1.3: markers of assault and support, and aims."""
    seen: set[tuple[str, int]] = set()
    for field, rows in (("assaults", state.assaults), ("supports", state.supports)):
        for number, (unit, h, *_) in enumerate(rows):
            here = state.at[unit]
            if here < 0 or not rules.combat >> unit & 1:
                yield f"{field}[{number}]: {rules.ids[unit]} is no combat unit on the map (10.2)"
            elif here != h and h not in rules.grid.adjacent[here]:
                yield f"{field}[{number}]: {rules.grid.ids[h]} is not next to {rules.ids[unit]} (10.2)"
            if (field, unit) in seen:
                yield f"{field}[{number}]: {rules.ids[unit]} has a marker already (10.2)"
            seen.add((field, unit))
    if state.leftovers and not state.kind and state.phase not in ("gun_movement", "movement"):
        yield "leftovers: nobody moves (10.0.1)"
    for field in ("assaults", "supports", "advanced", "launched", "fallen", "flanked", "aims"):
        rows = getattr(state, field)
        if rows and rows != [0, 0] and not state.kind and field != "aims":
            yield f"{field}: nothing of an action is left when it is over (4.0-7.H)"
    for number, (unit, _, parts, _) in enumerate(state.aims):
        if state.at[unit] < 0 or (parts and not rules.guns >> unit & 1):
            yield f"aims[{number}]: {rules.ids[unit]} cannot fire so (12.1.3, 12.2.1)"


def _flamethrowers(rules: Caporetto, state: State) -> Iterator[str]:
    """21.4: each has one unit to which it is assigned, and is where that is."""
    borne = dict(state.bearers)
    for one, unit in state.bearers:
        if not rules.flamethrowers >> one & 1:
            yield f"bearers: {rules.ids[one]} is no flamethrower (21.4)"
        elif not flamethrowers.can_bear(rules, state, one, unit):
            yield f"bearers: {rules.ids[unit]} cannot have {rules.ids[one]} with it (21.4)"
    if len(borne) < len(state.bearers):
        yield "bearers: a flamethrower is assigned twice (21.4)"
    for one in bits(rules.flamethrowers):
        if state.at[one] >= 0 and one not in borne:
            there = state.stacks.get(state.at[one], ())
            if any(flamethrowers.can_bear(rules, state, one, unit) for unit in there):
                yield f"bearers: {rules.ids[one]} is assigned to nobody (21.4)"


def _points(rules: Caporetto, state: State) -> Iterator[str]:
    """6, 23.1, 24.15, 21.6."""
    scene = rules.scene
    for force, side in enumerate(scene.force_side):
        if state.points[force] < 0 or (side == AHG and state.points[force]):
            yield f"points.{scene.forces[force]}: only Italians have points, and never too few (6)"
        if state.retaken[force] < 0 or (side == ITALIAN and state.retaken[force]):
            yield f"retaken.{scene.forces[force]}: only AHG loses for hexes that were taken back (23.1)"
    for number, (h, force) in enumerate(state.captured):
        if h not in scene.objectives or scene.force_side[force] != AHG:
            yield f"captured[{number}]: AHG takes hexes with points (23.1)"
    if state.matajur != NOBODY and (scene.matajur < 0 or scene.force_side[state.matajur] != AHG):
        yield "matajur: its marker goes to a force of AHG (24.15)"
    if (state.wounded or state.rommel) and rules.rommel == NO_ONE:
        yield "wounded: Rommel is not there (21.6)"
