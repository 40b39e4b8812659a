"""The referee: follows a game picture by picture and says wherever it is not what the booklet says.

Every remark has a key, `chapter what`, by which test_caporetto_referee knows those that wait for a decision.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import takewhile
from typing import Any, NamedTuple

from book_board import Book, distance, other, step, toward
from book_rules import (
    commanders_hexes,
    hurt,
    may_assault,
    parse,
    placed,
    retreat_classes,
    strategic,
    targets,
    threatened,
)
from book_tape import Picture
from book_works import Works
from book_world import FORBIDDEN, QUARTERS, WHOLE, Unit, World, read

OFF = ("surrendered", "eliminated", "routed", "exited")
ORDER = (
    "reinforcement", "command", "initiative", "weather", "engineering", "artillery", "action", "gun_movement",
    "movement", "supply", "recovery", "victory",
)  # fmt: skip


SIDES = ("ahg", "italian")


class Remark(NamedTuple):
    """One difference."""

    key: str
    text: str
    where: str


class Referee(Works):
    """Follows one game."""

    def __init__(self, book: Book, position: dict[str, Any]) -> None:
        self.book = book
        self.remarks: list[Remark] = []
        self.checks: Tally[str] = Tally()
        self.seen: Tally[str] = Tally()
        self.where = ""
        self.action: dict[str, Any] = {}
        self.world = read(book, position)
        self.spent: dict[str, int] = {}
        self.way: dict[str, list[str]] = {}
        self.closed: set[str] = set()
        self.stopped: set[str] = set()
        self.open: tuple[str, ...] = ()
        self.stage = ""
        self.launched: set[tuple[str, str]] = set()
        self.sectors = bool(book.printed.get("sectors"))
        self.jostled: set[str] = set()
        self.taken: dict[str, tuple[int, str]] = {}
        self.penalty: dict[str, int] = {}
        self.begun(self.world)

    # saying

    def say(self, key: str, text: str) -> None:
        """A difference."""
        self.remarks.append(Remark(key, text, self.where))

    def check(self, good: bool, key: str, text: str) -> bool:
        """Count a check, and say what is wrong."""
        self.checks[key] += 1
        if not good:
            self.say(key, text)
        return good

    # one action

    def follow(self, where: str, action: dict[str, Any], pictures: Iterable[Picture]) -> None:
        """An action and all that came of it."""
        self.where = where
        self.action = action
        for picture in pictures:
            w0, w1 = self.world, read(self.book, picture.after, self.world)
            self.seen[picture.name] += 1
            top = w0.data["frames"][-1] if w0.data["frames"] else ["", 0, []]
            args = top[2] if top[0] == picture.name else list(picture.args)
            self.stages(w0, w1)
            if picture.after["units"] != w0.data["units"]:
                self.bounds(w0, w1)
            handler = getattr(self, "on_" + picture.name, None)
            if handler is not None:
                handler(w0, w1, args, picture)
            for event in picture.events:
                if event.kind == "assault":
                    self.last = event.data
                if event.kind == "disorganised" and "11.6" in event.rules:
                    self.jostled.add(event.data["unit"])
                told = getattr(self, "told_" + event.kind, None)
                if told is not None:
                    told(w0, w1, event.data, args, picture)
            self.holders(w0, w1, picture)
            if picture.after.get("control") != w0.data.get("control"):
                self.captures(w0, w1)
            self.world = w1

    def owes(
        self, seat: str, kind: str, about: dict[str, Any], offered: list[dict[str, Any]], refusal: Callable[..., str]
    ) -> None:
        """A decision is owed: is what must be on offer there, and nothing that may not be?"""
        if kind == "infiltration":
            self.expected = None
        elif kind not in {"share_losses"}:
            self.missed()
        handler = getattr(self, "owes_" + kind, None)
        if handler is not None and offered:
            handler(self.world, seat, about, offered, refusal)

    def ended(self, match: Any) -> None:
        """26.3, 27.3: whoever holds most of the objectives has won."""
        result = match.rules.result(match.state)
        if self.book.printed["victory"] != "majority":
            told = match.rules.account(match.state)
            for force in told:
                want = self.account(self.world, force)
                got = {key: told[force][key] for key in want}
                self.check(got == want, "23.1 points of a campaign", f"{force}: {got}, by the book {want}")
            return
        if result is None:
            return
        objectives = self.book.printed["objectives"]
        score = {side: sum(n for at, n in objectives.items() if self.holder(self.world, at) == side) for side in SIDES}
        best = max(SIDES, key=lambda side: score[side])
        self.check(result.winner == best, "26.3 who won", f"{result}, by the book {score}")

    def units(self, w: World, names: Iterable[str]) -> list[Unit]:
        """Units by their names."""
        return [w.units[name] for name in names]

    # what is true of any two pictures

    def stages(self, w0: World, w1: World) -> None:
        """4.0: phases come in their order; what is remembered of a move is forgotten with its step."""
        was, now = w0.data["phase"], w1.data["phase"]
        if was == "setup" != now and self.book.scenario == "what_if":
            self.ready(w0)
        if was != now and was in ORDER and now in ORDER:
            here, there = ORDER.index(was), ORDER.index(now)
            fresh = here >= ORDER.index("supply") and not there
            self.check(there > here or fresh, "4.0 order of phases", f"{was} -> {now}")
        step, then = w0.data.get("step", ""), w1.data.get("step", "")
        over = step == "move" != then and not then.startswith("mobile")  # 21.5.3: the step goes on after one
        if over or (was in {"movement", "gun_movement"} and was != now):
            came = {hexes[-1] for hexes in self.way.values()}
            for at in came & set(w1.stacks):
                for side in ("ahg", "italian"):
                    there = w1.units_at(at, side)
                    turned = any(u.c.gun and not u.emplaced for u in there)  # 18.1: to be mended later
                    paid = all(u.id in self.jostled for u in there if u.weight)  # 11.6: nobody could leave any more
                    new = w1.crowded(at, side) and not turned and not paid
                    swap = " (swap)" if w0.data.get("kind") == "swap" else ""
                    self.check(not new, f"11.2 too many in a hex{swap}", f"{at}: {[u.id for u in there]}")
        if step != then and step in {"assault", "counter", "mobile_assault", "mobile_counter"}:
            self.settled(w1)
        stage = f"{w1.turn} {now} {w1.data.get('active')} {w1.data.get('formations')} {w1.data.get('step', '')}"
        if stage != self.stage:
            self.stage = stage
            self.spent.clear()
            self.jostled.clear()
            self.way.clear()
            self.closed.clear()
            self.stopped.clear()
            self.open = ()
        if w0.data.get("formations") != w1.data.get("formations"):
            self.launched.clear()
            self.stormed = set()
        new = [w1.units[a[0]] for a in w1.data.get("assaults", ()) if a not in w0.data.get("assaults", ())]
        self.launched |= {(u.side, u.at) for u in new}

    def bounds(self, w0: World, w1: World) -> None:
        """What no step may do, whatever it is."""
        for u in w1.units.values():
            was = w0.units.get(u.id)
            if was is None or was is u:  # nothing has happened to it
                continue
            if was.place in OFF and u.id.rpartition("-co")[0] not in w1.units:  # 21.10: companies are made again
                self.check(u.place == was.place, "16.2 a lost unit comes back", f"{u.id} {was.place} > {u.at}{u.place}")
            if not u.at:
                continue
            if not u.c.hq and not u.c.flame:
                self.check(u.dp < u.c.morale, "15.4 beyond the threshold", f"{u.id} dp {u.dp} of {u.c.morale}")
                self.check(u.steps > 0, "16.1 no step left", u.id)
            if was.at and u.at != was.at:
                self.check(not self.book.hexes[u.at].barred, "21.7 out of play", f"{u.id} in {u.at}")
                if u.c.gun:
                    self.check(not was.emplaced, "18.1 an emplaced gun moves", f"{u.id} {was.at} -> {u.at}")
        for at, units in w1.stacks.items():
            if w0.stacks.get(at) == units:
                continue
            sides = {u.side for u in units if u.c.fights}
            self.check(len(sides) < 2, "10.0.5 both sides in a hex", f"{at}: {[u.id for u in units]}")
        if w1.data.get("phase") != "movement" and w1.data.get("step") != "move":  # 11.2: when the step is over
            flames = Tally(u.at for u in w1.units.values() if u.c.flame and u.at)
            for at, number in flames.items():
                self.check(number < 2, "21.4 two flamethrowers", at)
        for at, level in w1.trenches.items():
            if level < 1:
                self.check(False, "17.8 a trench hex below 1", at)
        for side, points in w1.data.get("points", {}).items():
            self.check(points >= 0, "6.0 no points left", f"{side} {points}")

    def holders(self, w0: World, w1: World, picture: Picture) -> None:
        """23.1: a hex belongs to who last had a unit other than a gun enter it or go through."""
        if picture.after.get("control") == w0.data.get("control"):
            for name, u in w1.units.items():
                was = w0.units.get(name)
                if (
                    was is not u
                    and was
                    and u.at
                    and was.at != u.at
                    and not u.c.gun
                    and not u.c.hq
                    and not self.book.hexes[u.at].barred
                ):
                    self.check(self.holder(w1, u.at) == u.side, "23.1 control", f"{name} in {u.at} does not hold it")
            return
        lost = {at for side in ("ahg", "italian") for at in self.held(w1, side) - self.held(w0, side)}
        for at in lost:
            here = {u.side for u in w1.stacks.get(at, ()) if not u.c.gun}
            self.check(here == {self.holder(w1, at)}, "23.1 control without a unit", at)

    @staticmethod
    def held(w: World, side: str) -> set[str]:
        """The hexes that a side holds."""
        found: set[str] = set()
        for force, hexes in w.data.get("control", {}).items():
            if force.startswith(side):
                found |= set(hexes)
        return found

    def holder(self, w: World, at: str) -> str:
        """Who holds a hex."""
        return next((side for side in ("ahg", "italian") if at in self.held(w, side)), "")

    # 10: moves

    def prices(self, w: World, unit: Unit, group: list[Unit], a: str, b: str, country: bool) -> set[int]:
        """10: what entering a hex may cost a unit that moves with others; empty where it may not."""
        load = sum(u.weight for u in group) - w.allowance(group, False)
        others = [u for u in w.units_at(b, unit.side) if u not in group]
        guns = any(u.c.gun and not u.emplaced for u in w.stacks.get(b, ()) if u not in group)  # of either side
        full = sum(u.weight for u in others) - w.allowance(others, False) > 0  # 3.0: one company is one already
        costs = {w.ground(unit, a, b)}
        if not country:
            costs.add(w.by_trench(unit, a, b))
            if load <= QUARTERS and not guns and not full:
                costs.add(w.by_road(unit, a, b))
        good = {c + w.leaving(unit, a) for c in costs if c >= 0}
        if WHOLE in costs:  # 10.0.9: the whole allowance, with the point for leaving a zone in it
            good.add(w.allowance_of(unit))
        return {min(good)} if good else set()

    def on_march(self, w0: World, w1: World, args: list[Any], picture: Picture) -> None:
        """10.0 to 10.4: one hex of a move."""
        for event in picture.events:
            if event.kind == "moved":
                self.missed()
                self.step(w0, w1, list(event.data["units"]), *event.data["path"])

    def step(self, w0: World, w1: World, names: list[str], a: str, b: str) -> None:
        """One hex of a move, for all who move together."""
        group = self.units(w0, names)
        self.check(distance(a, b) == 1, "10.0 a step to no neighbour", f"{a} {b}")
        tactical = w0.data["phase"] == "action"
        told = f"{names} {a}-{b}"
        country = self.action.get("by") == "country"
        if tuple(names) != self.open:
            self.closed |= set(self.open) - set(names)
            self.open = tuple(names)
        for u in group:
            self.check(u.id not in self.closed, "10.0.6 moves again after another", told)
            self.check(u.id not in self.stopped, "10.1.1 goes on from an enemy zone", told)
            self.check("activated" not in u.marks or tactical, "10.0.6 was active and moves", told)
            if u.c.gun:
                self.check(w0.data["phase"] == "gun_movement" and not u.c.group, "18.1 a gun moves", told)
            foes = w0.units_at(b, other(u.side))
            self.check(not any(not f.c.gun for f in foes), "10.0.5 into enemies", told)
            self.check(not foes or tactical, "10.3.1 into enemy guns", told)
            if u.c.gun:
                alone = w0.watched(b, u.side) and not w0.troops(b, u.side)
                self.check(not alone, "18.4 a gun in an enemy zone", told)
            costs = self.prices(w0, u, group, a, b, country)
            dearest = max((min(self.prices(w0, x, group, a, b, country), default=0) for x in group), default=0)
            costs |= {dearest} if costs else set()
            if not self.check(bool(costs), "10.0 no way", f"{told}: {u.id}"):
                continue
            self.way.setdefault(u.id, [a]).append(b)
            before = w0.data.get("leftovers", {}).get(u.id)
            after = w1.data.get("leftovers", {}).get(u.id)
            if before is None and len(self.way[u.id]) == 2:
                before = w0.allowance_of(u)
            paid = {(before or 0) - (after or 0), 2 * (before or 0) - (after or 0)}
            self.spent[u.id] = self.spent.get(u.id, 0) + min(paid & costs, default=min(costs))
            if before is not None and after is not None:
                good = before - after in costs or 2 * before - after in costs
                self.check(good, "10 cost", f"{told}: {u.id} {before} -> {after}, by the book {costs}")
            forced = "marched" in w1.units[u.id].marks or self.action.get("forced") == "hard"
            far = all(distance(at, foe.at) >= 3 for at in self.way[u.id] for foe in w0.on_map(other(u.side)))
            most = w0.allowance_of(u, forced)
            if far and not tactical and "ooc" not in u.marks:
                most = w0.allowance_of(u, forced, strategic=True)
            self.check(self.spent[u.id] <= most, "10 too far", f"{told}: {u.id} {self.spent[u.id]} of {most}")
            if not u.c.infiltrates and w0.watched(b, u.side):
                self.stopped.add(u.id)
        side = group[0].side
        empty = not w0.units_at(b, other(side)) and not w0.units_at(b, side)  # "vuoto": nor is a friend there
        if self.book.hexes[b].trench == other(side) and empty and not group[0].c.gun:
            self.check(w1.trenches[b] == 1, "17.6 a trench that is entered", f"{told}: {w1.trenches[b]}")
        for gun in w0.units_at(b, other(side)):
            self.check(w1.units[gun.id].place == "surrendered", "18.3 guns that are overrun", f"{told}: {gun.id}")
        alive = [w1.units[n] for n in names if w1.units[n].at == b]
        shooters = [u for u in self.watchers(w0, group[0], a, b) if w1.units[u.id].at]
        self.expected = None
        if alive and any(u.mg for u in shooters):
            column, why = self.column_infiltration(w1, b, a, alive, shooters, [])
            if column is not None and column >= 0:
                self.expected = (names, a, b, f"{[u.id for u in shooters]}, {why}")

    def told_forced_march(self, w0: World, w1: World, data: dict[str, Any], args: Any, picture: Picture) -> None:
        """10.4: who is one point from surrender may not; guns may not."""
        for name in data.get("units", [data.get("unit")]):
            u = w0.units[name]
            self.check(not u.c.gun, "10.4 guns force no march", name)
            if u.at:
                self.check(u.dp < u.c.morale - 1, "10.4 too tired to force a march", f"{name} {u.dp}/{u.c.morale}")

    # 12.1, 12.2, 10.1.2: fire

    def on_volley_die(self, w0: World, w1: World, args: list[Any], picture: Picture) -> None:
        """12.1.4 D, 12.2.9 D: a die on the fire table."""
        if any(event.kind == "fired" for event in picture.events):
            self.fire(w0, w1, args, [picture.dice[0]], picture)

    def on_volley_star(self, w0: World, w1: World, args: list[Any], picture: Picture) -> None:
        """12.1.5: the second die of a star."""
        self.fire(w0, w1, args, [args[7], picture.dice[0]], picture)

    def on_volley(self, w0: World, w1: World, args: list[Any], picture: Picture) -> None:
        """Fire that is too weak for a die."""
        if any(event.kind == "fired" for event in picture.events):
            self.fire(w0, w1, args, [], picture)

    def fire(self, w0: World, w1: World, args: list[Any], dice: list[int], picture: Picture) -> None:
        """Column, result and what it does to the targets."""
        at, source, targets, firers = args[1:5]
        event = next(e for e in picture.events if e.kind == "fired")
        name = event.data["fire"]
        if name == "infiltration":
            self.expected = None
        hit = self.units(w0, targets or event.data["units"])
        shooters = self.units(w0, firers)
        if name == "barrage":
            source = self.barrage(w0, at)
        if name in {"bombardment", "defence", "infiltration", "barrage"} and hit:
            column, why = getattr(self, "column_" + name)(w0, at, source, hit, shooters, args)
            if column is None:
                return
            told = f"{name} at {at} {targets} by {firers}: {why}"
            road = self.by_road_now(w0, name, hit, args)
            if not dice:
                self.check(column < 0, f"12 a die is due ({name})", f"{told} {[u.id for u in hit]}")
                return
            astray = name in {"bombardment", "barrage"}  # 12.1.5.6: a six has its effect whatever the column
            if not self.check(column >= 0 or astray, f"12 no die is due ({name})", told):
                return
            die = min(6, dice[0] + road)
            result = parse(self.book.tables["fire"]["results"][die - 1][column] if column >= 0 else "-")
            if len(dice) > 1:
                self.check(result["again"], f"12.1.5 no star ({name})", f"{told}, dice {dice}")
                if dice[1] <= 3:
                    result["dp"] = 1
            else:
                self.check(not result["again"], f"12.1.5 a star is thrown again ({name})", f"{told}, dice {dice}")
            got = (event.data["points"], event.data["steps"], event.data["suppressed"])
            want = (result["dp"], result["steps"], result["s"])
            if not self.check(got == want, f"12 result ({name})", f"{told}, dice {dice}: {got}, by the book {want}"):
                return
            self.damage(w0, w1, hit, result["dp"], result["steps"], f"12.1.5 ({name})", picture)
            if result["s"]:
                for u in hit:
                    now = w1.units[u.id]
                    if now.at and u.c.fights:
                        self.check("ooc" in now.marks, "12.1.5 suppressed", f"{told}: {u.id} {now.marks}")
                        if name not in {"bombardment", "barrage"}:
                            self.check("activated" in now.marks, "12.2.10 suppressed, activated", f"{told}: {u.id}")

    @staticmethod
    def by_road_now(w: World, name: str, hit: list[Unit], args: list[Any]) -> int:
        """10.0.4: the die of fire at who uses a road under enemy eyes."""
        if name == "infiltration":
            return 1 if args[6] else 0
        if name == "defence":
            by_road = {a[0] for a in w.data.get("assaults", ()) if a[2]}
            return 1 if any(u.id in by_road for u in hit) else 0
        return 0

    def column_bombardment(
        self, w: World, at: str, source: str, hit: list[Unit], shooters: list[Unit], args: list[Any]
    ) -> tuple[int | None, str]:
        """12.1.4, 12.1.7."""
        factors = Fraction(0)
        for u in shooters:
            if u.c.gun:
                if u.c.group:
                    return None, ""
                factors += w.aims(u, at)
            else:
                factors += u.mg
        guns = [u for u in shooters if u.c.gun]
        shift = w.cover(at, hit)
        if not guns:
            shift = w.cover_from(at, hit, {u.at for u in shooters})
        if any(u.c.cavalry for u in hit):
            shift += self.book.tables["fire"]["target"]["cavalry"]
        shift = max(-3, min(3, shift))
        return self.moved_column(w, factors, shift), f"factors {factors}, shift {shift}"

    @staticmethod
    def barrage(w: World, at: str) -> Fraction:
        """12.1.6: half of what fires at the hex."""
        return Fraction(w.data.get("barrages", {}).get(at, 0), 64)

    def column_barrage(
        self, w: World, at: str, source: Fraction, hit: list[Unit], shooters: list[Unit], args: list[Any]
    ) -> tuple[int | None, str]:
        """12.1.6: a bombardment of half the strength of the marker."""
        shift = w.cover(at, hit)
        if any(u.c.cavalry for u in hit):
            shift += self.book.tables["fire"]["target"]["cavalry"]
        shift = max(-3, min(3, shift))
        return self.moved_column(w, source, shift), f"factors {source}, shift {shift}"

    def moved_column(self, w: World, factors: Fraction | int, shift: int) -> int:
        """12.1.4 C, 12.2.1: a column after its shift."""
        return min(len(self.book.tables["fire"]["from"]) - 1, w.fire_column(factors) + shift)

    def guns_and_men(self, shooters: list[Unit]) -> tuple[int, int]:
        """7.8, 12.2.6: machine guns as they fire, and as they are printed now."""
        now = sum((u.mg + 1) // 2 if "ooc" in u.marks else u.mg for u in shooters if not u.c.gun)
        return now, sum(u.mg for u in shooters if not u.c.gun)

    def column_defence(
        self, w: World, at: str, source: str, hit: list[Unit], shooters: list[Unit], args: list[Any]
    ) -> tuple[int | None, str]:
        """12.2.5, 12.2.6, 12.2.9."""
        men, printed = self.guns_and_men(shooters)
        direct, seen = Fraction(0), Fraction(0)
        for gun in (u for u in shooters if u.c.gun):
            part = Fraction(gun.c.factor, 4)
            if "ooc" in gun.marks:  # 7.8
                part = Fraction(-(-part // 2))
            if w.direct(gun.at, at) and self.book.sight(w.turn, gun.at, at):
                direct += part
            else:
                seen += part
        factors = men + direct + min(seen, Fraction(max(1, printed)))
        table = self.book.tables["fire"]["defensive"]
        assaults = {a[0]: a[1] for a in w.data.get("assaults", ())}
        aims = [assaults[u.id] for u in hit if u.id in assaults]
        shift = max((table["trench"][w.trench_toward(u, at)] for u in shooters if not u.c.gun), default=0)
        if args[6]:  # 12.4.3: trenches do not count in a counter-assault
            shift = 0
        if self.book.blind(w.turn, at) or all(self.book.blind(w.turn, u.at) for u in shooters):  # 12.2.9 C: the best
            shift += table["blind"]
        if not aims:
            shift += w.cover(at, hit, trenches=not args[6])
        elif any(self.book.side(at, to).water for to in aims):
            shift += table["crossing"]
        if any(u.c.cavalry for u in hit):
            shift += self.book.tables["fire"]["target"]["cavalry"]
        shift = max(-3, min(3, shift))
        return self.moved_column(w, factors, shift), f"factors {factors}, shift {shift}"

    def column_infiltration(
        self, w: World, at: str, source: str, hit: list[Unit], shooters: list[Unit], args: list[Any]
    ) -> tuple[int | None, str]:
        """10.1.2: as defensive fire, with the ground that is entered and the hexside that was crossed."""
        men, _ = self.guns_and_men(shooters)
        table = self.book.tables["fire"]["defensive"]
        shift = max((table["trench"][w.trench_toward(u, at)] for u in shooters), default=0)
        shift += w.cover_from(at, hit, {u.at for u in shooters})  # 17.9: only what is fired across
        if self.book.side(source, at).water:
            shift += table["crossing"]
        if any(u.c.cavalry for u in hit):
            shift += self.book.tables["fire"]["target"]["cavalry"]
        shift = max(-3, min(3, shift))
        return self.moved_column(w, men, shift), f"factors {men}, shift {shift}"

    def damage(
        self, w0: World, w1: World, hit: list[Unit], points: int, steps: int, key: str, picture: Picture, won: str = ""
    ) -> None:
        """15.4, 15.4.1: points first, then steps; who reaches the threshold beside an enemy surrenders."""
        waits = w1.data["frames"] and w1.data["frames"][-1][0] in {"share_losses", "take_losses", "assault_losses"}
        for u in hit:
            now = w1.units[u.id]
            if u.c.flame:
                continue
            want = hurt(w0, u, points, won == u.side)
            got = (now.place, 0 if now.place else now.dp)
            if got in want or (now.place in {"eliminated", "surrendered"} and steps and not waits):
                self.checks[key] += 1
                continue
            self.check(False, f"{key} points", f"{u.id} {u.dp}+{points}/{u.c.morale}: {got}, by the book {want}")

    # 12.3: assaults

    def told_assault(self, w0: World, w1: World, data: dict[str, Any], args: Any, picture: Picture) -> None:
        """12.3.3: odds and shifts."""
        at, counter = data["hex"], data["counter"]
        wave, group = self.units(w0, data["wave"]), self.units(w0, data["group"])
        told = f"{data['wave']} > {at} {data['group']}"
        attack, defence = sum(u.cf for u in wave), sum(u.cf for u in group)
        self.check(attack == data["attack"], "12.3.3 attack", f"{told}: {data['attack']}, by the book {attack}")
        self.check(defence == data["defence"], "12.3.3 defence", f"{told}: {data['defence']}, by the book {defence}")
        shifts = self.assault_shifts(w0, wave, group, at, counter)
        before = takewhile(lambda e: e.kind != "assault", picture.events)
        bumped = {e.data["unit"]: e.data["dp"] for e in before if e.kind == "disorganised"}
        if group and group[0].id in bumped:  # 21.5.2: before the odds are counted
            per = self.book.tables["assault"]["shifts"]["morale"]
            shifts["morale"] = shifts.get("morale", 0) + per * (bumped[group[0].id] - group[0].dp)
        if not counter and picture.name == "storm":
            if at not in self.stormed:
                flank = bool(group) and self.flanked(w0, at)
                self.check(bool(bumped) == flank, "21.5.2 flank", f"{told}: {bumped}")
            else:
                self.check(not bumped, "21.5.2 not the first assault", f"{told}: {bumped}")
        self.stormed |= {at}
        got = {name: n for name, n in data["shifts"] if n}
        want = {name: n for name, n in shifts.items() if n}
        self.check(got == want, "12.3.3 shifts", f"{told}: {got}, by the book {want}")
        net = sum(got.values())
        german = all(u.c.nation == "german" and u.c.infiltrates for u in wave)
        net = max(-3, net) if german else max(-3, min(3, net))
        self.check(net == data["net"], "12.3.3 net shift", f"{told}: {data['net']}, by the book {net}")
        for units, side in ((wave, wave[0].side), (group, group[0].side if group else "")):
            load = sum(u.weight for u in units) - w0.allowance(units, True)
            self.check(load <= w0.limit(at), "11.4 too many in an assault", f"{told}: {side} {load}")
        self.check(all(may_assault(u) for u in wave), "21.3 who may not assault", told)
        columns = self.book.tables["assault"]["columns"]
        first = w0.ratio_column(data["attack"], data["defence"])
        if first is None or data["defence"] <= 0:
            self.check(data["column"] == "5:1", "12.3.6 strength 0", told)
            return
        if first >= 0:
            ratio = Fraction(data["attack"], data["defence"])
            final = min(len(columns) - 1, first + net)
            wanted = {columns[final] if final >= 0 else "below"}
            if ratio >= 6 and net < 0:
                wanted |= {columns[min(len(columns) - 1, len(columns) - 1 + (ratio.__floor__() - 5) + net)]}
                wanted |= {columns[min(len(columns) - 1, len(columns) - 1 + 2 * (ratio.__floor__() - 5) + net)]}
            if final < 0:
                self.check(data["column"] not in columns, "12.3.3 column", f"{told}: {data['column']} of {data}")
            else:
                self.check(data["column"] in wanted, "12.3.3 column", f"{told}: {data['column']}, by the book {wanted}")

    stormed: set[str] = set()

    def flanked(self, w: World, at: str) -> bool:
        """21.5.2: does who can infiltrate assault a hex with others opposite, or two other groups not beside him?"""
        side = other(w.troops(at, "ahg")[0].side if w.troops(at, "ahg") else "italian")
        pairs = [(a[0], a[1]) for a in (*w.data.get("assaults", ()), *w.data.get("supports", ()))]
        there = {w.units[name].at for name, to in pairs if to == at and w.units[name].at and w.units[name].side == side}
        for a in w.data.get("assaults", ()):
            unit = w.units[a[0]]
            if a[1] != at or unit.side != side or not unit.c.infiltrates or not unit.at:
                continue
            opposite = step(at, toward(at, unit.at) + 3)
            if opposite in there or sum(distance(unit.at, one) > 1 for one in there - {unit.at}) >= 2:
                return True
        return False

    def assault_shifts(self, w: World, wave: list[Unit], group: list[Unit], at: str, counter: bool) -> dict[str, int]:
        """12.3.3 C and the notes of the table: the shifts by their names."""
        table = self.book.tables["assault"]["shifts"]
        here = self.book.hexes[at]
        shifts: Tally[str] = Tally()
        if here.terrain in {"woods", "high_mountain"}:
            shifts[here.terrain] += table[here.terrain]
        if here.settlement in {"village", "town"}:
            shifts[here.settlement] += table[here.settlement]
        sources = {u.at for u in wave}
        side = other(wave[0].side)
        level = 0
        if not counter:
            level = w.trench(at, side)
            through = [w.side_trench(at, source, side) for source in sources]
            level = max(level, min(through))
            if not (group and all(u.c.cavalry for u in group)):
                shifts["trench"] += table["trench"][level]
        sides = [self.book.side(source, at) for source in sources]
        if all(self.book.uphill(source, at) for source in sources):
            shifts["uphill"] += table["uphill"]
        if all(s.water == "isonzo" for s in sides):
            shifts["isonzo_bridge"] += table["isonzo_bridge"]
        elif all(s.water for s in sides):
            shifts["river"] += table["river"]
        if all(s.cliff for s in sides):
            shifts["cliff"] += table["cliff"]
        snow = [at, *sources]
        if any(self.book.weather(w.turn, x) == "blizzard" for x in snow):
            shifts["blizzard"] += table["blizzard"]
        bearers = {pair[1] for pair in w.data.get("bearers", {}).items()} if w.data.get("bearers") else set()
        if (level or here.settlement == "town") and any(u.id in bearers for u in wave):
            shifts["flamethrower"] += table["flamethrower"]
        open_ground = here.terrain == "clear" and here.settlement in {"", "locality"}  # which changes none
        if any(u.c.cavalry for u in wave) and open_ground and not level:
            shifts["cavalry"] += table["cavalry"]
        if wave and group:
            shifts["morale"] += table["morale"] * (wave[0].morale - group[0].morale)
        return dict(shifts)

    def told_assault_result(self, w0: World, w1: World, data: dict[str, Any], args: Any, picture: Picture) -> None:
        """12.3.4: the row of the die, and points to each unit of either side."""
        at = data["hex"]
        wave, group = list(self.last["wave"]), list(self.last["group"])
        table = self.book.tables["assault"]
        told = f"{wave} > {at} {group} {data}"
        if self.last.get("hex") == at and self.last.get("column") in table["columns"] and data.get("die"):
            column = table["columns"].index(self.last["column"])
            row = data["die"] - 1
            self.check(data["attacker"] == table["attacker"][row][column], "12.3.4 result", told)
            self.check(data["defender"] == table["defender"][row][column], "12.3.4 result", told)
        mine, theirs = parse(data["attacker"]), parse(data["defender"])
        attackers = self.units(w0, wave)
        side = attackers[0].side
        defenders = w0.troops(at, other(side))
        if mine["r"]:
            self.check(not data["won"] or theirs["r"], "15.4.2 who won", told)
        if theirs["r"] and not mine["r"]:
            self.check(data["won"], "15.4.2 who won", told)
        self.due = {side: mine["steps"], other(side): theirs["steps"]}
        self.fresh = {wave[0], group[0]} if group else {wave[0]}
        self.won = (at, wave) if data["won"] else None
        winner = side if data["won"] else other(side)
        self.damage(w0, w1, attackers, mine["dp"], mine["steps"], "12.3.4 attackers", picture, winner)
        self.damage(w0, w1, defenders, theirs["dp"], theirs["steps"], "12.3.4 defenders", picture, winner)

    last: dict[str, Any] = {}
    due: dict[str, int] = {}
    fresh: set[str] = set()
    won: tuple[str, list[str]] | None = None

    def told_step_lost(self, w0: World, w1: World, data: dict[str, Any], args: Any, picture: Picture) -> None:
        """12.3.4: no more steps than the table says; the first is of who led."""
        self.step_gone(w0, w1, data["unit"], picture)

    def told_eliminated(self, w0: World, w1: World, data: dict[str, Any], args: Any, picture: Picture) -> None:
        """The last step."""
        if picture.name in {"take_losses", "assault_losses"}:
            self.step_gone(w0, w1, data["unit"], picture)

    def step_gone(self, w0: World, w1: World, name: str, picture: Picture) -> None:
        """12.3.4."""
        u = w0.units[name]
        if picture.name not in {"take_losses", "assault_losses"} or u.c.flame:  # 21.4: it has no steps
            return
        leads = [n for n in self.fresh if w0.units[n].side == u.side and w0.units[n].at]
        if leads:
            self.check(name in leads, "12.3.4 who led loses first", f"{name}, leads {leads}")
            self.fresh -= set(leads)
        self.due[u.side] = self.due.get(u.side, 0) - 1
        self.check(self.due[u.side] >= 0, "12.3.4 too many steps", f"{name} {self.due}")

    def settled(self, w: World) -> None:
        """12.3.8: after a step of assaults the winners stand in the hex."""
        if self.won:
            at, wave = self.won
            self.won = None
            units = [w.units[n] for n in wave if w.units[n].at]
            if not units or w.troops(at, other(units[0].side)):
                return
            there = w.troops(at, units[0].side)
            room = w.limit(at) - sum(u.weight for u in there)
            left = [u.id for u in units if u.at != at and u.weight <= room]
            self.check(not left, "12.3.8 winners that stay behind", f"{at}: {left}, there {[u.id for u in there]}")

    # what is on offer

    def sector_of(self, unit: Unit) -> str:
        """24.1: the sector in which a unit fights; 24.3: Vicenza has both until it has crossed."""
        crosses = unit.c.formation in self.book.printed.get("crosses_over", ())
        if crosses and (not unit.at or not self.world.is_at_home(unit, unit.at)):
            return ""
        return self.world.sector(unit)

    def supplied_in(self, unit: Unit) -> str:
        """24.3: where the supply line of a unit runs: in its sector; of Vicenza, until it has crossed, where it is."""
        return self.sector_of(unit) or (self.book.hexes[unit.at].sector if self.sectors else "")

    def reach(self, w: World, unit: Unit, points: int, tactical: bool, narrow: bool = False) -> set[str]:
        """10: hexes to which a unit can go, the start left out."""
        sector = self.sector_of(unit)
        w.narrow = narrow
        found = w.reach(unit, points, tactical, whole=w.allowance_of(unit), sector=sector)
        w.narrow = False
        return set(found) - {unit.at}

    def fits(self, w: World, u: Unit, at: str) -> bool:
        """11.1, 21.4: is there room for a unit in a hex, and for the flamethrower that it bears?"""
        burns = u.id in w.data.get("bearers", {}).values()
        if burns and any(x.c.flame for x in w.units_at(at, u.side)):
            return False
        return not placed(w, [u], at).crowded(at, u.side, lenient=False)

    def may_stop(self, w: World, u: Unit, at: str) -> bool:
        """24.3: nobody ends a phase in a hex of both sectors, so one stops there to assault out of it at once."""
        if not self.sectors or self.book.hexes[at].sector != "common":
            return True
        left = w.reach(u, w.allowance_of(u), True, whole=w.allowance_of(u), sector=self.sector_of(u)).get(at, -1)
        there = placed(w, [u], at)
        return left >= 0 and bool(targets(there, there.units[u.id], left))

    def compare(self, key: str, told: str, got: set[str], must: set[str], may: set[str]) -> None:
        """Two sets: what must be there and what may be."""
        self.check(must <= got, f"{key} missing", f"{told}: {sorted(must - got)} of {sorted(must)[:40]}")
        self.check(got <= may, f"{key} too much", f"{told}: {sorted(got - may)}")

    def owes_act(
        self, w: World, seat: str, about: dict[str, Any], offered: list[dict[str, Any]], refusal: Callable[..., str]
    ) -> None:
        """10.1, 10.2: the moves and assaults of an action."""
        self.exits(w, offered)
        if len(offered) > 2500:
            return
        leftovers = w.data.get("leftovers", {})
        ends: dict[str, set[str]] = {}
        aims: dict[str, set[str]] = {}
        for o in offered:
            if o["do"] == "move" and not o.get("along"):
                ends.setdefault(o["unit"], set()).add(o["path"][-1])
            if o["do"] == "assault" and not o.get("along"):
                aims.setdefault(o["unit"], set()).add(o["target"])
        assaulting = {a[0] for a in w.data.get("assaults", ())} | {a[0] for a in w.data.get("supports", ())}
        swap = w.data.get("kind") == "swap"
        side = w.data["active"].split("-")[0]
        # 11.2, 24.3: who stands where it may not stay goes on before anybody else does anything
        bound = any(w.crowded(at, side, lenient=False) for at in w.stacks) or any(
            self.book.hexes[at].sector == "common" for at in w.stacks if w.troops(at, side) and self.sectors
        )
        for u in list(w.on_map(side)):
            if "commanded" not in u.marks or u.c.gun or "activated" in u.marks or u.id in assaulting or swap:
                continue
            if u.c.flame or self.frozen(w, u):
                continue
            told = f"{u.id} in {u.at}"
            if u.id not in leftovers and "moved" not in u.marks:
                want = self.reach(w, u, w.allowance_of(u, "marched" in u.marks), True)
                sure = self.reach(w, u, w.allowance_of(u, "marched" in u.marks), True, narrow=True)
                must = {at for at in sure if self.fits(w, u, at) and self.may_stop(w, u, at)}
                # 21.10, 11.5: a German battalion of which one step is left is a company
                last = " (last company)" if u.c.german_battalion and u.steps == 1 else ""
                if u.id in self.bridging(w):
                    must, want = set(), set()
                self.compare(f"10.1 moves{last}", told, ends.get(u.id, set()), set() if bound else must, want)
            left = leftovers.get(u.id, 0 if "moved" in u.marks else w.allowance_of(u))
            marched = "marched" in u.marks
            if marched:
                left += w.allowance_of(u, True) - w.allowance_of(u)
            want = targets(w, u, left)
            beside = [x for x in w.troops(u.at, u.side) if x.id in assaulting] + [u]
            by_road = {(w.units[a[0]].at, a[1]) for a in w.data.get("assaults", ()) if a[2]}
            want_now = {to for to in want if (u.at, to) not in by_road}  # 10.0.4: one of them along a road
            supports = {w.units[a[0]].at for a in w.data.get("supports", ())}  # 10.2.6
            full = (
                bound or u.at in supports or sum(x.weight for x in beside) - w.allowance(beside, False) > w.limit(u.at)
            )
            self.compare(
                "10.2 assaults", f"{told}, left {left}", aims.get(u.id, set()), set() if full else want_now, want
            )

    def bridging(self, w: World) -> set[str]:
        """19.3: engineers that work at a bridge and do not move meanwhile."""
        return {name for name, where in w.data.get("works", ()) if "/" in where}

    def frozen(self, w: World, u: Unit) -> bool:
        """24.9.2: brigades that may not move yet; 24.3: units that began in a hex of both sectors."""
        frozen = self.book.printed.get("frozen", {})
        if u.c.formation in frozen.get("formations", ()):
            return True
        return self.sectors and self.book.hexes[u.at].sector == "common"

    def owes_place_hq(
        self, w: World, seat: str, about: dict[str, Any], offered: list[dict[str, Any]], refusal: Callable[..., str]
    ) -> None:
        """7.6, 9.4: where a headquarters may be."""
        formation = about["formation"]
        sector = self.sector_of(Unit(self.book.hqs[formation]))
        if self.sectors and formation in self.book.printed.get("crosses_over", ()):
            return
        must, may = commanders_hexes(w, formation, sector)
        self.compare("7.6 headquarters", formation, {o["hex"] for o in offered}, must, may)

    def on_call_up(self, w0: World, w1: World, args: list[Any], picture: Picture) -> None:
        """7.1, 7.7: the range of a headquarters, and who is in command."""
        if args[0] != "trace" or not w1.data.get("reach"):
            return
        placed_now = [u for u in w1.units.values() if u.c.hq and u.at]
        if len(placed_now) > 1:
            return
        reach = set(w1.data["reach"])
        lowest: set[str] = set()
        widest: set[str] = set()
        for hq in placed_now:
            lowest |= w1.command(hq.at, hq.side, hq.c.command, False)
            widest |= w1.command(hq.at, hq.side, hq.c.command, True)
        self.check(reach <= widest, "7.1 range too wide", f"{[h.id for h in placed_now]}: {sorted(reach - widest)}")
        self.check(lowest <= reach, "7.1 range too narrow", f"{[h.id for h in placed_now]}: {sorted(lowest - reach)}")

    def on_turn_end(self, w0: World, w1: World, args: list[Any], picture: Picture) -> None:
        """9.1, 9.3: who is out of supply takes a point."""
        for u in list(w0.units.values()):
            if not u.at or u.c.hq or u.c.flame:
                continue
            sector = self.supplied_in(u)
            now = w1.units[u.id]
            fed = "fed" in now.marks
            sure = w0.supplied(u.at, u.side, sector, False)
            perhaps = w0.supplied(u.at, u.side, sector, True, junction=True)
            told = f"{u.id} in {u.at}"
            if now.at:
                self.check(not fed or perhaps, "9.2 supplied without a line", told)
                self.check(fed or not sure, "9.2 not supplied with a line", told)
            came = any("arrived" in one.marks for one in w0.units_at(u.at, u.side))
            full = int(came and w0.crowded(u.at, u.side))  # 5.1, 11.6: a point for where reinforcements stand too close
            if not fed:
                want = hurt(w0, u, 1) | (hurt(w0, u, 2) if full else set())
                got = (now.place, 0 if now.place else now.dp)
                self.check(got in want, "9.3 points", f"{told} {u.dp}/{u.c.morale}: {got}, by the book {want}")
            else:
                common = self.sectors and self.book.hexes[u.at].sector == "common"  # 24.3: recovers without being asked
                kept = now.dp in (u.dp, u.dp + full)
                self.check(kept or common, "9.3 points in supply", f"{told} {u.dp} -> {now.dp} {now.place}{now.at}")

    def owes_recover(
        self, w: World, seat: str, about: dict[str, Any], offered: list[dict[str, Any]], refusal: Callable[..., str]
    ) -> None:
        """20.1: who may recover."""
        side = about["force"]
        got = {name for o in offered for name in o.get("units", ())}
        want = set()
        for u in w.on_map(side.split("-")[0]):
            if self.force(u) != side or not u.dp or "fed" not in u.marks or u.marks & {"marched", "ooc"}:
                continue
            if self.sectors and self.book.hexes[u.at].sector == "common":  # 24.3: has recovered without being asked
                continue
            if not w.watched(u.at, u.side):
                want.add(u.id)
        self.compare("20.1 recovery", side, got, want, want)

    def force(self, u: Unit) -> str:
        """24.1: with sectors each side has two wings."""
        return f"{u.side}-{u.c.wing}" if self.sectors else u.side

    def told_recovered(self, w0: World, w1: World, data: dict[str, Any], args: Any, picture: Picture) -> None:
        """20.1: by one point."""
        name = data["unit"]
        self.check(w1.units[name].dp == w0.units[name].dp - 1, "20.1 by one point", name)

    def on_turn_over(self, w0: World, w1: World, args: list[Any], picture: Picture) -> None:
        """4.0-12: markers go."""
        for u in w1.units.values():
            left = u.marks & {"activated", "marched", "ooc", "act", "def_fired", "moved", "commanded"}
            self.check(not left, "4.0-12 markers stay", f"{u.id} {left}")
        self.check(not w1.data.get("barrages"), "4.0-12 barrages stay", str(w1.data.get("barrages")))

    def told_paid(self, w0: World, w1: World, data: dict[str, Any], args: Any, picture: Picture) -> None:
        """7.3, 12.1.6, 14, 17.2: what is paid for."""
        kind = self.action.get("do")
        points = data["points"]
        if kind == "prepare":
            want = sum(1 + -(-guns // 5) for _, guns in self.action.get("boxes", ()))
            self.check(points == want, "7.3 price of a plan", f"{points}, by the book {want}: {self.action}")
        elif kind == "react":
            planned = self.action["formation"] in w0.data.get("plan", {})
            guns = self.action.get("guns", 0)
            want = 0 if planned else 2 * (1 + -(-guns // 5))
            self.check(points == want, "14 price of a reaction", f"{points}, by the book {want}: {self.action}")
        elif kind == "repair":
            hexes = {w0.units[name].at for name in self.action.get("units", ())}
            want = -(-len(hexes) // 5)
            self.check(points == want, "17.2 price of repairs", f"{points}, by the book {want}: {self.action}")
        elif kind == "interdict":
            want = {len(self.action["aims"]) // 5, -(-len(self.action["aims"]) // 5)}
            self.check(points in want, "12.1.6 price of a barrage", f"{points}, by the book {want}: {self.action}")

    def on_reaction_die(self, w0: World, w1: World, args: list[Any], picture: Picture) -> None:
        """14: a die up to the Initiative Value."""
        name = self.action.get("formation")
        if name is None:
            return
        good = picture.dice[0] <= self.book.hqs[name].initiative
        kinds = {e.kind for e in picture.events}
        told = f"{name}, die {picture.dice}, initiative {self.book.hqs[name].initiative}: {kinds}"
        self.check(("does_not_react" in kinds) != good, "14 reaction die", told)

    def owes_bombard(
        self, w: World, seat: str, about: dict[str, Any], offered: list[dict[str, Any]], refusal: Callable[..., str]
    ) -> None:
        """12.1, 12.1.1, 12.1.3: targets of the guns of an action."""
        side = w.data["active"].split("-")[0]
        got: dict[str, set[str]] = {}
        for o in offered:
            for aim in o.get("aims", ()):
                got.setdefault(aim[0], set()).add(aim[1][:4])
        reach = set(w.data.get("reach", ()))  # the example of 12.1.1: an observer is in the range of the headquarters
        commanded = {u.id for u in w.on_map(side) if "commanded" in u.marks and u.at in reach}
        pool = {g for guns in w.data.get("pool", {}).values() for g in guns}
        for name in pool:
            gun = w.units[name]
            if not gun.at or gun.c.group or "act" in gun.marks:
                continue
            foes = {at for at in w.stacks if w.units_at(at, other(side)) and w.aims(gun, at) > 0}
            must = {at for at in foes if w.observed(at, side, commanded)}
            may = {at for at in foes if w.observed(at, side)}
            if len(offered) < 2500:
                self.compare("12.1 targets", f"{name} in {gun.at}", got.get(name, set()), must, may)
        for name in got:
            self.check(name in pool, "12.1.3 not assigned", name)

    def owes_defend(
        self, w: World, seat: str, about: dict[str, Any], offered: list[dict[str, Any]], refusal: Callable[..., str]
    ) -> None:
        """12.2, 12.2.1, 12.2.4: who may fire at whom."""
        got: dict[str, set[str]] = {}
        for o in offered:
            for aim in o.get("aims", ()):
                got.setdefault(aim[0], set()).add(aim[1])
        counter = about.get("counter", False)
        if w.data.get("step", "").startswith("mobile"):
            return
        active = w.data["active"].split("-")[0]
        shooter = active if counter else other(active)
        foes = other(shooter)
        assaults = {a[0]: a[1] for a in w.data.get("assaults", ()) if w.units[a[0]].side == foes and w.units[a[0]].at}
        supports = {a[0]: a[1] for a in w.data.get("supports", ()) if w.units[a[0]].side == foes and w.units[a[0]].at}
        hexes = {w.units[n].at for n in (*assaults, *supports)}
        struck = set(assaults.values())
        for name, aims in got.items():
            u = w.units[name]
            told = f"{name} in {u.at} {u.marks}"
            self.check(u.side == shooter, "12.2 who fires", told)
            self.check(aims <= hexes, "12.2 at whom", f"{told}: {aims - hexes}")
            if u.c.gun:
                self.check(not counter, "12.4.3 guns in a counter-assault", told)
                good = u.emplaced and not u.c.group and u.c.kind in {"light", "medium"} and "def_fired" not in u.marks
                self.check(good, "12.2.4 which guns", told)
                for at in aims:
                    self.check(distance(u.at, at) <= min(6, u.c.range), "12.2.4 range", f"{told}: {at}")
                    seen = w.observed(at, shooter) or (w.direct(u.at, at) and self.book.sight(w.turn, u.at, at))
                    self.check(seen, "12.2.4 observed", f"{told}: {at}")
            else:
                for at in aims:
                    self.check(distance(u.at, at) == 1, "12.2.1 next to it", f"{told}: {at}")
                    if self.book.blind(w.turn, at) and at in {w.units[n].at for n in assaults}:
                        self.check(u.at in struck, "12.2.1 only the assaulted in fog", f"{told}: {at}")
        if len(offered) < 2500:
            for u in w.on_map(shooter):
                if not u.c.fights or u.c.flame or (counter and u.id in self.answered):
                    continue
                if self.sectors and not self.is_asked(u, seat):
                    continue
                near = {at for at in hexes if distance(u.at, at) == 1}
                mine = {w.units[n].at for n, aim in assaults.items() if aim == u.at}
                near = {at for at in near if at in mine or not self.book.blind(w.turn, at)}
                near = {at for at in near if at in mine or not self.book.blind(w.turn, u.at)}
                missing = near - got.get(u.id, set())
                pointless = {at for at in missing if u.mg == 0}
                told = f"{u.id} in {u.at} {sorted(u.marks)}, mg {u.mg}: {missing} of {hexes}, counter {counter}"
                self.check(not missing - pointless, "12.2.1 who may fire", told)

    answered: set[str] = set()

    def is_asked(self, u: Unit, seat: str) -> bool:
        """24.1: each decides for his own; of those in common hexes (24.3) either may."""
        return bool(self.book.printed["forces"][self.force(u)] == seat) and self.book.hexes[u.at].sector != "common"

    def owes_infiltration(
        self, w: World, seat: str, about: dict[str, Any], offered: list[dict[str, Any]], refusal: Callable[..., str]
    ) -> None:
        """10.1.2: who may fire at a move."""
        names, a, b, _, retreat = w.data["frames"][-1][2]
        moving = self.units(w, names)
        got = {name for o in offered for name in o.get("units", ())}
        may = {u.id for u in self.watchers(w, moving[0], a, b)}
        told = f"{names} {a}-{b}"
        must = set() if retreat else {n for n in may if w.units[n].mg}
        self.compare("10.1.2 who fires", told, got, must, may)
        self.expected = None

    def watchers(self, w: World, mover: Unit, a: str, b: str) -> list[Unit]:
        """10.1.2: enemies next to both hexes, where nothing forbids the fire."""
        if self.book.side(a, b).cliff or self.book.blind(w.turn, a) or self.book.blind(w.turn, b):
            return []
        if w.linked(a, b, mover.side) or w.trench(b, mover.side):
            return []
        found = []
        for u in w.on_map(other(mover.side)):
            if not u.c.fights or u.c.flame or distance(u.at, a) != 1 or distance(u.at, b) != 1:
                continue
            if self.book.side(u.at, a).cliff or self.book.side(u.at, b).cliff or self.book.blind(w.turn, u.at):
                continue  # one hexside that is a cliff is enough
            found.append(u)
        return found

    expected: tuple[list[str], str, str, str] | None = None

    def missed(self) -> None:
        """10.1.2: a move under enemy eyes that nobody was asked about."""
        if self.expected:
            names, a, b, why = self.expected
            there = any(self.world.units[name].at == b for name in names)  # a barrage may have been before them
            self.check(not there, "10.1.2 nobody is asked", f"{names} {a}-{b}: {why}")
        self.expected = None

    def owes_attach(
        self, w: World, seat: str, about: dict[str, Any], offered: list[dict[str, Any]], refusal: Callable[..., str]
    ) -> None:
        """7.5, 7.6: independents that join a formation."""
        formation = about["formation"]
        hq = self.book.hqs[formation]
        reach = set(w.data.get("reach", ()))
        got = {name for o in offered for name in o.get("units", ())}
        for name in got:
            u = w.units[name]
            told = f"{name} with {formation}"
            self.check(not u.c.formation and u.side == hq.side and not u.c.gun, "7.5 no independent", told)
            self.check(not u.c.division or u.c.division == hq.division, "7.5 of another division", told)
            self.check(not u.marks & {"activated", "ooc"}, "7.6 acts twice", told)
            self.check(u.at in reach, "7.6 out of range", told)
        for o in offered:
            units = [w.units[n] for n in o.get("units", ())]
            free = [u for u in units if u.c.engineer or u.c.flame or u.c.machine_gun or u.c.division]
            load = sum(u.weight for u in units if u not in free)
            self.check(load <= 2 * QUARTERS, "7.5 more than two battalions", f"{o}")
        for u in w.on_map(hq.side):
            if u.c.formation or u.c.gun or u.c.flame or u.marks & {"activated", "ooc", "moved"} or self.sectors:
                continue
            if (u.c.division and u.c.division != hq.division) or u.at not in reach or "attached" in u.marks:
                continue
            self.check(u.id in got or len(offered) > 2500, "7.5 may join", f"{u.id} in {u.at} with {formation}")

    def told_gun_turned(self, w0: World, w1: World, data: dict[str, Any], args: Any, picture: Picture) -> None:
        """18.2: what it costs to emplace; 18.9.1: groups stay."""
        u, now = w0.units[data["unit"]], w1.units[data["unit"]]
        self.check(not u.c.group, "18.9.1 a group turns", u.id)
        more = {"medium": 2, "heavy": 4}.get(u.c.kind, 0) if data["emplaced"] else 0
        want = hurt(w0, u, more) if more else {("", u.dp)}
        got = (now.place, 0 if now.place else now.dp)
        self.check(got in want, "18.2 points of emplacing", f"{u.id} {u.dp}: {got}, by the book {want}")

    def owes_counter_moves(
        self, w: World, seat: str, about: dict[str, Any], offered: list[dict[str, Any]], refusal: Callable[..., str]
    ) -> None:
        """12.4, 12.4.1: who may counter-assault."""
        lost = set(about["hexes"])
        got: dict[str, set[str]] = {}
        for o in offered:
            if o["do"] == "counter":
                for name in o["units"]:
                    got.setdefault(name, set()).add(o["target"])
                    if o.get("path"):
                        self.check(name not in self.bridging(w), "19.3 builds a bridge", f"{name} {o['path']}")
                        self.check("moved" not in w.units[name].marks, "10.0.6 has moved", f"{name} {o['path']}")
        side = other(w.data["active"].split("-")[0])
        declared = {a[0] for a in w.data.get("assaults", ())}
        declared |= {u.id for a in w.data.get("supports", ()) for u in w.troops(w.units[a[0]].at, side)}  # 10.2.6
        for u in w.on_map(side):
            if not u.c.fights or u.c.flame:
                continue
            told = f"{u.id} in {u.at} {sorted(u.marks)}"
            aims = got.get(u.id, set())
            for at in aims:
                self.check(at in lost, "12.4 a hex that was lost", f"{told}: {at}")
                good = not u.marks & {"activated", "ooc"} and may_assault(u)
                self.check(good, "12.4, 7.8 who may not", told)
                self.check(distance(u.at, at) <= 2, "12.4.1 two hexes", f"{told}: {at}")
                others = [x.id for x in w.touches(u) if x.at != at]
                self.check("retreated" in u.marks or not others, "12.4 next to others", f"{told}: {at} {others}")
            if u.marks & {"activated", "ooc", "moved"} or not may_assault(u) or u.id in declared or len(offered) > 2500:
                continue
            for at in lost:
                others = [x for x in w.touches(u) if x.at != at]
                if distance(u.at, at) != 1 or not w.troops(at, other(side)) or self.frozen(w, u):
                    continue
                if others and "retreated" not in u.marks:
                    continue
                beside = [x for x in w.troops(u.at, side) if x.id in declared] + [u]  # 11.1: two battalions at most
                if sum(x.weight for x in beside) - w.allowance(beside, False) > 2 * QUARTERS:
                    continue
                if at in targets(w, u, w.allowance_of(u)):
                    self.check(at in aims, "12.4 who may counter-assault", f"{told}: {at}, offered {aims}")

    def owes_activate(
        self, w: World, seat: str, about: dict[str, Any], offered: list[dict[str, Any]], refusal: Callable[..., str]
    ) -> None:
        """4.0-7, 7.3, 7.9: which formations may act."""
        plan, done = w.data.get("plan", {}), set(w.data.get("done", ()))
        closed = {tuple(pair) for pair in w.data.get("closed", ())}
        got = {o["formation"] for o in offered if o["do"] == "activate"}
        for name in got:
            hq = self.book.hqs[name]
            told = f"{name} {plan.get(name)}"
            self.check(name in plan and name not in done, "7.3 not planned", told)
            force = f"{hq.side}-{hq.wing}" if self.sectors else hq.side
            self.check(not hq.division or (force, hq.division) not in closed, "7.9 a division that is over", told)
        if self.sectors:
            return
        for name in set(plan) - done - got:
            hq = self.book.hqs[name]
            if hq.side != about["side"] or (hq.side, hq.division) in closed:
                continue
            must, _ = commanders_hexes(w, name)
            self.check(not must, "7.3 may act", f"{name} could be placed in {sorted(must)[:5]}")

    def owes_react(
        self, w: World, seat: str, about: dict[str, Any], offered: list[dict[str, Any]], refusal: Callable[..., str]
    ) -> None:
        """14: who may react, and with how many guns."""
        plan, done = w.data.get("plan", {}), set(w.data.get("done", ()))
        got: dict[str, set[int]] = {}
        for o in offered:
            if o["do"] == "react":
                got.setdefault(o["formation"], set()).add(o.get("guns", 0))
        for name, guns in got.items():
            hq = self.book.hqs[name]
            told = f"{name} {guns}"
            self.check(name not in done, "14 has acted", told)
            if hq.side == "italian" and name not in plan:
                force = f"italian-{hq.wing}" if self.sectors else "italian"
                have = w.data.get("points", {}).get(force, 0)
                self.check(max(guns) <= hq.initiative, "14 guns of a reaction", told)
                price = max(2 * (1 + -(-n // 5)) for n in guns)
                self.check(price <= have, "14 points for a reaction", f"{told}: {have}")
        if self.sectors:
            return
        side = about["side"]
        for name, hq in self.book.hqs.items():
            if hq.side != side or name in done or name in got:
                continue
            if side == "italian" and name not in plan and w.data.get("points", {}).get(side, 0) < 2:
                continue
            if not any(u.c.formation == name and u.at for u in w.units.values()):
                continue
            must, _ = commanders_hexes(w, name)
            self.check(not must, "14 may react", f"{name} could be placed in {sorted(must)[:5]}")

    def owes_move_others(
        self, w: World, seat: str, about: dict[str, Any], offered: list[dict[str, Any]], refusal: Callable[..., str]
    ) -> None:
        """10.3: moves of those who were not activated."""
        self.exits(w, offered)
        if len(offered) > 2900:
            return
        side = about["force"].split("-")[0]
        ends: dict[str, set[str]] = {}
        for o in offered:
            if o["do"] == "move" and not o.get("along"):
                ends.setdefault(o["unit"], set()).add(o["path"][-1])
        bound = any(w.crowded(at, side, lenient=False) for at in w.stacks)
        for name in ends:
            u = w.units[name]
            self.check("activated" not in u.marks, "10.3.1 was activated", name)
            self.check(name not in self.bridging(w), "19.3 builds a bridge", name)
        for u in list(w.on_map(side)):
            if self.force(u) != about["force"] or u.c.gun or u.c.flame or self.sectors:
                continue
            if u.marks & {"activated", "moved", "moving", "working"} or u.id in w.data.get("leftovers", {}):
                continue
            forced = "marched" in u.marks
            near = self.reach(w, u, w.allowance_of(u, forced), False)
            far: set[str] = set()
            if "ooc" not in u.marks:
                far = set(strategic(w, u, w.allowance_of(u, forced, strategic=True))) - {u.at}
            want = near | far
            sure = self.reach(w, u, w.allowance_of(u, forced), False, narrow=True)
            must = {at for at in sure if self.fits(w, u, at)}
            must = {at for at in must if not self.sectors or self.book.hexes[at].sector != "common"}  # 24.3
            last = " (last company)" if u.c.german_battalion and u.steps == 1 else ""
            got = ends.get(u.id, set())
            self.compare(f"10.3 moves{last}", f"{u.id} in {u.at}", got, set() if bound else must, want)

    # 12.3.5: retreats

    def owes_retreat_to(
        self, w: World, seat: str, about: dict[str, Any], offered: list[dict[str, Any]], refusal: Callable[..., str]
    ) -> None:
        """12.3.5: the priorities A to D."""
        args = w.data["frames"][-1][2]
        at, sources = args[0], set(args[1])
        for name, hexes in about.get("hexes", {}).items():
            unit = w.units[name]
            closed = {h for side, h in self.launched if side != unit.side}  # a counter-assault bars none of his own
            classes = retreat_classes(w, unit, sources, set(args[2]), closed)
            best = next((c for c in classes if c), set())
            key = "12.3.5 where to retreat" + (" (second hex)" if args[6] else "")
            tight = retreat_classes(w, unit, sources, set(args[2]), closed, strict=True)
            sure = next((c for c in tight if c), set())
            flat = [{h for h in c if not self.book.side(at, h).cliff} for c in classes]
            dry = next((c for c in flat if c), set())  # 12.3.5.1: over a cliff one may, but need not
            good = set(hexes) in (best, sure, dry, best | dry)
            self.check(good, key, f"{name} {at} from {sources}: {hexes}, by the book {classes}")


__all__ = ["FORBIDDEN", "Referee", "Remark", "placed", "threatened"]
