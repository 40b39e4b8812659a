"""Altipiani by file: lost steps, replacement points and the end of the game in the account of what both sides see."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from fronte.engine.event import Event
from fronte.games.altipiani.state import AltipianiState
from fronte.games.inferno import fog
from fronte.games.inferno.by_file_account import Account, Count, ToldView, Untrue
from fronte.games.inferno.counters import ITALIAN
from fronte.games.inferno.state import ELIMINATED

if TYPE_CHECKING:
    from fronte.games.altipiani.game import Altipiani

OF_DICE = ("brusilov", "improved_defence")
"""Events that come with dice that fall in the open; all of them have been told by then."""


class AltipianiView(ToldView, forbid_unknown_fields=True, kw_only=True):
    """What Altipiani adds to the view."""

    lost: dict[str, Count]
    replacements: dict[str, Count]
    brusilov: bool
    improved: bool
    roused: list[str]


class AltipianiAccount(Account["Altipiani", AltipianiState]):
    """All that both sides see of a game of Altipiani."""

    view_kind: ClassVar[type[ToldView]] = AltipianiView
    rules: Altipiani

    def entry_edge(self) -> int:
        rules = self.rules
        found: int = rules.board.home[self.writer]
        return found

    def enter_more(self, event: Event) -> None:
        rules = self.rules
        if event.kind in OF_DICE:
            raise Untrue(f"the event {event.kind!r} has no throw before it")
        if event.kind == "replacements":
            self._replacements(event)
        elif event.kind == "turn" and self.state.turn > rules.last_turn:
            raise Untrue("the match is over after its last turn (14.0)")
        elif event.kind == "phase" and event.data["phase"] == "reinforcement" and self.state.active == ITALIAN:
            if rules.improved_defence and rules.improved_for_a_turn:
                self.state.improved = False

    def _replacements(self, event: Event) -> None:
        """15.1: points come and go; a recovery of the writer's own costs him one and is not told (5.4)."""
        rules = self.rules
        side, change, points = rules.seat_index(event.data["side"]), event.data["change"], event.data["points"]
        if side != self.writer or not rules.replacements or not -1 <= change <= 9:
            raise Untrue("there are no replacement points to be had now (15.1)")
        if "15.1.a" in event.rules:
            self.state.lost[side] += change
        if not 0 <= points <= self.state.replacements[side] + change:
            raise Untrue(f"{points} replacement points are more than there can be (15.1)")
        self.state.replacements[side] = points

    def check_over(self, fresh: AltipianiState) -> None:
        rules = self.rules
        last = self.state.turn >= rules.last_turn and self.state.active == rules.second_player
        if fresh.outcome != "time" or not last or self.begun < len(rules.phase_order):
            raise Untrue("the match cannot be over yet (14.0)")

    def settle_more(self, fresh: AltipianiState) -> None:
        state, reader, writer = self.state, self.seat, self.writer
        if fresh.replacements[reader] != state.replacements[reader]:
            raise Untrue("nothing tells why your replacement points changed (15.1)")
        if fresh.replacements[writer] > state.replacements[writer]:
            raise Untrue("nothing tells where replacement points came from (15.1)")
        if fresh.lost[reader] != self.base.lost[reader]:
            raise Untrue("nothing tells which steps you lost (14.0.c)")
        if fresh.lost[writer] < max(state.lost[writer], self.base.lost[writer] + self._steps_lost(fresh)):
            raise Untrue("fewer steps are counted as lost than were lost (14.0.c)")
        self._check_roused(fresh)
        if (fresh.brusilov, fresh.improved) != (state.brusilov, state.improved):
            raise Untrue("nothing tells what changed the optional rules (15)")

    def _check_roused(self, fresh: AltipianiState) -> None:
        """12.4.c: units that are free to move since they were attacked, of those that were and are seen."""
        both = fog.seen_units(self.rules, self.base, self.writer) & fog.seen_units(self.rules, fresh, self.writer)
        target = self.rules.grid_index.get(str(self.attacked.get("target")), -1)
        for unit in both:
            before, now = self.base.roused >> unit & 1, fresh.roused >> unit & 1
            if before > now or (now > before and self.base.at[unit] != target):
                raise Untrue(f"nothing tells why {self.rules.ids[unit]} is roused, or not (12.4.c)")

    def _steps_lost(self, fresh: AltipianiState) -> int:
        """14.0.c: the combat steps that the writer has lost for all to see."""
        before = fog.seen_units(self.rules, self.base, self.writer)
        after = fog.seen_units(self.rules, fresh, self.writer)
        lost = 0
        for unit in self.rules.of_side[self.writer]:
            if not self.rules.combat[unit]:
                continue
            if unit in before and unit in after:
                lost += self.base.steps[unit] - fresh.steps[unit]
            elif fresh.at[unit] == ELIMINATED and self.base.at[unit] != ELIMINATED:
                lost += self.base.steps[unit] if unit in before else 1
        return lost
