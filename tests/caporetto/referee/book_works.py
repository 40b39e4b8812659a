"""What else the booklet judges: engineers, ways off the map, Rommel, the set-up, points of a campaign, fog of war."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from book_board import Book, distance, other
from book_tape import Picture
from book_world import Unit, World

Offered = list[dict[str, Any]]
Refusal = Callable[..., str]


class Works:
    """The second half of the referee; the first half brings the world and what is said."""

    book: Book
    sectors: bool
    world: World
    action: dict[str, Any]
    check: Callable[[bool, str, str], bool]
    compare: Callable[[str, str, set[str], set[str], set[str]], None]
    force: Callable[[Unit], str]
    reach: Callable[..., set[str]]
    taken: dict[str, tuple[int, str]]
    penalty: dict[str, int]

    # 17.1 to 17.3: trenches are repaired

    def damaged(self, w: World, at: str, side: str) -> bool:
        """17.1, 17.8: is a trench of this side in the hex, or along one of its hexsides, below what is printed?"""
        here = self.book.hexes[at]
        if here.trench == side and w.trenches[at] < here.trench_level:
            return True
        for to in self.book.next_to[at]:
            between = self.book.side(at, to)
            if between.trench == side and between.trench_hex == at:
                if w.side_trenches.get((at, to), 0) < between.trench_level:
                    return True
        return False

    def workers(self, w: World, force: str) -> list[Unit]:
        """17.3, 19.3: the engineers of a force that are not at work."""
        mine = [u for u in w.on_map(force.split("-")[0]) if self.force(u) == force]
        return [u for u in mine if u.c.engineer and "working" not in u.marks]

    def owes_repair(self, w: World, seat: str, about: dict[str, Any], offered: Offered, refusal: Refusal) -> None:
        """17.1, 17.2: which engineers may begin, and that nobody spends what he has not."""
        force = about["force"]
        want = {u.id for u in self.workers(w, force) if self.damaged(w, u.at, u.side)}
        got = {name for o in offered for name in o.get("units", ())}
        points = w.data.get("points", {}).get(force, 0)
        rich = force.startswith("ahg") or points > 0
        self.compare("17.1 who repairs", force, got, want if rich else set(), want)
        for o in offered:
            hexes = {w.units[name].at for name in o.get("units", ())}
            price = 0 if force.startswith("ahg") else -(-len(hexes) // 5)
            self.check(price <= points or not price, "17.2 price of repairs", f"{o} costs {price} of {points}")

    def told_trench_repaired(self, w0: World, w1: World, data: dict[str, Any], args: Any, picture: Picture) -> None:
        """17.3: in the Engineering Phase of the next turn, by a level, where an engineer has worked since."""
        at = data["hex"]
        done = [work for work in w0.data.get("works", ()) if work[1] == at]
        self.check(bool(done), "17.3 nobody has worked there", at)
        higher = w1.trenches.get(at, 0) - w0.trenches.get(at, 0)
        sides = [n for pair, n in w1.side_trenches.items() if pair[0] == at and n > w0.side_trenches.get(pair, 0)]
        self.check(higher == 1 or bool(sides), "17.3 a level", f"{at} {w0.trenches.get(at)} -> {w1.trenches.get(at)}")

    # 19.2: bridges are blown

    def standing(self, w: World) -> set[tuple[str, str]]:
        """19.1.2, 21.1: the bridges that stand, each once."""
        printed = {(min(p), max(p)) for p in self.book.bridges if p not in w.blown}
        return printed | {(min(p), max(p)) for p in w.built}

    def can_blow(self, w: World, unit: Unit, bridge: tuple[str, str]) -> bool:
        """19.2: within two hexes of a pontoon engineer; what lies between free of enemies and zones, or held."""
        if not unit.c.pontoon:
            return False
        far = min(distance(unit.at, end) for end in bridge)
        if far < 2:
            return True
        if far > 2:
            return False
        foes = other(unit.side)
        for at in self.book.next_to[unit.at]:
            if min(distance(at, end) for end in bridge) == 1 and not w.units_at(at, foes):
                if not w.watched(at, unit.side) or w.units_at(at, unit.side):
                    return True
        return False

    def owes_demolish(self, w: World, seat: str, about: dict[str, Any], offered: Offered, refusal: Refusal) -> None:
        """19.2, 25.9.1: which bridges which engineers may try."""
        force = about["force"]
        _, tried, ends = w.data["frames"][-1][2]
        gone = {(min(pair), max(pair)) for pair in zip(ends[::2], ends[1::2], strict=True)}
        first = w.turn == self.book.printed["turns"][0] and self.book.printed["number"] in {1, 2}
        want = set()
        for u in w.on_map(force.split("-")[0]):
            if self.force(u) == force and u.id not in tried and not first:
                for bridge in self.standing(w) - gone:
                    if self.can_blow(w, u, bridge):
                        want.add(f"{u.id} {bridge[0]}/{bridge[1]}")
        got = {f"{o['unit']} {o['bridge']}" for o in offered if o["do"] == "blow"}
        self.compare("19.2 who blows what", force, got, want, want)

    def on_charge_die(self, w0: World, w1: World, args: list[Any], picture: Picture) -> None:
        """19.2: on 1 to 4."""
        self.goes_up(w0, w1, (args[1], args[2]), picture.dice[0] <= 4, f"19.2 charge, die {picture.dice}")

    def on_approach_die(self, w0: World, w1: World, args: list[Any], picture: Picture) -> None:
        """19.2.1: on 1 to 3, one bridge of the Isonzo that the front did not hold."""
        before, after = self.standing(w0), self.standing(w1)
        lost = before - after
        self.check(bool(lost) == (picture.dice[0] <= 3), "19.2.1 approach", f"die {picture.dice}: {lost}")
        for a, b in lost:
            self.check(self.book.side(a, b).water == "isonzo", "19.2.1 another river", f"{a}/{b}")

    def goes_up(self, w0: World, w1: World, bridge: tuple[str, str], down: bool, told: str) -> None:
        """A bridge is blown, or it stands."""
        key = (min(bridge), max(bridge))
        self.check(
            (key in self.standing(w0) and key not in self.standing(w1)) == down, "19.2 a bridge", f"{key} {told}"
        )

    # 19.3, 21.1: bridges are built

    def spans(self, w: World, unit: Unit) -> set[str]:
        """19.3, 21.1: the hexes to which a bridge leads that an engineer may repair, or build over the Isonzo."""
        found = set()
        busy = {tuple(sorted(work[1].split("/"))) for work in w.data.get("works", ())}
        for to in self.book.next_to[unit.at]:
            water, pair = self.book.side(unit.at, to).water, (min(unit.at, to), max(unit.at, to))
            if (
                not water
                or self.book.hexes[to].barred
                or pair in self.standing(w)
                or pair in busy
                or w.units_at(to, other(unit.side))
            ):
                continue
            printed = bool(self.book.side(unit.at, to).bridge)
            if (water == "isonzo" and unit.c.pontoon) or (water != "isonzo" and printed):
                found.add(to)
        return found

    def owes_bridge(self, w: World, seat: str, about: dict[str, Any], offered: Offered, refusal: Refusal) -> None:
        """19.3, 21.1: who may begin which bridge."""
        force = about["force"]
        want = {f"{u.id} {to}" for u in self.workers(w, force) for to in self.spans(w, u)}
        got = {f"{o['unit']} {o['hex']}" for o in offered if o["do"] == "build"}
        self.compare("19.3 who builds what", force, got, want, want)

    def on_finish_bridges_step(self, w0: World, w1: World, args: list[Any], picture: Picture) -> None:
        """19.3: what was worked at since the last turn stands, if no enemy is at either end."""
        force = args[0] if isinstance(args[0], str) else list(self.book.printed["forces"])[args[0]]
        for name, site in w0.data.get("works", ()):
            unit = w0.units[name]
            ends = sorted(site.split("/"))
            if len(ends) < 2 or self.force(unit) != force:
                continue
            free = not any(w0.units_at(end, other(unit.side)) for end in ends)
            there = (ends[0], ends[1]) in self.standing(w1)
            self.check(there == free, "19.3 a bridge is complete", f"{name} at {site}: {there}")

    # 21.9: ways off the map

    def told_left_map(self, w0: World, w1: World, data: dict[str, Any], args: Any, picture: Picture) -> None:
        """21.9: over the south-western edge, by a road."""
        unit = w0.units[data["unit"]]
        roads = any(w0.routes(unit.at, to) for to in self.book.next_to[unit.at])
        self.check(self.book.hexes[unit.at].exit and roads, "21.9 no road leads off here", f"{unit.id} in {unit.at}")
        self.check(w1.units[unit.id].place == "exited", "21.9 it has left", unit.id)

    def exits(self, w: World, offered: Offered) -> None:
        """21.9: who may leave the map."""
        for o in offered:
            if o["do"] == "exit":
                unit = w.units[o["unit"]]
                self.check(self.book.hexes[unit.at].exit, "21.9 not at the edge", f"{unit.id} in {unit.at}")

    # 21.6: Rommel

    def told_rommel_leads(self, w0: World, w1: World, data: dict[str, Any], args: Any, picture: Picture) -> None:
        """21.6: up to four companies of the Württemberg battalion that are together, while he is not wounded."""
        units = [w0.units[name] for name in data["units"]]
        told = str([u.id for u in units])
        self.check(1 <= len(units) <= 4 and len({u.at for u in units}) == 1, "21.6 together, four at most", told)
        self.check(all(u.c.formation == "de-wgb" for u in units), "21.6 of the Württemberg battalion", told)
        self.check(not w0.data.get("wounded"), "21.6 Rommel is wounded", told)

    def on_assault_dice(self, w0: World, w1: World, args: list[Any], picture: Picture) -> None:
        """21.6: two dice for his companies; a double wounds him."""
        wave = [w0.units[name] for name in args[2]]
        self.check(any("rommel" in u.marks for u in wave), "21.6 two dice", str(args[2]))
        first, second = picture.dice
        hurt = bool(w1.data.get("wounded"))
        self.check(hurt == (first == second or bool(w0.data.get("wounded"))), "21.6 wounded", f"{picture.dice} {hurt}")

    def on_assault_die(self, w0: World, w1: World, args: list[Any], picture: Picture) -> None:
        """21.6: nobody else throws two, and his companies never one when they assault by themselves."""
        wave = [w0.units[name] for name in args[2]]
        counter = bool(args[1])
        self.check(counter or not all("rommel" in u.marks for u in wave), "21.6 one die", str(args[2]))

    # 24.8, 25.8: the set-up

    def begun(self, w: World) -> None:
        """24.8, 26.4, 27.4: who has a printed hex stands there, whoever comes later does not."""
        for u in w.units.values():
            start = u.c.start.split()
            if not start or u.c.hq or u.id not in self.book.counters:
                continue
            if any(word.startswith("GT") for word in start):
                self.check(not u.at, "5.1 is there too early", f"{u.id} in {u.at}")
            elif start[0][:4].isdigit() and self.book.scenario != "what_if":
                self.check(u.at == start[0][:4], "24.8 its printed hex", f"{u.id} in {u.at}, printed {start[0]}")
                self.check(u.lost == ("r" in start[1:]), "24.8 reduced or not", u.id)

    def ready(self, w: World) -> None:
        """25.8: when the set-up of scenario 2 is over: in a trench of one's own or in a chain to one, no enemy beside
        it in the hex, guns with an enemy trench in their range."""
        zones = self.book.printed.get("zones", {})
        for side in ("ahg", "italian"):
            foes = {at for at, h in self.book.hexes.items() if h.trench == other(side)}
            foes |= {pair[0] for pair in self.book.side_trenches if self.book.side(*pair).trench == other(side)}
            front = {name for zone in zones.values() if zone["kind"] == "front" for name in zone.get("formations", ())}
            own = {at for at, h in self.book.hexes.items() if h.trench == side}
            own |= {s.trench_hex for s in self.book.sides.values() if s.trench == side}
            dug = {at for at in own if w.units_at(at, side)}
            chain, ring = set(dug), list(dug)
            while ring:
                at = ring.pop()
                for to in self.book.next_to[at]:
                    if to not in chain and w.units_at(to, side):
                        chain.add(to)
                        ring.append(to)
            for u in w.on_map(side):
                if u.c.gun:
                    near = any(distance(u.at, at) <= u.c.range for at in foes)
                    self.check(near or u.c.group, "25.8 no enemy trench in range", f"{u.id} in {u.at}")
                elif u.c.formation in front:
                    self.check(u.at in chain, "25.8 neither in a trench nor in a chain", f"{u.id} in {u.at}")
                else:
                    self.check(not w.crowded(u.at, side) or side == "ahg", "25.8 too many in a hex", u.at)

    # 23.1: the points of a campaign

    def captures(self, w0: World, w1: World) -> None:
        """23.1: what Italians take back in the turn in which AHG took it costs AHG twice its points."""
        before, after = self.owners(w0), self.owners(w1)
        for at, force in after.items():
            was, worth = before.get(at, ""), self.book.hexes[at].vp
            if not worth or was == force:
                continue
            if force.startswith("ahg") and not was.startswith("ahg"):
                self.taken[at] = (w1.turn, force)
            elif force.startswith("italian") and was.startswith("ahg"):
                turn, taker = self.taken.get(at, (0, ""))
                if turn == w1.turn:
                    self.penalty[taker] = self.penalty.get(taker, 0) + 2 * worth

    def owners(self, w: World) -> dict[str, str]:
        """Who holds the hexes that are worth something."""
        worth = {at for at, h in self.book.hexes.items() if h.vp}
        return {at: force for force, hexes in w.data.get("control", {}).items() for at in worth & set(hexes)}

    def account(self, w: World, force: str) -> dict[str, int]:
        """23.1, 24.15: the points of a force of AHG, and of what they are made."""
        wing = force.partition("-")[2]
        foe = {"left": "italian-right", "right": "italian-left", "": "italian"}[wing]
        peak = self.book.printed.get("matajur", "")
        held = sum(self.book.hexes[at].vp for at, owner in self.owners(w).items() if owner == force and at != peak)
        if peak and w.data.get("matajur") == force:
            held += self.book.hexes[peak].vp
        gone = 0
        for name, hq in self.book.hqs.items():
            if hq.side != "ahg" or (wing and hq.wing != wing):
                continue
            units = [u for u in w.units.values() if u.c.formation == name and not u.c.hq]
            alive = [u for u in units if u.at or u.place in {"due", "coming"}]
            gone += bool(units) and not alive and any(u.place == "exited" for u in units)
        steps = self.prisoners(w, foe) - self.prisoners(w, force)
        found = {"hexes": held, "exits": 5 * gone, "captures": max(0, steps) // 10}
        return found | {"retaken": self.penalty.get(force, 0)}

    def prisoners(self, w: World, force: str) -> int:
        """23.1: a battalion two steps, however many it had, a company or cavalry one, a gun five."""
        found = 0
        for u in w.units.values():
            if u.place == "surrendered" and self.force(u) == force and not u.c.flame and not u.c.hq:
                found += 5 if u.c.gun else 1 if u.company or u.c.cavalry else 2
        return found

    # 22: what one sees

    def sees(self, w: World, seat: str, names: Iterable[str], foggy: bool) -> None:
        """22.0: of an enemy stack the top unit; 22.1 to 22.3: with fog of war down to a level, by how near one is."""
        forces: dict[str, str] = self.book.printed["forces"]
        mine = {force for force, owner in forces.items() if owner == seat}
        known = set(names)
        own = [u for u in w.units.values() if u.at and not u.c.hq and self.force(u) in mine]
        near = {n for u in own for n in (u.at, *self.book.next_to[u.at])}
        posts: dict[str, list[Unit]] = {}
        for u in own:
            posts.setdefault(u.at, []).append(u)
        for at, stack in w.stacks.items():
            others = [u for u in stack if self.force(u) not in mine]
            shown = {u.id for u in others if u.id in known and "working" not in u.marks}
            if not foggy:
                if others:
                    rest = [u for u in others if "working" not in u.marks]
                    told = f"{seat} sees {sorted(shown)} in {at}"
                    self.check(len(shown) <= 1 and (bool(shown) or len(rest) < len(others)), "22.0 the top unit", told)
                continue
            if not others:
                continue
            depth = 3 if at in near else 2 if self.watches(w, posts, at) else 1
            want = {u.id for u in others if self.level(u) <= depth and "working" not in u.marks}
            self.check(shown == want, "22.3 how deep one sees", f"{seat} {at} {depth}: {shown}, by the book {want}")

    @staticmethod
    def level(u: Unit) -> int:
        """22.1: guns in battery, combat units with machine guns, all others."""
        if u.c.gun:
            return 1 if u.emplaced else 3
        return 2 if u.mg > 0 and not u.c.flame else 3

    def watches(self, w: World, posts: dict[str, list[Unit]], at: str) -> bool:
        """12.1.1: is the hex observed from a place, a mountain top or a gun of one's own?"""
        for here, units in posts.items():
            found = self.book.hexes[here]
            if found.settlement or found.peak or any(u.c.gun for u in units):
                if self.book.sight(w.turn, here, at):
                    return True
        return False
