"""What the booklet lets a player do, as two sets: what must be on offer, and what may be at the widest reading."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from book_board import distance, other, step, toward
from book_world import FORBIDDEN, QUARTERS, WHOLE, Unit, World


def assault_costs(w: World, unit: Unit, to: str) -> list[tuple[int, bool]]:
    """10.2.5: what a marker pointing at a hex may cost, and whether it is then a road assault."""
    found: list[tuple[int, bool]] = []
    ground = w.ground(unit, unit.at, to)
    if ground == WHOLE:
        ground = w.allowance_of(unit)
    if ground >= 0:
        found.append((ground, False))
    trench = w.by_trench(unit, unit.at, to)
    if trench >= 0:
        found.append((trench, False))
    road = w.by_road(unit, unit.at, to)
    if road >= 0:
        found.append((road, True))
    return found


def may_assault(unit: Unit) -> bool:
    """21.1, 21.3, 21.4: who can assault at all."""
    return unit.c.fights and bool(unit.c.assaults)


def targets(w: World, unit: Unit, left: int) -> set[str]:
    """10.2.1, 10.2.5: hexes with enemy combat units that a unit with so many quarters left can assault."""
    if not may_assault(unit):
        return set()
    return {
        to
        for to in w.book.next_to[unit.at]
        if w.troops(to, other(unit.side))
        and w.may_cross(unit, to)
        and any(cost <= left for cost, _ in assault_costs(w, unit, to))
    }


def defenders(w: World, at: str, side: str) -> list[Unit]:
    """11.1: all units of the assaulted hex, of which two battalions (one in high mountain) defend."""
    return w.troops(at, side)


LETTERS = 4
"""12.3.5: A to D."""


def retreat_classes(
    w: World, unit: Unit, origins: set[str], empty: set[str], closed: set[str], strict: bool = False
) -> list[set[str]]:
    """12.3.5, A to D: the hexes into which a defender may retreat, best first.

    `origins` are the hexes from which the assault came, `closed` those of all assaults in this action, `empty` those
    that were so when the stack began to retreat. Cliffs are for mountain troops (12.3.5.1). 24.3: who need not leaves
    his sector by no letter; who began in a hex of both sectors goes to that of his formation.
    """
    opposite = {step(unit.at, toward(unit.at, o) + 3) for o in origins if distance(unit.at, o) == 1}
    classes: list[set[str]] = [set() for _ in range(3 * LETTERS)]
    for to in w.book.next_to[unit.at]:
        first = 0 if w.is_at_home(unit, to) else 2 * LETTERS
        if w.began_there(unit) and w.book.hexes[to].sector == "common":
            first = LETTERS
        if to in origins | closed or w.units_at(to, other(unit.side)) or w.book.hexes[to].barred:
            continue
        if not w.can_enter(unit, unit.at, to):
            continue
        friends = w.units_at(to, unit.side)
        full = bool(friends) and placed(w, [unit], to).crowded(to, unit.side, not strict)
        if not friends or (to in empty and not full):  # 11.2: those who came before may have filled it
            good = to in opposite or any(distance(to, o) == 1 for o in opposite)
            classes[first + (0 if good else 1)].add(to)
        else:
            classes[first + (3 if full else 2)].add(to)
    return classes


def placed(w: World, units: Iterable[Unit], to: str) -> World:
    """The same position with some units in another hex."""
    moved = {u.id for u in units}
    copies = []
    for u in w.units.values():
        if u.id in moved:
            copy = Unit(u.c, to, "", u.dp, u.lost)
            copy.emplaced, copy.marks = u.emplaced, set(u.marks)
            copies.append(copy)
        else:
            copies.append(u)
    return w.with_units(copies)


def parse(result: str) -> dict[str, Any]:
    """12.1.5, 12.2.10, 12.3.4: a result of a table in its parts."""
    found: dict[str, Any] = {"again": result == "*", "dp": 0, "steps": 0, "s": False, "t": False, "r": False}
    for word in result.split():
        if word == "S":
            found["s"] = True
        elif word == "T":
            found["t"] = found["s"] = True
        elif word.startswith("D"):
            head, _, steps = word[1:].partition("/")
            found["r"] = head.endswith("R")
            found["dp"] = int(head.rstrip("R"))
            found["steps"] = int(steps or 0)
    return found


def threatened(w: World, unit: Unit) -> bool | None:
    """15.4: is an enemy next to it who could move into its hex? None where one is next to it, but could not."""
    foes = w.touches(unit)
    able = [u for u in foes if u.c.fights and not u.c.flame and w.may_cross(u, unit.at)]
    if any(w.can_enter(u, u.at, unit.at) for u in able):
        return True
    return None if foes else False


def hurt(w: World, unit: Unit, points: int, winner: bool = False) -> set[tuple[str, int]]:
    """15.4, 15.4.2, 9.3: what may become of a unit that takes so many points: `("", dp)` or `("surrendered", 0)`."""
    if unit.dp + points < unit.c.morale:
        return {("", unit.dp + points)}
    stays = ("", unit.c.morale - 1)
    if winner:
        return {stays}
    near = threatened(w, unit)
    if near is None:
        return {stays, ("surrendered", 0)}
    return {("surrendered", 0)} if near else {stays}


def commanders_hexes(w: World, formation: str, sector: str = "") -> tuple[set[str], set[str]]:
    """7.6, 9.4, 9.4.1: where a headquarters must and where it may be placed."""
    hq = w.book.hqs[formation]
    side = hq.side
    interdicted = "" if hq.nation == "german" else "yes"
    own = [u for u in w.on_map(side) if u.c.formation == formation and "rommel" not in u.marks]
    if formation == "de-rommel":  # 21.6
        own = [u for u in w.on_map(side) if "rommel" in u.marks]
    must: set[str] = set()
    may: set[str] = set()
    for at, here in w.book.hexes.items():
        if w.units_at(at, other(side)) or here.barred or (sector and here.sector not in {sector, "common"}):
            continue
        if not any(distance(at, u.at) <= hq.command for u in own):
            continue
        if not w.supplied(at, side, sector, True, interdicted, junction=True):
            continue
        if any(u.at in w.command(at, side, hq.command, True) for u in own):
            may.add(at)
            if w.supplied(at, side, sector, False, interdicted):
                able = [u for u in own if not u.marks & {"ooc", "activated"}]  # 7.8
                if any(u.at in w.command(at, side, hq.command, False) for u in able):
                    must.add(at)
    return must, may


def quarter_of_guns(w: World, guns: list[Unit], infantry: int, direct: set[str]) -> Fraction:
    """12.2.5: what guns add to defensive fire: a quarter of their factors; in case A no more than the infantry's."""
    total = Fraction(0)
    seen = Fraction(0)
    for gun in guns:
        if gun.id in direct:
            total += Fraction(gun.c.factor, 4)
        else:
            seen += Fraction(gun.c.factor, 4)
    return total + min(seen, Fraction(max(1, infantry)))


