"""Lines of sight over the hexes of a grid.

What blocks is said once, when the board is read; what stands in the way for the moment is given with the question. The
hexes at the ends of a line never block it, and between neighbours nothing does. A line of one shape is traced once, and
what it crosses is then a mask that is laid on what blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

from fronte.hexes.grid import STEPS, Grid
from fronte.hexes.line import CENTRE, Point, Step, way
from fronte.hexes.mask import bits, mask_of
from fronte.hexes.plane import Plane, back, shift_of

NEAR = 18
"""Columns of the window of the plane to each side in which lines are looked at that are no longer."""
DIRECTION = MappingProxyType({step: direction for direction, step in enumerate(STEPS)})
MOST_KEPT = 1 << 16
"""So many masks of hexes between two others are kept; then they are let go and made anew."""


class Reach(NamedTuple):
    """How far one sees: so many hexes, `lift` more for each level above what is looked at, but then at most `most`."""

    hexes: int
    lift: int = 0
    most: int = 0

    def allows(self, distance: int, drop: int) -> bool:
        """Is this near enough, seen from so many levels above (less than 0: from below)?"""
        return distance <= self.over(drop)

    def over(self, drop: int) -> int:
        """How far one sees what lies so many levels below (less than 0: above)."""
        return max(self.hexes, min(self.most, self.hexes + self.lift * drop))


FAR = Reach(10**6)
"""No limit."""


class Lane(NamedTuple):
    """A way past a place on a line: the hex it leads through, if that can block, and the hexsides it crosses."""

    hexes: tuple[int, ...]
    sides: tuple[tuple[int, int], ...]


Shape = tuple[tuple[Lane, ...], ...]
"""The places on a line: one lane through a hex, two where the line runs along a hexside. Shifts on the plane."""


class Line(NamedTuple):
    """What a line of one shape crosses, as masks of a window of the plane around the hex where it starts."""

    hexes: int
    """The hexes of which each blocks it alone,"""
    sides: tuple[tuple[int, int], ...]
    """and by direction the hexes with such a side; none where no hexside can block."""
    doubles: tuple[tuple[Line, ...], ...] = ()
    """The places where both of two lanes have to be blocked."""

    def back(self, to: int) -> Line:
        """The same in a window that begins so many places later."""
        sides = tuple([(direction, mask >> to) for direction, mask in self.sides])
        doubles = tuple([tuple([lane.back(to) for lane in lanes]) for lanes in self.doubles])
        return Line(self.hexes >> to, sides, doubles)


class Ground(NamedTuple):
    """What blocks between ends of certain heights, on the plane: hexes, and hexes with such a side by direction."""

    hexes: int
    sides: tuple[int, ...]

    def bars(self, line: Line) -> bool:
        """In a window: does it block a line that starts in the middle?"""
        if self.hexes & line.hexes:
            return True
        if self.sides:
            for direction, sides in line.sides:
                if self.sides[direction] & sides:
                    return True
        for lanes in line.doubles:
            for lane in lanes:
                if not self.bars(lane):
                    break
            else:
                return True
        return False

    def blocks(self, lane: Lane, spot: int) -> bool:
        """Is this lane blocked, of a line that starts there?"""
        if any(self.hexes >> spot + shift & 1 for shift in lane.hexes):
            return True
        return any(self.sides[direction] >> spot + shift & 1 for shift, direction in lane.sides)

    def around(self, spot: int, half: int) -> Ground:
        """The same in a window of so many places before and after this one."""
        ahead, window = half - spot, (1 << 2 * half + 1) - 1
        hexes, *sides = (back(mask, -ahead) & window for mask in (self.hexes, *self.sides))
        return Ground(hexes, tuple(sides) if any(sides) else ())


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
        self._levels = sorted(set(self.heights))
        levels = {level: mask_of(h for h in range(grid.size) if self.heights[h] == level) for level in self._levels}
        for one, other in product(levels, repeat=2):
            # Without a rule for heights nothing is too high.
            limit = over(one, other) if over else max(levels)
            high = sum(mask for level, mask in levels.items() if level > limit)
            hexes = obstacles | high | screens & (levels[one] | levels[other])
            sides = [side for side, height in (crests or {}).items() if over and height > limit]
            self._grounds[one, other] = Ground(self.plane.spread(hexes), self._walls(sides))
        self._shapes: dict[tuple[int, Point], Shape] = {}
        self._lines: dict[tuple[Point, int], dict[int, Line]] = {}
        self._known: dict[tuple[int, Point], tuple[int, int]] = {}
        """By hex and point where lines start the hexes that were asked about, and those to which they are free."""
        self._between: dict[tuple[int, int, Point], int] = {}
        self._seen: dict[tuple[int, Reach], int] = {}

    def sees(self, a: int, b: int, reach: Reach = FAR, occupied: int = 0) -> bool:
        """Does one see hex b from hex a, with these hexes blocking besides the ground?"""
        if not self._is_near(a, b, reach):
            return False
        for start in self._starts.get(a, (CENTRE,)):
            if self._free(a, 1 << b, start) and (not occupied or self._is_clear(a, b, start, occupied)):
                return True
        return False

    def among(self, a: int, hexes: int, far: int = FAR.hexes) -> int:
        """Those of these hexes, none of them farther than this, that one sees from here over the ground."""
        found = 0
        for start in self._starts.get(a, (CENTRE,)):
            found |= self._free(a, hexes & ~found, start, far)
        return found

    def seen(self, a: int, reach: Reach = FAR) -> int:
        """The mask of the hexes that one sees from here over the ground, this one included."""
        found = self._seen.get((a, reach))
        if found is None:
            found = self._seen[a, reach] = self.among(a, mask_of(self._near(a, reach)), max(reach.hexes, reach.most))
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
        spot, pairs = self.plane.spot[a], self._doubles(a, b, start)
        masks = (self.plane.gather(spot + shift for lane in lanes for shift in lane.hexes) for lanes in pairs)
        return tuple(mask for mask in masks if mask.bit_count() == 2)

    def _is_near(self, a: int, b: int, reach: Reach) -> bool:
        return reach is FAR or reach.allows(self.grid.distance(a, b), self.heights[a] - self.heights[b])

    def _near(self, a: int, reach: Reach) -> list[int]:
        """The hexes that are near enough, whatever lies between."""
        if not reach.lift:
            return self.grid.disc(a, max(reach.hexes, reach.most))
        heights = self.heights
        far = {level: reach.over(heights[a] - level) for level in self._levels}
        return [b for b, distance in self.grid.around_at(a, max(far.values())) if distance <= far[heights[b]]]

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
            found = self._shapes[key] = _trace((cb - ca, db - da), start, self.plane.stride, self._has_crests)
        return found

    def _doubles(self, a: int, b: int, start: Point) -> list[tuple[Lane, ...]]:
        """The places where both of two lanes have to be blocked."""
        return [lanes for lanes in self._shape(a, b, start) if len(lanes) == 2 and not self.one_side_blocks]

    def _free(self, a: int, hexes: int, start: Point, far: int = FAR.hexes) -> int:
        """Those of these hexes, none of them farther than this, to which the ground leaves the line free."""
        asked, free = self._known.get((a, start), (0, 0))
        new = hexes & ~asked
        if new:
            free |= mask_of(self._free_among(a, bits(new), start, far))
            self._known[a, start] = asked | new, free
        return free & hexes

    def _free_among(self, a: int, others: Iterable[int], start: Point, far: int) -> list[int]:
        """The same, found out."""
        half = NEAR * self.plane.stride if far < NEAR - 1 else self.plane.size
        lines = self._lines.setdefault((start, half), {})
        spots, heights, spot = self.plane.spot, self.heights, self.plane.spot[a]
        grounds: dict[int, Ground] = {}
        found = []
        for b in others:
            line, ground = lines.get(spots[b] - spot), grounds.get(heights[b])
            if line is None:
                line = lines[spots[b] - spot] = self._line(a, b, start, half, lines)
            if ground is None:
                ground = grounds[heights[b]] = self._grounds[heights[a], heights[b]].around(spot, half)
            if not line.hexes & ground.hexes and not ground.bars(line):
                found.append(b)
        return found

    def _line(self, a: int, b: int, start: Point, half: int, lines: dict[int, Line]) -> Line:
        """The shape of a line as masks of a window of so many places before and after its start; between centres they
        are those of the line from the other end, which may be among those that are known."""
        if start == CENTRE and a > b:
            to = self.plane.spot[a] - self.plane.spot[b]
            other = lines.get(to)
            if other is None:
                other = lines[to] = self._line(b, a, start, half, lines)
            return other.back(to)
        lanes, doubles = list[Lane](), list[tuple[Line, ...]]()
        for place in self._shape(a, b, start):
            if len(place) == 2 and not self.one_side_blocks:
                doubles.append(tuple([_window((lane,), half) for lane in place]))
            else:
                lanes += place
        return _window(lanes, half)._replace(doubles=tuple(doubles))

    def _is_clear(self, a: int, b: int, start: Point, occupied: int) -> bool:
        """Do these hexes leave a line free that the ground leaves free? Beside a hexside the two count together."""
        if self.between(a, b, start) & occupied:
            return False
        pairs = self._doubles(a, b, start)
        if not pairs:
            return True
        spot, ground = self.plane.spot[a], self._grounds[self.heights[a], self.heights[b]]

        def is_blocked(lane: Lane) -> bool:
            there = self.plane.gather(spot + shift for shift in lane.hexes)
            return bool(there & occupied) or ground.blocks(lane, spot)

        return not any(all(map(is_blocked, lanes)) for lanes in pairs)


def _window(lanes: Sequence[Lane], half: int) -> Line:
    """What blocks one of these lanes, as masks of a window; the numbers are kept small until they are whole."""
    hexes = [shift for lane in lanes for shift in lane.hexes]
    walls: dict[int, list[int]] = {}
    for lane in lanes:
        for shift, direction in lane.sides:
            walls.setdefault(direction, []).append(shift)
    return Line(_mask(hexes, half), tuple([(direction, _mask(shifts, half)) for direction, shifts in walls.items()]))


def _mask(shifts: list[int], half: int) -> int:
    low, mask = min(shifts, default=0), 0
    for shift in shifts:
        mask |= 1 << shift - low
    return mask << half + low


@lru_cache(maxsize=MOST_KEPT)
def _trace(to: Step, start: Point, stride: int, has_crests: bool) -> Shape:
    """The places on a line. Beside a hexside, each lane has the sides by which it is entered and left."""
    met = () if to in STEPS else way(to, start)
    places = []
    for i, here in enumerate(met):
        sides = list(met[i - 1]) if i and len(met[i - 1]) == 1 else []
        if len(here) == 2:
            sides += met[i + 1]
        lanes = tuple(
            [
                Lane(
                    () if step in ((0, 0), to) else (shift_of(step, stride),),
                    tuple([_side(step, other, stride) for other in sides]) if has_crests else (),
                )
                for step in here
            ]
        )
        if lanes != (((), ()),):
            places.append(lanes)
    return tuple(places)


def _side(a: Step, b: Step, stride: int) -> tuple[int, int]:
    """The hexside between two hexes, as one of three directions of one of them."""
    direction = DIRECTION[b[0] - a[0], b[1] - a[1]]
    return shift_of(a if direction < 3 else b, stride), direction % 3
