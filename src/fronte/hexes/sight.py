"""Lines of sight over the hexes of a grid.

What blocks is said once, when the board is read; what stands in the way for the moment is given with the question. The
hexes at the ends of a line never block it, and between neighbours nothing does. A line of one shape is traced once, and
from where it is free over the ground is worked out for the whole board at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from fronte.hexes.grid import STEPS, Grid
from fronte.hexes.line import CENTRE, Point, Step, way
from fronte.hexes.mask import bits, mask_of
from fronte.hexes.plane import Plane, back

MOST_KEPT = 1 << 16
"""So many masks of hexes between two others are kept; then they are let go and made anew."""


class Reach(NamedTuple):
    """How far one sees: so many hexes, `lift` more for each level above what is looked at, but then at most `most`."""

    hexes: int
    lift: int = 0
    most: int = 0

    def allows(self, distance: int, drop: int) -> bool:
        """Is this near enough, seen from so many levels above (less than 0: from below)?"""
        return distance <= self.hexes or distance <= min(self.most, self.hexes + self.lift * drop)


FAR = Reach(10**6)
"""No limit."""


class Lane(NamedTuple):
    """A way past a place on a line: the hex it leads through, if that can block, and the hexsides it crosses."""

    hexes: tuple[int, ...]
    sides: tuple[tuple[int, int], ...]


Shape = tuple[tuple[Lane, ...], ...]
"""The places on a line: one lane through a hex, two where the line runs along a hexside. Shifts on the plane."""


class Ground(NamedTuple):
    """What blocks between ends of certain heights, on the plane: hexes, and hexes with such a side by direction."""

    hexes: int
    sides: tuple[int, ...]

    def hit(self, lane: Lane) -> int:
        """From where this lane is blocked."""
        found = 0
        for shift in lane.hexes:
            found |= back(self.hexes, shift)
        for shift, direction in lane.sides:
            found |= back(self.sides[direction], shift)
        return found


class Sight:
    """Who sees whom on a board.

    `obstacles` block whatever the heights. A hex blocks that is higher than `over` of the two ends' `heights` (`max`:
    higher than both; `min`: higher than one of them; None: heights do not block), and so does a hexside with such a
    height in `crests`, given by its two hexes. `screens` block at the height of one of the ends only. A line along a
    hexside is blocked if the hexes on both sides block, or, with `one_side_blocks`, if one does. `starts` are further
    points of a hex (of `line.CORNERS` and `line.MIDDLES`) from which one may look out of it. What is not on the map
    blocks nothing.
    """

    def __init__(
        self,
        grid: Grid,
        *,
        obstacles: int = 0,
        heights: Sequence[int] | None = None,
        over: Callable[[int, int], int] | None = max,
        screens: int = 0,
        crests: Mapping[tuple[int, int], int] | None = None,
        one_side_blocks: bool = False,
        starts: Mapping[int, Sequence[Point]] | None = None,
    ) -> None:
        self.grid, self.plane = grid, Plane(grid)
        self.heights = [0] * grid.size if heights is None else list(heights)
        self.one_side_blocks = one_side_blocks
        self._starts = {h: (CENTRE, *points) for h, points in (starts or {}).items()}
        self._has_crests = bool(crests)
        self._grounds: dict[tuple[int, int], Ground] = {}
        self._ends: dict[Ground, list[tuple[int, int]]] = {}
        levels = {
            level: mask_of(h for h in range(grid.size) if self.heights[h] == level)
            for level in sorted(set(self.heights))
        }
        places = {level: self.plane.spread(hexes) for level, hexes in levels.items()}
        for one, other in product(levels, repeat=2):
            # Without a rule for heights nothing is too high.
            limit = over(one, other) if over else max(levels)
            high = sum(mask for level, mask in levels.items() if level > limit)
            hexes = obstacles | high | screens & (levels[one] | levels[other])
            sides = [side for side, height in (crests or {}).items() if over and height > limit]
            ground = self._grounds[one, other] = Ground(self.plane.spread(hexes), self._walls(sides))
            self._ends.setdefault(ground, []).append((places[one], places[other]))
        self._shapes: dict[tuple[int, Point], Shape] = {}
        self._free: dict[Point, dict[int, bytes]] = {}
        self._between: dict[tuple[int, int, Point], int] = {}
        self._seen: dict[tuple[int, Reach], int] = {}

    def sees(self, a: int, b: int, reach: Reach = FAR, occupied: int = 0) -> bool:
        """Does one see hex b from hex a, with these hexes blocking besides the ground?"""
        if not self._is_near(a, b, reach):
            return False
        for start in self._starts.get(a, (CENTRE,)):
            if self._free_among(a, (b,), start) and (not occupied or self._is_clear(a, b, start, occupied)):
                return True
        return False

    def seen(self, a: int, reach: Reach = FAR) -> int:
        """The mask of the hexes that one sees from here over the ground, this one included."""
        found = self._seen.get((a, reach))
        if found is None:
            near = self.grid.disc(a, max(reach.hexes, reach.most))
            if reach.lift:
                near = [b for b in near if self._is_near(a, b, reach)]
            found = 0
            for start in self._starts.get(a, (CENTRE,)):
                found |= mask_of(self._free_among(a, near, start))
            self._seen[a, reach] = found
        return found

    def view(self, a: int, occupied: int, reach: Reach = FAR) -> int:
        """The mask of the hexes that one sees from here, with these hexes blocking besides the ground."""
        return mask_of(b for b in bits(self.seen(a, reach)) if self.sees(a, b, reach, occupied))

    def between(self, a: int, b: int, start: Point = CENTRE) -> int:
        """The mask of the hexes of which each, if it blocks, blocks the line alone: those that it crosses."""
        if start == CENTRE and a > b:
            a, b = b, a
        found = self._between.get((a, b, start))
        if found is None:
            if len(self._between) >= MOST_KEPT:
                self._between.clear()
            spot, shape = self.plane.spot[a], self._shape(a, b, start)
            alone = [lane for lanes in shape if len(lanes) == 1 or self.one_side_blocks for lane in lanes]
            found = self.plane.gather(spot + shift for lane in alone for shift in lane.hexes)
            self._between[a, b, start] = found
        return found

    def beside(self, a: int, b: int, start: Point = CENTRE) -> tuple[int, ...]:
        """The masks of the two hexes at each hexside along which the line runs, where both of them have to block."""
        spot, pairs = self.plane.spot[a], self._pairs(a, b, start)
        masks = (self.plane.gather(spot + shift for lane in lanes for shift in lane.hexes) for lanes in pairs)
        return tuple(mask for mask in masks if mask.bit_count() == 2)

    def _is_near(self, a: int, b: int, reach: Reach) -> bool:
        return reach is FAR or reach.allows(self.grid.distance(a, b), self.heights[a] - self.heights[b])

    def _walls(self, sides: Iterable[tuple[int, int]]) -> tuple[int, ...]:
        """Hexsides by direction: each is one of three directions of one of its hexes."""
        walls = [0, 0, 0]
        for a, b in sides:
            direction = self.grid.neighbours[a].index(b)
            walls[direction % 3] |= 1 << self.plane.spot[a if direction < 3 else b]
        return tuple(walls)

    def _shape(self, a: int, b: int, start: Point) -> Shape:
        key = self.plane.spot[b] - self.plane.spot[a], start
        found = self._shapes.get(key)
        if found is None:
            (ca, da), (cb, db) = self.grid.place[a], self.grid.place[b]
            found = self._shapes[key] = self._trace((cb - ca, db - da), start)
        return found

    def _pairs(self, a: int, b: int, start: Point) -> list[tuple[Lane, ...]]:
        """The places where both of two lanes have to be blocked."""
        return [lanes for lanes in self._shape(a, b, start) if len(lanes) == 2 and not self.one_side_blocks]

    def _trace(self, to: Step, start: Point) -> Shape:
        """The places on a line. Beside a hexside, each lane has the sides by which it is entered and left."""
        met = () if to in STEPS else way(to, start)
        places = []
        for i, here in enumerate(met):
            sides = list(met[i - 1]) if i and len(met[i - 1]) == 1 else []
            if len(here) == 2:
                sides += met[i + 1]
            lanes = tuple(
                Lane(
                    () if step in ((0, 0), to) else (self.plane.shift(step),),
                    tuple(self._side(step, other) for other in sides) if self._has_crests else (),
                )
                for step in here
            )
            if lanes != (((), ()),):
                places.append(lanes)
        return tuple(places)

    def _side(self, a: Step, b: Step) -> tuple[int, int]:
        direction = STEPS.index((b[0] - a[0], b[1] - a[1]))
        return self.plane.shift(a if direction < 3 else b), direction % 3

    def _free_among(self, a: int, others: Iterable[int], start: Point) -> list[int]:
        """Those of the other hexes to which the ground leaves the line free."""
        spots = self.plane.spot
        spot = spots[a]
        byte, bit = spot >> 3, 1 << (spot & 7)
        known = self._free.setdefault(start, {})
        found = []
        for b in others:
            free = known.get(spots[b] - spot)
            if free is None:
                free = known[spots[b] - spot] = self._lay(a, b, start).to_bytes(self.plane.size // 8 + 1, "little")
            if free[byte] & bit:
                found.append(b)
        return found

    def _lay(self, a: int, b: int, start: Point) -> int:
        """From where on the plane a line of this shape is free over the ground; between centres it is so both ways."""
        shift = self.plane.spot[b] - self.plane.spot[a]
        backwards = self._free[start].get(-shift) if start == CENTRE else None
        if backwards is not None:
            return back(int.from_bytes(backwards, "little"), shift)
        free, shape = 0, self._shape(a, b, start)
        for ground, ends in self._ends.items():
            places = 0
            for here, there in ends:
                places |= here & back(there, shift)
            if places:
                free |= places & ~self._hit(ground, shape)
        return free

    def _hit(self, ground: Ground, shape: Shape) -> int:
        hit = 0
        for lanes in shape:
            first, *second = (ground.hit(lane) for lane in lanes)
            hit |= first if not second else first | second[0] if self.one_side_blocks else first & second[0]
        return hit

    def _is_clear(self, a: int, b: int, start: Point, occupied: int) -> bool:
        """Do these hexes leave a line free that the ground leaves free? Beside a hexside the two count together."""
        if self.between(a, b, start) & occupied:
            return False
        pairs = self._pairs(a, b, start)
        if not pairs:
            return True
        spot, ground = self.plane.spot[a], self._grounds[self.heights[a], self.heights[b]]

        def is_blocked(lane: Lane) -> bool:
            there = self.plane.gather(spot + shift for shift in lane.hexes)
            return bool(there & occupied or ground.hit(lane) >> spot & 1)

        return not any(all(map(is_blocked, lanes)) for lanes in pairs)
