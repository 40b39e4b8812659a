"""11: assault. Declared targets, combat, retreats and advances."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import AUTO, CHANCE, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, anybody, open_to_all
from fronte.games.common.positions import HEX, HEXES, UNIT, UNITS, WORD
from fronte.games.volturno import cohesion, movement
from fronte.games.volturno.cohesion import Modifier
from fronte.games.volturno.counters import GARIBALDINI, HORSE
from fronte.games.volturno.fog import MARKERS, tell, who_knows
from fronte.games.volturno.reaction_zones import in_enemy_zone, is_in_front, projecting, zone_of
from fronte.games.volturno.state import LOST, Marker, State, end_action, place, set_column
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

CHAPTER = Chapter()
ASSAULT = MARKERS.index("assault")
RED, BLUE, WHITE = "RBW"
"""11.2.p2 to p4: the defender wins, the attacker wins, who has lost fewer levels wins."""
MOST_UNITS = 5
LONGEST = 20
BACK = 1
"""11.2.p8: hexes that a beaten attacker goes back; a beaten defender goes one more."""


class Assault(Action, frozen=True):
    """11: a unit attacks the hex at which the marker in its own points; the facing is for after an advance."""

    form = "assault {unit} at {target}[ facing {facing}]"
    odds = True
    unit: str
    target: str
    facing: str = ""


class Retreat(Action, frozen=True):
    """11.3: the hex into which a beaten unit goes back."""

    form = "retreat to {to}"
    to: str


# 11.1: who can assault what


def can_assault(rules: Volturno, unit: int) -> bool:
    """11, 11.4: infantry and cavalry; guns never."""
    counter = rules.counters[unit]
    return not counter.is_leader and not counter.is_artillery


def attacks(rules: Volturno, state: State, unit: int) -> list[tuple[int, int]]:
    """7.1.3, 11.1, 11.1.p1: the hexes from which a unit could assault, and its targets, within its allowance."""
    side, here = rules.side[unit], state.at[unit]
    points = movement.allowance(rules, state, unit)
    least = rules.ground.least[rules.foot[unit][state.column >> unit & 1]]
    near = state.occ[1 - side] & rules.grid.within(here, points // least)  # nobody comes farther
    if side == GARIBALDINI:
        near &= ~rules.ground.capua  # 15.6: he could not advance
    if not near:
        return []
    cost, _ = movement.spread(rules, state, unit, zone_of(rules, state, 1 - side))
    cost[here] = 0
    found = []
    for target in bits(near):
        for at in rules.grid.adjacent[target]:
            if at in cost and 0 < movement.step_cost(rules, state, unit, at, target) <= points - cost[at]:
                found.append((at, target))
    return found


def target_of(rules: Volturno, marker: Marker) -> int:
    """7.1: the hex at which a marker points."""
    return rules.grid.neighbours[marker[1]][marker[2]]


# 11: the assault


def targets(rules: Volturno, state: State, unit: int) -> list[int]:
    """7.1.p2, 11.1.1: the hexes that a unit may assault from where it is, by the markers that lie there."""
    if not can_assault(rules, unit):
        return []
    side, here = rules.side[unit], state.at[unit]
    pointed = [target_of(rules, m) for m in state.markers if m[0] == ASSAULT and m[1] == here]
    found = [h for h in pointed if state.occ[1 - side] >> h & 1]
    bound = movement.is_bound(rules, state, unit)
    return [h for h in found if bound >> h & 1] if bound else found


def why_no_assault(rules: Volturno, state: State, unit: int, action: Assault) -> Refusal | None:
    """11, 11.1: why a unit cannot assault this hex now."""
    data = {"unit": action.unit, "hex": action.target}
    if movement.read_facing(action.facing) is None:
        return Refusal("3.1", "no_facing", {"facing": action.facing})
    if not can_assault(rules, unit):
        return Refusal("11", "cannot_assault", data)
    h = rules.grid.index.get(action.target, -1)
    if h < 0:
        return rules.unknown_hex(action.target)
    if h not in targets(rules, state, unit):
        return Refusal("11.1.1", "no_marker_for_it", data)
    if not movement.step_cost(rules, state, unit, state.at[unit], h):
        return Refusal("11.1.p1", "forbidden", data)
    return None


def fulfil(rules: Volturno, state: State, unit: int, h: int) -> None:
    """7.1.4, 7.1.p3: somebody has attacked this hex from the markers where a unit stands."""
    for number, marker in enumerate(state.markers):
        if marker[1] == state.at[unit] and target_of(rules, marker) == h:
            state.fulfilled |= 1 << number


def begin(rules: Volturno, state: State, unit: int, action: Assault, out: list[Event]) -> None:
    """11.1.1, 11.4.1: guns alone are overrun without dice; all others fight."""
    h = rules.grid.index[action.target]
    facing = movement.read_facing(action.facing) or 0
    fulfil(rules, state, unit, h)
    state.threatened &= ~(1 << unit)
    state.far |= 1 << unit
    tell(rules, state, unit, "assaults", ("11.1.1",), {"target": action.target}, out)
    if all(rules.counters[other].is_artillery for other in state.stacks[h]):
        for gun in state.stacks[h]:
            eliminate(rules, state, gun, "11.4.1", out)
        state.frames.append(Frame("advance", AUTO, (unit, h, facing)))
    else:
        state.frames.append(Frame("assault_dice", CHANCE, (unit, h, facing)))
    end_action(state)


def reference(rules: Volturno, state: State, h: int) -> int:
    """11.2.p1: the strongest unit of the defender that is no artillery; of equals the one on top."""
    able = [unit for unit in reversed(state.stacks[h]) if not rules.counters[unit].is_artillery]
    return max(able, key=lambda unit: rules.counters[unit].strength)


def modifiers(rules: Volturno, state: State, unit: int, h: int) -> list[Modifier]:
    """table.assault: all that changes an assault."""
    told, other = rules.tables["assault"], reference(rules, state, h)
    mine, theirs = rules.counters[unit], rules.counters[other]
    way, bit, their_bit = rules.ground.way(state.at[unit], h), 1 << unit, 1 << other
    ratio = 0
    for a, b, n in reversed(told["ratio"]):
        if mine.strength * b >= theirs.strength * a:
            ratio = n
        elif theirs.strength * b >= mine.strength * a:
            ratio = -n
    edge = cohesion.current(rules, state, unit) - cohesion.current(rules, state, other)
    found = [
        Modifier("strength", ratio),
        Modifier("cohesion", next(n for least, n in told["cohesion"] if edge >= least)),
        Modifier("rear", 0 if is_in_front(rules, state, other, state.at[unit]) else told["rear"]),
        Modifier("terrain", told["terrain"].get(rules.ground.terrain[h], 0)),
    ]
    for mask, key in ((state.column, "column"), (state.out, "out_of_ammo"), (state.exhausted, "exhausted")):
        found.append(Modifier(key, (told[key]["attacker"] if mask & bit else 0)))
        found.append(Modifier(f"{key}_defender", (told[key]["defender"] if mask & their_bit else 0)))
    slope, _, up = rules.ground.slope[way].partition("_")
    if up == "up":
        found.append(Modifier("uphill", told["uphill"][slope]))
    if rules.ground.bridge[way] and state.column & bit:
        found.append(Modifier("across", told["across"]["bridge"]))
    elif rules.ground.water[way] == "stream":
        found.append(Modifier("across", told["across"]["stream"]))
    if mine.side == GARIBALDINI:
        found.append(Modifier("ardour", told["ardour"]))  # 15.4.1
    return [modifier for modifier in found if modifier.amount]


def _fighting(rules: Volturno, state: State, frame: Frame) -> str:
    unit, h = frame.args[:2]
    return "" if state.at[unit] >= 0 and state.stacks.get(h) else "there is nobody to fight"


TAKES = (Argument("unit", UNIT), Argument("hex", HEX), Argument("facing", NUMBER, -1, 5))


@CHAPTER.throw(2, "11.2", on="act watch", secrets=open_to_all, takes=TAKES, fault=_fighting)
def assault_dice(rules: Volturno, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """11.2, 11.2.p6: two dice and all modifiers; the defender takes his result first, then the attacker."""
    unit, h, facing = frame.args
    drm = sum(modifier.amount for modifier in modifiers(rules, state, unit, h))
    rows, lowest = rules.tables["assault"]["assault"], int(rules.tables["assault"]["lowest"])
    mine, theirs, colour = rows[max(0, min(len(rows) - 1, sum(dice) + drm - lowest))]
    data = {"target": rules.grid.ids[h], "dice": list(dice), "drm": drm, "result": f"{mine}/{theirs} {colour}"}
    tell(rules, state, unit, "fought", ("11.2",), data, out)
    defenders = state.stacks[h]
    state.losses = (0, 0)
    state.frames.append(Frame("combat_over", AUTO, (unit, h, facing, colour, defenders)))
    # what lies on top comes first: the defenders' checks, then the attacker's
    suffer(rules, state, unit, mine, h, out)
    for other in defenders:
        suffer(rules, state, other, theirs, state.at[unit], out)


def suffer(rules: Volturno, state: State, unit: int, result: str, source: int, out: list[Event]) -> None:
    """11.2.p7: levels are lost at once; `cc` and a number is a check with that modifier."""
    if result == "-" or state.at[unit] < 0:
        return
    if result.startswith("cc"):
        behind = 0 if is_in_front(rules, state, unit, source) else int(rules.tables["cohesion_modifiers"]["rear"])
        cohesion.call_check(state, unit, "combat", int(result[2:]) + behind)
    else:
        cohesion.lose(rules, state, unit, int(result), "11.2.p7", out)


@CHAPTER.step(
    "11.2",
    on="act watch",
    secrets=open_to_all,
    takes=(*TAKES, Argument("colour", WORD), Argument("defenders", UNITS, 1, MOST_UNITS)),
)
def combat_over(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """11.2.p2 to p10: who has won; the loser retreats, a beaten defender's guns limber and suffer, morale moves, and
    an attacker who has won advances."""
    unit, h, facing, colour, defenders = frame.args
    side = rules.side[unit]
    there = [other for other in defenders if state.at[other] >= 0]
    fighters = [other for other in there if not rules.counters[other].is_artillery]
    alive = state.at[unit] >= 0
    won = _winner(state, side, colour, alive, bool(fighters))
    who = {None: "nobody", True: rules.seats[side], False: rules.seats[1 - side]}[won]
    out.append(Event("combat_won", (f"11.2.p{'9' if won is None else '3' if won else '2'}",), {"side": who}))
    state.losses = (0, 0)
    if won is None:
        return
    mine, theirs = rules.counters[unit].formation, sorted({rules.counters[other].formation for other in defenders})
    if not won:
        if alive:
            _morale(rules, state, [mine], theirs, out)
            state.frames.append(Frame("fall_away", AUTO, (unit, BACK, (h,), 1)))
        return
    if there:
        beaten = sorted({rules.counters[other].formation for other in there})
        _morale(rules, state, beaten, [mine], out)
    if alive:
        state.frames.append(Frame("advance", AUTO, (unit, h, facing)))
    for other in there:
        stop(state, other)
        if rules.counters[other].is_artillery:  # 11.4.2
            set_column(state, other, 1 - side, True)
            if rules.counters[other].kind != HORSE:
                cohesion.lose(rules, state, other, 1, "11.4.2", out)
        if state.at[other] >= 0:
            state.frames.append(Frame("fall_away", AUTO, (other, BACK + 1, (), 0)))


def stop(state: State, unit: int) -> None:
    """12.2.3: who is beaten in the middle of its action goes no further."""
    if state.mover == unit:
        end_action(state)
        state.frames[:] = [f for f in state.frames if f.name != "march" or f.args[0] != unit]


@CHAPTER.step(
    "12.2.3",
    on="watch",
    secrets=open_to_all,
    takes=(Argument("unit", UNIT), Argument("hex", HEX), Argument("level", NUMBER, 0, 3)),
)
def strike_back(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """12.2.3, 12.2.3.p1: a unit that has passed its check, so that it has lost nothing, assaults; guns alone fall."""
    unit, h, level = frame.args
    enemies = [other for other in state.stacks.get(h, ()) if rules.side[other] != rules.side[unit]]
    if state.at[unit] < 0 or state.level[unit] != level or not enemies:
        return
    tell(rules, state, unit, "assaults", ("12.2.3",), {"target": rules.grid.ids[h]}, out)
    if all(rules.counters[other].is_artillery for other in enemies):
        for gun in enemies:
            eliminate(rules, state, gun, "11.4.1", out)
        state.frames.append(Frame("advance", AUTO, (unit, h, movement.AS_IT_GOES)))
    else:
        state.frames.append(Frame("assault_dice", CHANCE, (unit, h, movement.AS_IT_GOES)))


def _winner(state: State, side: int, colour: str, alive: bool, resists: bool) -> bool | None:
    """11.2.p2 to p5: has the attacker won? None for a draw; on white who is eliminated cannot win."""
    if colour != WHITE:
        return colour == BLUE
    if not alive or not resists:
        return alive if alive != resists else None
    lost, taken = state.losses[side], state.losses[1 - side]
    return None if lost == taken else lost < taken


def _morale(rules: Volturno, state: State, losers: list[int], winners: list[int], out: list[Event]) -> None:
    """6.2.1.p1, 6.2.1.p2: one space for each formation that was in it."""
    for formation in winners:
        cohesion.shift_morale(rules, state, formation, 1, out)
    for formation in losers:
        cohesion.shift_morale(rules, state, formation, -1, out)


def eliminate(rules: Volturno, state: State, unit: int, rule: str, out: list[Event]) -> None:
    """11.3.3, 11.4.1: a unit is lost in another way than by rout."""
    data = {"unit": rules.ids[unit], "hex": rules.grid.ids[state.at[unit]]}
    cohesion.remove(rules, state, unit, LOST)
    out.append(Event("eliminated", (rule,), data))


# 11.3: retreats


def retreat_hexes(
    rules: Volturno, state: State, unit: int, visited: tuple[int, ...], rear: int
) -> tuple[list[int], bool]:
    """11.3, 11.3.1: the hexes into which a beaten unit may go, all of them equally good; and whether markers alone
    bar its way."""
    here, side = state.at[unit], rules.side[unit]
    marked = {marker[1] for marker in state.markers}
    behind = rules.ground.facings.rear[here][state.facing[unit]] if rear else rules.grid.ring[here]
    behind = behind or rules.grid.ring[here]
    ranked, barred = [], False
    for h in bits(behind):
        cost = movement.step_cost(rules, state, unit, here, h)
        why = movement.why_no_entry(rules, state, unit, h)
        if h in visited or not cost or (why is not None and why.rule != "6.3.1"):
            continue
        if h in marked:
            barred = True
            continue
        ranked.append(((in_enemy_zone(rules, state, side, h), why is not None, cost), h))
    best = min((rank for rank, _ in ranked), default=None)
    return [h for rank, h in ranked if rank == best], barred and not ranked


RETREAT = (
    Argument("unit", UNIT),
    Argument("left", NUMBER, 1, LONGEST),
    Argument("visited", HEXES, 0, LONGEST),
    Argument("rear", NUMBER, 0, 1),
)


@CHAPTER.step("11.3", on="act watch advance fall_away displaced", secrets=open_to_all, takes=RETREAT, once=False)
def fall_away(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """11.3, 11.3.3: a beaten unit goes back; where it cannot it surrenders, but not for a marker alone."""
    unit, _, visited, rear = frame.args
    if state.at[unit] < 0:
        return
    hexes, barred = retreat_hexes(rules, state, unit, visited, rear)
    if len(hexes) > 1:
        state.frames.append(Frame("retreat", rules.side[unit], frame.args))
    elif hexes:
        go_back(rules, state, frame, hexes[0], out)
    elif not barred:
        eliminate(rules, state, unit, "11.3.3", out)


@CHAPTER.choice(on="act watch advance fall_away displaced", seats=anybody, takes=RETREAT)
class RetreatChoice(Choice["Volturno", State]):
    """11.3: to which of equally good hexes a beaten unit goes."""

    name = "retreat"
    rules = ("11.3",)
    verbs = (Retreat,)

    def _hexes(self, rules: Volturno, state: State, frame: Frame) -> list[int]:
        unit, _, visited, rear = frame.args
        return retreat_hexes(rules, state, unit, visited, rear)[0]

    def legal(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        for h in self._hexes(rules, state, frame):
            yield Retreat(rules.grid.ids[h])

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Retreat)
        named = rules.hex_ids(self._hexes(rules, state, frame))
        return None if action.to in named else Refusal("11.3", "no_haven", {"name": action.to})

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Retreat)
        state.frames.pop()
        go_back(rules, state, frame, rules.grid.index[action.to], out)

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        return {"unit": rules.ids[frame.args[0]]}


def go_back(rules: Volturno, state: State, frame: Frame, to: int, out: list[Event]) -> None:
    """11.3.2, 11.3.5, 2.2.p3: one hex; into a full hex it goes on, and those it goes through lose a level.
    Commanders who are with it go along."""
    unit, left, visited, _ = frame.args
    side, here = rules.side[unit], state.at[unit]
    before = who_knows(rules, state, unit)
    along = rules.ground.facings.toward(here, to)
    passed = state.stacks.get(to, ())
    place(state, unit, to, side)
    state.facing[unit] = along
    state.moved |= 1 << unit
    for leader in rules.leaders:
        if state.at[leader] == here and rules.side[leader] == side:
            state.at[leader] = to
    data = {"path": [rules.grid.ids[here], rules.grid.ids[to]]}
    tell(rules, state, unit, "retreated", ("11.3",), data, out, before)
    movement.entered(rules, state, unit, out)
    full = rules.stacked(state, to) > rules.most_stacked
    if left > 1 or full:
        state.frames.append(Frame("fall_away", AUTO, (unit, max(1, left - 1), (*visited, here), 0)))
    elif rules.side[unit] == state.active and projecting(rules, state, 1 - side, to):
        state.frames.append(Frame("watch", AUTO, (unit, "enter", to, (), ())))  # 11.3.6
    if full:
        for other in passed:
            cohesion.lose(rules, state, other, 1, "11.3.2.p1", out)


@CHAPTER.step("11.1.2", on="act watch", secrets=open_to_all, takes=TAKES)
def advance(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """11.1.2, 11.2.p10: an attacker who has won goes into the hex, and the enemy may react; then it may turn."""
    unit, h, facing = frame.args
    side = rules.side[unit]
    if state.at[unit] < 0 or state.stacks.get(h) or movement.why_no_entry(rules, state, unit, h) is not None:
        return
    if rules.is_night(state.turn) and in_enemy_zone(rules, state, side, h):  # 15.2.p4
        return
    here, before = state.at[unit], who_knows(rules, state, unit)
    along = rules.ground.facings.toward(here, h)
    place(state, unit, h, side)
    state.facing[unit] = along
    state.moved |= 1 << unit
    data = {"path": [rules.grid.ids[here], rules.grid.ids[h]]}
    tell(rules, state, unit, "advanced", ("11.1.2",), data, out, before)
    movement.entered(rules, state, unit, out)
    if facing not in (movement.AS_IT_GOES, along):
        state.frames.append(Frame("settle", AUTO, (unit, facing)))
    if side == state.active and projecting(rules, state, 1 - side, h):
        state.frames.append(Frame("watch", AUTO, (unit, "enter", h, (), ())))
