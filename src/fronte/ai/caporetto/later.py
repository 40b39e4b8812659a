"""The moves of a force outside of actions: of its guns, and of those who were not activated."""

from __future__ import annotations

from fronte.ai.caporetto.act import Action
from fronte.ai.caporetto.chart import TURN
from fronte.ai.caporetto.paths import Paths, paths
from fronte.ai.caporetto.walks import Way, choose
from fronte.ai.reasons import Answer, Reason
from fronte.games.caporetto import marching, sectors
from fronte.games.caporetto.marching import left_of, manner_of
from fronte.games.caporetto.moving import Move, Moving
from fronte.games.caporetto.state import put


class Later(Action):
    """10.3: the moves of a force in phases 9 and 10."""

    def movers(self) -> int:
        frame = self.state.frames[-1]
        choice = self.rules.choices[frame.name]
        assert isinstance(choice, Moving)
        return choice.able(self.rules, self.state, frame) | (self.state.moving & ~self.state.activated)

    def both(self, unit: int) -> list[Paths]:
        """10.3.2: where a unit can go strategically, if it may, and where it can go otherwise."""
        rules, state, picture = self.rules, self.state, self.picture
        found = []
        if marching.may_be_strategic(rules, state, (unit,)):
            left = left_of(rules, state, (unit,), strategic=True)
            found.append(paths(picture, unit, left, manner_of(state, (unit,), strategic=True)))
        left = left_of(rules, state, (unit,))
        if left > 0:
            found.append(paths(picture, unit, left, manner_of(state, (unit,))))
        return found

    def plan(self) -> list[Answer]:
        self._able = self.movers()
        for unit in self.in_order(self._able):
            if self.rules.guns >> unit & 1:
                self.limbered(unit)
            else:
                self.walk(unit)
        return self.answers

    def best_way(self, unit: int) -> tuple[float, Way | None]:
        best: tuple[float, Way | None] | None = None
        for found in self.both(unit):
            found.left[self.state.at[unit]] = left_of(self.rules, self.state, (unit,))
            one = choose(self.picture, self.posts, self.weights, unit, found, self.fits)
            if one is not None and (best is None or one.worth > best[0]):
                best = one.worth, one
        return best if best is not None else (self.posts(unit, self.state.at[unit]), None)

    def limbered(self, gun: int) -> None:
        """18.1: a gun on the move goes where it will have the enemy in range, but not next to him."""
        rules, state = self.rules, self.state
        best: tuple[float, Paths, int] | None = None
        for found in self.both(gun):
            for h in found.left:
                worth = self.gun_post(gun, h)
                if (best is None or worth > best[0]) and self.fits(h, (gun,)) and not sectors.is_common(rules, h):
                    best = worth, found, h
        if best is None or best[0] <= self.gun_post(gun, state.at[gun]) + 0.05:
            return
        path = best[1].way(best[2])
        why = Reason("guns", {"hex": rules.grid.ids[best[2]]})
        self.answers.append(Answer(Move(rules.ids[gun], rules.hex_ids(path)), why))
        put(rules, state, gun, best[2])

    def gun_post(self, gun: int, h: int) -> float:
        """What a hex is worth to a gun: targets in range, enemies not too near, the way of the others."""
        rules, picture = self.rules, self.picture
        far = rules.range[gun]
        within = (rules.grid.within(h, max(1, far - 1)) & picture.foes).bit_count()
        near = (rules.grid.within(h, 2) & picture.foes).bit_count()
        found = 0.1 * min(8, within) - 0.5 * near
        if picture.side == 0:
            found -= 0.3 * min(20.0, picture.way[h] / TURN)
        elif picture.arrival[h] < TURN:
            found -= 0.5
        return found - (0 if picture.fed >> h & 1 else 0.5)
