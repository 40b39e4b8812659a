"""2.2: all counters of a scenario in columns and sets, by formation, division, regiment, force, kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from fronte.engine.pack import PackError
from fronte.games.caporetto import counters
from fronte.games.caporetto.counters import (
    ARTILLERY,
    CAVALRY,
    ENGINEER,
    FLAMETHROWER,
    GERMAN,
    HEADQUARTERS,
    NATIONS,
    ROMMEL,
    Counter,
)
from fronte.games.caporetto.scenarios import Scenario
from fronte.games.caporetto.tables import Tables
from fronte.games.caporetto.terrain import SIDES
from fronte.games.common.printed import Printed
from fronte.hexes import bits, mask_of

NO_ONE = -1
"""In place of a formation, a division or a regiment."""


class Formation(NamedTuple):
    """2.2.3: a formation, with its headquarters and its units; its number is its place in `formations`."""

    id: str
    side: int
    force: int
    nation: int
    corps: str
    division: int
    """Its place in `divisions`; NO_ONE for none (7.9, 18.8)."""
    hq: int
    initiative: int
    command: int
    members: tuple[int, ...]
    """Its units, the generic companies of its battalions among them."""
    mask: int


class Roster(Printed):
    """The counters by their numbers. Sets of units are integers: bit n is unit n."""

    counters: tuple[Counter, ...]
    tables: Tables
    scene: Scenario

    def enrol(self) -> None:
        """Work out all columns and sets, when the counters are read."""
        self._columns()
        self._formations()
        self._masks()

    def _columns(self) -> None:
        """What is asked of units again and again, by their numbers."""
        found = self.counters
        self.side = [c.side for c in found]
        self.force = [self._force(c) for c in found]
        self.nation = [c.nation for c in found]
        self.foot = [c.kind.foot for c in found]
        self.morale = [c.morale for c in found]
        self.points = [c.ma for c in found]
        """3.0: movement allowance in quarters of a point; of guns in movement mode."""
        self.quarters = [c.quarters for c in found]
        """11.1: battalion-equivalents in quarters; of guns in movement mode."""
        self.full_steps = [c.steps for c in found]
        self.cf = [tuple(face.cf for face in c.faces) for c in found]
        self.mg = [tuple(face.mg for face in c.faces) for c in found]
        """By unit and steps lost, strength in assault and in fire."""
        self.factor, self.range = [c.factor for c in found], [c.range for c in found]
        self.gun_class = [c.kind.gun for c in found]
        self.parent = [self.number[c.parent] if c.parent else NO_ONE for c in found]
        """21.10: of generic companies their battalion;"""
        self.companies_of: dict[int, tuple[int, ...]] = {}
        """and of German battalions the companies they can detach."""
        for u, parent in enumerate(self.parent):
            if parent >= 0:
                self.companies_of[parent] = (*self.companies_of.get(parent, ()), u)
        self.free_kind = [_free_kind(c) for c in found]
        """11.5: the kind of company, as a bit, to which each belongs and of which one stacks free; 0 for none."""
        self.surrender_value = [self._surrender_value(c) for c in found]
        """23.1: steps for each unit that surrenders."""

    def _force(self, c: Counter) -> int:
        try:
            return self.scene.force(c.side, c.wing)
        except PackError as wrong:
            raise PackError("units.csv", c.line, f"unit {c.id}: {wrong.why}") from None

    def _surrender_value(self, c: Counter) -> int:
        number = self.tables.number
        if c.kind.branch == ARTILLERY:
            return number("victory", "gun")
        if c.kind.branch in (FLAMETHROWER, HEADQUARTERS):
            return 0
        if c.kind.branch == CAVALRY:
            return number("victory", "cavalry")
        return number("victory", "company" if c.size == counters.COMPANY else "battalion")

    def _formations(self) -> None:
        """2.2.3, 7.9, 11.1: formations, divisions and regiments in the order of units.csv."""
        found = self.counters
        pairs = dict.fromkeys((c.side, c.division) for c in found if c.division)
        self.divisions = tuple(pairs)
        """Side and number of each; the divisions that are printed on a counter of the scenario."""
        self.division = [self.divisions.index((c.side, c.division)) if c.division else NO_ONE for c in found]
        self.regiments = tuple(dict.fromkeys(c.regiment for c in found if c.regiment))
        self.regiment = [self.regiments.index(c.regiment) if c.regiment else NO_ONE for c in found]
        made = []
        for hq, c in enumerate(found):
            if c.is_hq:
                members = tuple(u for u, o in enumerate(found) if o.is_combat and o.formation == c.formation)
                made.append(
                    Formation(
                        c.formation,
                        c.side,
                        self.force[hq],
                        c.nation,
                        c.corps,
                        self.division[hq],
                        hq,
                        c.initiative,
                        c.command,
                        members,
                        mask_of(members),
                    )
                )
        self.formations = tuple(made)
        self.formation_ids = [one.id for one in made]
        names = {f.id: number for number, f in enumerate(made)}
        self.formation_of = [names.get(c.formation, NO_ONE) if c.formation else NO_ONE for c in found]
        """By unit its formation, of a headquarters its own; NO_ONE for independents and guns."""
        self.formations_of_division = tuple(
            tuple(n for n, f in enumerate(made) if f.division == division) for division in range(len(self.divisions))
        )
        self.formations_of_force = tuple(
            tuple(n for n, f in enumerate(made) if f.force == force) for force in range(len(self.scene.forces))
        )
        self.rommel = names.get(ROMMEL, NO_ONE)
        """21.6: the formation that is made of companies in play."""

    def formation_number(self, name: str) -> int:
        """The formation with this name; PackError if it is not in the scenario."""
        for number, formation in enumerate(self.formations):
            if formation.id == name:
                return number
        raise PackError("scenarios.toml", None, f"there is no formation {name} in this scenario")

    def _masks(self) -> None:
        """Sets of units, as integers."""
        which = self._which
        self.combat = which(lambda c: c.is_combat)
        self.guns = which(lambda c: c.is_gun)
        numbers = tuple(bits(self.guns))
        self.gun_places: Callable[[list[int]], Any] = itemgetter(*numbers) if numbers else len
        """Where all guns are, out of where all units are."""
        self.groups = which(lambda c: c.is_group)
        """18.9."""
        self.hqs = which(lambda c: c.is_hq)
        self.generic = which(lambda c: c.is_generic)
        """21.10."""
        self.independents = which(lambda c: c.is_combat and not c.formation)
        """2.2.3."""
        self.german = which(lambda c: c.nation == GERMAN)
        self.mountain = which(lambda c: c.is_combat and c.kind.mountain)
        self.infiltration = which(lambda c: c.kind.infiltration)
        """21.5."""
        self.superior = which(lambda c: c.kind.infiltration and c.nation == GERMAN)
        """21.5.4."""
        self.assaulting = which(lambda c: c.kind.assaults)
        """10.2.1: those that may assault."""
        self.engineers = which(lambda c: c.kind.branch == ENGINEER)
        self.pontoons = which(lambda c: c.kind.pontoon)
        self.flamethrowers = which(lambda c: c.kind.branch == FLAMETHROWER)
        self.machine_guns = which(lambda c: c.kind.branch == counters.MACHINE_GUN)
        self.cavalry = which(lambda c: c.kind.branch == CAVALRY)
        self.wheeled = which(lambda c: c.kind.branch == counters.BICYCLE or counters.MOTORISED in c.traits)
        """21.8."""
        self.zoc_makers = self.combat & ~self.flamethrowers
        """3.0."""
        self.companies = which(lambda c: c.size == counters.COMPANY)
        """3.0: generic ones among them."""
        self.uncounted = self.machine_guns if self.option["mg_stacking"] == "all-free" else 0
        """11.5: those that take no room at all, by option."""
        self.rommel_companies = which(lambda c: c.kind.rommel and not c.is_generic)
        self.can_detach = which(lambda c: c.can_detach)
        self.of_side = _sets(self.side, len(SIDES))
        self.of_force = _sets(self.force, len(self.scene.forces))
        self.of_nation = _sets(self.nation, len(NATIONS))
        self.of_division = _sets(self.division, len(self.divisions))
        self.of_regiment = _sets(self.regiment, len(self.regiments))
        names = [c.kind.name for c in self.counters]
        self.of_class = {
            name: mask_of(u for u, one in enumerate(names) if one == name) for name in dict.fromkeys(names)
        }
        """By the abbreviations of tables.toml."""
        self.detachers = tuple([tuple(bits(self.can_detach & mask)) for mask in self.of_force])
        """21.10.e3: by force the battalions that can have detached companies."""
        self.of_branch = _sets([c.kind.branch for c in self.counters], len(counters.BRANCHES))
        self._guns_for = tuple([self._serving(formation) for formation in range(len(self.formations))])

    def _which(self, is_one: Callable[[Counter], bool]) -> int:
        return mask_of(u for u, c in enumerate(self.counters) if is_one(c))

    def guns_for(self, formation: int) -> int:
        """18.8, 18.9.2, 24.9.2: the guns that may serve a formation: those of its division, corps guns of its force.

        Groups of a corps serve their corps alone.
        """
        return self._guns_for[formation]

    def _serving(self, formation: int) -> int:
        found = 0
        one = self.formations[formation]
        if one.id in self.scene.without_guns:
            return 0
        for u in bits(self.guns & self.of_force[one.force]):
            c = self.counters[u]
            if self.division[u] >= 0:
                fits = self.division[u] == one.division
            else:
                fits = not c.is_group or c.corps == one.corps
            found |= fits << u
        return found


def _free_kind(c: Counter) -> int:
    """11.5: the first of machine guns, mountain infantry and infiltrators; it counts for companies only."""
    kinds = c.kind.branch == counters.MACHINE_GUN, c.kind.mountain, c.kind.infiltration
    return 1 << kinds.index(True) if True in kinds else 0


def _sets(column: Sequence[int], size: int) -> tuple[int, ...]:
    """For each number of a column the set of units that have it."""
    return tuple(mask_of(u for u, n in enumerate(column) if n == number) for number in range(size))
