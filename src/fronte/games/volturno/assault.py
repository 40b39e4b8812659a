"""11: assault. Declared targets, combat, retreats and advances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import AUTO, CHANCE, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, anybody, open_to_all
from fronte.games.common.positions import HEX, UNIT, UNITS, WORD
from fronte.games.volturno import cohesion, movement, retreats
from fronte.games.volturno.cohesion import Modifier
from fronte.games.volturno.counters import GARIBALDINI, HORSE
from fronte.games.volturno.fog import shown_from, tell, who_knows
from fronte.games.volturno.movement import ASSAULT
from fronte.games.volturno.reaction_zones import in_enemy_zone, is_in_front, projecting, zone_of
from fronte.games.volturno.state import NOBODY, Marker, State, end_action, place, set_column
from fronte.hexes import bits
from fronte.hexes.facing import opposite
from fronte.hexes.grid import DIRECTIONS

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

CHAPTER = Chapter()
RED, BLUE, WHITE = "RBW"
"""11.2.p2 to p4: the defender wins, the attacker wins, who has lost fewer levels wins."""
MOST_UNITS = 5
HOW = ("assault", "counter", "charge", "charge_counter")
COUNTERS = ("counter", "charge_counter")
"""12.2.3.p1: combats of who reacts."""
GUNS_LOSE, GUNS_LOSE_CHARGED = 1, 2
"""11.4.2: levels that guns lose that are dragged into a retreat, after an assault and after a charge."""
BACK = 1
"""11.2.p8: hexes that a beaten attacker goes back; a beaten defender goes one more."""


class Assault(Action, frozen=True):
    """11: a unit attacks the hex at which the marker in its own points."""

    form = "assault {unit} at {target}"
    odds = True
    unit: str
    target: str


class Oppose(Action, frozen=True):
    """11.2.p1: which of several equally strong units counts for a defender."""

    form = "oppose {unit}"
    odds = True
    unit: str


# 11.1: who can assault what


def can_assault(rules: Volturno, unit: int) -> bool:
    """11, 11.4: infantry and cavalry; guns never."""
    return unit not in rules.gun_set and unit not in rules.leader_set


def attacks(rules: Volturno, state: State, unit: int, roomy: bool = False) -> list[tuple[int, int]]:
    """7.1.3, 11.1, 11.1.p1: the hexes from which a unit could assault, and its targets, within its allowance; who is
    next to one can always (8.1), and by an option the target hex is not paid for.

    `roomy`: hexes that are full now will have room (7.1.3)."""
    side, here = rules.side[unit], state.at[unit]
    points, foot = movement.left_of(rules, state, unit), rules.foot[unit][state.column >> unit & 1]
    least, prices = rules.ground.least[foot], rules.ground.price[foot]
    spare = 0 if rules.target_counts else least
    targets, grid = state.occ[1 - side] & ~closed_to(rules, unit), rules.grid
    far = max(1, (points + spare) // least)  # nobody comes farther
    if not grid.near(targets, far)[far] >> here & 1:
        return []
    cost, _ = movement.spread(rules, state, unit, zone_of(rules, state, 1 - side), roomy, targets, spare)
    cost[here] = 0
    found = []
    for at in cost:
        for target in bits(grid.ring[at] & targets):
            direction = grid.neighbours[target].index(at)
            price = prices[at * DIRECTIONS + opposite(direction)]
            if price and (at == here or spare or price <= points - cost[at]):
                found.append((target, direction, at))
    return [(at, target) for target, _, at in sorted(found)]


def can_attack(rules: Volturno, state: State, unit: int, at: int, target: int, roomy: bool = False) -> bool:
    """The same of one hex and one target."""
    side, foot = rules.side[unit], rules.foot[unit][state.column >> unit & 1]
    if not rules.grid.ring[at] & state.occ[1 - side] & ~closed_to(rules, unit) & 1 << target:
        return False
    price = rules.ground.price[foot][rules.ground.way(at, target)]
    if not price or at == state.at[unit]:
        return bool(price)
    zones, spare = zone_of(rules, state, 1 - side), price if rules.target_counts else 0
    return movement.comes_to(rules, state, unit, at, zones, roomy, spare)


def can_attack_formed(rules: Volturno, state: State, unit: int, at: int, target: int) -> bool:
    """7.1.3, 8.3.p1, 8.3.4: can it, in whichever form its action begins, when friends have made room?"""

    def found() -> bool:
        return can_attack(rules, state, unit, at, target, roomy=True)

    return found() or (state.mover != unit and movement.in_other_form(state, unit, found))


def attacks_formed(rules: Volturno, state: State, unit: int, roomy: bool = False) -> Iterator[tuple[int, int]]:
    """7.1.3, 8.3.p1, 8.3.4: as it stands, and then as who forms column or line when its action begins."""
    found = attacks(rules, state, unit, roomy)
    yield from found
    if state.mover != unit:
        formed = movement.in_other_form(state, unit, lambda: attacks(rules, state, unit, roomy))
        yield from [pair for pair in formed if pair not in found]


def gets_there(rules: Volturno, state: State, unit: int, marker: Marker) -> bool:
    """7.1.4: could a unit make the assault of this marker, in whichever form? Only who declares looks at the price of
    the target (11.1)."""
    found = _gets_there(rules, state, unit, marker)
    if not found and state.mover != unit:
        found = movement.in_other_form(state, unit, lambda: _gets_there(rules, state, unit, marker))
    return found


def _gets_there(rules: Volturno, state: State, unit: int, marker: Marker) -> bool:
    here, at, target = state.at[unit], marker[1], target_of(rules, marker)
    if closed_to(rules, unit) >> target & 1 or not movement.step_cost(rules, state, unit, at, target):
        return False
    return at == here or movement.comes_to(rules, state, unit, at)


def closed_to(rules: Volturno, unit: int) -> int:
    """11.1.p1, 15.6: Garibaldini do not assault Capua, into which they could not advance."""
    return rules.ground.capua if rules.side[unit] == GARIBALDINI else 0


def target_of(rules: Volturno, marker: Marker) -> int:
    """7.1: the hex at which a marker points."""
    return rules.grid.neighbours[marker[1]][marker[2]]


def is_taken(rules: Volturno, state: State, kind: int, at: int, target: int, but: int = -1) -> bool:
    """7.1.2: an Assault and a Charge marker share no hex; two of a kind do for different targets, unless by option.
    `but` is the number of a marker that is not looked at."""
    return any(
        marker[1] == at and (marker[0] != kind or rules.one_marker or target_of(rules, marker) == target)
        for number, marker in enumerate(state.markers)
        if number != but
    )


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
    if not can_assault(rules, unit):
        return Refusal("11", "cannot_assault", data)
    h = rules.grid.index.get(action.target, -1)
    if h < 0:
        return rules.unknown_hex(action.target)
    if h not in targets(rules, state, unit):
        return Refusal("11.1.1", "no_marker_for_it", data)
    if closed_to(rules, unit) >> h & 1 or not movement.step_cost(rules, state, unit, state.at[unit], h):
        return Refusal("11.1.p1", "forbidden", data)
    return None


def fulfil(rules: Volturno, state: State, unit: int, h: int) -> None:
    """7.1.4, 7.1.p3: somebody has attacked this hex from the markers where a unit stands."""
    for number, marker in enumerate(state.markers):
        if marker[1] == state.at[unit] and target_of(rules, marker) == h:
            state.fulfilled |= 1 << number


def _how(rules: Volturno, state: State, frame: Frame) -> str:
    unit, h, how = frame.args[:3]
    if how not in HOW:
        return f"{how} is no way to fight"
    there = state.stacks.get(h, ())
    if state.at[unit] < 0 or not there or rules.side[there[0]] == rules.side[unit]:
        return "there is nobody to fight"
    return ""


def _duel(rules: Volturno, state: State, frame: Frame) -> str:
    """Of who fights and who counts for the defender, or is still to be named."""
    why = _how(rules, state, frame)
    if why:
        return why
    unit, h = frame.args[:2]
    if h not in rules.grid.adjacent[state.at[unit]] or is_only_guns(rules, state, h):
        return "it cannot be fought for"
    counts = frame.args[3:] and frame.args[3] not in state.stacks[h]
    return "who counts is not there" if counts else ""


def _over(rules: Volturno, state: State, frame: Frame) -> str:
    unit, h, how, _, colour, _ = frame.args
    if how not in HOW or colour not in (RED, BLUE, WHITE):
        return "it is no combat of the table"
    near = state.at[unit] < 0 or h in rules.grid.adjacent[state.at[unit]]
    return "" if near else "the attacker is not next to it"


def _known(rules: Volturno, state: State, frame: Frame) -> str:
    return "" if frame.args[2] in HOW else f"{frame.args[2]} is no way to fight"


TAKES = (Argument("unit", UNIT), Argument("hex", HEX), Argument("how", WORD))


def is_charge(how: str) -> bool:
    """10: is it fought on horseback, by the column of charges?"""
    return how.startswith("charge")


def begin(rules: Volturno, state: State, unit: int, action: Assault, out: list[Event]) -> None:
    """11.1.1, gap.static-assault: a unit attacks; where it has not moved nobody reacts before, unless an option says
    so."""
    h, here = rules.grid.index[action.target], state.at[unit]
    if rules.static_trigger and not state.steps and projecting(rules, state, 1 - rules.side[unit], here):
        watched = Frame("watch", AUTO, (unit, "assault", here, (), ()))
        state.frames += (Frame("storm", AUTO, (unit, h, "assault")), watched)
    else:
        fall_upon(rules, state, unit, h, out)


def fall_upon(rules: Volturno, state: State, unit: int, h: int, out: list[Event]) -> None:
    """11.1.1: the attack is carried out."""
    fulfil(rules, state, unit, h)
    state.threatened &= ~(1 << unit)
    state.far |= 1 << unit
    tell(rules, state, unit, "assaults", ("11.1.1",), {"target": rules.grid.ids[h]}, out)
    engage(rules, state, unit, h, "assault")


@CHAPTER.step("gap.static-assault", on="act", secrets=open_to_all, takes=TAKES)
def storm(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """gap.static-assault: those have reacted who may; the attack goes on if both are still there."""
    unit, h, _ = frame.args
    if state.mover == unit and h in targets(rules, state, unit):
        fall_upon(rules, state, unit, h, out)


def engage(rules: Volturno, state: State, unit: int, h: int, how: str) -> None:
    """11.2.p1, 11.4.1: guns alone are overrun without dice, and who is next to them may save them; others fight.

    `how` is assault or counter; what begins with `charge` is ridden (10).
    """
    if is_only_guns(rules, state, h):
        state.frames.append(Frame("overrun", AUTO, (unit, h, how)))
        if how == "assault":  # to a charge they react before it can be called off (10.2.2)
            call_rescue(rules, state, unit, h)
        return
    if how not in COUNTERS:
        end_action(state)
    if needs_reference(rules, state, unit, h, how):
        state.frames.append(Frame("oppose", 1 - rules.side[unit], (unit, h, how)))
    else:
        state.frames.append(Frame("assault_dice", CHANCE, (unit, h, how, reference(rules, state, unit, h, how))))


def call_rescue(rules: Volturno, state: State, unit: int, h: int) -> None:
    """11.4.1.p1, 12.1.2: those next to lone guns may react; who has the attacker in his zone was asked when he came."""
    if rules.option["artillery_rescue_trigger"] != "extended":
        return
    came = state.steps or rules.static_trigger
    asked = projecting(rules, state, 1 - rules.side[unit], state.at[unit]) if came else []
    state.frames.append(Frame("watch", AUTO, (unit, "rescue", h, (), tuple(asked))))


def is_only_guns(rules: Volturno, state: State, h: int) -> bool:
    """11.4.1: has a hex guns and no other units?"""
    return all(rules.counters[other].is_artillery for other in state.stacks[h])


@CHAPTER.step("11.4.1", on="act watch ridden counter_ridden", secrets=open_to_all, takes=TAKES, fault=_known)
def overrun(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """11.4.1: guns alone are lost, unless a reaction has driven the attacker off or cost him his action."""
    unit, h, how = frame.args
    side = rules.side[unit]
    kept = state.at[unit] >= 0 and (how in COUNTERS or state.mover == unit)
    if how not in COUNTERS:
        end_action(state)
    if not kept or not state.occ[1 - side] >> h & 1 or not is_only_guns(rules, state, h):
        return
    guns = state.stacks[h]
    if rules.option["overrun_counts_for_morale"]:
        _morale(rules, state, guns, (unit,), out)
    for gun in guns:
        cohesion.eliminate(rules, state, gun, "11.4.1", out)
    state.frames.append(Frame("advance", AUTO, frame.args))


def strongest(rules: Volturno, state: State, h: int) -> list[int]:
    """11.2.p1: the units of a defender with the highest strength that are no artillery; those on top first."""
    able = [unit for unit in reversed(state.stacks[h]) if not rules.counters[unit].is_artillery]
    most = max(rules.counters[unit].strength for unit in able)
    return [unit for unit in able if rules.counters[unit].strength == most]


def reference(rules: Volturno, state: State, unit: int, h: int, how: str = "assault") -> int:
    """11.2.p1: the unit that counts for the defender: of equally strong ones the one that serves him best."""
    equal = strongest(rules, state, h)
    if len(equal) == 1:
        return equal[0]
    return min(equal, key=lambda other: total(modifiers(rules, state, unit, h, other, how)))


def needs_reference(rules: Volturno, state: State, unit: int, h: int, how: str) -> bool:
    """11.2.p1: has the defender a choice between equally strong units that makes a difference?"""
    equal = strongest(rules, state, h)
    return len(equal) > 1 and len({total(modifiers(rules, state, unit, h, other, how)) for other in equal}) > 1


def total(found: list[Modifier]) -> int:
    """What modifiers add up to."""
    return sum(modifier.amount for modifier in found)


def modifiers(
    rules: Volturno, state: State, unit: int, h: int, other: int = NOBODY, how: str = "assault"
) -> list[Modifier]:
    """table.assault: all that changes the combat of a unit for a hex; `other` counts there (11.2.p1), if it is said."""
    told, other = rules.tables["assault"], reference(rules, state, unit, h, how) if other == NOBODY else other
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
    if is_charge(how) and theirs.is_infantry and not state.level[other]:
        front = is_in_front(rules, state, other, state.at[unit])
        found.append(Modifier("good_infantry", told["charge_on_good_infantry"] if front else 0))
    if mine.side == GARIBALDINI and not is_charge(how):
        found.append(Modifier("ardour", told["ardour"]))  # 15.4.1
    return [modifier for modifier in found if modifier.amount]


@CHAPTER.choice(on="act watch ridden counter_ridden", seats=anybody, takes=TAKES, fault=_duel)
class OpposeChoice(Choice["Volturno", State]):
    """11.2.p1: the defender says which of his strongest units counts."""

    name = "oppose"
    rules = ("11.2.p1",)
    verbs = (Oppose,)

    def legal(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        for other in strongest(rules, state, frame.args[1]):
            yield Oppose(rules.ids[other])

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Oppose)
        other = rules.number.get(action.unit, -1)
        if other < 0:
            return rules.unknown_unit(action.unit)
        there = strongest(rules, state, frame.args[1])
        return None if other in there else Refusal("11.2.p1", "not_strongest", {"unit": action.unit})

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Oppose)
        state.frames.pop()
        state.frames.append(Frame("assault_dice", CHANCE, (*frame.args, rules.number[action.unit])))

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        return {"unit": rules.ids[frame.args[0]], "hex": rules.grid.ids[frame.args[1]]}


def result_of(rules: Volturno, how: str, number: int) -> tuple[str, str, str]:
    """table.assault: what a modified throw brings attacker and defender, and its colour."""
    told = rules.tables["assault"]
    rows, lowest = told["charge" if is_charge(how) else "assault"], int(told["lowest"])
    mine, theirs, colour = rows[max(0, min(len(rows) - 1, number - lowest))]
    return mine, theirs, colour


@CHAPTER.throw(
    2,
    "11.2",
    on="act watch ridden counter_ridden",
    secrets=open_to_all,
    takes=(*TAKES, Argument("against", UNIT)),
    fault=_duel,
)
def assault_dice(rules: Volturno, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """11.2, 11.2.p6: two dice and all modifiers; the defender takes his result first, then the attacker."""
    unit, h, how, against = frame.args
    drm = total(modifiers(rules, state, unit, h, against, how))
    mine, theirs, colour = result_of(rules, how, sum(dice) + drm)
    data = {"target": rules.grid.ids[h], "dice": list(dice), "drm": drm, "result": f"{mine}/{theirs} {colour}"}
    tell(rules, state, unit, "fought", ("11.2",), data, out)
    defenders = state.stacks[h]
    state.losses = (0, 0)
    state.frames.append(Frame("combat_over", AUTO, (*frame.args, colour, defenders)))
    # what lies on top comes first: the defenders' checks, then what the attacker takes
    state.frames.append(Frame("attacker_suffers", AUTO, (unit, h, mine)))
    for other in defenders:
        suffer(rules, state, other, theirs, state.at[unit], out, is_charge(how))


def _result(rules: Volturno, state: State, frame: Frame) -> str:
    result = frame.args[2]
    known = any(result in row[:2] for column in ("assault", "charge") for row in rules.tables["assault"][column])
    return "" if known else f"{result} is no result of the table"


def check_drm(rules: Volturno, state: State, unit: int, result: str, source: int, charged: bool = False) -> int:
    """11.2.p7, 13.1.ex, table.cohesion-modifiers: what the combat adds to a check: the number, to who is attacked from
    the hex `source` an enemy in the rear, and to infantry the charge."""
    told = rules.tables["cohesion_modifiers"]
    behind = 0 if source == NOBODY or is_in_front(rules, state, unit, source) else int(told["rear"])
    fear = int(told["charged"]) if charged and rules.counters[unit].is_infantry else 0
    return int(result.removeprefix("cc")) + behind + fear


def suffer(
    rules: Volturno, state: State, unit: int, result: str, source: int, out: list[Event], charged: bool = False
) -> None:
    """11.2.p7: levels are lost at once; `cc` and a number is a check with that modifier."""
    if result == "-" or state.at[unit] < 0:
        return
    if result.startswith("cc"):
        cohesion.call_check(state, unit, "combat", check_drm(rules, state, unit, result, source, charged))
    else:
        cohesion.lose(rules, state, unit, int(result), "11.2.p7", out)


@CHAPTER.step(
    "11.2.p6",
    on="combat_over",
    secrets=open_to_all,
    takes=(Argument("unit", UNIT), Argument("hex", HEX), Argument("result", WORD)),
    fault=_result,
)
def attacker_suffers(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """11.2.p6: when the defender is done the attacker takes his result; nobody attacks him, from behind either."""
    unit, _, result = frame.args
    suffer(rules, state, unit, result, NOBODY, out)


@CHAPTER.step(
    "11.2",
    on="act watch ridden counter_ridden break_off",
    secrets=open_to_all,
    takes=(*TAKES, Argument("against", UNIT), Argument("colour", WORD), Argument("defenders", UNITS, 1, MOST_UNITS)),
    fault=_over,
)
def combat_over(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """11.2.p2 to p11: who has won; morale moves, the loser retreats with the guns that are with him, and an attacker
    who has won advances. Who stays may leave column."""
    unit, h, how, _, colour, defenders = frame.args
    side, alive, fought = rules.side[unit], state.at[unit] >= 0, (unit, *defenders)
    there = [other for other in defenders if state.at[other] >= 0]
    won = winner(state.losses, side, colour, alive, any(not rules.counters[other].is_artillery for other in there))
    who = {None: "nobody", True: rules.seats[side], False: rules.seats[1 - side]}[won]
    rule = {RED: "11.2.p2", BLUE: "11.2.p3", WHITE: "11.2.p9" if won is None else "11.2.p4"}[colour]
    out.append(Event("combat_won", (rule,), {"side": who}))
    state.losses = (0, 0)
    if won is None:
        for other in _left(state, fought):
            retreats.set_in_order(state, other, "stay")
        return
    if won:
        _morale(rules, state, _routed_or(rules, defenders, there), (unit,), out)
        state.frames.append(Frame("advance", AUTO, (unit, h, how)))
        for other in there:
            stop(state, other)
        _drag(rules, state, there, how, out)
        retreats.send_back(rules, state, _left(state, there), BACK + 1, retreats.ALL_ROUND, fought)
        return
    _morale(rules, state, _routed_or(rules, (unit,), (unit,) if alive else ()), defenders, out)
    for other in there:
        retreats.set_in_order(state, other, "stay")
    if alive:
        stop(state, unit)  # 11.3.6: it may have reacted in its own action
        here = state.at[unit]
        beaten = [unit, *(other for other in state.stacks[here] if rules.counters[other].is_artillery)]
        all_round = rules.ground.facings.all_round >> here & 1
        rear = rules.ground.facings.toward(here, h) if all_round else state.facing[unit]
        _drag(rules, state, beaten, how, out)
        retreats.send_back(rules, state, _left(state, beaten), BACK, rear, fought)


def _left(state: State, units: Sequence[int]) -> list[int]:
    return [unit for unit in units if state.at[unit] >= 0]


def _routed_or(rules: Volturno, losers: Sequence[int], retreating: Sequence[int]) -> Sequence[int]:
    """6.2.1.p1: a combat is lost by those who have to retreat; by an option also by those who are wiped out."""
    return losers if rules.option["overrun_counts_for_morale"] else retreating


def _drag(rules: Volturno, state: State, beaten: Sequence[int], how: str, out: list[Event]) -> None:
    """11.4.2: guns beside those who retreat limber and lose a level; horse artillery loses none in an assault."""
    for gun in beaten:
        if rules.counters[gun].is_artillery:
            if not movement.is_column(state, gun):
                set_column(state, gun, rules.side[gun], True)
                tell(rules, state, gun, "formed", ("11.4.2",), {"into": "column"}, out)
            if is_charge(how):
                cohesion.lose(rules, state, gun, GUNS_LOSE_CHARGED, "11.4.2", out)
            elif rules.counters[gun].kind != HORSE:
                cohesion.lose(rules, state, gun, GUNS_LOSE, "11.4.2", out)


def stop(state: State, unit: int) -> None:
    """12.2.3: who is beaten in the middle of its action goes no further."""
    if state.mover == unit:
        end_action(state)
        retreats.forget(state, unit, ("march", "break_off", "storm", "overrun"))


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
    engage(rules, state, unit, h, "counter")


def winner(losses: tuple[int, int], side: int, colour: str, alive: bool, resists: bool) -> bool | None:
    """11.2.p2 to p5: has the attacker, of this side, won? None for a draw; on white who is eliminated cannot win."""
    if colour != WHITE:
        return colour == BLUE
    if not alive or not resists:
        return alive if alive != resists else None
    lost, taken = losses[side], losses[1 - side]
    return None if lost == taken else lost < taken


def _morale(rules: Volturno, state: State, losers: Sequence[int], winners: Sequence[int], out: list[Event]) -> None:
    """6.2.1.p1, 6.2.1.p2: one space for each formation that was in it, if somebody has lost it."""
    for units, by in ((winners if losers else (), 1), (losers, -1)):
        for formation in sorted({rules.counters[unit].formation for unit in units}):
            cohesion.shift_morale(rules, state, formation, by, out)


def _met(rules: Volturno, state: State, frame: Frame) -> int:
    """8.6: who advances may come next to strangers."""
    unit, h = frame.args[:2]
    return shown_from(rules, state, unit, h) if state.at[unit] >= 0 else NOBODY


@CHAPTER.step("11.1.2", on=retreats.AMID, secrets=_met, takes=TAKES, once=False)
def advance(rules: Volturno, state: State, frame: Frame, out: list[Event]) -> None:
    """11.1.2, 11.2.p10: an attacker who has won goes into the hex, and the enemy may react; then it may turn."""
    unit, h, how = frame.args
    if state.at[unit] < 0 or h not in rules.grid.adjacent[state.at[unit]]:
        return
    if not can_advance(rules, state, unit, h, how):
        retreats.set_in_order(state, unit, "stay")
        return
    side, here, before = rules.side[unit], state.at[unit], who_knows(rules, state, unit)
    if not is_charge(how):  # 10.1.2
        state.facing[unit] = rules.ground.facings.toward(here, h)
    place(state, unit, h, side)
    state.moved |= 1 << unit
    fords = movement.is_ford(rules, state, unit, here, h)
    data = {"path": [rules.grid.ids[here], rules.grid.ids[h]]}
    tell(rules, state, unit, "advanced", ("11.1.2",), data, out, before)
    retreats.set_in_order(state, unit, "stay" if is_charge(how) else "advance")
    if side == state.active and projecting(rules, state, 1 - side, h):
        state.frames.append(Frame("watch", AUTO, (unit, "enter", h, (), ())))
    for leader in retreats.leaders_in(rules, state, here, side):
        state.frames.append(Frame("accompany", side, (leader, h)))
    if fords:
        cohesion.call_check(state, unit, "ford")
    movement.entered(rules, state, unit, out)


def can_advance(rules: Volturno, state: State, unit: int, h: int, how: str) -> bool:
    """11.2.p10, 12.2.3.p1, 15.2.p4: not where somebody has stayed, nor at night into an enemy zone; nor from elsewhere,
    if it has fought again meanwhile."""
    if h not in rules.grid.adjacent[state.at[unit]]:
        return False
    if state.stacks.get(h) or movement.why_no_entry(rules, state, unit, h) is not None:
        return False
    if how in COUNTERS and not rules.option["counterattack_advance"]:
        return False
    return not (rules.is_night(state.turn) and in_enemy_zone(rules, state, rules.side[unit], h))
