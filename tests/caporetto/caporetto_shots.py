"""An empty board of Caporetto for tests of fire: units put where they are wanted, hexes found by what is in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from caporetto_packs import printed

from fronte.games.caporetto.artillery import PARTS
from fronte.games.caporetto.printed import UNMADE, CaporettoPrinted
from fronte.games.caporetto.state import State, begin, put
from fronte.hexes import bits

FOG, RAIN, CLEAR = 1, 2, 5
"""24.11: turns with such weather; the first has blizzards too."""
GUNS = ("light", "medium", "heavy", "bombarda")


class Field:
    """The historical campaign with nobody on the map."""

    rules: CaporettoPrinted

    def __init__(self, turn: int = CLEAR) -> None:
        self.rules = self.ruleset()
        self.state: State = begin(self.rules, b"s")
        for unit, h in enumerate(self.state.at):
            if h >= 0:
                put(self.rules, self.state, unit, UNMADE)
        self.state.turn = turn
        self.used: set[int] = set()

    def ruleset(self) -> CaporettoPrinted:
        return printed("historical")

    def hex(self, name: str) -> int:
        return self.rules.grid.index[name]

    def put(self, unit: int, h: int) -> int:
        put(self.rules, self.state, unit, h)
        self.used.add(unit)
        return unit

    def gun(self, kind: str, side: int, h: int, group: bool = False, division: bool | None = None) -> int:
        """A gun of a class, put in a hex; of a division or of a corps, if it is asked for."""
        rules = self.rules
        pool = rules.guns & rules.of_side[side] & (rules.groups if group else ~rules.groups)
        return self.put(
            next(
                u
                for u in bits(pool)
                if u not in self.used
                and rules.gun_class[u] == GUNS.index(kind)
                and division in (None, rules.division[u] >= 0)
            ),
            h,
        )

    def unit(self, side: int, h: int, fits: Callable[[int], bool] = lambda _: True, mask: int = -1) -> int:
        """A combat unit with a formation, put in a hex."""
        rules = self.rules
        pool = rules.zoc_makers & ~rules.generic & rules.of_side[side] & mask
        return self.put(next(u for u in bits(pool) if u not in self.used and fits(u)), h)

    def with_mg(self, side: int, h: int, factor: int) -> int:
        """A unit with so many machine guns."""
        return self.unit(side, h, lambda u: self.rules.mg[u][0] == factor and not self.rules.cavalry >> u & 1)

    def hexes(self, fits: Callable[[int], bool]) -> Iterator[int]:
        """The hexes in play of which something is true, those at the edge of the map left out."""
        inner = self.rules.ground.extent & ~self.rules.grid.edge
        return (h for h in bits(inner) if fits(h))

    def plain(self) -> int:
        """Ground that gives nothing to anybody: open hexes of one level without trench, place or road, never in fog."""
        rules, ground = self.rules, self.rules.ground
        odd = ground.woods | ground.towns | ground.villages | ground.trench[0] | ground.trench[1] | ground.high
        odd |= ground.observers | rules.blind[FOG]
        for h in self.hexes(lambda h: not odd >> h & 1):
            around = rules.grid.adjacent[h]
            if all(not odd >> n & 1 and ground.level[n] == ground.level[h] for n in around):
                ways = [way for near in (h, *around) for way, _ in ground.ways_from(near)]
                if not any(ground.water[way] or ground.cliff[way] or ground.crest[way] for way in ways):
                    return h
        raise AssertionError("no such hex")


def parts(factors: float) -> int:
    """Factors as they are counted."""
    found = factors * PARTS
    assert found == int(found)
    return int(found)
