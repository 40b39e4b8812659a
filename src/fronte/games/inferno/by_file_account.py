"""A match by file: the account of what both sides see, in which the events of a letter are entered.

Each game has an account of its own (`IsonzoAccount`, `AltipianiAccount`) for what only it shows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from fronte.engine.decision import AUTO, Frame
from fronte.engine.event import Event
from fronte.engine.frames import secrets_of
from fronte.games.inferno import by_file, cites, fog
from fronte.games.inferno.combat import declaration
from fronte.games.inferno.effectiveness import endurance, reduce
from fronte.games.inferno.movement import SIXTHS
from fronte.games.inferno.procedure import retreating_origins
from fronte.games.inferno.state import AS_BRIDGE, ELIMINATED, MOV, S, fighting
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

HIDDEN = -9
"""Where a unit is that the reader does not see: under any stack, or not on the map."""
MOST_PENALTY = 99
OF_DICE = ("begins", "result", "rolled")
"""Events that come with dice, and are told before, or that never stand in a letter."""


class Untrue(ValueError):
    """A letter tells something that cannot be true."""


R = TypeVar("R", bound="Inferno")
Count = Annotated[int, Meta(ge=0, le=999)]


class Seen(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """5.4: a unit of the writer that the reader sees."""

    id: str
    hex: str
    steps: Annotated[int, Meta(ge=1, le=9)]
    mov: bool | UnsetType = UNSET
    ce: Annotated[int, Meta(ge=0, le=2)] | UnsetType = UNSET
    supply: Literal["in", "low", "out"] | UnsetType = UNSET


class Moving(msgspec.Struct, forbid_unknown_fields=True):
    """4: the unit that is moving."""

    unit: str
    left: Count


class ToldView(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The form of the view that a letter tells."""

    game: str
    scenario: str
    seat: str
    turn: Annotated[int, Meta(ge=1, le=99)]
    phase: str
    active: str
    decides: str | None
    decision: str | None
    enemy: list[Seen]
    eliminated: list[str]
    held: list[str]
    outcome: str
    score: int
    sizes: dict[str, Annotated[int, Meta(ge=1, le=99)]] | UnsetType = UNSET
    attacked: list[str] | UnsetType = UNSET
    moving: Moving | UnsetType = UNSET
    battle: dict[str, Any] | UnsetType = UNSET