def strategic(w: World, unit: Unit, points: int) -> dict[str, int]:
    """10.3.2: hexes in reach of a march that is nowhere nearer than three hexes to an enemy."""
    foes = [u.at for u in w.on_map(other(unit.side))]

    def far(at: str) -> bool:
        return all(distance(at, foe) >= 3 for foe in foes)

    if not far(unit.at):
        return {}
    best = {unit.at: points}
    ring = [unit.at]
    while ring:
        fresh = []
        for at in ring:
            for to in w.book.next_to[at]:
                cost = w.step_cost(unit, at, to)
                if cost in {FORBIDDEN, WHOLE} or not far(to) or w.bars(unit, to, False):
                    continue
                if best[at] - cost > best.get(to, -1):
                    best[to] = best[at] - cost
                    fresh.append(to)
        ring = fresh
    return best


def battalions(units: Iterable[Unit]) -> int:
    """7.5: quarters of battalion-equivalents that count against the limit of independents."""
    return sum(u.weight for u in units if not (u.c.engineer or u.c.flame or u.c.machine_gun)) // 1


__all__ = [
    "QUARTERS",
    "assault_costs",
    "battalions",
    "commanders_hexes",
    "defenders",
    "hurt",
    "may_assault",
    "parse",
    "placed",
    "quarter_of_guns",
    "retreat_classes",
    "strategic",
    "targets",
    "threatened",
]
