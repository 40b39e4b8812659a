"""The referee: follows a game picture by picture and says wherever it is not what the booklet says.

Every remark has a key, `chapter what`, by which test_referee knows those that wait for a decision.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, NamedTuple

from ref_board import FACINGS, Book, around, distance, toward
from ref_tape import Picture
from ref_world import Unit, World, other

from fronte.engine.event import Event

NOWHERE = "nowhere"


class Remark(NamedTuple):
    """One difference."""

    key: str
    text: str
    where: str


class Turn:
    """One unit's or formation's time to act: what was so when it began, and what was done since."""

    def __init__(self, world: World, formation: str, side: str) -> None:
        self.formation = formation
        self.side = side
        self.began = {u.id: u.at for u in world.units.values() if u.at}
        self.in_zone = {
            u.id: [x.at for x in world.watched(u.at, u.side)]
            for u in world.fighting(side)
            if world.watched(u.at, u.side)
        }
        self.closed: set[str] = set()
        self.open = ""
        self.spent: dict[str, int] = {}
        self.steps: dict[str, int] = {}
        self.acted: set[str] = set()
        self.attacked: set[str] = set()
        self.fired: set[str] = set()
        self.pushed: set[str] = set()
        self.withdrew: set[str] = set()
        self.entered: dict[str, list[str]] = {}
        self.last_by_road: dict[str, bool] = {}
        self.markers = 0
        self.guests: set[str] = set()
        self.could: dict[int, str] = {}
        self.hemmed: set[str] = set()


class Combat:
    """An assault or charge that is being fought."""

    def __init__(self, attacker: str, target: str, charge: bool, defenders: list[str], side: str) -> None:
        self.attacker = attacker
        self.target = target
        self.charge = charge
        self.defenders = defenders
        self.side = side
        self.start = ""
        self.level = -1
        self.row: list[str] = []
        self.lost: dict[str, int] = {}
        self.due: dict[str, int] = {}
        self.checks: dict[str, int] = {}
        self.winner = ""
        self.retreat: dict[str, int] = {}
        self.went: dict[str, list[str]] = {}
        self.guns: dict[str, int] = {}


class Referee:
    """Follows one game."""

    def __init__(self, book: Book, position: dict[str, Any]) -> None:
        self.book = book
        self.remarks: list[Remark] = []
        self.checks: Tally[str] = Tally()
        self.seen_events: Tally[str] = Tally()
        self.where = ""
        self.world = World(book, position)
        self.failed: Tally[str] = Tally()
        self.activated: set[str] = set()
        self.passes = 0
        self.last = ""
        self.initiative = ""
        self.ended_by_coordination = False
        self.owes_coordination = False
        self.go: Turn | None = None
        self.shots: Tally[str] = Tally()
        self.combat: Combat | None = None
        self.earlier: list[Combat] = []
        self.waiting: list[Combat] = []
        self.came_from: dict[str, str] = {}
        self.must_ford: set[str] = set()
        self.waded: dict[str, str] = {}
        self.steady: set[str] = set()
        self.deciding = ""
        self.rested: set[str] = set()
        self.shoved: set[str] = set()
        self.stayed: set[str] = set()
        self.charging: dict[str, tuple[int, str]] = {}
        self.riding: set[str] = set()
        self.reserve: dict[str, str] = {}
        self.railed = False
        self.routed: set[str] = set()
        self.recovering: dict[str, int] = {}
        self.window: dict[str, Any] | None = None
        self.pending: tuple[str, str, str, set[str]] | None = None
        self.asked_leave: set[tuple[str, str, str]] = set()
        self.must_check: dict[str, str] = {}
        self.control: dict[str, str] = {}
        self.sighted: set[str] = set()
        self.points = 0
        self.taken = 0
        self.action: dict[str, Any] = {}
        self.fire_target = ""
        self.moved_hexes: set[str] = set()
        self.exempt_level: set[str] = set()
        self.drift: dict[str, int] = {}
        self.phase_c_moved: set[str] = set()
        self.broken: set[str] = set()

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
        first = True
        for picture in pictures:
            w0 = self.world
            if first:
                self.begins(w0, picture)
                first = False
            w1 = World(self.book, picture.after)
            changed = picture.after["units"] != picture.before["units"]
            if changed:
                self.explain(w0, w1, picture)
            steps = [e for e in picture.events if e.kind == "moved"]
            for event in picture.events:
                if event.kind == "moved" and len(steps) > 1:
                    w0 = self.placed(w0, event.data["unit"], event.data["path"][0])
                self.seen_events[event.kind] += 1
                self.dice_told(event)
                handler = getattr(self, "on_" + event.kind, None)
                if handler is None:
                    self.say("0 unknown event", event.kind)
                else:
                    handler(w0, w1, event.data, picture)
                self.veil(w0, w1, event)
            if changed:
                self.stands(w0, w1)
            self.phases(w0, w1)
            self.world = w1

    def ruiz(self, w: World) -> None:
        """15.8.1: once the units of his column are next to Caserta Vecchia the column stops."""
        if "NR" not in self.book.leaders:
            return
        near = [distance(u.at, "5320") <= 1 for u in w.fighting("napoletani") if u.c.formation == "NR"]
        self.ruiz_near_once |= any(near)
        self.ruiz_all_near |= bool(near) and all(near)  # "the units": one of them, or all?
        self.checks["15.8.1 stopped"] += 1
        good = self.ruiz_near_once if w.data["stopped"] else not self.ruiz_all_near
        self.check(
            good, "15.8.1 stopped", f"{w.data['stopped']}, one near {self.ruiz_near_once}, all {self.ruiz_all_near}"
        )

    ruiz_near_once = ruiz_all_near = False

    def phases(self, w0: World, w1: World) -> None:
        """4: what is to be judged where a phase ends."""
        was, now = w0.data["phase"], w1.data["phase"]
        if was == "activation" and now != was:
            self.rested.clear()
        if was == "regroup" and (now == "stragglers" or (self.first_in_c(w0) and not self.first_in_c(w1))):
            side = self.initiative if now == "stragglers" else other(self.initiative)
            idle = [u for u in w1.fighting(side) if "ooc" not in u.marks]
            self.forgotten(w1, [u for u in idle if u.c.formation not in self.activated], "C")
        if was == "activation" or now == "activation":
            return
        for u in w1.units.values():
            if not u.c.leader and u.at and u.at != w0.units[u.id].at and was == "regroup":
                self.phase_c_moved.add(u.id)

    @staticmethod
    def first_in_c(w: World) -> bool:
        """4.C: is it still for the side without the initiative to withdraw and to recover?"""
        return any(frame[0] == "phase_c" and frame[2] == [0] for frame in w.data["frames"])

    dice: list[int] = []

    def dice_told(self, event: Event) -> None:
        """What is told of dice is what fell."""
        if event.kind == "rolled":
            return
        told = event.data.get("dice", [event.data["die"]] if "die" in event.data else None)
        if told is not None:
            self.check(told == self.dice, "0 dice told", f"{event.kind} {told}, fallen {self.dice}")

    def placed(self, w: World, unit: str, at: str) -> World:
        """The same position with a unit elsewhere: between two steps of one picture."""
        if w.units[unit].at == at:
            return w
        units = {**w.data["units"], unit: {**w.data["units"][unit], "at": at}}
        return World(self.book, {**w.data, "units": units})

    def begins(self, w: World, picture: Picture) -> None:
        """What an action says of who acts, before anything happens."""
        unit = self.action.get("unit", "")
        do = self.action["do"]
        if picture.name == "react" and unit:
            spent = picture.before["frames"][-1][2][4]
            self.check(unit not in spent, "12.1.2 reacts twice", f"{unit} {spent}")
        if (
            do in ("declare", "call")
            or picture.name not in ("act", "stragglers")
            or unit not in w.units
            or w.units[unit].c.leader
        ):
            return
        go = self.go
        if go is None:
            return
        u = w.units[unit]
        if go.open and go.open != unit:
            go.closed.add(go.open)
        self.check(unit not in go.closed, "7 one action at a time", f"{unit} acts again after {go.open}")
        if do == "form" and self.action["into"] == "line" and not u.c.guns and picture.name == "act":
            go.open = ""  # 8.3.6: to leave column when it is activated is no action yet
            return
        go.open = unit
        if u.c.formation == "G15" and picture.name == "act":
            with_whom = self.reserve.setdefault(unit, go.formation)
            self.check(
                with_whom == go.formation, "15.5 acts twice in a turn", f"{unit} with {with_whom} and {go.formation}"
            )
        if unit not in go.acted and picture.name == "act":
            for i, (kind, at, _, whose) in enumerate(w.markers):
                if whose == unit and kind == "assault":
                    if at == u.at or at in self.reach(w, u, 2 * u.c.ma, 0, False):
                        go.could[i] = unit
        if unit in go.in_zone and do != "move" and not self.can_leave(w, u):
            go.hemmed.add(unit)  # 3.2: as far as it can, when it acts
        go.acted.add(unit)
        if picture.name == "act":
            own = u.c.formation == go.formation
            if not own:
                self.check(unit in go.guests, "15.5 not called", f"{unit} acts with {go.formation}")
            if own:
                self.check("ooc" not in u.marks, "5.1 out of command acts", unit)
        else:
            self.check("ooc" in u.marks, "4.D in command moves", unit)

    def stands(self, w0: World, w: World) -> None:
        """What must be true at any moment, of hexes in which something has changed."""
        touched = {u.at for name, u in w.units.items() if u.at != w0.units[name].at}
        for at in touched & set(w.stacks):
            units = w.stacks[at]
            sides = {u.side for u in units if not u.c.leader}
            self.check(len(sides) <= 1, "8 both sides in a hex", at)
            for side in sides:
                if not self.retreating(w):
                    load = w.load(at, side)
                    self.check(load <= 5, "6.3.1 stacking", f"{load} points of {side} in {at}")
            if "garibaldini" in sides:
                self.check(at not in self.book.capua, "15.6 Capua", f"{at}: {[u.id for u in units]}")

    def retreating(self, w: World) -> bool:
        """Is somebody in the middle of a retreat (6.3.1, exception)?"""
        return any(f[0] in ("retreat", "fall_away", "break_off", "combat_over") for f in w.data["frames"])

    def explain(self, w0: World, w1: World, picture: Picture) -> None:
        """Nothing changes that was not told."""
        told: dict[str, set[str]] = {}
        for event in picture.events:
            unit = event.data.get("unit")
            if unit:
                told.setdefault(unit, set()).add(event.kind)
        kinds = {event.kind for event in picture.events}
        if kinds & {"placed", "set_up_as_it_was", "lifted"} or picture.name == "set_up":
            return
        for name, u1 in w1.units.items():
            u0 = w0.units[name]
            mine = told.get(name, set())
            where0, where1 = w0.data["units"][name]["at"], w1.data["units"][name]["at"]
            if where0 != where1 and u0.c.leader and self.follows(where0, where1, picture):
                self.checks["2.2 commander goes with his men"] += 1
            elif where0 != where1:
                self.check(bool(mine), "0 moved untold", f"{name} {where0} -> {where1} {picture.name} {sorted(kinds)}")
            elif u0.level != u1.level:
                self.check(bool(mine), "0 level untold", f"{name} {u0.level} -> {u1.level} {picture.name}")
            elif u0.column != u1.column and not mine:
                self.say("0 column untold", f"{name} {u0.column} -> {u1.column} {picture.name} {sorted(kinds)}")

    @staticmethod
    def follows(a: str, b: str, picture: Picture) -> bool:
        """2.2, 11.3.4: did men go where a commander who was with them went?"""
        going = ("retreated", "advanced", "withdrew", "broke_off")
        return any(e.kind in going and e.data["path"] == [a, b] for e in picture.events)

    def veil(self, w0: World, w1: World, event: Any) -> None:
        """8.6: who is not adjacent to an enemy stays face down; who was and steps away is seen to step away."""
        unit = event.data.get("unit")
        if not unit or unit not in w1.units or w1.units[unit].c.leader or not w1.units[unit].at:
            return
        if event.data.get("hex") != w1.units[unit].at:
            return
        beside = w1.beside(w1.units[unit])
        was = bool(w0.units[unit].at) and w0.beside(w0.units[unit])
        told = event.seats == -1
        self.check(told or not beside, f"8.6 {event.kind} hidden", f"{unit} at {w1.units[unit].at}")
        self.check(not told or beside or was, f"8.6 {event.kind} shown", f"{unit} at {w1.units[unit].at}")

    def fog(self, seat: str, pieces: list[tuple[str, str, str, bool]]) -> None:
        """8.6: what a seat knows of the enemy: those next to one of its own, and commanders once activated."""
        w = self.world
        if w.data["phase"] == "setup":
            return
        known = {name for _, _, name, _ in pieces if name}
        for u in w.units.values():
            if u.side == seat or not u.at:
                continue
            if u.c.leader:
                self.check(u.id not in known or "shown" in u.marks or w.beside(u), "8.6 commander known", u.id)
            else:
                self.check((u.id in known) == w.beside(u), "8.6 unit known", f"{u.id} at {u.at}: {u.id in known}")

    # set-up (16.1.4, 17.1.4)

    def on_placed(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """A unit is set up."""
        self.zone_of_setup(w1, d["unit"])

    def on_lifted(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """A unit is taken up again."""

    def on_set_up_as_it_was(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """All as it was."""

    def on_set_up_done(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """A side has set up: all of it stands in its zones."""
        for u in w1.units.values():
            if u.side == d["side"]:
                if self.check(bool(u.at), "16.1.4 all set up", u.id):
                    self.zone_of_setup(w1, u.id)
                    if not u.c.leader:
                        self.control[u.at] = u.side

    def zone_of_setup(self, w: World, name: str) -> None:
        """16.1.4, 17.1.4: the printed zone of a unit."""
        u = w.units[name]
        zones = self.book.printed["zones"]
        named = [z for z in zones.values() if name in z.get("units", ())]
        zone = named[0] if named else zones.get(u.c.formation)
        if zone is None or u.c.kind == "cic" or not u.at:
            return
        row = int(u.at[2:])
        low, high = zone.get("rows", [0, 99])
        good = distance(u.at, zone["centre"]) <= zone["within"] and low <= row <= high
        if zone.get("bank"):
            good &= self.book.hexes[u.at]["bank"] == zone["bank"]
        self.check(good, "16.1.4 zone", f"{name} at {u.at}")

    # 4: the turn

    def on_turn(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """A turn begins; the one before has ended (4.E)."""
        self.check(d["light"] == self.book.light(d["turn"]), "15.2 light", str(d))
        self.check(d["hour"] == d["turn"] + 4, "16.1.1 hour", str(d))
        self.check(d["turn"] == w0.turn + (w0.data["phase"] != "setup"), "4.E turn", str(d))
        for u in w1.units.values():
            self.check(not u.marks & {"low", "out"}, "4.E ammunition", u.id)
        self.phase_over(w0)
        self.shots.clear()
        self.called = set()
        self.reserve.clear()
        self.moved_hexes.clear()
        self.shoved.clear()
        self.stayed.clear()
        self.activated.clear()
        self.go = None
        self.passes = 0
        self.last = ""
        self.ended_by_coordination = False
        self.phase_c_moved.clear()
        self.pushed_this_turn: set[str] = set()
        for name, given in w1.data["formations"].items():
            self.failed[name] = given["orders"]

    def on_rolled(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """Dice."""
        self.dice = d["dice"]
        self.check(all(1 <= x <= 6 for x in d["dice"]), "0 dice", str(d))

    def on_initiative(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """4.A: two dice each and the commander in chief."""
        a, b, c, e = d["dice"]
        chiefs = self.book.chiefs
        g = a + b + (chiefs["garibaldini"].command if "garibaldini" in chiefs else 0)
        n = c + e + (chiefs["napoletani"].command if "napoletani" in chiefs else 0)
        self.check(d["totals"] == {"garibaldini": g, "napoletani": n}, "4.A totals", str(d))
        self.initiative = "garibaldini" if g > n else "napoletani" if n > g else ""

    def on_has_initiative(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """4.A: the higher total has it; equal ones are thrown again."""
        self.check(d["side"] == self.initiative, "4.A initiative", f"{d} not {self.initiative}")
        self.failed.clear()
        for name, given in w1.data["formations"].items():
            self.failed[name] = given["orders"]

    def on_command(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """4.B1, 5: who is out of command."""
        mine = {u for u in w1.out_of_command() if w1.units[u].side == d["side"]}
        theirs = {u.id for u in w1.units.values() if u.side == d["side"] and "ooc" in u.marks}
        for u in mine ^ theirs:
            self.say("5.2 command", f"{u} at {w1.units[u].at}: by the booklet {'out' if u in mine else 'in command'}")
        self.checks["5.2 command"] += len(list(w1.fighting(d["side"])))
        self.check(d["out"] == len(theirs), "5.2 count", str(d))

    # 6: activation

    def able(self, w: World, side: str) -> set[str]:
        """Formations of a side that may still be tried (6.1, 15.3, 15.8.1)."""
        found = set()
        for name, leader in self.book.leaders.items():
            if leader.side != side or name in self.activated:
                continue
            if not any(u.c.formation == name for u in w.fighting(side)):
                continue
            if side == "garibaldini" and name not in self.sighted:
                continue
            if name == "NR" and w.data["stopped"] and not self.ruiz_near(w):
                continue
            found.add(name)
        return found

    def ruiz_near(self, w: World) -> bool:
        """15.8.1: is Ruiz within the radius of Ritucci or von Meckel?"""
        if w.near_chief("NR"):
            return True
        meckel = w.units[self.book.leaders["NM"].id]
        return w.units[self.book.leaders["NR"].id].at in w.reach(meckel, 8)

    def attempt(self, w0: World, d: dict[str, Any]) -> int:
        """6.1: what is common to every attempt; its modifier."""
        name = d["formation"]
        side = self.book.leaders[name].side
        self.check(name not in self.activated, "6.1 once a turn", name)
        drm = -self.failed[name] - w0.near_chief(name)
        self.check(d["drm"] == drm, "6.1.4 modifier", f"{d} for {drm}")
        if side == "garibaldini":
            self.check(name in self.sighted, "15.3 surprise", name)
        self.last = side
        self.passes = 0
        return drm

    def on_activated(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """6.1.1: the formation is activated."""
        drm = self.attempt(w0, d)
        name = d["formation"]
        leader = self.book.leaders[name]
        self.check(d["die"] != 6 and d["die"] + drm <= leader.command, "6.1.1 activated", str(d))
        self.activated.add(name)
        self.failed[name] = w1.data["formations"][name]["orders"]
        self.go = Turn(w1, name, leader.side)
        self.check("shown" in w1.units[leader.id].marks, "8.6 commander shown", leader.id)

    def on_not_activated(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """6.1.2: it is not, and the next attempt is easier."""
        drm = self.attempt(w0, d)
        name = d["formation"]
        leader = self.book.leaders[name]
        self.check(d["die"] != 6 and d["die"] + drm > leader.command, "6.1.1 not activated", str(d))
        spared = name == "NR" and any(True for _ in w0.troops("5213", "garibaldini"))
        if not spared:
            self.failed[name] += 1
        now = w1.data["formations"][name]["orders"]
        self.check(now == self.failed[name], "6.1.2 orders", f"{name}: {now} for {self.failed[name]}, spared {spared}")
        if leader.side == "napoletani":
            own = {n for n, c in self.book.leaders.items() if c.side == "garibaldini"}
            own = {n for n in own if any(u.c.formation == n for u in w0.fighting("garibaldini"))}
            self.owes_coordination = own <= self.activated

    def on_own_initiative(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """6.2: a natural six."""
        self.attempt(w0, d)
        name = d["formation"]
        self.check(d["die"] == 6, "6.2 natural six", str(d))
        self.activated.add(name)
        self.failed[name] = w1.data["formations"][name]["orders"]

    def on_stays(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """15.2: at night a six leaves the formation where it is."""
        self.check(self.book.light(w0.turn) == "night", "15.2 stays", str(d))
        self.stayed.add(d["formation"])

    def on_initiative_row(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """6.2: a die and the morale of the commander on the table."""
        name = d["formation"]
        table = self.book.tables
        morale = w0.data["formations"][name]["morale"]
        drm = table["morale"]["drm"][morale + 4]
        row = [r for least, r in table["personal_initiative"]["rows"] if d["die"] + drm >= least][-1]
        self.check(d["drm"] == drm and d["row"] == row, "6.2 row", f"{d} for {drm} {row}")
        self.check(self.book.light(w0.turn) != "night", "15.2 row at night", str(d))
        self.go = Turn(w1, name, self.book.leaders[name].side)

    def on_coordination(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """15.7: the Neapolitans may be through."""
        self.check(self.owes_coordination, "15.7 thrown for nothing", str(d))
        self.check(d["ends"] == (d["die"] <= 2), "15.7 die", str(d))
        self.owes_coordination = False
        self.ended_by_coordination = bool(d["ends"])

    def on_passed(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """4.B2: a pass."""
        self.passes += 1
        self.last = d["side"]

    def on_activation_over(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """4.B2: three passes, 15.7, or nobody is left to activate."""
        left = self.able(w0, "garibaldini") | self.able(w0, "napoletani")
        passes = self.passes
        side = other(self.last) if self.last else self.initiative
        while passes < 3 and not self.able(w0, side):
            passes += 1
            side = other(side)
            if passes > 6:
                break
        good = passes >= 3 or self.ended_by_coordination or not left
        self.check(good, "4.B2 ends too early", f"{self.passes} passes, left {sorted(left)}")
        self.check(not self.owes_coordination, "15.7 not thrown", "")
        self.go = None

    def on_activation_done(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """4.B2.c: the end of an activation: 3.2, 7.1.4 and recovery (13.3)."""
        go = self.go
        name = d["formation"]
        if go is None or go.formation != name:
            self.go = None
            return
        self.check(not w1.data["markers"], "4.B2.c markers stay", str(w1.data["markers"]))
        if w0.data["row"] in ("", "as_ordered", "attack", "cautious"):
            for unit, at in go.began.items():
                u = w0.units[unit]
                if unit not in go.in_zone or u.c.formation != name or "ooc" in u.marks or u.at != at:
                    continue
                if self.reserve.get(unit, name) != name:  # 15.5: it has acted with another formation
                    continue
                if unit in go.pushed | go.hemmed or unit in go.attacked or not w0.watched(u.at, u.side):
                    continue
                if self.can_leave(w0, u):
                    self.say("3.2 stays in a zone", f"{unit} at {at} neither attacked nor left ({w0.data['row']})")
            self.checks["3.2 stays in a zone"] += len(go.in_zone)
            self.unfulfilled(w0, go)
        self.recovery(w0, p, [u for u in w0.fighting(go.side) if u.c.formation == name and "ooc" not in u.marks], go)
        self.go = None

    def can_leave(self, w: World, u: Unit) -> bool:
        """Could it have taken one step out of its hex?"""
        for n in self.book.next_to[u.at]:
            column = u.column or u.c.guns
            if not w.barred(u, n) and w.cost(u, u.at, n, column) is not None:
                return True
        return False

    def unfulfilled(self, w: World, go: Turn) -> None:
        """7.1.4: every marker is to be used as far as possible."""
        done = w.data["fulfilled"]
        for i, (kind, at, facing, unit) in enumerate(w.markers):
            self.checks["7.1.4 marker not used"] += 1
            if done >> i & 1 or kind != "assault":
                continue
            u = w.units[unit]
            target = self.beyond(at, facing)
            if not u.at or not w.troops(target, other(u.side)) or unit in go.pushed:
                continue
            if self.reserve.get(unit, go.formation) != go.formation:
                continue
            if unit in go.acted:
                if i in go.could and unit not in go.attacked:
                    self.say(
                        "7.1.4 marker not used by who did something else",
                        f"{unit} could have gone to {at} against {target}",
                    )
                continue
            costs = self.reach(w, u, 2 * u.c.ma, 0, False)
            into = self.into(w, u, at, target) or 99
            if at == u.at or (at in costs and costs[at] + into <= 2 * u.c.ma):
                self.say("7.1.4 marker not used", f"{unit} could still go to {at} against {target}")

    @staticmethod
    def beyond(at: str, facing: int) -> str:
        """The hex that a marker points to."""
        from ref_board import step

        return step(at, facing)

    def recovery(self, w: World, p: Picture, units: list[Unit], go: Turn | None, phase: str = "activation") -> None:
        """13.3, 13.3.1: who recovers, and how much."""
        told = {e.data["unit"]: e.data["level"] for e in p.events if e.kind == "recovered"}
        for u in units:
            self.checks["13.3 recovery"] += 1
            if go is not None and self.reserve.get(u.id, go.formation) != go.formation:
                continue
            if go is not None and u.id in go.pushed:  # 13.3 does not say whether a retreat is a move
                continue
            if not u.level:
                self.check(u.id not in told, "13.3 recovery", f"{u.id} was in good order")
                continue
            most = self.rest(w, u, go, phase)
            expected = max(0, u.level - most)
            now = told.get(u.id, u.level)
            if now != expected:
                did = "pushed" if go and u.id in go.pushed else "acted" if go and u.id in go.acted else "still"
                spent = go.spent.get(u.id, 0) if go else 0
                self.say(
                    f"13.3 recovery in {phase} ({did})",
                    f"{u.id} {u.level} -> {now}, by the booklet {expected}; {spent=}",
                )

    def rest(self, w: World, u: Unit, go: Turn | None, phase: str) -> int:
        """Levels that a unit recovers now."""
        if w.beside(u):
            return 0
        if go is None:
            return 1 if u.id in self.phase_c_moved else 2
        if u.id in go.attacked or u.id in go.fired:
            return 0
        if u.id not in go.acted and u.id not in go.withdrew:
            return 2
        if go.steps.get(u.id, 0) == 0 and not go.spent.get(u.id, 0) and u.id not in go.withdrew:
            return 2 if u.at == go.began.get(u.id) and u.id not in go.acted else 1
        return 1 if go.spent.get(u.id, 0) <= u.c.ma else 0

    def on_recovered(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """13.3.1: what a unit recovers in phases C and D; that of an activation is judged where it ends."""
        u = w0.units[d["unit"]]
        self.rested.add(u.id)
        if p.name == "act":
            return
        phase = "C" if "ooc" not in u.marks else "D"
        if phase == "C":
            stayed = u.c.formation in self.stayed  # 15.2: it has done nothing
            self.check(u.c.formation not in self.activated or stayed, "13.3.1 recovers in C though activated", str(d))
        self.check(not w0.beside(u), f"13.3.1 recovers next to the enemy in {phase}", str(d))
        right = {self.quiet(u)}
        if self.go is not None and u.id in self.go.acted and not self.go.steps.get(u.id, 0):
            right.add(1)  # it has only turned or changed its order: a move or none?
        good = d["level"] in {max(0, u.level - most) for most in right}
        self.check(good, f"13.3.1 levels in {phase}", f"{d} from {u.level}, by the booklet {sorted(right)}")

    def quiet(self, u: Unit) -> int:
        """13.3.1: two levels for who did not move in this phase, one for up to half the MA, none for more."""
        go = self.go
        spent = go.spent.get(u.id, 0) if go is not None else 0
        steps = go.steps.get(u.id, 0) if go is not None else 0
        if steps or spent:
            return 1 if spent <= u.c.ma else 0
        return 1 if u.id in self.phase_c_moved else 2

    def forgotten(self, w: World, units: list[Unit], phase: str) -> None:
        """13.3.1: who should have recovered and did not."""
        for u in units:
            self.checks[f"13.3.1 recovery in {phase}"] += 1
            if "called" in u.marks:  # it may have rested with the formation that called it
                continue
            if u.level and u.id not in self.rested and not w.beside(u) and self.quiet(u):
                how = "pushed" if u.id in self.shoved else "moved" if u.id in self.moved_hexes else "still"
                self.say(f"13.3.1 does not recover in {phase} ({how})", f"{u.id} at {u.at} {sorted(u.marks)}")
        self.rested.clear()

    def on_rested(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """13.3: cavalry is no longer exhausted."""
        self.check(d["unit"] not in self.moved_this_turn(), "10.3.1 rest", str(d))

    def moved_this_turn(self) -> set[str]:
        """Who has moved in this turn."""
        return self.moved_hexes

    def phase_over(self, w0: World) -> None:
        """A phase ends."""
        self.drift_over(w0)

    # 15.3

    def on_sighted(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """15.3: a formation has seen an enemy."""
        name = d["formation"]
        w1.turn = max(w1.turn, w0.turn)
        self.check(self.sees_enemy(w1, name), "15.3 seen nobody", name)
        self.sighted.add(name)

    def sees_enemy(self, w: World, formation: str) -> bool:
        """15.3, 9.4.4: does any unit of it have a line of sight to an enemy?"""
        enemies = {u.at for u in w.fighting("napoletani")}
        own = {u.at for u in w.fighting("garibaldini") if u.c.formation == formation}
        return any(w.sees(a, b) for a in own for b in enemies if distance(a, b) <= self.book.sight(w.turn))

    # 15.5

    called: set[str] = set()

    def on_called(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """15.5: a unit of the 15th Division comes under another formation's commander."""
        go = self.go
        unit = d["unit"]
        if go is None:
            self.say("15.5 called when", str(d))
            return
        u = w0.units[unit]
        good = u.c.formation == "G15" and go.formation != "G15" and go.side == "garibaldini"
        self.check(good, "15.5 guest", f"{unit} acts with {go.formation}")
        go.guests.add(unit)
        self.check(len(go.guests) == 1, "15.5 one guest", f"{sorted(go.guests)} act with {go.formation}")
        self.check(unit not in self.called, "15.5 called twice in a turn", unit)
        self.called = self.called | {unit}
        self.reserve[unit] = go.formation  # whatever it does with it, this is its activation

    def on_by_train(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """15.5: once a game, three points, along a railway free of enemies and their zones."""
        u = w0.units[d["unit"]]
        self.check(not self.railed, "15.5 a second train", u.id)
        self.railed = True
        self.check(u.c.formation == "G15", "15.5 whose train", u.id)
        a, b = d["path"][0], d["path"][-1]
        spent = self.go.spent.get(u.id, 0) if self.go is not None else 0
        self.check(spent + 6 <= 2 * u.c.ma, "15.5 points for the train", f"{u.id} {spent}")
        if self.go is not None:
            self.go.spent[u.id] = spent + 6
            self.go.steps[u.id] = self.go.steps.get(u.id, 0) + 1
        seen, queue = {a}, [a]
        while queue:
            at = queue.pop()
            for n in self.book.next_to[at]:
                if n in seen or not self.book.side(at, n).railway:
                    continue
                if w0.troops(n, other(u.side)) or w0.watched(n, u.side):
                    continue
                seen.add(n)
                queue.append(n)
        self.check(b in seen, "15.5 railway not free", str(d))
        self.check(w0.load(b, u.side) + u.c.stacking <= 5, "6.3.1 stacking", str(d))
        for n in (a, b):
            self.checks["15.5 stations"] += self.book.hexes[n]["station"] == "1"
        self.control[b] = u.side
        self.moved_hexes.add(u.id)

    def on_routed_strength(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """17.1.3: strength put to rout."""
        mine = sum(self.book.counters[n].strength for n in self.routed if self.book.counters[n].side == d["side"])
        self.check(d["strength"] == mine, "17.1.3 strength routed", f"{d} for {mine}")

    def on_held(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """16.1.3, 17.1.3: who holds an objective at the end."""
        mine = self.control.get(d["hex"], "nobody" if self.book.scenario == "short" else "garibaldini")
        self.check(d["side"] == mine, "1.3 held", f"{d} for {mine}")
        self.check(d["vp"] == self.book.printed["objectives"][d["hex"]], "17.1.3 worth", str(d))

    # 7: declarations

    def on_declared(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """7.1: a marker is laid."""
        go = self.go
        if go is None:
            self.say("7.1 declared when", str(d))
            return
        go.markers += 1
        leader = self.book.leaders[go.formation]
        most = min(4, leader.command + w0.near_chief(go.formation))
        if w0.data["row"] in ("", "as_ordered"):
            self.check(go.markers <= most, "7.1.1 number", f"{go.markers} for {most}")
        else:
            self.check(go.markers <= 4, "7.1.1 number", f"{go.markers}")
        self.check(self.book.light(w0.turn) != "night", "15.2 declared at night", str(d))
        kind, at, facing, unit = w1.markers[-1]
        self.check(at == d["hex"] and self.beyond(at, facing) == d["target"], "7.1 marker", f"{w1.markers[-1]} {d}")
        u = w0.units[unit]
        self.check(bool(w0.troops(d["target"], other(u.side))), "7.1 target empty", str(d))
        self.check(unit not in [m[3] for m in w0.markers], "7.1.3 two markers for one unit", unit)
        self.check(not u.c.guns and not u.c.leader, "11 artillery declared", unit)
        if u.c.formation == go.formation:
            self.check("ooc" not in u.marks, "5.1 out of command declared", unit)
            spent = self.reserve.get(unit, go.formation) != go.formation
            self.check(not spent, "7.1.3 named after acting with another commander", unit)
        else:
            self.check(u.c.formation == "G15" and u.side == go.side, "15.5 guest", f"{unit} acts with {go.formation}")
        kinds = {m[0] for m in w1.markers if m[1] == at}
        self.check(len(kinds) == 1, "7.1.2 assault and charge in a hex", at)
        if len([m for m in w1.markers if m[1] == at]) > 1:
            self.checks["7.1.2 two markers in a hex"] += 1
        if kind == "charge":
            self.check(u.c.cavalry and "exhausted" not in u.marks, "10 who charges", unit)
            self.check(u.side != "garibaldini", "15.4 charge", unit)
            self.check(w0.sees(u.at, at), "10.1 sight", f"{unit} at {u.at} to {at}")
            self.check(distance(u.at, d["target"]) >= 2, "10.1.1 a hex between", f"{unit} at {u.at} to {d['target']}")
            self.check(self.book.terrain[at] == "clear" == self.book.terrain[d["target"]], "10.1.1 clear", str(d))
        else:
            ways = [self.ways_to_markers(w0, u, {at}, column, True) for column in (False, True)]
            within = at == u.at or any(at in way for way in ways)
            self.check(within, "7.1.3 cannot get there", f"{unit} at {u.at} to {at}")
        if self.book.side(at, d["target"]).water == "river":
            self.check(self.book.side(at, d["target"]).bridge, "14.1 assault over the river", str(d))

    def on_redirected(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """7.1.5: a marker that points to an empty hex may go there, be turned by one side, or both."""
        gone = [m for m in w0.markers if m not in w1.markers]
        new = [m for m in w1.markers if m not in w0.markers]
        if not self.check(len(gone) == len(new) == 1, "7.1.5 one marker", f"{d} {gone} {new}"):
            return
        (_, at, facing, unit), (_, to, turned, whose) = gone[0], new[0]
        target = self.beyond(at, facing)
        side = w0.units[unit].side
        self.check(unit == whose, "7.1.5 whose marker", f"{gone} {new}")
        self.check(not w0.troops(target, other(side)), "7.1.5 not empty", f"{gone} {new}")
        self.check(to in (at, target), "7.1.5 where to", f"{gone} {new}")
        self.check((turned - facing) % 6 in (0, 1, 5), "7.1.5 turned too far", f"{gone} {new}")

    def reach(self, w: World, u: Unit, left: int, steps: int, stop: bool) -> dict[str, int]:
        """8: hexes that a unit can get to, deployed or in column, with the least cost; 8.1 for the first step."""
        best: dict[str, int] = {}
        for column in (False, True):
            if u.c.guns and not column:
                continue
            budget = left - (4 if u.c.guns and not u.column else 0)
            here = {u.at: 0}
            queue = [(0, u.at)]
            while queue:
                queue.sort()
                so_far, at = queue.pop(0)
                if so_far > here[at] or (at != u.at and w.watched(at, u.side)):
                    continue
                for n in self.book.next_to[at]:
                    c = w.cost(u, at, n, column)
                    if c is None or w.barred(u, n):
                        continue
                    total = so_far + c
                    if total > budget and (so_far or steps):
                        continue
                    total = min(total, budget)
                    if total < here.get(n, 9999):
                        here[n] = total
                        queue.append((total, n))
            for at, c in here.items():
                if at != u.at:
                    best[at] = min(c, best.get(at, 9999))
        return best

    # 8: movement

    def on_moved(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """8: a step."""
        u = w0.units[d["unit"]]
        a, b = d["path"][0], d["path"][-1]
        go = self.go
        self.moved_hexes.add(u.id)
        self.control[b] = u.side
        self.check(u.at == a and distance(a, b) == 1, "8 step", str(d))
        if go is None:
            self.say("8 moves when", f"{u.id} in {w0.data['phase']}")
            return
        if u.c.guns:
            self.check(u.column, "8.4 moves in position", u.id)
        cost = w0.cost(u, a, b, u.column)
        if cost is None:
            self.say("8 forbidden ground", f"{u.id} {a} -> {b} column {u.column}")
            cost = 0
        spent = go.spent.get(u.id, 0)
        steps = go.steps.get(u.id, 0)
        if spent + cost > 2 * u.c.ma:
            self.check(steps == 0, "8 too far", f"{u.id} {a} -> {b}: {spent} + {cost} of {2 * u.c.ma}, {steps} steps")
        left = max(0, 2 * u.c.ma - spent - cost)
        if w0.data["row"] not in ("", "as_ordered"):  # what a row does to the MA stands on the map, not in the booklet
            left = max(0, w0.data["left"] - cost)
        if w1.data["mover"] == u.id:
            self.check(
                w1.data["left"] == left, "8 cost", f"{u.id} {a} -> {b}: left {w1.data['left']}, by the booklet {left}"
            )
        go.spent[u.id] = spent + cost
        go.steps[u.id] = steps + 1
        go.last_by_road[u.id] = bool(w0.road(u, a, b, u.column)) and u.column
        why = w0.barred(u, b)
        if why and not ("zone" in why and u.id in self.charging):  # 10.1.2: charges go through zones
            self.say(f"8 barred: {why}", f"{u.id} {a} -> {b}")
        self.checks["8 barred"] += 1
        if w0.watched(b, u.side):
            go.entered.setdefault(u.id, []).append(b)
        if u.id in self.charging:
            facing = self.charging[u.id][0]
            self.check(w1.units[u.id].facing == facing, "10.1.2 turns in a charge", f"{u.id} {a} -> {b}")
            front = (toward(a, b) - facing) % 6 in (0, 1, 5) or w0.all_round(a)
            self.check(front, "10.1.2 through its front", f"{u.id} {a} -> {b}")
        else:
            self.faces(w0, w1, u, a, b)
        if w0.wades(u, a, b, u.column):
            self.must_ford.add(u.id)
            self.waded[u.id] = f"{a} -> {b} {self.where}"
        if a in go.entered.get(u.id, ()) and w0.watched(a, u.side) and self.active(w0) == u.side:
            if u.id not in self.charging and u.id not in self.riding:
                self.say("7.1 goes on from a marker's hex without attacking", f"{u.id} {a} -> {b}")
        self.step_windows(w0, w1, u, a, b)
        if u.id in self.riding and w1.units[u.id].at == b:
            self.check(not w1.watched(b, u.side), "10.3 rides into a zone", f"{u.id} {a} -> {b}")
        self.kept_hexes(w1)

    def faces(self, w0: World, w1: World, u: Unit, a: str, b: str) -> None:
        """8.2: whoever enters a friendly hex takes the front of those in it; 8.3.3: columns go through their front."""
        now = w1.units[u.id]
        if now.at != b:
            return
        friends = [x for x in w0.troops(b, u.side) if x.id != u.id]
        if friends:
            how = " (column on a road)" if u.column and w0.road(u, a, b, True) else ""
            self.check(
                now.facing in {x.facing for x in friends},
                f"8.2 front of the hex{how}",
                f"{u.id} in {b}: {FACINGS[now.facing]} of {len(friends)}",
            )
        elif u.column and w0.road(u, a, b, True):
            turn = (now.facing - toward(a, b)) % 6
            self.check(turn in (0, 1, 5), "8.3.3 column through its front", f"{u.id} {a} -> {b} {FACINGS[now.facing]}")

    def active(self, w: World) -> str:
        """The side whose formation acts; nobody outside the activation phase."""
        return self.go.side if self.go is not None and w.data["phase"] == "activation" else ""

    def step_windows(self, w0: World, w1: World, u: Unit, a: str, b: str) -> None:
        """12.1: who may react before this step, and who after it."""
        if self.active(w0) != u.side:
            return
        leaving = [x.id for x in w0.watched(a, u.side) if b not in self.book.next_to[x.at] or w0.shut(b)]
        self.checks["12.1 leaving"] += 1
        if leaving and (u.id, a, b) not in self.asked_leave:
            self.say("12.1(3) nobody asked before a zone is left", f"{u.id} {a} -> {b}: {leaving}")
        if not leaving and (u.id, a, b) in self.asked_leave:
            pass
        self.asked_leave.clear()
        if w1.units[u.id].at == b:
            self.expect(w1, u.id, a, b)

    def expect(self, w1: World, unit: str, a: str, b: str) -> None:
        """12.1(2), (4): somebody's zone has been entered."""
        self.settle_pending("another step")
        reactors = {x.id for x in w1.watched(b, w1.units[unit].side)}
        self.checks["12.1 entering"] += 1
        self.pending = (unit, a, b, reactors) if reactors else None

    def settle_pending(self, why: str) -> None:
        """Nobody was asked who should have been."""
        if self.pending is not None:
            unit, a, b, reactors = self.pending
            self.pending = None
            u = self.world.units[unit]
            if u.at == b:
                self.say("12.1(2) nobody asked", f"{unit} {a} -> {b}: {sorted(reactors)} ({why})")

    def kept_hexes(self, w: World) -> None:
        """1.3: whoever entered last controls a hex."""
        for side in ("garibaldini", "napoletani"):
            mine = {h for h, s in self.control.items() if s == side}
            theirs = set(w.data["control"][side])
            self.checks["1.3 control"] += 1
            for h in self.book.printed["objectives"]:
                if (h in mine) != (h in theirs) and h in self.control:
                    self.say("1.3 control", f"{h}: {side} {h in theirs}")
                    self.control[h] = side if h in theirs else other(side)

    def on_turned(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """8.2, 12.2.1: a change of front."""
        u = w0.units[d["unit"]]
        self.check(w1.units[u.id].facing == FACINGS.index(d["facing"]), "8.2 turned", str(d))
        if p.name == "react":
            self.must_check[u.id] = "12.2.1"
        elif p.name in ("act", "stragglers") and self.go is not None and self.action["do"] == "turn":
            late = self.go.last_by_road.get(u.id, False) and self.go.steps.get(u.id, 0) > 0
            self.check(not late, "8.3.3 column turns in its last hex", f"{u.id} at {u.at}")

    def on_formed(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """8.3, 8.4: into or out of column; limbering costs two points."""
        u = w0.units[d["unit"]]
        if not w1.units[u.id].at:  # 11.4.2: it limbers and loses its last level
            return
        self.check(w1.units[u.id].column == (d["into"] == "column") != u.column, "8.3 formed", str(d))
        if p.name not in ("act", "stragglers", "march") or self.go is None:
            return
        go = self.go
        if u.c.guns:
            free = u.c.kind == "horse_artillery" and d["into"] == "line" and go.steps.get(u.id, 0) > 0
            spent = go.spent.get(u.id, 0)
            cost = 0 if free else 4
            self.check(spent + cost <= 2 * u.c.ma, "8.4 limber", f"{u.id}: {spent} spent")
            go.spent[u.id] = spent + cost
            if w1.data["mover"] == u.id and w0.data["row"] in ("", "as_ordered"):
                left = 2 * u.c.ma - spent - cost
                self.check(w1.data["left"] == left, "8.4 limber cost", f"{u.id}: left {w1.data['left']} for {left}")
        elif p.name != "march":
            self.check(go.steps.get(u.id, 0) == 0, "8.3 column not at the start", u.id)

    def on_rode(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """8.5: a commander moves."""
        u = w0.units[d["unit"]]
        if self.deciding == "accompany":  # 2.2: he may advance with them
            fights = [self.combat, *self.earlier]
            self.check(any(c and c.target == d["hex"] for c in fights), "2.2 advances with whom", str(d))
            return
        if u.id in self.action.get("along", ()):  # 2.2, 8.7: with the men he is with
            self.check(self.follows(u.at, d["hex"], p), "2.2 along with whom", str(d))
            return
        path = [u.at, *self.action.get("path", ())]
        self.check(path[-1] == d["hex"] and u.at == d["path"][0], "8.5 path", str(d))
        total = 0
        for a, b in pairwise(path):
            cost = w0.cost(u, a, b, True)
            if cost is None:
                self.say("8.5 forbidden ground", f"{u.id} {a} -> {b}")
                continue
            total += cost
            why = w0.barred(u, b)
            if why:
                self.say(f"8.5 barred: {why}", f"{u.id} {a} -> {b}")
        self.check(total <= 16 or len(path) == 2, "8.5 too far", f"{u.id}: {total}")
        self.check("led" not in u.marks, "8.5 twice", u.id)
        if self.go is not None:
            chief = u.c.kind == "cic"
            self.check(
                chief or u.c.formation == self.go.formation, "8.5 whose commander", f"{u.id} with {self.go.formation}"
            )
            self.check(u.side == self.go.side, "8.5 whose commander", u.id)

    def on_leader_flees(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """2.2: a commander alone goes to the nearest unit of his formation."""
        u = w0.units[d["unit"]]
        own = [x for x in w1.fighting(u.side) if not u.c.formation or x.c.formation == u.c.formation]
        if own:
            nearest = min(distance(u.at, x.at) for x in own)
            to = d["hex"]
            good = any(x.at == to for x in own) and distance(u.at, to) == nearest
            self.check(good, "2.2 nearest unit", f"{d}, nearest {nearest}")

    # 8.7 and phases C and D

    def on_withdrew(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """8.7, 12.2.5: one hex away, front kept, then a check."""
        u = w0.units[d["unit"]]
        a, b = d["path"][0], d["path"][-1]
        self.control[b] = u.side
        self.moved_hexes.add(u.id)
        self.check(u.at == a and distance(a, b) == 1, "8.7 step", str(d))
        self.wets(w0, u, a, b)
        self.check(w1.units[u.id].facing == u.facing or self.friends_there(w0, u, b), "8.7.2 front kept", str(d))
        column = u.column or u.c.guns
        self.check(w0.cost(u, a, b, column) is not None, "8.7 forbidden ground", f"{u.id} {a} -> {b}")
        why = w0.barred(u, b, marked=False)
        if why and "zone" not in why:
            self.say(f"8.7 barred: {why}", str(d))
        self.came_from[u.id] = a
        if self.deciding == "react":
            self.check(u.id in self.steady, "12.2.5 withdraws before its check", u.id)
            self.steady.discard(u.id)
            self.shoved.add(u.id)
            self.check(not (u.c.kind == "field_artillery" and not u.column), "12.2.5 guns in position", u.id)
        else:
            self.must_check[u.id] = "8.7.2"
            self.check(bool(w0.watched(a, u.side)), "8.7 not in a zone", f"{u.id} at {a}")
            self.phase_c_moved.add(u.id)
            if self.go is not None:
                self.go.withdrew.add(u.id)
                self.go.acted.add(u.id)

    def wets(self, w: World, u: Unit, a: str, b: str) -> None:
        """14.1: infantry that goes through a stream checks its cohesion, whatever makes it go."""
        if w.wades(u, a, b, u.column):
            self.must_ford.add(u.id)
            self.waded[u.id] = f"{a} -> {b} {self.where}"

    def friends_there(self, w: World, u: Unit, at: str) -> bool:
        """Are others of its side there, whose front it would take (8.2)?"""
        return any(x.id != u.id for x in w.troops(at, u.side))

    def drift_over(self, w0: World) -> None:
        """5.1.1: who was out of command and moved is nearer to its commander; 13.3.1: who did not recovers."""
        if self.go is not None and self.go.formation.startswith("D") and w0.data["phase"] == "stragglers":
            self.forgotten(w0, [u for u in w0.fighting(self.go.side) if "ooc" in u.marks], "D")
        for unit, was in self.drift.items():
            u = w0.units[unit]
            leader = w0.units[self.book.leaders[u.c.formation].id]
            if u.at and leader.at and self.go is not None and self.go.steps.get(unit, 0):
                now = distance(u.at, leader.at)
                if leader.at == self.go.began.get(leader.id):  # he may have been driven off meanwhile
                    self.check(now < was, "5.1.1 no nearer", f"{unit}: {was} -> {now}")
        self.drift = {}

    # 9: fire

    def on_fired(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """9: a shot."""
        frame = p.before["frames"][-1]
        firer, target = w0.units[frame[2][0]], w0.units[frame[2][1]]
        reaction = "reaction" if self.window is not None and p.name == "fire_dice" and frame[2][2] else ""
        self.check(firer.id == d["unit"] and firer.at == d["hex"] and target.at == d["at"], "9 shot", f"{d} {frame}")
        far = distance(firer.at, target.at)
        if firer.c.guns:
            self.check(not firer.column, "8.4 fires limbered", firer.id)
            self.check(far <= 5, "9.1 range", f"{firer.id} {far}")
            self.check(w0.sees(firer.at, target.at), "9.4.4 sight", f"{firer.id} {firer.at} -> {target.at}")
        else:
            self.check(far == 1, "9.1.1 range", f"{firer.id} {far}")
            self.check(firer.c.infantry, "9 cavalry fires", firer.id)
            if not reaction:
                self.check(firer.c.light, "9 line fires as an action", firer.id)
        ways = {toward(firer.at, target.at)} if far == 1 else w0.exits(firer.at, target.at)
        self.check(bool(ways & w0.front(firer)), "9 not in front", f"{firer.id} {FACINGS[firer.facing]} -> {target.at}")
        self.check(self.book.light(w0.turn) != "night", "15.2 fire at night", firer.id)
        self.check("out" not in firer.marks, "9.4.3 no ammunition", firer.id)
        self.check(bool(w1.units[firer.id].marks & {"low"}) or not w1.units[firer.id].at, "9.4.3 low", firer.id)
        self.check(
            ("low" in firer.marks) == (self.shots[firer.id] > 0), "9.4.3 marks", f"{firer.id} {self.shots[firer.id]}"
        )
        if self.shots[firer.id]:
            self.check(firer.id in self.has_drawn, "9.4.3 fired without the die", firer.id)
        self.has_drawn.discard(firer.id)
        self.shots[firer.id] += 1
        right = w0.fire_drm(firer, target)
        self.check(d["drm"] in right, "9.3 modifier", f"{d} on {target.id}: by the booklet {sorted(right)}")
        levels = w0.fire_levels(sum(d["dice"]) + d["drm"])
        self.check(d["levels"] == levels, "9.4 levels", str(d))
        self.suffers(w0, w1, target, levels, "9.4")
        if self.go is not None and firer.side == self.go.side and not reaction:
            self.go.fired.add(firer.id)
            self.go.attacked.add(firer.id)
            if self.go.steps.get(firer.id, 0):
                self.check(firer.c.light, "9.2.2 guns moved and fired", firer.id)
                marked = any(m[1] == firer.at for m in w0.markers)
                self.check(marked, "9.2.3 no marker", f"{firer.id} at {firer.at}")
            self.fire_target = target.id

    has_drawn: set[str] = set()

    def on_ammunition(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """9.4.3: a die before firing again."""
        unit = d["unit"]
        out = d.get("die", self.dice[0]) <= 2
        self.check("low" in w0.units[unit].marks, "9.4.3 die for a first shot", unit)
        self.check(("out" in w1.units[unit].marks) == out, "9.4.3 die", str(d))
        if not out:
            self.has_drawn = self.has_drawn | {unit}
        if self.go is not None and out:
            self.go.acted.add(unit)
            if p.name == "ammo_die" and not p.args[2]:  # 7.2: its one action was to fire, with or without a shot
                self.go.fired.add(unit)

    def suffers(self, w0: World, w1: World, u: Unit, levels: int, key: str) -> None:
        """A unit loses so many levels; the fourth is rout (13.2)."""
        now = u.level + levels
        after = w1.units[u.id]
        if now >= 4:
            self.check(not after.at, f"{key} routed", f"{u.id} {u.level} + {levels}")
        elif after.at:
            self.check(after.level == now, f"{key} suffers", f"{u.id} {u.level} + {levels} is {after.level}")
        else:
            self.say(f"{key} suffers", f"{u.id} {u.level} + {levels} is gone")

    def on_worsened(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """13.1.2: levels lost: judged with what caused them."""
        u0, u1 = w0.units[d["unit"]], w1.units[d["unit"]]
        if u1.at:
            self.check(u1.level == d["level"] and d["level"] > u0.level, "13.1.2 worse", str(d))
        if self.combat is not None and p.name in ("assault_dice", "attacker_suffers", "check_dice"):
            self.combat.lost[u0.id] = self.combat.lost.get(u0.id, 0) + d["level"] - u0.level
        if p.name in ("fall_away", "retreat"):
            self.exempt_level.add(u0.id)

    def on_routed(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """13.2: gone for good."""
        u = w0.units[d["unit"]]
        self.check(not w1.units[u.id].at, "13.2 routed", str(d))
        self.check(d.get("strength", u.c.strength) == u.c.strength, "17.1.3 strength", str(d))
        if self.combat is not None and p.name in ("assault_dice", "attacker_suffers", "check_dice"):
            row = self.combat.due.get(u.id, 4 - u.level)
            self.combat.lost[u.id] = self.combat.lost.get(u.id, 0) + max(row, 4 - u.level)
        self.broken.add(u.id)
        self.routed.add(u.id)
        self.points += u.c.strength * (1 if u.side == "garibaldini" else -1)

    def on_eliminated(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """11.3.3, 11.4.1: surrenders, or guns taken."""
        u = w0.units[d["unit"]]
        self.check(not w1.units[u.id].at, "11.3.3 eliminated", str(d))
        self.broken.add(u.id)
        self.taken += u.c.strength * (1 if u.side == "garibaldini" else -1)
        fights = [x for x in [self.combat, *self.waiting] if x is not None and not x.row and u.id in x.defenders]
        c = fights[0] if fights and p.name not in ("fall_away", "retreat", "break_off") else None
        if c is not None:  # 11.4.1: without dice
            if c in self.waiting:
                self.waiting.remove(c)
                self.earlier.append(c)
            self.check(u.c.guns, "11.4.1 who is taken without dice", u.id)
            alone = all(self.book.counters[n].guns for n in c.defenders)
            self.check(alone, "11.4.1 not alone", str(c.defenders))
            c.winner = c.side
        if p.name in ("fall_away", "retreat", "break_off"):
            fights = [x for x in [self.combat, *self.earlier] if x is not None and u.id in x.retreat]
            rear = bool(fights) and fights[0].attacker == u.id and u.id not in fights[0].went
            been = fights[0].went.get(u.id) if fights else None
            self.check(not self.retreats(w0, u, been, rear), "11.3.3 could still retreat", f"{u.id} at {u.at}")

    # 11: assault

    def on_assaults(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """11.1.1: an assault begins."""
        if p.name == "strike_back":
            self.check(self.may_strike, "12.2.3 strikes after a failed check", str(d))
        self.fight(w0, d, False, p)

    def on_charges(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """10: a charge begins."""
        u = w0.units[d["unit"]]
        self.check(u.c.cavalry, "10 who charges", u.id)
        self.check(u.side != "garibaldini", "15.4 charges", u.id)
        self.check("exhausted" not in u.marks, "10 exhausted charges", u.id)
        self.charging[u.id] = (u.facing, d["target"])
        counter = p.name == "counter_charge"
        if not counter:
            self.check(
                distance(u.at, d["target"]) >= 2 or p.name != "act", "10.1.1 a hex between", f"{u.id} {u.at} {d}"
            )
            if self.go is not None:
                self.go.attacked.add(u.id)
        path = [u.at, *self.action.get("path", ()), d["target"]]
        if self.action["do"] in ("charge", "countercharge") and p.name in ("act", "counter_charge"):
            self.ride(w0, u, path, d["target"])
        self.book_fight(w0, u, d["target"], True)

    def ride(self, w: World, u: Unit, path: list[str], target: str) -> None:
        """10.1.1, 10.1.2: a charge goes through front hexes of a front that stays, over clear ground, within the MA."""
        total = 0
        for a, b in pairwise(path):
            if not self.check(distance(a, b) == 1, "10.1 way", f"{u.id} {path}"):
                return
            turn = (toward(a, b) - u.facing) % 6
            front = turn in (0, 1, 5) or (a == u.at and w.all_round(a))
            self.check(front, "10.1.2 through its front", f"{u.id} {FACINGS[u.facing]} {path}")
            self.check(
                self.book.terrain[b] == "clear", "10.1.1 clear hexes", f"{u.id} {path}: {self.book.terrain[b]} {b}"
            )
            side = self.book.side(a, b)
            self.check(not side.water, "10.1.1 water on the way", f"{u.id} {path}")
            if side.slope:
                self.say(f"10.1.1 {side.slope} slope on the way", f"{u.id} {path}")
            total += w.cost(u, a, b, u.column) or 0
        self.check(total <= 2 * u.c.ma, "10.1 target beyond the MA", f"{u.id} {path} {total}")

    def on_exhausted(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """10.3: after a charge a unit is exhausted and may move again by its whole MA."""
        unit = d["unit"]
        self.check(unit in self.charging, "10.3 exhausted without a charge", str(d))
        self.check("exhausted" in w1.units[unit].marks, "10.3 mark", unit)
        self.charging.pop(unit, None)
        self.riding.add(unit)
        if self.go is not None:
            self.go.spent[unit] = 0
            self.go.steps[unit] = 0

    def on_charge_called_off(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """10.2.2: a charge is called off by a check that was passed."""
        self.check(self.held_back == d["unit"], "10.2.2 called off without a check", str(d))

    held_back = ""

    def book_fight(self, w0: World, u: Unit, target: str, charge: bool) -> None:
        """A combat begins, or will when the charge arrives."""
        if self.combat is not None and self.combat.winner:
            self.earlier.append(self.combat)  # a reaction in the middle of what a combat led to
        elif self.combat is not None and not self.combat.row and self.combat.attacker != u.id:
            self.waiting.append(self.combat)
        foes = [x.id for x in w0.troops(target, other(u.side))]
        self.combat = Combat(u.id, target, charge, foes, u.side)
        self.combat.start = u.at

    def fight(self, w0: World, d: dict[str, Any], charge: bool, p: Picture) -> None:
        """What is common to both."""
        u = w0.units[d["unit"]]
        target = d["target"]
        foes = w0.troops(target, other(u.side))
        self.check(bool(foes), "11.1 nobody there", str(d))
        self.check(not u.c.guns, "11 guns assault", u.id)
        self.check(distance(u.at, target) == 1, "11.1 adjacent", str(d))
        side = self.book.side(u.at, target)
        if side.water == "river" or (side.water == "stream" and u.c.cavalry):
            self.check(side.bridge and u.column, "14.1 assault over water", f"{u.id} {u.at} -> {target}")
        if p.name == "act" and self.action["do"] == "assault":
            marked = any(m[1] == u.at and self.beyond(m[1], m[2]) == target for m in w0.markers)
            self.check(marked, "7.1 assault without a marker", str(d))
            if self.go is not None:
                self.check(u.id not in self.go.fired, "9.2.3 fires and assaults", u.id)
                self.go.attacked.add(u.id)
                self.go.acted.add(u.id)
        self.book_fight(w0, u, target, charge)

    def on_fought(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """11.2: the dice of a combat."""
        c = self.combat
        if c is not None and c.attacker != d["unit"]:  # a charge that was broken into by reactions
            found = [x for x in self.waiting if x.attacker == d["unit"] and x.target == d["target"]]
            if found:
                if c.winner:
                    self.earlier.append(c)
                c = self.combat = found[-1]
                self.waiting.remove(c)
        if c is None or c.attacker != d["unit"] or c.target != d["target"]:
            charge = d["unit"] in self.charging
            self.book_fight(w0, w0.units[d["unit"]], d["target"], charge)
            c = self.combat
            assert c is not None
            self.check(charge, "11 fought what", str(d))
        u = w0.units[d["unit"]]
        c.start = u.at
        self.check(distance(u.at, c.target) == 1, "11.1 adjacent", str(d))
        right = {w0.assault_drm(u, x, c.charge) for x in w0.champions(c.target, other(u.side))}
        self.check(d["drm"] in right, "11.2 modifier", f"{d}: by the booklet {sorted(right)}")
        row = w0.assault_row(sum(d["dice"]) + d["drm"], c.charge)
        self.check(d["result"] == f"{row[0]}/{row[1]} {row[2]}", "11.2 row", f"{d} {row}")
        c.row = row
        c.lost.clear()  # 11.2: what the results cost, and not what a charge lost that was to be called off (10.2.2)
        c.defenders = [x.id for x in w0.troops(c.target, other(u.side))]
        first = row[0].isdigit() and row[1].startswith("cc") and w1.units[u.id].level != u.level
        self.check(not first, "11.2 the attacker's levels before the defender's check", f"{d}")
        for name in c.defenders:
            self.owed(w0, w1, c, w0.units[name], row[1])
        if row[0].startswith("cc"):
            c.checks[u.id] = int(row[0][2:])
        elif row[0] != "-":
            c.due[u.id] = int(row[0])
            c.level = u.level

    def owed(self, w0: World, w1: World, c: Combat, u: Unit, result: str) -> None:
        """What a result means for one unit."""
        if result.startswith("cc"):
            c.checks[u.id] = int(result[2:])
        elif result != "-":
            c.due[u.id] = int(result)
            self.suffers(w0, w1, u, int(result), "11.2")

    def on_combat_won(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """11.2: who has won; 6.2.1: what that does to the commanders."""
        c = self.combat
        if c is None:
            self.say("11 won what", str(d))
            return
        for name in c.checks:
            if w0.units[name].at and name in c.checks:
                self.say("11.2 check not made", f"{name} {c.row}")
        attacker, defender = c.side, other(c.side)
        if c.level >= 0:
            now = c.level + c.due[c.attacker]
            u = w0.units[c.attacker]
            good = not u.at if now >= 4 else bool(u.at) and u.level == now
            self.check(good, "11.2 attacker suffers", f"{c.attacker} {c.level} {c.row}")
        lost_a = c.lost.get(c.attacker, 0)
        counted = [n for n in c.defenders if not self.book.counters[n].guns]
        sums = {
            "sum": sum(c.lost.get(n, 0) for n in counted),
            "most": max((c.lost.get(n, 0) for n in counted), default=0),
        }
        if c.row and c.row[2] == "W":
            found = set()
            for lost_d in sums.values():
                found.add("nobody" if lost_a == lost_d else attacker if lost_a < lost_d else defender)
            gone_a = not w0.units[c.attacker].at
            gone_d = not any(w0.units[n].at for n in counted)
            if gone_a and gone_d:
                found = {"nobody"}
            if gone_a and not gone_d:
                found = {defender}
            elif gone_d and not gone_a:
                found = {attacker}
            self.checks["11.2 doubtful, several defenders"] += len(found) > 1
        else:
            found = {attacker if c.row and c.row[2] == "B" else defender}
        self.check(d["side"] in found, "11.2 winner", f"{d}: {c.row} {c.lost}, by the booklet {sorted(found)}")
        c.winner = d["side"]
        self.combat_morale(w0, w1, c, p)
        if c.winner == attacker:
            c.retreat = {n: 2 for n in c.defenders if w0.units[n].at}
            c.guns = {n: w0.units[n].level for n in c.retreat if self.book.counters[n].guns}
        elif c.winner == defender and w0.units[c.attacker].at:
            c.retreat = {c.attacker: 1}

    def combat_morale(self, w0: World, w1: World, c: Combat, p: Picture) -> None:
        """6.2.1: won where the other retreats, lost where one's own must."""
        expected = {n: g["morale"] for n, g in w0.data["formations"].items()}
        attackers = {self.book.counters[c.attacker].formation}
        defenders = {self.book.counters[n].formation for n in c.defenders}
        alive_d = {self.book.counters[n].formation for n in c.defenders if w0.units[n].at}
        if c.winner == c.side:
            if alive_d:
                winners, losers = attackers, alive_d
            else:
                winners, losers = set(), set()
        elif c.winner == other(c.side):
            if w0.units[c.attacker].at:
                winners, losers = defenders, attackers
            else:
                winners, losers = set(), set()
        else:
            winners, losers = set(), set()
        for n in winners:
            expected[n] = min(4, expected[n] + 1)
        for n in losers:
            expected[n] = max(-4, expected[n] - 1)
        now = {n: g["morale"] for n, g in w1.data["formations"].items()}
        self.check(now == expected, "6.2.1 morale", f"{c.winner} won, {c.row} {c.defenders}: {now} for {expected}")

    def on_morale(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """6.2.1: judged with the combat."""
        self.check(w1.data["formations"][d["formation"]]["morale"] == d["morale"], "6.2.1 told", str(d))

    def retreats(self, w: World, u: Unit, path: list[str] | None, rear: bool = False) -> set[str]:
        """11.3: where a unit may retreat to by the priorities."""
        column = u.column or u.c.guns
        been = set(path or ())
        found = []
        for n in self.book.next_to[u.at]:
            if n in been or w.troops(n, other(u.side)):
                continue
            if any(m[1] == n for m in w.markers):
                continue
            cost = w.cost(u, u.at, n, column)
            if cost is None or (u.side == "garibaldini" and n in self.book.capua):
                continue
            if rear and toward(u.at, n) in self.ahead(w, u):
                continue
            found.append((bool(w.watched(n, u.side)), w.load(n, u.side) + u.c.stacking > 5, cost, n))
        if not found:
            return set()
        best = min(found)[:3]
        return {n for *rank, n in found if tuple(rank) == best}

    def ahead(self, w: World, u: Unit) -> set[int]:
        """The hexes not behind an attacker; where all are front hexes (3.1.1), behind is away from its target."""
        c = next((x for x in [self.combat, *self.earlier] if x is not None and x.attacker == u.id), None)
        targets = [self.beyond(m[1], m[2]) for m in w.markers if m[1] == u.at and m[3] == u.id]
        if c is not None:
            targets = [c.target]
        if not w.all_round(u.at) or not targets:
            return w.front(u)
        d = toward(u.at, targets[0])
        return {(d - 1) % 6, d, (d + 1) % 6}

    def on_retreated(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """11.3: one hex of a retreat."""
        u = w0.units[d["unit"]]
        a, b = d["path"][0], d["path"][-1]
        self.control[b] = u.side
        self.moved_hexes.add(u.id)
        self.check(u.at == a and distance(a, b) == 1, "11.3 step", str(d))
        self.wets(w0, u, a, b)
        c = self.combat
        been: list[str] = []
        rear = False
        if c is not None:
            c = next((x for x in [c, *reversed(self.earlier)] if u.id in x.retreat), c)
            been = c.went.setdefault(u.id, [a])
            rear = u.id == c.attacker and len(been) == 1
        right = self.retreats(w0, u, been, rear)
        if c is not None:
            c.went[u.id].append(b)
            left = c.retreat.get(u.id, 0)
            crowded = w0.load(a, u.side) > 5
            self.check(left > 0 or crowded or len(been) > 1, "11.3 retreats too far", f"{d} {c.retreat}")
            c.retreat[u.id] = left - 1
            involved = {c.attacker, *c.defenders}
            reactors = {x.id for x in w1.watched(b, u.side)} - involved
            self.checks["11.3.6 retreats into zones"] += bool(reactors)
            counter_charge = c.charge and u.side == c.side != self.active(w0)  # 12.2.4: no reaction of the active side
            if reactors and w1.units[u.id].at == b and self.active(w0) and not counter_charge:
                self.pending = (u.id, a, b, reactors)
        if c is not None and u.id not in c.defenders and u.id != c.attacker:
            self.checks["11.4.2 guns beside an attacker go with him"] += 1
            return
        who = "attacker" if rear else "defender"
        self.check(b in right, f"11.3 priorities ({who})", f"{d} {FACINGS[u.facing]}: by the booklet {sorted(right)}")
        self.shoved.add(u.id)
        if self.go is not None:
            self.go.pushed.add(u.id)

    def on_broke_off(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """13.1.3: who loses a level in its own action may stop and retreat a hex."""
        u = w0.units[d["unit"]]
        self.wets(w0, u, d["path"][0], d["hex"])
        right = self.retreats(w0, u, [u.at]) | self.retreats(w0, u, [u.at], rear=True)
        self.control[d["hex"]] = u.side
        self.check(d["hex"] in right, "13.1.3 priorities", f"{d}: by the booklet {sorted(right)}")
        if self.go is not None:
            self.check(u.side == self.go.side, "13.1.3 whose action", u.id)
            self.go.pushed.add(u.id)
            self.go.closed.add(u.id)

    def on_advanced(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """11.1.2: the winner advances."""
        u = w0.units[d["unit"]]
        c = self.combat
        self.control[d["hex"]] = u.side
        self.moved_hexes.add(u.id)
        self.wets(w0, u, d["path"][0], d["hex"])
        if c is None:
            self.say("11.1.2 advanced when", str(d))
            return
        c = next((x for x in [c, *reversed(self.earlier)] if x.attacker == u.id and x.target == d["hex"]), c)
        self.check(u.id == c.attacker and d["hex"] == c.target, "11.1.2 advance", str(d))
        self.check(c.winner == c.side, "11.2 advances without winning", f"{d} {c.winner}")
        self.check(not w0.troops(d["hex"], other(u.side)), "11.1.2 hex not empty", str(d))
        c.went.setdefault(u.id, []).append("advanced")
        if u.id in self.charging and self.go is not None:  # 10.1: the target lies within the MA
            cost = w0.cost(u, u.at, d["hex"], u.column) or 0
            self.go.spent[u.id] = self.go.spent.get(u.id, 0) + cost
        if self.active(w0) == u.side:
            self.expect(w1, u.id, d["path"][0], d["hex"])

    def combat_done(self, w: World) -> None:
        """All that a combat led to has happened: were all retreats and the advance made?"""
        self.waiting.clear()
        if self.combat is None or not self.combat.winner:
            return
        if self.earlier:  # units that fought twice have moved on meanwhile
            self.checks["11.2 combats"] += 1 + len(self.earlier)
            self.earlier.clear()
            self.combat = None
            return
        c = self.combat
        alone = all(self.book.counters[n].guns for n in c.defenders)
        for name, level in c.guns.items():
            horse = self.book.counters[name].kind == "horse_artillery"
            due = level + (2 if c.charge else 0 if horse else 1)
            u = w.units[name]
            if alone or name in self.exempt_level:
                continue
            if u.at:
                self.check(
                    u.column and u.level == due, "11.4.2 guns that retreat", f"{name} {level} -> {u.level} {u.marks}"
                )
            else:
                self.check(due > 3 or name not in self.routed, "11.4.2 guns that retreat", f"{name} {level} gone")
        self.exempt_level.clear()
        for name, left in c.retreat.items():
            if w.units[name].at and left > 0:
                self.say("11.2 did not retreat", f"{name}: {left} hexes, {c.winner} won")
        if c.winner == c.side and w.units[c.attacker].at and "advanced" not in c.went.get(c.attacker, ()):
            at_night = self.book.light(w.turn) == "night" and w.watched(c.target, c.side)  # 15.2: nobody enters a zone
            shut_in = self.shoved & set(c.defenders) and w.troops(c.target, other(c.side))  # 11.3.1: it stays there
            if c.attacker not in self.broken and not at_night and not shut_in:
                self.say("11.1.2 did not advance", f"{c.attacker} to {c.target}, now {w.units[c.attacker].at}")
        self.checks["11.2 combats"] += 1
        self.combat = None

    # 13: checks

    def on_checked(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """13.1: a check."""
        u = w0.units[d["unit"]]
        why = d["why"]
        c = self.combat
        more, charged, rears = 0, False, {False}
        if why == "combat" and c is not None:
            more = c.checks.pop(u.id, 99)
            charged = c.charge and u.id != c.attacker
            if c.start and u.id != c.attacker:  # it is the defender who is attacked, from behind or not
                rears = {bool(w0.from_rear(u, c.start))}
        elif why == "reaction_withdrawal" and self.window is not None:
            mover = self.book.counters[self.window["unit"]]
            more = mover.ma - u.c.ma
        if (
            self.window is not None
            and why != "combat"
            and self.window["unit"] in self.charging
            and u.side != w0.units[self.window["unit"]].side
        ):
            charged = charged or self.charging[self.window["unit"]][1] in (u.at, self.came_from.get(u.id))
        if why == "reaction_withdrawal":
            self.steady.add(u.id)
        if why == "ford":
            self.check(u.id in self.must_ford, "14.1 check for nothing", str(d))
            self.must_ford.discard(u.id)
        else:
            if why in ("face", "withdrawal"):
                self.check(u.id in self.must_check, "13.1 check for nothing", str(d))
            self.must_check.pop(u.id, None)
        right = {w0.check_drm(u, more=more, charged=charged, rear=r) for r in rears}
        self.check(d["drm"] in right, f"13.1 modifier ({why})", f"{d} at {u.at}: by the booklet {sorted(right)}")
        by = sum(d["dice"]) + d["drm"] - u.ccv
        levels = w0.check_levels(by) if by > 0 else 0
        self.check(d["levels"] == levels, "13.1.2 levels", f"{d} failed by {by}")
        self.suffers(w0, w1, u, levels, "13.1")
        if why == "counter":
            self.may_strike = levels == 0
        if self.deciding == "call_off":
            self.held_back = u.id if levels == 0 else ""

    may_strike = True

    # 12: reactions

    def on_ruiz_stops(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """15.8.1: judged at every decision."""

    def on_taken(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """1.3, 16.1.3, 17.1.3: an objective is told to have changed hands: who entered it last holds it."""
        self.check(d["hex"] in self.book.printed["objectives"], "16.1.3 taken, no objective", str(d))
        there = {u.side for u in w1.units.values() if u.at == d["hex"] and not u.c.leader}
        self.check(there == {d["side"]}, "1.3 taken by nobody there", f"{d} {sorted(there)}")

    def on_shut_in(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """11.3.1, 11.3.3: only markers bar the way, which 11.3.3 does not name. The booklet does not say what then."""
        u = w0.units[d["unit"]]
        c = next((x for x in [self.combat, *self.earlier] if x is not None and u.id in x.retreat), None)
        been = [u.at] if c is None else list(c.went.get(u.id, [u.at]))  # 11.3.1: not through a hex twice
        rear = c is not None and u.id == c.attacker and len(been) == 1
        nowhere = not self.retreats(w0, u, been, rear) or not self.retreats(w0, u, been, rear=True)
        self.check(nowhere, "11.3 could retreat", f"{u.id} at {u.at}")
        self.shoved.add(u.id)
        if self.go is not None:
            self.go.pushed.add(u.id)
        if c is not None:
            c.retreat[u.id] = 0

    def on_cannot_withdraw(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """8.7: there is nowhere to go. The booklet does not say what then."""
        u = w0.units[d["unit"]]
        self.must_check[u.id] = "8.7.2"
        for n in self.book.next_to[u.at]:
            why = w0.barred(u, n, marked=False)
            # 15.2: at night nobody enters a zone, in whatever way
            open_to_it = not why or ("zone" in why and "night" not in why)
            if open_to_it and w0.cost(u, u.at, n, u.column or u.c.guns) is not None:
                self.say("8.7 could withdraw", f"{u.id} {u.at} -> {n} {why}")

    def on_nobody_reacts(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """12.1.2: a window is closed."""

    def on_over(self, w0: World, w1: World, d: dict[str, Any], p: Picture) -> None:
        """16.1.3, 17.1.3: the result."""
        held = {h: s for h, s in self.control.items() if h in self.book.printed["objectives"]}
        points = self.book.printed["objectives"]
        if self.book.scenario == "short":
            self.check(w0.turn == 8, "16.1.1 length", str(w0.turn))
            n = sum(1 for h in points if held.get(h) == "napoletani")
            g = sum(1 for h in points if held.get(h) == "garibaldini")
            winner = "napoletani" if 2 * n > len(points) else "garibaldini" if 2 * g > len(points) else ""
            self.check(d["winner"] == winner, "16.1.3 winner", f"{d}: napoletani {n}, garibaldini {g}")
        else:
            self.check(w0.turn == 15, "17.1.1 length", str(w0.turn))
            score = sum(points[h] for h in points if held.get(h) == "napoletani") + self.points
            self.check(d["score"] == score, "17.1.3 points", f"{d} for {score}, with those taken {score + self.taken}")
            score = d["score"]
            winner = "napoletani" if score >= 20 else "" if score >= 5 else "garibaldini"
            self.check(d["winner"] == winner, "17.1.3 winner", f"{d} for {score}")

    # what is owed: decisions

    def owes(
        self,
        seat: str,
        kind: str,
        about: dict[str, Any],
        offered: list[dict[str, Any]],
        complete: bool,
        refused: Callable[[dict[str, Any]], str],
    ) -> None:
        """A decision: is it owed by the right side, and is the right thing on offer?

        `refused` says why an action that is not listed may not be played; what may be played is on offer too.
        """
        w = self.world
        self.refused = refused
        self.deciding = kind
        short = {k: v for k, v in about.items() if not isinstance(v, dict)}
        self.where = f"GT {w.turn} {w.data['phase']} {kind} {short}"
        if kind != "ride_off":
            self.riding -= {
                u for u in self.riding if not any(f[0] in ("ride_off", "react", "watch") for f in w.data["frames"])
            }
        if kind in ("retreat", "dress"):
            self.settle_pending(kind)
        if kind in ("act", "activate", "declare", "stragglers", "withdrawals", "withdrawal", "set_up"):
            self.combat_done(w)
            self.settle_pending(kind)
            for unit, rule in list(self.must_check.items()):
                if w.units[unit].at:
                    self.say(f"{rule} no check", unit)
            self.must_check.clear()
            for unit in sorted(self.must_ford):
                if w.units[unit].at:
                    self.say("14.1 wades without a check", f"{unit}: {self.waded.get(unit)}")
            self.must_ford.clear()
            self.came_from.clear()
            self.window = None
        if kind in ("activate", "stragglers"):
            self.ruiz(w)
        handler = getattr(self, "owes_" + kind, None)
        if handler is not None:
            handler(w, seat, about, offered, complete)

    def owes_activate(self, w: World, seat: str, about: Any, offered: list[dict[str, Any]], complete: bool) -> None:
        """4.B2: whose attempt it is, and which formations may be tried."""
        self.check(not self.owes_coordination, "15.7 not thrown", "")
        self.owes_coordination = False
        for name in [n for n, c in self.book.leaders.items() if c.side == "garibaldini" and n not in self.sighted]:
            if self.sees_enemy(w, name):
                self.say("15.3 has seen and is not told", name)
                self.sighted.add(name)
        first = other(self.last) if self.last else self.initiative
        expected = first if self.able(w, first) else other(first)
        self.check(seat == expected, "4.B2 whose turn", f"{seat}, by the booklet {expected}")
        if seat != first:
            self.passes += 1
        self.check(w.data["passes"] == self.passes, "4.B2 passes", f"{w.data['passes']} for {self.passes}")
        self.passes = w.data["passes"]
        mine = {a["formation"] for a in offered if a["do"] == "attempt"}
        right = self.able(w, seat)
        self.check(mine == right, "6.1 formations on offer", f"{sorted(mine)} for {sorted(right)}")
        self.check(any(a["do"] == "pass" for a in offered), "4.B2 pass on offer", "")

    def owes_declare(self, w: World, seat: str, about: Any, offered: list[dict[str, Any]], complete: bool) -> None:
        """7.1: which markers may be laid."""
        go = self.go
        if go is None or not complete or w.data["row"] not in ("", "as_ordered"):
            return
        mine = {
            (a["unit"], a["at"], a["target"])
            for a in offered
            if a["do"] == "declare" and a.get("by", "assault") != "charge"
        }
        leader = self.book.leaders[go.formation]
        most = min(4, leader.command + w.near_chief(go.formation))
        self.check(about.get("left", 0) == most - len(w.markers), "7.1.1 left", f"{about} {most}")
        near: set[tuple[str, str, str]] = set()
        far: dict[tuple[str, str, str], str] = {}
        within: set[tuple[str, str, str]] = set()
        taken = {m[3] for m in w.markers}
        charged = {m[1] for m in w.markers if m[0] == "charge"}  # 7.1.2: none of the other kind there
        laid = {(m[1], self.beyond(m[1], m[2])) for m in w.markers}  # 7.1.2: another must come from another hex
        enemies = {u.at for u in w.fighting(other(seat))}
        hexes = {n for e in enemies for n in self.book.next_to[e] if not w.troops(n, other(seat))}
        for u in w.fighting(seat):
            if self.reserve.get(u.id, go.formation) != go.formation:
                continue
            if "called" in u.marks and u.id not in go.guests:  # 15.5: it has been activated by another formation
                continue
            if (
                u.c.guns
                or u.id in taken
                or (u.id not in go.guests and (u.c.formation != go.formation or "ooc" in u.marks))
            ):
                continue
            if u.at and not any(distance(u.at, e) <= 2 * u.c.ma + 1 for e in enemies):
                continue
            for column in (u.column, not u.column):
                for clear in (False, True):
                    for at, cost in self.ways_to_markers(w, u, hexes, column, clear).items():
                        for n in self.book.next_to[at]:
                            more = w.cost(u, at, n, column)
                            if n not in enemies or more is None or (at, n) in laid or at in charged:
                                continue
                            if u.side == "garibaldini" and n in self.book.capua:
                                continue
                            near.add((u.id, at, n))
                            if cost + more > 2 * u.c.ma and at != u.at:
                                continue
                            within.add((u.id, at, n))
                            if clear:
                                continue
                            far.setdefault((u.id, at, n), "" if column == u.column else ", after a change of column")
                            if cost + self.off_road(w, u, at, n, column) > 2 * u.c.ma and at != u.at:
                                far[u.id, at, n] = ", by the road into the target"
        self.checks["7.1 offers"] += len(near)
        for x in sorted(mine - near):
            if w.units[x[0]].c.formation == go.formation:
                self.say("7.1 on offer, not by the booklet", str(x))
        for x in sorted(set(far) - mine):
            u = w.units[x[0]]
            why = self.refused({"do": "declare", "unit": x[0], "at": x[1], "target": x[2]})
            if not why:
                continue
            self.say(
                f"7.1 by the booklet, not on offer{far[x]}", f"{x} at {u.at} {u.column} {u.c.ma} {w.markers} {why}"
            )
        for x in sorted((near - within) & mine)[:1]:
            self.say("11.1 target beyond the MA", str(x))

    def off_road(self, w: World, u: Unit, a: str, b: str, column: bool) -> int:
        """What a step costs without the road."""
        row = (2 if u.c.cavalry else 0) + column
        total = self.book.tables["terrain"][self.book.terrain[b]][row]
        side = self.book.side(a, b)
        if side.slope:
            total += self.book.tables["hexside"].get(f"{side.slope}_{'up' if side.up == b else 'down'}", [0] * 6)[row]
        return int(total)

    def into(self, w: World, u: Unit, a: str, b: str) -> int | None:
        """What it would cost a unit to enter the hex that it attacks, None where it never could."""
        if u.side == "garibaldini" and b in self.book.capua:
            return None
        costs = [w.cost(u, a, b, column) for column in (False, True)]
        found = [c for c in costs if c is not None]
        return min(found) if found else None

    def ways_to_markers(self, w: World, u: Unit, hexes: set[str], column: bool, clear: bool) -> dict[str, int]:
        """The marker hexes that a unit could enter if a marker lay there, with the least cost.

        `clear` supposes that friends who stand in the way go first (7.1.3: during the phase that follows).
        """
        best: dict[str, int] = {}
        if u.at in hexes:
            best[u.at] = 0
        here = {u.at: 0}
        queue = [(0, u.at)]
        while queue:
            queue.sort()
            so_far, at = queue.pop(0)
            if so_far > here[at]:
                continue
            for n in self.book.next_to[at]:
                c = w.cost(u, at, n, column, clear)
                if c is None or w.troops(n, other(u.side)) or (u.side == "garibaldini" and n in self.book.capua):
                    continue
                if not clear and w.load(n, u.side) + u.c.stacking > 5:
                    continue
                total = so_far + c
                if total > 2 * u.c.ma and so_far:
                    continue
                total = min(total, 2 * u.c.ma)
                if w.watched(n, u.side):
                    if n in hexes:
                        best[n] = min(total, best.get(n, 999))
                    if not clear or not any(m[1] == n for m in w.markers):
                        continue  # whoever enters a zone must attack from there (7.1)
                elif n in hexes:
                    best[n] = min(total, best.get(n, 999))
                if total < here.get(n, 999):
                    here[n] = total
                    queue.append((total, n))
        return best

    def owes_act(self, w: World, seat: str, about: Any, offered: list[dict[str, Any]], complete: bool) -> None:
        """7, 8, 9, 11: single steps, shots and assaults of every unit that may act."""
        go = self.go
        if go is None or not complete:
            return
        self.offers(
            w,
            seat,
            offered,
            [u for u in w.fighting(seat) if u.c.formation == go.formation and "ooc" not in u.marks],
            go,
        )

    def owes_stragglers(self, w: World, seat: str, about: Any, offered: list[dict[str, Any]], complete: bool) -> None:
        """5.1.1: those out of command."""
        if self.go is None or self.go.formation != "D" + seat:
            self.drift_over(w)
            self.go = Turn(w, "D" + seat, seat)
            self.drift = {
                u.id: distance(u.at, w.units[self.book.leaders[u.c.formation].id].at)
                for u in w.fighting(seat)
                if "ooc" in u.marks and w.units[self.book.leaders[u.c.formation].id].at
            }
        self.check(w.data["phase"] == "stragglers", "4.D phase", w.data["phase"])
        if complete:
            self.retiring(w, seat, offered, [u for u in w.fighting(seat) if "ooc" in u.marks], "8.7.D")

    def owes_withdrawals(self, w: World, seat: str, about: Any, offered: list[dict[str, Any]], complete: bool) -> None:
        """4.C: units of formations that were not activated withdraw from enemy zones."""
        idle = [u for u in w.fighting(seat) if "ooc" not in u.marks and u.c.formation not in self.activated]
        if complete:
            self.retiring(w, seat, offered, idle, "8.7.C")

    def retiring(self, w: World, seat: str, offered: list[dict[str, Any]], units: list[Unit], rule: str) -> None:
        """4.C, 5.1.1: who must withdraw, and where to."""
        to: dict[str, set[str]] = {}
        moves: set[str] = set()
        for a in offered:
            if a["do"] == "withdraw":
                to.setdefault(a["unit"], set()).update([a["to"]] if a.get("to") else ())
            elif a["do"] == "move":
                moves.add(a["unit"])
        due = {u.id for u in units if w.watched(u.at, u.side) and not u.marks & {"withdrew", "called"}}
        due = {x for x in due if self.book.counters[x].formation not in self.stayed}  # 15.2: they stay where they are
        self.checks[f"{rule} who"] += 1
        for x in sorted(set(to) - due):
            self.say(f"{rule} withdraws, not by the booklet", f"{x} at {w.units[x].at}")
        for x in sorted(due):
            self.withdrawals(w, w.units[x], to.get(x, set()), "", rule)
            if x in moves and x not in self.go_acted():
                self.say("5.1.1 in a zone and may move", f"{x} at {w.units[x].at}")

    def go_acted(self) -> set[str]:
        """Who has acted in this phase."""
        return self.go.acted if self.go is not None else set()

    def offers(self, w: World, seat: str, offered: list[dict[str, Any]], units: list[Unit], go: Turn) -> None:
        """What is on offer to units that may act, against what the booklet lets them do."""
        if w.data["row"] not in ("", "as_ordered"):
            return
        come = w.data["mover"]
        if come and w.units[come].at in go.entered.get(come, ()):
            here = w.units[come].at
            if w.watched(here, seat) or self.aimed(w, w.units[come]):
                units = [u for u in units if u.id == come]  # 7.1: whoever has come to a marker attacks now
        if come and come in go.in_zone and come in go.acted and not go.steps.get(come):
            units = [u for u in units if u.id == come]  # 7, 3.2: its action is begun, and it has yet to leave
        steps: dict[str, set[str]] = {}
        shots: dict[str, set[str]] = {}
        fights: dict[str, set[str]] = {}
        for a in offered:
            unit = a.get("unit", "")
            if a["do"] == "move":
                steps.setdefault(unit, set()).add(a["path"][0])
            elif a["do"] == "fire":
                shots.setdefault(unit, set()).add(a["target"])
            elif a["do"] == "assault":
                fights.setdefault(unit, set()).add(a["target"])
        for u in units:
            mover = w.data["mover"] == u.id
            if not mover and (u.id in go.closed or u.id in go.acted):
                continue
            if u.id in go.pushed or u.id in go.attacked or self.reserve.get(u.id, go.formation) != go.formation:
                continue
            if u.c.formation == "NR":  # 15.8.1 sends it one way
                continue
            spent = go.spent.get(u.id, 0) if mover else 0
            taken = go.steps.get(u.id, 0) if mover else 0
            left = 2 * u.c.ma - spent
            right = set()
            halted = taken and bool(w.watched(u.at, u.side))
            for n in self.book.next_to[u.at]:
                if w.barred(u, n) or (u.c.guns and not u.column):
                    continue
                c = w.cost(u, u.at, n, u.column)
                if c is None or (c > left and taken):
                    continue
                right.add(n)
            mine = steps.get(u.id, set())
            self.checks["8 steps on offer"] += len(right)
            for n in sorted(mine - right)[:2]:
                self.say(
                    "8 step on offer, not by the booklet",
                    f"{u.id} {u.at} -> {n}: {w.barred(u, n)} left {left} of {u.c.ma}, column {u.column}",
                )
            bound = any(m[3] == u.id and not w.data["fulfilled"] >> i & 1 for i, m in enumerate(w.markers))
            if not halted and not bound:  # 7.1.4: who is named for a marker goes there
                for n in sorted(right - mine):
                    why = self.refused({"do": "move", "unit": u.id, "path": [n]})
                    if not why:
                        continue
                    if why.startswith("7.1.4"):  # it must carry out an attack that nobody else can
                        self.checks["7.1.4 held to a marker"] += 1
                        continue
                    if u.at in go.entered.get(u.id, ()):
                        if self.aimed(w, u):
                            self.checks["7.1 those at whom the marker points are still there"] += 1
                            continue
                        self.say("12.2.5 may not go on though the zone is gone", f"{u.id} {u.at} -> {n}: {why}")
                        continue
                    if w.watched(n, u.side) and all(m[0] == "charge" for m in w.markers if m[1] == n):
                        self.checks["3.1.2 a charge's hex is for charging"] += 1
                        continue
                    if u.c.guns and w.watched(n, u.side):
                        self.say("3.1.2 guns may not enter a marker's hex", f"{u.id} {u.at} -> {n}")
                        continue
                    self.say(
                        "8 step by the booklet, not on offer",
                        f"{u.id} {u.at} -> {n} left {left}, column {u.column}, {taken} steps: {why}",
                    )
            self.shot_offers(w, u, shots.get(u.id, set()), taken)
            want = {self.beyond(m[1], m[2]) for m in w.markers if m[1] == u.at and m[0] == "assault" and not u.c.guns}
            want = {t for t in want if w.troops(t, other(u.side)) and self.into(w, u, u.at, t) is not None}
            may = want
            if u.id in go.in_zone and not taken:  # 3.2: a hex from which the zone comes, when it began or now
                now = {x.at for x in w.watched(u.at, u.side)}
                may, want = want & (now | set(go.in_zone[u.id])), want & now & set(go.in_zone[u.id])
            mine = fights.get(u.id, set())
            self.checks["11 assaults on offer"] += len(want)
            for t in sorted(mine - may):
                self.say("11 assault on offer, not by the booklet", f"{u.id} {u.at} -> {t}")
            for t in sorted(want - mine) if not mine else ():
                why = self.refused({"do": "assault", "unit": u.id, "target": t})
                if not why:
                    continue
                self.say("11 assault by the booklet, not on offer", f"{u.id} {u.at} -> {t}, {taken} steps {why}")

    def aimed(self, w: World, u: Unit) -> bool:
        """7.1: are those there at whom a marker in the hex of a unit points?"""
        aims = [self.beyond(m[1], m[2]) for m in w.markers if m[1] == u.at and m[0] == "assault"]
        return any(w.troops(at, other(u.side)) for at in aims)

    def shot_offers(self, w: World, u: Unit, mine: set[str], taken: int) -> None:
        """9: at what a unit may fire as an action; it may turn first (9.2.2)."""
        right: set[str] = set()
        if "out" in u.marks or self.book.light(w.turn) == "night":
            right = set()
        elif u.c.light:
            if not taken or any(m[1] == u.at for m in w.markers):
                right = {n for n in self.book.next_to[u.at] if w.troops(n, other(u.side))}
        elif u.c.guns and not u.column and not taken:
            foes = {x.at for x in w.fighting(other(u.side))}
            right = {f for f in foes if distance(f, u.at) <= 5 and w.sees(u.at, f)}
        self.checks["9 shots on offer"] += len(right)
        for t in sorted(mine - right)[:2]:
            self.say("9 shot on offer, not by the booklet", f"{u.id} {u.at} -> {t}, column {u.column}, {taken} steps")
        for t in sorted(right - mine):
            if w.watched(u.at, u.side) or (
                self.go is not None and u.id in self.go.in_zone
            ):  # 3.2: attacks what projects the zone, or leaves
                break
            ways = [{"do": "fire", "unit": u.id, "target": t}]
            ways += [{**ways[0], "facing": f} for f in FACINGS]
            said = [self.refused(way) for way in ways]
            if "" in said:
                continue
            if any(why.startswith("7.1.4") for why in said):  # it must carry out an attack that nobody else can
                self.checks["7.1.4 held to a marker"] += 1
                continue
            self.say(
                "9 shot by the booklet, not on offer",
                f"{u.id} {u.at} {FACINGS[u.facing]} -> {t}, column {u.column}, {taken} steps, {u.c.kind} {set(said)}",
            )

    def owes_break_off(self, w: World, seat: str, about: Any, offered: list[dict[str, Any]], complete: bool) -> None:
        """13.1.3: it may stop and retreats a hex, by the priorities of 11.3."""
        u = w.units[w.data["frames"][-1][2][0]]
        mine = {a["to"] for a in offered if a["do"] == "breakoff" and a.get("to")}
        any_way, behind = self.retreats(w, u, [u.at]), self.retreats(w, u, [u.at], rear=True)
        if complete and mine:
            self.check(
                mine in (any_way, behind), "13.1.3 on offer", f"{u.id} {u.at}: {sorted(mine)}, {any_way}, {behind}"
            )

    def owes_call_off(self, w: World, seat: str, about: Any, offered: list[dict[str, Any]], complete: bool) -> None:
        """10.2.2: a charge may be called off once it stands at its marker and all have reacted."""
        self.settle_pending("call_off")
        frame = w.data["frames"][-1]
        u = w.units[frame[2][0]]
        self.check(any(m[0] == "charge" and m[1] == u.at for m in w.markers), "10.2.2 not at its marker", u.id)

    def owes_retreat(self, w: World, seat: str, about: Any, offered: list[dict[str, Any]], complete: bool) -> None:
        """11.3: where to."""
        frame = w.data["frames"][-1]
        u = w.units[frame[2][0]]
        c = self.combat
        been: list[str] = [u.at]
        rear = False
        if c is not None:
            c = next((x for x in [c, *reversed(self.earlier)] if u.id in x.retreat), c)
            been = list(c.went.get(u.id, [u.at]))
            rear = u.id == c.attacker and len(been) == 1
        if c is None or u.id not in c.retreat:  # guns that go with an attacker (11.4.2)
            return
        right = self.retreats(w, u, been, rear)
        mine = {a["to"] for a in offered if a["do"] == "retreat" and a.get("to")}
        self.check(seat == u.side, "11.3 whose retreat", str(about))
        self.check(
            mine == right,
            "11.3 on offer",
            f"{u.id} at {u.at} {FACINGS[u.facing]} {been}: {sorted(mine)} for {sorted(right)}",
        )

    def owes_react(self, w: World, seat: str, about: Any, offered: list[dict[str, Any]], complete: bool) -> None:
        """12: who may react, and how."""
        frame = w.data["frames"][-1]
        unit, trigger, at, shot, spent = frame[2][:5]
        mover = w.units[unit]
        fresh = not spent
        self.check(seat == other(mover.side), "12.1 whose reaction", f"{seat} {about}")
        self.check(w.data["phase"] == "activation", "12.1 a reaction outside the activations", w.data["phase"])
        if trigger == "leave":
            self.asked_leave.add((unit, mover.at, at))
            reactors = {
                x.id for x in w.watched(mover.at, mover.side) if at not in self.book.next_to[x.at] or w.shut(at)
            }
        elif trigger == "rescue":
            self.rescue(w, mover, at, set(spent), offered, complete)
            self.window = {"unit": unit, "trigger": trigger}
            return
        elif trigger == "fire":
            reactors = {self.fire_target} if fresh and self.fire_target else set()
        else:
            reactors = {x.id for x in w.watched(mover.at, mover.side)}
            if self.pending is not None and self.pending[0] == unit:
                self.pending = None
        self.window = {"unit": unit, "trigger": trigger}
        reactors -= set(spent)
        if not complete:
            return
        ways: dict[str, set[str]] = {}
        for a in offered:
            if a.get("unit"):
                ways.setdefault(a["unit"], set()).add(a["do"])
        mine = set(ways)
        if trigger == "fire" and not reactors:
            reactors = mine
        self.checks["12.1 reactors on offer"] += 1
        for x in sorted(mine - reactors):
            self.say(
                f"12.1 may react, not by the booklet ({trigger})",
                f"{x} at {w.units[x].at} to {unit} at {mover.at} -> {at}",
            )
        for x in sorted(reactors - mine):
            self.say(
                f"12.1 may not react, but by the booklet ({trigger})",
                f"{x} at {w.units[x].at} to {unit} at {mover.at} -> {at}",
            )
        for x in sorted(mine & reactors):
            to = {a["to"] for a in offered if a["do"] == "withdraw" and a["unit"] == x and a.get("to")}
            self.withdrawals(w, w.units[x], to, mover.at, "12.2.5")
            self.kinds(w, w.units[x], mover, trigger, shot, ways[x])

    def rescue(
        self, w: World, mover: Unit, at: str, spent: set[str], offered: list[dict[str, Any]], complete: bool
    ) -> None:
        """11.4.1: friends next to guns that are alone may fire, counter-charge or counter-attack first."""
        side = other(mover.side)
        near = {u.id for n in self.book.next_to[at] for u in w.troops(n, side)} - spent
        mine = {a["unit"] for a in offered if a.get("unit")}
        kinds = {a["do"] for a in offered} - {"hold"}
        if not complete:
            return
        self.checks["11.4.1 rescue"] += 1
        for x in sorted(mine - near):
            self.say("11.4.1 rescues, not next to the guns", f"{x} at {w.units[x].at}, guns {at}")
        self.check(kinds <= {"shoot", "counter", "countercharge"}, "11.4.1 other reactions", str(sorted(kinds)))
        for x in sorted(near - mine):
            u = w.units[x]
            far = distance(u.at, mover.at)
            if u.column or far != 1 or u.c.guns:
                continue
            if self.into(w, u, u.at, mover.at) is not None:
                self.say("11.4.1 may not rescue", f"{x} at {u.at}, guns {at}, {mover.id} at {mover.at}")

    def withdrawals(self, w: World, u: Unit, mine: set[str], away: str, rule: str) -> None:
        """8.7: the hexes to which a unit may withdraw; from whoever causes it, where somebody does."""
        free, zoned = set(), set()
        for n in self.book.next_to[u.at]:
            why = w.barred(u, n, marked=False)
            if (why and "zone" not in why) or w.cost(u, u.at, n, u.column or u.c.guns) is None:
                continue
            if "night" in why:  # 15.2: nobody enters a zone, in whatever way
                continue
            if away and distance(n, away) <= distance(u.at, away):
                continue
            (zoned if w.watched(n, u.side) else free).add(n)
        self.checks[f"{rule} where to"] += 1
        if u.c.kind == "field_artillery" and not u.column and rule == "12.2.5":
            return
        right = free or zoned
        if mine != right:
            what = "" if mine == free | zoned else " otherwise"
            self.say(
                f"{rule} where to{what}",
                f"{u.id} {u.at}: {sorted(mine)}, out of zones {sorted(free)}, in zones {sorted(zoned)}",
            )

    def kinds(self, w: World, x: Unit, mover: Unit, trigger: str, shot: list[str], ways: set[str]) -> None:
        """12.2: what one unit may do."""
        far = distance(x.at, mover.at)
        right = {"face"}
        night = self.book.light(w.turn) == "night"
        if not x.c.cavalry and not night and "out" not in x.marks and not (x.c.guns and x.column) and x.at not in shot:
            near = far == 1 if x.c.infantry else far <= 5 and w.sees(x.at, mover.at)
            outs = {toward(x.at, mover.at)} if far == 1 else w.exits(x.at, mover.at)
            if near and outs & w.front(x):
                right.add("shoot")
        if not x.c.guns and far == 1 and self.into(w, x, x.at, mover.at) is not None:
            side = self.book.side(x.at, mover.at)
            if side.water != "river" or (side.bridge and x.column):
                right.add("counter")
        if not (x.c.kind == "field_artillery" and not x.column):
            for n in self.book.next_to[x.at]:
                why = w.barred(x, n, marked=False)
                if "night" in why:  # 15.2: nobody enters a zone, in whatever way
                    continue
                if (not why or "zone" in why) and w.cost(x, x.at, n, x.column or x.c.guns) is not None:
                    if distance(n, mover.at) <= far:
                        continue
                    right.add("withdraw")
                    at = n
        if x.c.cavalry and x.side != "garibaldini" and "exhausted" not in x.marks and "countercharge" in ways:
            right.add("countercharge")  # its way is judged when it is ridden
        if far == 1 and x.c.cavalry and x.side != "garibaldini" and "exhausted" not in x.marks:
            side = self.book.side(x.at, mover.at)
            clear = self.book.terrain[mover.at] == "clear" and not side.water and not side.slope
            if clear and toward(x.at, mover.at) in around(x.facing):
                right.add("countercharge")
        if (x.c.guns and trigger != "retreat") or (
            trigger == "fire" and x.column
        ):  # 8.4 in any reaction, 12.1(1) under fire
            right.add("change")
        self.checks["12.2 kinds on offer"] += 1
        for k in sorted(ways - right):
            self.say(
                f"12.2 {k} on offer, not by the booklet ({trigger})",
                f"{x.id} {x.at} {FACINGS[x.facing]} against {mover.id} {mover.at}",
            )
        for k in sorted(right - ways):
            why = self.refused({"do": k, "unit": x.id, **({"to": at} if k == "withdraw" else {})})
            self.say(
                f"12.2 {k} by the booklet, not on offer ({trigger})",
                f"{x.id} {x.at} {FACINGS[x.facing]} against {mover.id} {mover.at} {sorted(x.marks)} {why}",
            )
