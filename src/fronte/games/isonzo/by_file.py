"""Isonzo by file: bridges, pontoons, points and the end of the game in the account of what both sides see."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from fronte.engine.decision import Frame
from fronte.engine.event import Event
from fronte.games.inferno.by_file_account import HIDDEN, Account, Count, ToldView, Untrue
from fronte.games.inferno.counters import AH, ITALIAN
from fronte.games.inferno.procedure import defenders_penalty
from fronte.games.inferno.state import AS_BRIDGE, ELIMINATED
from fronte.games.isonzo import battleground
from fronte.games.isonzo.state import IsonzoState
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.isonzo.game import Isonzo

OF_DICE = ("bridge_blown", "points", "end_roll")
"""Events that come with dice that fall in the open; all of them have been told by then."""


class IsonzoView(ToldView, forbid_unknown_fields=True, kw_only=True):
    """What Isonzo adds to the view."""

    destroyed: list[str]
    pontoons: dict[str, str]
    crossed: list[tuple[str, int, str]]
    tried: dict[str, list[str]]
    points: Count
    released: Count
    returned: Count
    returns: Count


class IsonzoAccount(Account["Isonzo", IsonzoState]):
    """All that both sides see of a game of Isonzo."""

    view_kind: ClassVar[type[ToldView]] = IsonzoView

    def __init__(self, rules: Isonzo, mine: IsonzoState, base: IsonzoState, seat: int, dice: Sequence[int]) -> None:
        super().__init__(rules, mine, base, seat, dice)
        self.turn_ends = False
        """Phase C has begun."""
        self.may_exchange = False
        """12.5.1.a: the die has just allowed it."""
        self.gorizia = -1

    def entry_edge(self) -> int:
        found: int = self.rules.board.flags[self.writer]
        return found

    def enter_more(self, event: Event) -> None:
        if event.kind in OF_DICE:
            raise Untrue(f"the event {event.kind!r} has no throw before it")
        handler = HANDLERS.get(event.kind)
        if handler is not None:
            handler(self, event.data)

    def _bridge(self, name: Any, broken: bool) -> int:
        """14.4: a bridge that stands, or is destroyed."""
        rules = self.rules
        bridge = rules.board.bridge_at.get(rules.board.hexside(str(name)), -1)
        if bridge < 0 or bool(self.state.broken >> bridge & 1) != broken:
            raise Untrue(f"no bridge on {name} is {'destroyed' if broken else 'standing'} (14.4)")
        return int(bridge)

    # Bridges and pontoons

    def _repaired(self, data: Mapping[str, Any]) -> None:
        self.in_phase("reinforcement", "a bridge is repaired")
        self.state.broken &= ~(1 << self._bridge(data["bridge"], True))

    def _demolished(self, data: Mapping[str, Any]) -> None:
        rules = self.rules
        bridge = self._bridge(data["bridge"], False)
        side = rules.board.sides[rules.board.bridges[bridge]]
        held = self.state.held if self.writer == ITALIAN else ~self.state.held
        mine = self.may | held & ~self.facing
        if self.state.phase != "end" or not mine >> side.a & 1 or not mine >> side.b & 1:
            raise Untrue(f"{data['bridge']} cannot be demolished by {rules.seats[self.writer]} (14.4.c)")
        self.state.broken |= 1 << bridge

    def _pontoon(self, data: Mapping[str, Any]) -> None:
        self.in_phase("reinforcement", "a pontoon is built")
        rules = self.rules
        unit, number = self.unit(data["unit"]), rules.board.hexside(str(data["bridge"]))
        if number < 0 or not rules.engineer[unit] or number in self.state.pontoons.values():
            raise Untrue(f"{data['unit']} cannot build on {data['bridge']} (12.2.b)")
        ends = [h for h in rules.board.sides[number][:2] if self.may >> h & 1 and self.at[unit] in (h, HIDDEN)]
        if not ends:
            raise Untrue(f"{data['unit']} is not at {data['bridge']} (12.2.b)")
        for h in ends:
            self.leave([unit], h)
        self.at[unit] = AS_BRIDGE
        self.state.pontoons[unit] = number

    def _lifted(self, data: Mapping[str, Any]) -> None:
        rules = self.rules
        unit, h = self.unit(data["unit"]), self.hex(data["hex"])
        number = self.state.pontoons.pop(unit, -1)
        if number < 0 or h not in rules.board.sides[number][:2]:
            raise Untrue(f"{data['unit']} is no pontoon that ends in {data['hex']} (12.2.c)")
        self.arrive([unit], h)

    def _lost(self, data: Mapping[str, Any]) -> None:
        self.state.pontoons.pop(self.rules.number[data["unit"]], None)

    def _bombarded(self, data: Mapping[str, Any]) -> None:
        self.in_phase("combat", "a bridge is bombarded")
        self.flipped.add(self.unit(data["gun"]))

    def _bombardment(self, data: Mapping[str, Any]) -> None:
        """14.4.d: the writer throws this die himself, because the gun's supply is his secret."""
        rules = self.rules
        top = self.base.frames[-1]
        gun, number = self.unit(data["gun"]), rules.board.hexside(str(data["bridge"]))
        if not self.dice or top.name != "bombardment_die" or top.args != (gun, number) or data["die"] != self.dice[0]:
            raise Untrue("the bombardment is not the one that was thrown for (14.4.d)")
        if data["destroyed"]:
            if data["die"] > max(face.av for face in rules.faces[gun]):
                raise Untrue(f"a {data['die']} destroys nothing (14.4.d)")
            if number in rules.board.bridge_at:
                self.state.broken |= 1 << rules.board.bridge_at[number]

    def _refused(self, data: Mapping[str, Any]) -> None:
        """12.5.1.a: losses come first, and with them what the whole retreat would cost as things stand."""
        battle = self.base.battle
        if battle is None or self.base.frames[-1:] != [Frame("refusal", self.writer)]:
            raise Untrue("there is no retreat to refuse (12.5.1.a)")
        self.refusing = True
        self.penalties[1] = defenders_penalty(self.rules, self.base, battle, battle.defence_retreat)

    def _refusal(self, data: Mapping[str, Any]) -> None:
        """12.5.1.a: on the strength or less a hex can be exchanged; the strongest of the hex may lie hidden."""
        rules = self.rules
        battle = self.base.battle
        if not self.dice or self.base.frames[-1].name != "refusal_die" or battle is None:
            raise Untrue("nobody had to throw for a refusal (12.5.1.a)")
        stands = data["stands"]
        right = {"die": self.dice[0], "stands": stands, "retreat": battle.defence_retreat - (1 if stands else 0)}
        least = max((self._defence(unit) for unit in battle.defenders if self.at[unit] == battle.target), default=0)
        most = max(face.defence for unit in rules.of_side[self.writer] for face in rules.faces[unit])
        fits = self.dice[0] <= most + 1 if stands else self.dice[0] > least
        if dict(data) != right or not isinstance(stands, bool) or not fits:
            raise Untrue("the refusal is not what the die gives (12.5.1.a)")
        self.may_exchange = stands

    def _defence(self, unit: int) -> int:
        rules = self.rules
        if rules.option["refusal_strength"] == "printed":
            return int(rules.face(self.base, unit).defence)
        return int(rules.defence_in_combat(self.base, unit))

    def _exchanged(self, data: Mapping[str, Any]) -> None:
        """12.5.1.a: one hex of retreat for one reduction."""
        battle = self.base.battle
        if battle is None or not (self.may_exchange or Frame("exchange", self.writer) in self.base.frames):
            raise Untrue("the die allows no exchange (12.5.1.a)")
        self.retreat = battle.defence_retreat - (1 if data["exchanged"] else 0)
        right = {"hex": self.rules.hex_id(battle.target), "exchanged": data["exchanged"], "retreat": self.retreat}
        if dict(data) != right or not isinstance(data["exchanged"], bool):
            raise Untrue("the exchange is told both ways (12.5.1.a)")

    # Points and units that come back

    def _released(self, data: Mapping[str, Any]) -> None:
        self.in_phase("reinforcement", "a reserve is released")
        points = data["points"]
        if self.writer != ITALIAN or not isinstance(points, int) or not 0 <= points < self.state.points:
            raise Untrue("no reserve can be released without a point (13.1.d)")
        self.state.points = points
        self.state.released += 1

    def _returned(self, data: Mapping[str, Any]) -> None:
        self.in_phase("reinforcement", "a unit comes back")
        rules = self.rules
        unit = self.unit(data["unit"])
        late = self.state.turn >= int(rules.scenario["emergency_from"])
        again = bool(self.state.returns) and rules.option["emergency_per_gt"] == "1"
        if self.writer != AH or self.at[unit] != ELIMINATED or not late or again:
            raise Untrue(f"{data['unit']} cannot come back now (13.2)")
        self.at[unit] = HIDDEN
        self.state.returned += 1
        self.state.returns += 1

    # The end of the turn and of the match

    def _phase_c(self, data: Mapping[str, Any]) -> None:
        self.turn_ends = self.turn_ends or data["phase"] == "end"

    def _next_turn(self, data: Mapping[str, Any]) -> None:
        """3.1.C, 1.4: not before the throws for points and for the end, which would have been told with their dice."""
        rules = self.rules
        turn = self.state.turn - 1
        if rules.last_turn and turn >= rules.last_turn:
            raise Untrue("the last turn of the scenario is over")
        if turn >= int(rules.scenario["end_roll_from"]):
            raise Untrue("the throw for the end of the game is left out (1.4)")
        if self.turn_ends and turn >= int(rules.scenario["ris_rimp_from"]):
            raise Untrue("the throw for Ris/Rimp points is left out (3.1.C.a)")
        self.state.crossed, self.state.returns = {}, 0

    def check_end_phase(self, stack: Sequence[Frame], fresh: IsonzoState) -> None:
        rules = self.rules
        names = [frame.name for frame in stack]
        if self.turn_ends and fresh.turn >= int(rules.scenario["ris_rimp_from"]) and "points_die" not in names:
            raise Untrue("the throw for Ris/Rimp points is left out (3.1.C.a)")
        if fresh.turn >= int(rules.scenario["end_roll_from"]) and not {"end_roll", "end_die"} & set(names):
            raise Untrue("the throw for the end of the game is left out (1.4)")
        if self.turn_ends and "demolitions" not in names and Frame("demolish", self.seat) not in stack:
            if battleground.demolishable(rules, fresh, self.seat):
                raise Untrue("you are not asked which bridges to demolish (14.4.c)")

    def _gorizia(self, data: Mapping[str, Any]) -> None:
        self.gorizia = self.hex(data["hex"])

    def check_over(self, fresh: IsonzoState) -> None:
        rules = self.rules
        last = bool(rules.last_turn) and self.state.turn >= rules.last_turn and fresh.active == rules.second_player
        if last and fresh.outcome == "time":  # in a scenario of ours, which ends without a throw
            return
        there = (
            self.gorizia >= 0 and bool(rules.board.gorizia & self.entered) and rules.board.gorizia >> self.gorizia & 1
        )
        if fresh.outcome != "gorizia" or not there or self.writer != AH:
            raise Untrue("the match cannot be over yet (1.4, 15.e)")
        self.stopped = True

    def settle_more(self, fresh: IsonzoState) -> None:
        rules = self.rules
        state = self.state
        for bridge in bits(fresh.broken ^ state.broken):
            raise Untrue(
                f"nothing tells what happened to the bridge {rules.board.hexside_name(rules.board.bridges[bridge])}"
            )
        if fresh.pontoons != state.pontoons:
            raise Untrue("nothing tells what happened to the pontoons (12.2)")
        told = (fresh.released, fresh.returned, fresh.returns)
        if told != (state.released, state.returned, state.returns):
            raise Untrue("nothing tells which reserves were released or units came back (13)")
        if fresh.points > state.points or (fresh.points < state.points and self.writer != ITALIAN):
            raise Untrue(f"nothing tells why there are {fresh.points} points and not {state.points} (13.1)")
        if not set(state.crossed) <= set(fresh.crossed):
            raise Untrue("a crossing of the river that was used is free again (14.2.a)")
        self._check_slots(fresh)
        asked = mask_of(
            frame.args[0] for frame in fresh.frames if (frame.name, frame.seat) == ("demolition", self.seat)
        )
        for side, new in ((self.writer, 0), (self.seat, asked)):
            if state.tried[side] & ~fresh.tried[side] or fresh.tried[side] & ~state.tried[side] & ~new:
                raise Untrue("tried: not the bridges that were to be blown or not in this turn (14.4.b)")
        if not self.over:
            self._check_asked(fresh)

    def _check_slots(self, fresh: IsonzoState) -> None:
        """14.2.a: of the reader's crossings of the river only those of his attack have been used."""
        rules = self.rules
        battle = self.base.battle if self.spent else None
        used = set(self.state.crossed)
        if battle is not None:
            for unit, origin in zip(battle.attackers, battle.origins, strict=True):
                used.add(battleground.slot(rules, unit, rules.board.edge_to[origin][battle.target].side))
        new = [key for key in set(fresh.crossed) - used if key // 2 % 2 == self.seat]
        if new:
            raise Untrue("crossed: a crossing of yours is used, and nobody has crossed (14.2.a)")

    def _check_asked(self, fresh: IsonzoState) -> None:
        """14.4.b: whoever comes next to a bridge gives the other side the choice to blow it."""
        rules = self.rules
        tried = self.base.tried[self.seat] | fresh.tried[self.seat]
        for h in bits(self.reached):
            for number in battleground.ends_near(rules, h):
                bridge = rules.board.bridge_at.get(number, -1)
                stands = bridge >= 0 and not (self.base.broken | fresh.broken) >> bridge & 1
                at = rules.board.sides[number].bridge_hex
                if stands and not tried >> at & 1 and battleground._guards(rules, fresh, self.seat, number):
                    raise Untrue(f"you are not asked whether to blow the bridges of {rules.hex_id(at)} (14.4.b)")


HANDLERS: dict[str, Callable[[IsonzoAccount, Mapping[str, Any]], None]] = {
    "repaired": IsonzoAccount._repaired,
    "bridge_demolished": IsonzoAccount._demolished,
    "pontoon": IsonzoAccount._pontoon,
    "pontoon_lifted": IsonzoAccount._lifted,
    "eliminated": IsonzoAccount._lost,
    "bombarded": IsonzoAccount._bombarded,
    "bombardment": IsonzoAccount._bombardment,
    "refusing": IsonzoAccount._refused,
    "refusal": IsonzoAccount._refusal,
    "exchanged": IsonzoAccount._exchanged,
    "released": IsonzoAccount._released,
    "returned": IsonzoAccount._returned,
    "phase": IsonzoAccount._phase_c,
    "turn": IsonzoAccount._next_turn,
    "gorizia": IsonzoAccount._gorizia,
}