class Account(Generic[R, S]):
    """All that both sides see. It begins with the reader's half before the turn; `enter` takes the events in order."""

    view_kind: ClassVar[type[ToldView]] = ToldView

    def __init__(self, rules: R, mine: S, base: S, seat: int, dice: Sequence[int]) -> None:
        self.rules, self.base, self.seat, self.writer = rules, base, seat, 1 - seat
        self.fighters = {*fighting(mine), *fighting(base)}
        self.dice = tuple(dice)
        """The throw that began the turn, if one did."""
        self.state = base.copy()
        """Turn, phase, control as the events make them; where the writer's units are is kept in `at`."""
        self.fight = base.copy()
        """The combat at hand, and what its units suffer."""
        self.at = dict.fromkeys(rules.of_side[self.writer], HIDDEN)
        for unit in fog.seen_units(rules, base, self.writer):
            self.at[unit] = base.at[unit]
        for unit in rules.of_side[self.writer]:
            if base.at[unit] in (ELIMINATED, AS_BRIDGE):
                self.at[unit] = base.at[unit]
        self.may = self.must = base.occ[self.writer]
        """Hexes where the writer may have units now, and where he must have some."""
        if base.phase == "setup":
            named = (name for unit in rules.of_side[self.writer] for name in rules.counters[unit].setup)
            self.may |= mask_of(rules.grid_index[name] for name in named)
        self.facing = base.occ[seat]
        """Hexes where the reader has units."""
        self.entered = 0
        """Hexes that units of the writer have come into, or died on the way into."""
        self.reached = 0
        """Hexes that they have come into for certain."""
        self.gone: set[int] = set()
        """Units of the reader that were eliminated."""
        self.taken: list[int] = []
        self.begun = self._phases_begun(base.frames)
        self.next_turn = False
        """The turn marker has moved, and the first player's turn comes next."""
        self.cleared: list[str] = []
        self.ratio: Mapping[str, Any] | None = None
        """What was told of the ratio of a combat, if it was worked out in this turn."""
        self.attacked: Mapping[str, Any] = {}
        self.declared: Mapping[str, Any] = {}
        """What was told of an attack of the writer's."""
        battle = base.battle
        self.penalties = [0, 0] if battle is None else [battle.attack_penalty, battle.defence_penalty]
        """9.4.1.d: what retreats have cost the attacker and the defender."""
        self.spent = self.refusing = False
        """The reader's attackers have attacked; the writer's defenders refuse to go back."""
        self.beaten: tuple[int, ...] = ()
        """9.2: attackers of the writer that had to go back."""
        self.flipped = {unit for unit in self.fighters if base.flags[unit] & ~mine.flags[unit] & MOV}
        """Guns that were turned to Mov."""
        self.supplied = False
        """The writer has had a Supply Phase, in which units may suffer unseen."""
        self.retreat = -1
        """What is left of a retreat of which a hex was exchanged, or that was not refused after all (12.5.1.a)."""
        self.due = 0
        """Reductions that are still to be told."""
        self.losses_told = False
        self.retreats: set[int] = set()
        """Hexes out of which somebody has retreated, or could not."""
        self.over = self.foreseen_end = bool(base.outcome)
        self.told_end: Mapping[str, Any] = {}
        self.stopped = self.over
        """The match has ended before the turn was over."""
        self._spent: dict[int, int] = {}

    # One event after another

    def enter(self, event: Event) -> None:
        """Let an event happen; Untrue if it cannot have."""
        if self.over and (self.foreseen_end or event.kind not in ("moved", "retreated")):  # they are told afterwards
            raise Untrue(f"after the end of the match it goes on ({event.kind})")
        if event.kind in OF_DICE:
            raise Untrue(f"the event {event.kind!r} has no throw before it")
        try:
            handler = HANDLERS.get(event.kind)
            if handler is not None:
                handler(self, event.data, event.rules)
            self.enter_more(event)
        except (LookupError, TypeError, AttributeError) as wrong:
            raise Untrue(f"the event {event.kind!r} makes no sense ({wrong})") from None

    def enter_more(self, event: Event) -> None:
        """Events that only one of the games has, or that do more in it."""

    def unit(self, name: Any) -> int:
        """A unit of the writer's."""
        number = self.rules.find_unit(str(name))
        if self.rules.side[number] != self.writer:
            raise Untrue(f"{name} is not a unit of {self.rules.seats[self.writer]}")
        return number

    def hex(self, name: Any) -> int:
        """A hex of the board."""
        return self.rules.read_hex(str(name))

    def arrive(self, units: Sequence[int], h: int) -> None:
        """Units of the writer come into a hex and stay; which ones may be hidden."""
        self.pass_through(h)
        self.reached |= 1 << h
        for unit in units:
            self.at[unit] = h
        self.may |= 1 << h
        self.must |= 1 << h

    def pass_through(self, h: int) -> None:
        """4.1.b/4.1.a: units of the writer come into a hex."""
        if self.base.fight[self.seat] >> h & 1:
            raise Untrue(f"a unit of {self.rules.seats[self.writer]} comes into {self.rules.hex_id(h)}, held by others")
        self.entered |= 1 << h

    def leave(self, units: Sequence[int], h: int) -> None:
        """Units of the writer leave a hex; whether others stay in it is not known yet."""
        for unit in units:
            if self.at[unit] not in (h, HIDDEN):
                raise Untrue(f"{self.rules.ids[unit]} is not in {self.rules.hex_id(h)}")
        if not self.may >> h & 1:
            raise Untrue(f"nobody was in {self.rules.hex_id(h)} to leave it")
        self.must &= ~(1 << h)
        if not units:  # any that others have covered meanwhile
            self.lose_sight(h)

    def lose_sight(self, h: int) -> None:
        """Some units have left this hex, and the reader does not see which: where any of them are is not known."""
        for unit, where in self.at.items():
            if where == h:
                self.at[unit] = HIDDEN

    def in_phase(self, phase: str, what: str) -> None:
        """What happens only in a phase of the writer's own turn."""
        if self.state.active != self.writer or self.state.phase != phase:
            raise Untrue(f"{what} outside the {phase} phase of {self.rules.seats[self.writer]}")

    # The course of the turn (3)

    def _phases_begun(self, stack: Sequence[Frame]) -> int:
        """How many phases of the player turn have begun."""
        order = self.rules.phase_order
        return len(order) - sum(1 for frame in stack if frame.name in order)

    def _player_turn(self, data: Mapping[str, Any], rules: Sequence[str]) -> None:
        side = self.rules.seat_index(data["side"])
        last = self.rules.second_player
        first_again = side != last and (self.next_turn or self.base.phase == "setup")
        follows = side == last and self.state.active != last and self.begun == len(self.rules.phase_order)
        if data["turn"] != self.state.turn or not (first_again or follows):
            raise Untrue(f"the player turn of {data['side']} does not come next (3)")
        self.state.active, self.begun, self.next_turn = side, 0, False
        self.rules.player_turn_begins(self.state)

    def _phase(self, data: Mapping[str, Any], rules: Sequence[str]) -> None:
        phase, order = data["phase"], self.rules.phase_order
        if (data["side"], data["turn"]) != (self.rules.seats[self.state.active], self.state.turn):
            raise Untrue(f"the phase {phase} is of another turn (3.1)")
        if phase == "end" and "next_turn" in self.rules.steps:
            if self.begun < len(order) or self.state.active != self.rules.second_player:
                raise Untrue("the turn cannot end yet (3.1)")
        else:
            at = self.begun
            while at < len(order) and not _announced(order[at]):
                at += 1
            if at == len(order) or order[at] != f"{phase}_phase":
                raise Untrue(f"the phase {phase} does not come next (3.1)")
            self.begun = at + 1
            self.cleared += [order[at]] if order[at] in by_file.CLEARED else []
            self.supplied = self.supplied or (phase == "supply" and self.state.active == self.writer)
        self.state.phase = phase

    def _turn(self, data: Mapping[str, Any], rules: Sequence[str]) -> None:
        ended = self.state.phase == "end" or "next_turn" not in self.rules.steps
        begun = self.begun == len(self.rules.phase_order)
        if not ended or not begun or self.state.active != self.rules.second_player or self.next_turn:
            raise Untrue("the turn marker cannot move yet (3.1)")
        if data["turn"] != self.state.turn + 1:
            raise Untrue(f"after turn {self.state.turn} comes no turn {data['turn']}")
        self.state.turn += 1
        self.next_turn = True

    def _over(self, data: Mapping[str, Any], rules: Sequence[str]) -> None:
        self.over, self.told_end = True, data

    # Units that come and go (4, 9, 13)

    def _moved(self, data: Mapping[str, Any], rules: Sequence[str]) -> None:
        self.in_phase("movement", "a unit moves")
        path = self._path(data["path"])
        units = [self.unit(data["unit"])] if data["unit"] else []
        self.leave(units, path[0])
        self.arrive(units, path[-1])
        for h in path[1:]:
            self.pass_through(h)
            self.reached |= 1 << h
        self._check_reach(units, path)

    def _path(self, names: Sequence[Any]) -> list[int]:
        """A way from hex to hex, each next to the one before."""
        path = [self.hex(name) for name in names]
        if len(path) < 2 or any(there not in self.rules.board.edge_to[here] for here, there in pairwise(path)):
            raise Untrue(f"{'-'.join(map(str, names))} is no way from hex to hex (4.2)")
        return path

    def _check_reach(self, units: Sequence[int], path: Sequence[int]) -> None:
        """4.1: no further than the cheapest ground and a whole allowance would let a unit go; one hex always (4.3)."""
        steps = [self.rules.board.edge_to[here][there] for here, there in pairwise(path)]
        cost = sum(min(edge.route or edge.ground, edge.ground) for edge in steps)
        able = units or [unit for unit in self.rules.of_side[self.writer] if not self.rules.immobile[unit]]
        most = max(face.ma for unit in able for face in self.rules.faces[unit]) * SIXTHS
        for unit in units:
            if self.rules.immobile[unit]:
                raise Untrue(f"{self.rules.ids[unit]} never moves")
            cost = self._spent[unit] = self._spent.get(unit, 0) + cost
        if cost > most and len(path) > 2:
            raise Untrue(f"no unit goes so far: {'-'.join(self.rules.hex_ids(path))} (4.1)")

    def _most_left(self, unit: int) -> int:
        return max(0, max(face.ma for face in self.rules.faces[unit]) * SIXTHS - self._spent.get(unit, 0))

    def _retreated(self, data: Mapping[str, Any], rules: Sequence[str]) -> None:
        units = [self.unit(name) for name in data["units"]]
        path = [self.hex(name) for name in data["path"]]
        battle = self.base.battle
        if battle is None or not path:
            raise Untrue("somebody retreats though nobody fought (9.2)")
        if len(path) > 1:
            self._path(data["path"])
        self.retreats.add(path[0])
        self.leave(units, path[0])
        self.lose_sight(path[0])  # others may have gone along and lie under a stack now
        for h in path[1:]:
            if self.rules.bars_retreat(self.base, self.writer) & self.facing & 1 << h:
                raise Untrue(f"nobody retreats into {self.rules.hex_id(h)}, where enemies are (9.2.4)")
            self.pass_through(h)
        if units and len(path) > 1:
            self.arrive(units, path[-1])
            self.reached |= mask_of(path[1:])
        self.may |= 1 << path[-1]

    def _cannot_retreat(self, data: Mapping[str, Any], rules: Sequence[str]) -> None:
        self.retreats.add(self.hex(data["hex"]))

    def _advanced(self, data: Mapping[str, Any], rules: Sequence[str]) -> None:
        battle, h = self.base.battle, self.hex(data["hex"])
        units = [self.unit(name) for name in data["units"]]
        if battle is None or h != battle.target or not units or any(unit not in battle.attackers for unit in units):
            raise Untrue("somebody advances who has not won a hex (9.3)")
        for unit in units:
            self.leave([unit], battle.origins[battle.attackers.index(unit)])
        self.arrive(units, h)

    def _entered(self, data: Mapping[str, Any], rules: Sequence[str]) -> None:
        self.in_phase("reinforcement", "a unit comes in")
        h = self.hex(data["hex"])
        units = [self.unit(data["unit"])] if data["unit"] else []
        if any(self.at[unit] != HIDDEN for unit in units):
            raise Untrue(f"{data['unit']} comes in and is here already (13)")
        if not self.entry_edge() >> h & 1:
            raise Untrue(f"nobody comes in at {self.rules.hex_id(h)} (13)")
        self.arrive(units, h)

    def entry_edge(self) -> int:
        """13: the hexes at which units of the writer can come in."""
        raise NotImplementedError

    def _eliminated(self, data: Mapping[str, Any], rules: Sequence[str]) -> None:
        unit = self.rules.find_unit(data["unit"])
        where = self.rules.read_where(data["hex"])
        if self.rules.side[unit] == self.seat:
            lone = where >= 0 and not self.base.fight[self.seat] >> where & 1
            if self.base.at[unit] != where or not lone or self.rules.combat[unit]:
                raise Untrue(f"{data['unit']} cannot have been lost (12.3.f)")
            self.gone.add(unit)
            if self.gone >= set(self.base.stacks[where]):
                self.facing &= ~(1 << where)
            return
        for h in (where, self.at[unit]):  # a unit that dies on its retreat is told so before the way that it went
            self.must &= ~(1 << h) if h >= 0 else -1
        self.at[unit] = ELIMINATED

    def _shown(self, data: Mapping[str, Any], rules: Sequence[str]) -> None:
        unit, h = self.unit(data["unit"]), self.hex(data["hex"])
        if self.at[unit] not in (h, HIDDEN) or not self.may >> h & 1:
            raise Untrue(f"{data['unit']} is not in {data['hex']}")
        self.at[unit] = h

    def _taken(self, data: Mapping[str, Any], rules: Sequence[str]) -> None:
        h = self.hex(data["hex"])
        side = self.rules.seat_index(data["side"])
        before = self.state.held
        self.rules.take(self.state, side, h, [])
        if side != self.writer or self.state.held == before or data["name"] != self.rules.board.name[h]:
            raise Untrue(f"{data['side']} cannot have taken {data['hex']} (15.b)")
        self.taken.append(h)

    # Combat (8, 9)

    def _attacked(self, data: Mapping[str, Any], rules: Sequence[str]) -> None:
        """8.1.a: the reader attacks; who does is known, who defends is checked when all is told."""
        battle = self.base.battle
        if battle is None or self.attacked or self.state.active != self.seat:
            raise Untrue("nobody has declared this attack (8.1.a)")
        right = declaration(self.rules, self.base, battle)
        if {name: data[name] for name in right} != right:
            raise Untrue("the attack is not the one that was declared (8.1.a)")
        for face in data["defenders"]:
            unit = self.unit(face["id"])
            if face["hex"] != right["target"] or self.at[unit] not in (battle.target, HIDDEN):
                raise Untrue(f"{face['id']} is not where it is attacked (8.1.a)")
            self.at[unit] = battle.target
        self.attacked = data

    def _declared(self, data: Mapping[str, Any], rules: Sequence[str]) -> None:
        self.in_phase("combat", "an attack is declared")
        if self.declared:
            raise Untrue("two attacks are declared at once (8)")
        self.declared = data

    def _retreat_failed(self, data: Mapping[str, Any], rules: Sequence[str]) -> None:
        """9.4.1.d: what a retreat adds to the coming loss roll of the writer."""
        side, price = self.rules.seat_index(data["side"]), data["drm"]
        number = 0 if side == self.state.active else 1
        if side != self.writer or self.base.battle is None or not self.penalties[number] < price <= MOST_PENALTY:
            raise Untrue(f"no retreat of {data['side']} costs {price} (9.4.1.d)")
        self.penalties[number] = price

    def _ratio(self, data: Mapping[str, Any], rules: Sequence[str]) -> None:
        if self.ratio is not None or self.state.active != self.seat or self.base.battle is None:
            raise Untrue("a ratio is worked out where there is no combat (8.1)")
        self.ratio = data
        self.spent = True

    def _void(self, data: Mapping[str, Any], rules: Sequence[str]) -> None:
        self.spent = self.rules.option["illegal_odds_attack"] != "void_free"
        if data["spent"] is not self.spent:
            raise Untrue("whether an attack that cannot be made is spent is fixed by the rules (8.2.b)")

    def _collapsed(self, data: Mapping[str, Any], rules: Sequence[str]) -> None:
        self.spent = True

    def _flipped(self, data: Mapping[str, Any], rules: Sequence[str]) -> None:
        """12.3.g/12.3.f: guns that fired in the combat at hand turn to Mov."""
        unit = self.rules.find_unit(data["unit"])
        if data["mov"] is not True or unit not in self.fighters or not self.rules.firing_flips:
            raise Untrue(f"{data['unit']} has not fired (12.3.g)")
        self.flipped.add(unit)

    def _losses(self, data: Mapping[str, Any], rules: Sequence[str]) -> None:
        battle, side = self.base.battle, self.rules.seat_index(data["side"])
        self._check_borne()
        if battle is None or not battle.fought:
            raise Untrue(f"there are no losses for {data['side']} now (9.4)")
        attacks = self.state.active == side
        drm = battle.attack_drm + self.penalties[0] if attacks else battle.defence_drm + self.penalties[1]
        number = self.rules.tables.reductions(battle.steps, battle.lrt_die + drm)
        if (data["reductions"], data["drm"]) != (number, drm):
            raise Untrue(
                f"{data['side']} is told to bear {data['reductions']} reductions, and has {number} to bear (9.4)"
            )
        if side == self.seat:
            if number:
                raise Untrue("your losses are yours to spread (9.4.2)")
            return
        units = battle.attackers if attacks else battle.defenders
        alive = [unit for unit in units if self.at[unit] >= 0]
        self.due = min(number, sum(endurance(self.rules, self.fight, unit) for unit in alive))
        self.losses_told = True

    def _check_borne(self) -> None:
        if self.due:
            raise Untrue(f"{self.due} reductions are not told (9.4.2)")

    def _reduced(self, data: Mapping[str, Any], rules: Sequence[str]) -> None:
        unit = self.unit(data["unit"])
        times = data["reductions"]
        if unit not in fighting(self.base) or not isinstance(times, int) or not 0 < times < 20:
            raise Untrue(f"{data['unit']} takes no part in a combat and suffers from it (9.4.2.b)")
        reduce(self.rules, self.fight, unit, times, (), [])
        dead = self.fight.at[unit] == ELIMINATED
        right = (-1, 0) if dead else (self.fight.ce[unit], self.fight.steps[unit])
        if (data["ce"], data["steps"]) != right:
            raise Untrue(f"{data['unit']} does not bear {times} reductions as the letter says (9.4.2.c)")
        if self.rules.cite(cites.SPREAD) in rules:
            self.due -= min(times, self.due)

    # What comes of it

    def settle(self, fresh: S, told: Mapping[str, Any]) -> None:
        """What the letter tells of the position is what its events led to."""
        ids, hexes = self.rules.ids, self.rules.hex_id
        if self.over != bool(fresh.outcome) or self.over != (not fresh.frames):
            raise Untrue("whether the match is over is told both ways")
        if self.over:
            self._check_end(fresh)
        elif (fresh.turn, fresh.active, fresh.phase) != (self.state.turn, self.state.active, self.state.phase):
            raise Untrue(f"turn {fresh.turn}, phase {fresh.phase} of {self.rules.seats[fresh.active]} has not come (3)")
        if told["cleared"] != self.cleared:
            raise Untrue("cleared: not what the phases that began wipe off")
        for h in bits(fresh.held ^ self.state.held):
            raise Untrue(f"nobody is told to have taken {hexes(h)} (15.b)")
        for h in self.taken:
            if not self.entered >> h & 1:
                raise Untrue(f"{hexes(h)} was taken and nobody came into it (15.b)")
        for unit in self.gone:
            if not self.entered >> self.base.at[unit] & 1:
                raise Untrue(f"{ids[unit]} was lost and nobody came to where it was (12.3.f)")
        self._check_yours(told["yours"])
        self._check_places(fresh, told["view"]["enemy"])
        self._check_faces(fresh)
        self._check_attacked(fresh)
        self._check_borne()
        self._check_done(fresh)
        if fresh.mover in self.at and fresh.left > self._most_left(fresh.mover):
            raise Untrue(f"{ids[fresh.mover]} has fewer movement points left (4.1)")
        self.settle_more(fresh)

    def settle_more(self, fresh: S) -> None:
        """What only one of the games shows."""

    def _check_end(self, fresh: S) -> None:
        """14, 15: the match is over, and its result is the one that follows."""
        if self.foreseen_end:
            return
        self.check_over(fresh)
        right = self.rules.result(fresh)
        told = self.told_end.get("level"), self.told_end.get("score"), self.told_end.get("winner")
        if right is None or told != (right.level, right.score, right.winner):
            raise Untrue("the result is not the one that follows from the position")

    def check_over(self, fresh: S) -> None:
        """How the match can have ended while the writer played."""
        raise NotImplementedError

    def check_end_phase(self, stack: Sequence[Frame], fresh: S) -> None:
        """3.1: what is to be done after both player turns."""

    def _check_yours(self, yours: Mapping[str, Mapping[str, Any]]) -> None:
        """12.3.f/12.3.e, 7.a/7.0, 12.3.g/12.3.f: all that can happen to the reader's units while the writer plays."""
        lost = {self.rules.find_unit(name) for name, change in yours.items() if "hex" in change}
        if lost != self.gone or any(change.get("hex", "eliminated") != "eliminated" for change in yours.values()):
            raise Untrue("yours: units were lost that are not told, or went where nobody can send them")
        battle = self.base.battle
        struck = {self.rules.ids[unit] for unit in battle.attackers} if battle is not None and self.spent else set()
        if {name for name, change in yours.items() if "struck" in change.get("set", [])} != struck:
            raise Untrue("yours: those that attacked are not those that are marked for it (7.a)")
        for name, change in yours.items():
            marks, unit = change.get("set", []), self.rules.number[name]
            right = {"mov"} if unit in self.flipped else {"fired"} if self._may_have_fired(unit) else set()
            if len(set(marks)) < len(marks) or not set(marks) - {"struck"} <= right:
                raise Untrue(f"yours: {name} cannot have been marked {', '.join(map(str, marks))}")

    def _may_have_fired(self, unit: int) -> bool:
        return not self.rules.firing_flips and self.rules.supports[unit] and unit in self.fighters

    def _check_places(self, fresh: S, enemy: Sequence[Mapping[str, Any]]) -> None:
        """Where the writer's units are seen, how many steps they have, and which of them are lost."""
        ids, hexes = self.rules.ids, self.rules.hex_id
        seen = [self.unit(data["id"]) for data in enemy]
        before = fog.seen_units(self.rules, self.base, self.writer)
        for unit in seen:
            at = fresh.at[unit]
            if self.at[unit] not in (at, HIDDEN) or not self.may >> at & 1:
                raise Untrue(f"nothing tells how {ids[unit]} came to {hexes(at)}")
            if self.at[unit] == HIDDEN and self.rules.counters[unit].entry > fresh.turn:
                raise Untrue(f"{ids[unit]} does not come in before turn {self.rules.counters[unit].entry} (13)")
            unseen = self.supplied or self.retreats  # attrition, streams
            steps, now = self.fight.steps[unit], fresh.steps[unit]
            if unit in before and (now > steps or (now < steps and not unseen)) and self.base.at[unit] >= 0:
                raise Untrue(f"nothing tells why {ids[unit]} has {now} steps and not {steps} (10.2)")
            if unit in before and self.rules.gun[unit]:
                self._check_gun(unit, fresh)
        for unit in self.rules.of_side[self.writer]:
            if (fresh.at[unit] == ELIMINATED) != (self.at[unit] == ELIMINATED):
                raise Untrue(f"{ids[unit]} is lost, or not, and nothing tells of it (10.3.2)")
        for h in bits(fresh.occ[self.writer] & ~self.may):
            raise Untrue(f"nothing tells who came to {hexes(h)}")
        for h in bits(self.must & ~fresh.occ[self.writer]):
            raise Untrue(f"nothing tells who left {hexes(h)}")

    def _check_gun(self, gun: int, fresh: S) -> None:
        """12.3.g, 12.3.h/12.3.f: artillery turns to Mov when it fires or moves, and back when a Movement Phase ends."""
        before, now = bool(self.base.flags[gun] & MOV), bool(fresh.flags[gun] & MOV)
        moved = (self.base.phase, self.base.active) == ("movement", self.writer) or "movement_phase" in self.cleared
        ended = moved and Frame("movement", self.writer) not in fresh.frames
        if before and not now and not ended:
            raise Untrue(f"{self.rules.ids[gun]} cannot have been unlimbered (12.3.h)")
        if now and not before and gun not in self.flipped and gun not in self._spent and self.at[gun] != HIDDEN:
            raise Untrue(f"nothing tells why {self.rules.ids[gun]} is on its Mov side (12.3.g)")

    def _check_attacked(self, fresh: S) -> None:
        """7.a/7.0: the hexes of the writer that cannot be attacked again in this phase."""
        if fresh.phase != "combat" or "combat_phase" in self.cleared:
            return
        before, now = (fog.attacked_hexes(self.rules, state, self.writer) for state in (self.base, fresh))
        target = mask_of([self.base.battle.target]) if self.base.battle is not None else 0
        as_it_was = self.must & ~self.entered
        for h in bits((now & ~before & ~target | before & ~now) & as_it_was):
            raise Untrue(f"attacked: whether {self.rules.hex_id(h)} has been attacked is known (7.a)")

    def _check_faces(self, fresh: S) -> None:
        """5.4.b/5.4: units of the combat at hand are as they were when they were shown, but for what they suffered."""
        known = {face["id"]: face for face in self.attacked.get("defenders", ())}
        for unit in set(fighting(fresh)) & {*self.rules.of_side[self.writer]}:
            name = self.rules.ids[unit]
            if name in known and known[name] != self.rules.known_of(fresh, unit):
                raise Untrue(f"{name} is shown both ways (5.4.b)")
            if unit not in fighting(self.base):
                continue
            right = self.fight.ce[unit], self.fight.steps[unit], self.base.supply[unit]
            if fresh.at[unit] >= 0 and (fresh.ce[unit], fresh.steps[unit], fresh.supply[unit]) != right:
                raise Untrue(f"{name} is not as it was shown (5.4.b)")

    def _check_done(self, fresh: S) -> None:
        """9: retreats and losses that were the writer's to carry out have been."""
        battle, frames = self.base.battle, self.base.frames
        if battle is None or not battle.fought or self.over:
            return
        left = [frame for frame in frames if frame.name not in {later.name for later in fresh.frames}]
        attacks = self.state.active == self.writer
        for frame in left:
            if frame.name in ("attack_losses", "defence_losses") and not self.losses_told:
                if secrets_of(self.rules, self.base, frame) == self.writer:
                    raise Untrue("the losses that the dice gave are not told (9.4)")
        names = {frame.name for frame in left}
        if attacks and "attack_retreat" in names:
            back = retreating_origins(self.rules, battle)
            pairs = zip(battle.attackers, battle.origins, strict=True)
            self.beaten = tuple(sorted(unit for unit, origin in pairs if origin in back))
            for origin in back:
                here = [unit for unit, at in zip(battle.attackers, battle.origins, strict=True) if at == origin]
                self._check_gone(here, origin, fresh)
        if not attacks and Frame("defence_retreat", AUTO, (battle.defence_retreat,)) in left and battle.defence_retreat:
            self._check_gone(battle.defenders, battle.target, fresh)

    def _check_gone(self, units: Sequence[int], h: int, fresh: S) -> None:
        able = [unit for unit in units if not self.rules.immobile[unit] and self.at[unit] != ELIMINATED]
        if able and h not in self.retreats:
            raise Untrue(f"the retreat from {self.rules.hex_id(h)} that the dice gave is not told (9.2)")

    def check_course(self, fresh: S) -> None:
        """3.1: below all else lie the phases of this player turn that are to come, each once and in their order."""
        order, stack = self.rules.phase_order, fresh.frames
        if self.over or self.state.phase == "setup" or not stack:
            return
        names = [frame.name for frame in stack]
        if self.state.phase == "end" and self.begun == len(order):
            if names[0] != "next_turn" or names.count("next_turn") > 1 or set(names) & set(order):
                raise Untrue("after the last phase something else is to come than the next turn (3.1)")
            self.check_end_phase(stack, fresh)
            return
        begun = self.begun
        if self._phases_begun(stack) > begun and begun < len(order) and not _announced(order[begun]):
            begun += 1
        right = [f"player_turn_ends {self.state.active}", *reversed(order[begun:])]
        told = [" ".join(map(str, [stack[0].name, *stack[0].args])), *names[1:]]
        if told[: len(right)] != right or set(told[len(right) :]) & {*order, "player_turn", "player_turn_ends"}:
            raise Untrue("the phases that are to come are not those of this player turn (3.1)")


def _announced(step: str) -> bool:
    """Some phases are part of the one before, and no event tells that they begin."""
    return step != "works_phase"


HANDLERS: dict[str, Callable[[Account[Any, Any], Mapping[str, Any], Sequence[str]], None]] = {
    "player_turn": Account._player_turn,
    "phase": Account._phase,
    "turn": Account._turn,
    "over": Account._over,
    "moved": Account._moved,
    "retreated": Account._retreated,
    "cannot_retreat": Account._cannot_retreat,
    "advanced": Account._advanced,
    "entered": Account._entered,
    "eliminated": Account._eliminated,
    "shown": Account._shown,
    "taken": Account._taken,
    "attacked": Account._attacked,
    "declared": Account._declared,
    "retreat_failed": Account._retreat_failed,
    "ratio": Account._ratio,
    "void": Account._void,
    "collapsed": Account._collapsed,
    "flipped": Account._flipped,
    "losses": Account._losses,
    "reduced": Account._reduced,
}
"""Which function enters which event. Other events change nothing that is seen, or belong to one game alone."""
