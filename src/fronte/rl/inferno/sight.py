"""What a seat sees, as numbers: planes of the board, a table of units and a row of scalars.

Nothing is in it that is not in the seat's view: of enemy units only those on top of their stacks or in the combat at
hand (5.3, 5.4), of these no markers unless they fight. Everything is brought up to date by what has changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from fronte.games.inferno.fog import attacked_hexes
from fronte.games.inferno.stacking import top_unit
from fronte.games.inferno.state import (
    AS_BRIDGE,
    ELIMINATED,
    FLAGS,
    IN_BOX,
    MOV,
    PHASES,
    RESERVE,
    STRUCK,
    WAITING,
    State,
    fighting,
)
from fronte.games.inferno.zoc import zoc
from fronte.hexes import bits, mask_of
from fronte.rl.inferno.alphabet import InfernoAlphabet
from fronte.rl.inferno.ground import DESTROYED, PONTOON, Ground
from fronte.rl.inferno.watch import Changes, Watch
from fronte.rl.room import Observation, Sight

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

OWN = ("units", "steps", "attack", "defence", "artillery", "guns", "mov", "engineers", "ce", "supply")
CELLS = (
    *(f"own {name}" for name in (*OWN, "reserve", "struck")),
    *(f"enemy {name}" for name in OWN),
)
"""The planes that are made of the units in a hex."""
_BLANK_OWN, _BLANK_ENEMY = (0,) * (len(OWN) + 2), (0,) * len(OWN)
MASKS = ("enemy zone", "own hexes", "enemy attacked")
FOCUS = ("about", "target", "attacked from", "chosen", "chosen units")
CROSSINGS = tuple(f"crossing {direction}" for direction in range(6))
STANDING = ("own", "combat", "gun", "engineer", "battalion", "mountain", "infiltrates")
SEEN = (
    "seen",
    "on the map",
    "waiting",
    "eliminated",
    "box",
    "bridge",
    "row",
    "column",
    "steps",
    "ce",
    "supply",
    "revealed",
)
UNITS = (*STANDING, *SEEN, "attack", "defence", "move", "artillery", *FLAGS, "moving", "chosen")
"""The columns of the table of units."""
BATTLE = (
    "attack",
    "defence",
    "column",
    "attack_av",
    "defence_av",
    "steps",
    "lrt_die",
    "attack_drm",
    "defence_drm",
    "attack_retreat",
    "defence_retreat",
    "flanked",
    "trench",
)
PLACES = (WAITING, ELIMINATED, IN_BOX, AS_BRIDGE)
_NOTHING_MORE = (0,) * (UNITS.index("moving") - UNITS.index("row"))
_ROW, _COLUMN = UNITS.index("row"), UNITS.index("column")
_ON_MAP = UNITS.index("on the map")
MOST = 127
"""The largest number that a plane holds."""


class InfernoSight(Sight[State]):
    """The numbers of one seat."""

    def __init__(self, rules: Inferno, seat: int, alphabet: InfernoAlphabet, state: State) -> None:
        """Of a seat in matches under these rules, of which this is one."""
        self.rules, self.seat, self.alphabet = rules, seat, alphabet
        self.watch = Watch(state)
        self.ground = ground = Ground(rules, seat)
        self.plane_names = (*ground.names, *CELLS, *MASKS, *CROSSINGS, *FOCUS)
        self.plane = {name: k for k, name in enumerate(self.plane_names)}
        self.planes: NDArray[np.int8] = np.zeros((len(self.plane_names), *ground.shape), np.int8)
        self.planes[: len(ground.names)] = ground.planes
        first = len(ground.names)
        self._cells = self.planes[first : first + len(CELLS)]
        self._sizes: bool = rules.option["fog_stack_size"]
        self._side_masks = [mask_of(units) for units in rules.of_side]
        self.units: NDArray[np.int8] = np.zeros((len(rules.ids), len(UNITS)), np.int8)
        self.units[:, : len(STANDING)] = self._standing()
        self._columns, self._marks = self.units[:, len(STANDING) : -2], self.units[:, -2 - len(FLAGS) : -2]
        self._numbers = list(_numbers(rules, state, self._seats()))
        self.scalar_names = (
            *("turn", "second player", "own turn", "deciding", "points left", "number"),
            *(f"combat {name}" for name in BATTLE),
            *(name for name, _ in self._numbers),
            *(f"phase {name}" for name in PHASES),
            *(f"decision {name}" for name in rules.choices),
        )
        self.scalars: NDArray[np.int16] = np.zeros(len(self.scalar_names), np.int16)
        self._kind = {name: k for k, name in enumerate(rules.choices)}
        self.begin(state)

    def spaces(self) -> dict[str, spaces.Space[Any]]:
        small, large = np.iinfo(np.int8), np.iinfo(np.int16)
        return {
            "observation": spaces.Box(0, small.max, self.planes.shape, np.int8),
            "units": spaces.Box(0, small.max, self.units.shape, np.int8),
            "scalars": spaces.Box(large.min, large.max, self.scalars.shape, np.int16),
        }

    def observe(self, state: State, chosen: Sequence[int]) -> Observation:
        """Planes of the board, the table of units, and scalars."""
        self.refresh(state, self.watch.version)
        planes, units = self.planes.copy(), self.units.copy()
        if chosen:
            self._show_chosen(chosen, planes, units)
        return {"observation": planes, "units": units, "scalars": self.scalars.copy()}

    def begin(self, state: State) -> None:
        """A new match: nothing has been seen yet."""
        self.planes[len(self.ground.names) :] = 0
        self.units[:, len(STANDING) :] = 0
        self.scalars[:] = 0
        self._open: tuple[int, int] = (-1, -1)
        self._crossings: dict[str, int] = {}
        self._seen_masks: list[int] = [0] * len(MASKS)
        self._marked: list[tuple[int, int, int]] = []
        self._frame: Any = None
        self._battle: Any = None
        self._moving = -1
        self._own = self._shown = (1 << len(self.rules.ids)) - 1
        self._hexes = state.occ[0] | state.occ[1]
        self._fresh = False

    def _seats(self) -> tuple[str, str]:
        seats = self.rules.seats
        return seats[self.seat], seats[1 - self.seat]

    def _standing(self) -> list[tuple[bool, ...]]:
        """What is printed on each counter and open to all."""
        rules = self.rules
        own = [side == self.seat for side in rules.side]
        kinds = (rules.combat, rules.gun, rules.engineer, rules.battalion, rules.mountain, rules.infiltrates)
        return list(zip(own, *kinds, strict=True))

    def note(self, changes: Changes) -> None:
        """Something has happened."""
        self._own |= changes.units
        self._shown |= changes.shown
        self._hexes |= changes.hexes
        self._fresh = False

    def refresh(self, state: State, version: int) -> None:
        """Bring the numbers up to date. `version` counts the changes of bridges, points and the like."""
        if self._fresh:
            return
        self._fresh = True
        self._look_at_units(state)
        self._look_at_masks(state)
        if (version, state.held) != self._open:
            self._open = (version, state.held)
            self._look_at_open(state)
        self._look_at_focus(state)
        self._look_at_turn(state)

    # Units

    def _look_at_units(self, state: State) -> None:
        rules, seat = self.rules, self.seat
        shown = {unit for unit in fighting(state) if rules.side[unit] != seat and state.at[unit] >= 0}
        revealed = frozenset(shown)
        enemies = self._shown & self._side_masks[1 - seat]
        for h in bits(self._hexes):
            stack = state.stacks[h]
            if not stack:
                self._paint(h, _BLANK_OWN + _BLANK_ENEMY)
            elif rules.side[stack[0]] == seat:
                self._paint(h, self._own_cell(state, stack))
            else:
                shown.add(top_unit(rules, state, h))
                for unit in stack:
                    enemies |= 1 << unit
                seen = [unit for unit in stack if unit in shown]
                self._paint(h, self._enemy_cell(state, stack, seen, revealed))
        columns = self._columns
        own = self._own & self._side_masks[seat]
        for unit in bits(own & self._shown):
            columns[unit] = bytearray(self._row(state, unit, True, state.flags[unit]))
        for unit in bits(own & ~self._shown):
            self._marks[unit] = _FLAG_COLUMNS[state.flags[unit]]
        for unit in bits(enemies):
            columns[unit] = bytearray(self._enemy_row(state, unit, unit in shown, unit in revealed))
        self._own = self._shown = self._hexes = 0

    def _paint(self, h: int, cell: tuple[int, ...]) -> None:
        row, column = self.ground.cells[h]
        self._cells[:, row, column] = bytearray(cell)

    def _own_cell(self, state: State, stack: tuple[int, ...]) -> tuple[int, ...]:
        ce = supply = reserve = struck = 0
        for unit in stack:
            ce += state.ce[unit]
            supply += state.supply[unit]
            flags = state.flags[unit]
            if flags & (RESERVE | STRUCK):
                reserve += bool(flags & RESERVE)
                struck += bool(flags & STRUCK)
        return *self._sums(state, stack), ce, supply, reserve, struck, *_BLANK_ENEMY

    def _enemy_cell(
        self, state: State, stack: tuple[int, ...], seen: list[int], revealed: frozenset[int]
    ) -> tuple[int, ...]:
        """5.4: the printed values of the units seen; how many there are only by option; markers only in combat."""
        known = [unit for unit in seen if unit in revealed] if revealed else ()
        size = len(stack) if self._sizes else len(seen)
        ce, supply = sum(state.ce[unit] for unit in known), sum(state.supply[unit] for unit in known)
        return *_BLANK_OWN, size, *self._sums(state, seen)[1:], ce, supply

    def _sums(self, state: State, units: Sequence[int]) -> tuple[int, ...]:
        rules, steps = self.rules, state.steps
        attack = defence = artillery = total = guns = mov = engineers = 0
        for unit in units:
            face = rules.faces[unit][steps[unit] - 1]
            attack += face.attack
            defence += face.defence
            artillery += face.av
            total += steps[unit]
            if rules.gun[unit]:
                guns += 1
                mov += state.flags[unit] & MOV
            elif rules.engineer[unit]:
                engineers += 1
        return len(units), total, min(attack, MOST), min(defence, MOST), min(artillery, MOST), guns, mov, engineers

    def _enemy_row(self, state: State, unit: int, shown: bool, revealed: bool) -> tuple[int, ...]:
        """5.4: a visible unit's counter, a gun's side, in combat its markers; who is eliminated or a pontoon."""
        if not shown:
            gone = state.at[unit] in (ELIMINATED, AS_BRIDGE)
            places = [state.at[unit] == place for place in PLACES] if gone else [False] * len(PLACES)
            return (gone, 0, *places, *_NOTHING_MORE)
        flags = state.flags[unit] & MOV if self.rules.gun[unit] else 0
        return self._row(state, unit, revealed, flags)

    def _row(self, state: State, unit: int, revealed: bool, flags: int) -> tuple[int, ...]:
        at = state.at[unit]
        row, column = self.ground.cells[at] if at >= 0 else (0, 0)
        face = self.rules.face(state, unit)
        return (
            1,
            at >= 0,
            at == WAITING,
            at == ELIMINATED,
            at == IN_BOX,
            at == AS_BRIDGE,
            row,
            column,
            state.steps[unit],
            state.ce[unit] if revealed else 0,
            state.supply[unit] if revealed else 0,
            revealed,
            *face,
            *_FLAG_COLUMNS[flags],
        )

    # The rest of the board

    def _look_at_masks(self, state: State) -> None:
        """6, 7.a, 15.b: the enemy's zones of control, who holds what, who has been attacked: open to both."""
        rules, seat = self.rules, self.seat
        held = state.held if seat == 0 else rules.board.grid.everything & ~state.held
        masks = (zoc(rules, state, 1 - seat), held, attacked_hexes(rules, state, 1 - seat))
        for k, mask in enumerate(masks):
            if mask != self._seen_masks[k]:
                self._seen_masks[k] = mask
                self.ground.paint(self.planes[self.plane[MASKS[k]]], mask)

    def _look_at_open(self, state: State) -> None:
        """What this game tells both seats: points and score as scalars, bridges and pontoons as planes."""
        first = 6 + len(BATTLE)
        values = [value for _, value in _numbers(self.rules, state, self._seats())]
        self.scalars[first : first + len(values)] = values
        kinds = {"destroyed": DESTROYED, "pontoon": PONTOON}
        signs = self.rules.signs(state)
        crossings = self.ground.bridges | {sign.at: kinds[sign.kind] for sign in signs if sign.kind in kinds}
        if crossings != self._crossings:
            planes = self.planes[self.plane[CROSSINGS[0]] :]
            for hexside in crossings | self._crossings:
                what = crossings.get(hexside, 0)
                if what != self._crossings.get(hexside, 0):
                    self.ground.cross(planes, hexside, what)
            self._crossings = crossings

    def _look_at_focus(self, state: State) -> None:
        """What the decision at hand is about: its hexes, and the combat it belongs to."""
        frame = state.frames[-1] if state.frames else None
        if frame is self._frame and state.battle is self._battle:
            return
        self._frame, self._battle = frame, state.battle
        for place in self._marked:
            self.planes[place] = 0
        self._marked = []
        about = self.plane["about"]
        if frame is not None:
            self.scalars[5] = 0
            for argument, value in zip(self.rules.frames[frame.name].takes, frame.args, strict=False):
                shape = argument.kind
                if shape == "number":
                    self.scalars[5] = value
                elif shape == "hex":
                    self._mark(about, value)
                elif shape in ("unit", "units"):
                    for unit in value if shape == "units" else (value,):
                        self._mark(about, state.at[unit])
        if state.battle is not None:
            self._mark(self.plane["target"], state.battle.target)
            for origin in state.battle.origins:
                self._mark(self.plane["attacked from"], origin)

    def _mark(self, plane: int, h: int) -> None:
        if h >= 0:
            place = (plane, *self.ground.cells[h])
            self.planes[place] = 1
            self._marked.append(place)

    def _look_at_turn(self, state: State) -> None:
        rules, seat, battle = self.rules, self.seat, state.battle
        frame = state.frames[-1] if state.frames else None
        mover = state.mover
        if mover >= 0 and rules.side[mover] != seat and not rules.shows(state, mover):
            mover = -1
        if self._moving >= 0:
            self.units[self._moving, -2] = 0
        if mover >= 0:
            self.units[mover, -2] = 1
        self._moving = mover
        scalars = self.scalars
        deciding = frame is not None and frame.seat == seat
        scalars[:5] = (state.turn, seat, state.active == seat, deciding, state.left if mover >= 0 else 0)
        if battle is not None:
            scalars[6 : 6 + len(BATTLE)] = [getattr(battle, name) for name in BATTLE]
        else:
            scalars[6 : 6 + len(BATTLE)] = 0
        kinds = len(PHASES) + len(self._kind)
        scalars[-kinds:] = 0
        scalars[-kinds + PHASES.index(state.phase)] = 1
        if frame is not None:
            scalars[-len(self._kind) + self._kind[frame.name]] = 1

    def _show_chosen(self, chosen: Sequence[int], planes: NDArray[np.int8], units: NDArray[np.int8]) -> None:
        """Write the small choices made so far into a copy of the numbers: hexes in their order, units as marks."""
        alphabet, hexes, counters = self.alphabet, self.plane["chosen"], self.plane["chosen units"]
        order = 0
        for choice in chosen:
            if choice >= alphabet.first_hex:
                order = min(order + 1, MOST)
                planes[(hexes, *self.ground.cells[choice - alphabet.first_hex])] = order
            elif choice >= alphabet.first_unit:
                unit = choice - alphabet.first_unit
                units[unit, -1] += 1
                if units[unit, _ON_MAP]:
                    planes[counters, units[unit, _ROW], units[unit, _COLUMN]] += 1


def _numbers(rules: Inferno, state: State, seats: tuple[str, str]) -> Iterator[tuple[str, int]]:
    """The numbers that a game keeps beside the map; of those that both sides have one's own first."""
    tracks: dict[str, dict[str, int]] = {}
    for track in rules.tracks(state):
        tracks.setdefault(track.name, {})[track.force] = track.value
    for name, of in tracks.items():
        if len(of) > 1:
            yield f"own {name}", of[seats[0]]
            yield f"enemy {name}", of[seats[1]]
        else:
            yield name, next(iter(of.values()))
    for name, value in rules.family_part(state, rules.seat_index(seats[0])).items():
        if isinstance(value, bool):
            yield name, int(value)


class _FlagColumns(dict[int, bytearray]):
    """For each combination of flags the noughts and ones of their columns, made when first asked for."""

    def __missing__(self, flags: int) -> bytearray:
        found = self[flags] = bytearray(bool(flags & flag) for flag in FLAGS.values())
        return found


_FLAG_COLUMNS = _FlagColumns()
