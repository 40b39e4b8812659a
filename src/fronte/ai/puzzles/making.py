"""Puzzles out of machine games: turns in which much more can be had than naive play gets.

Machines play; at the beginning of every errand (a player turn, an activation) two things are compared for each place
that might be taken: the chance of what the usual player would do, and that of the best line that is found. The same
seed finds the same puzzles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

import fronte
from fronte.ai import player, usual_player
from fronte.ai.advice import known_policy
from fronte.ai.playout import DISCARDED
from fronte.ai.policy import PLANNED, Policy, is_legal
from fronte.ai.puzzles.chance import NEVER, Tree
from fronte.ai.puzzles.collection import Puzzle
from fronte.ai.puzzles.goals import DESTROY, TAKE, Goal
from fronte.engine import flow
from fronte.engine.decision import CHANCE, Action
from fronte.engine.rules import Rules

LEAST, GAP = Fraction(1, 3), Fraction(3, 20)
"""The best line must promise so much, and so much more than naive play does."""
SURE_ENOUGH = Fraction(97, 100)
"""What is as good as certain is no puzzle."""
STARTS, STEPS = 2, 5
"""So often moves towards the place are put together, so many of them at most."""
DOUBT = 0.1
"""How far a guess of a chance may be out."""
EXACT = 3
"""So many of those are weighed exactly."""
EVERYWHERE = "all"
"""In place of a hex: every hex."""
NODES = 5_000
"""A line that cannot be counted out within so many is left alone."""


class Line(NamedTuple):
    """What is done up to the first throw that follows, or to the end of the errand, and its chance."""

    actions: tuple[Action, ...]
    chance: Fraction


class Found(NamedTuple):
    """A puzzle that was found."""

    position: dict[str, Any]
    turn: int
    seat: str
    goal: Goal
    naive: Fraction
    best: Line


class Search:
    """The lines of one errand towards one goal."""

    def __init__(self, policy: Policy[Any, Any], state: Any, seat: int, goal: Goal, rng: Random) -> None:
        self.policy, self.rules, self.start, self.seat, self.rng = policy, policy.rules, state, seat, rng
        self.goal, self.target = goal, self.rules.grid.index[goal.hex]
        self.tree = Tree(policy, seat, goal, state, NODES)

    def chance(self, state: Any) -> Fraction:
        """The exact chance from here on; none where it cannot be counted."""
        self.tree.nodes = 0
        found = self.tree.chance(state)
        return found if self.tree.whole else NEVER

    def naive(self) -> Line:
        """What the usual player would do, and go on doing, whatever the goal is."""
        policy, seat = self.policy, self.seat
        usual = policy.usual(seat)

        def choose(state: Any) -> Action:
            if policy.way(state) != PLANNED:
                return policy.decide(state, seat, usual, Random(0))
            moves = [answer.action for answer in policy.plan(state, seat, usual)]
            return next((move for move in moves if is_legal(self.rules, state, move)), policy.close(state, seat).action)

        return self._on(self.start.copy(), [], choose)

    def plain(self) -> Fraction:
        """The chance of the usual player, or of who attacks at once with what stands there, whichever is more."""
        return max(line.chance for line in (self.aimed(()), self.naive()))

    def lines(self) -> Iterator[Line]:
        """Lines towards the goal, in no order."""
        if self.policy.guesses:
            yield from map(self.aimed, self._gathered())
            return
        for moves in self.policy.ventures(self.start, self.seat, self.target, self.rng):
            yield self.aimed(moves)

    def aimed(self, moves: Sequence[Action]) -> Line:
        """These moves, as far as they go, and then whatever the goal asks for."""
        state, done = self.start.copy(), []
        for move in moves:
            if not self._answered(state):
                break
            if is_legal(self.rules, state, move):
                flow.act(self.rules, state, move, DISCARDED)
                done.append(move)
        return self._on(state, done, self._pursuit)

    def _pursuit(self, state: Any) -> Action | None:
        tried = [a for a in self.policy.pursuits(state, self.seat, self.target) if is_legal(self.rules, state, a)]
        if len(tried) < 2:
            return tried[0] if tried else None

        def worth(action: Action) -> Fraction:
            after = state.copy()
            flow.act(self.rules, after, action, DISCARDED)
            return self.chance(after)

        return max(tried, key=worth)

    def _on(self, state: Any, done: list[Action], choose: Callable[[Any], Action | None]) -> Line:
        """On to the first throw, or to the end, or until there is nothing more to do."""
        while self._answered(state):
            action = choose(state)
            if action is None:
                break
            flow.act(self.rules, state, action, DISCARDED)
            done.append(action)
        return Line(tuple(done), self.chance(state))

    def _answered(self, state: Any) -> bool:
        """Is a decision of the seat next, once the other side has answered? False where dice fall or all is over."""
        policy = self.policy
        while not self.tree.over(state) and state.frames[-1].seat != CHANCE:
            if state.frames[-1].seat == self.seat:
                return True
            other = state.frames[-1].seat
            flow.act(self.rules, state, policy.reply(state, other), DISCARDED)
        return False

    def _gathered(self) -> list[list[Action]]:
        """Moves that bring pieces to the place one by one, each time the one that promises most; the best of all."""
        found: dict[tuple[Action, ...], float] = {}
        for _ in range(STARTS):
            state, moves = self.start.copy(), []
            promise = self._promise(state)
            for _ in range(STEPS):
                better = [(p, after, move) for p, after, move in self._nearer(state) if p >= promise]
                if not better:
                    break
                most = max(p for p, _, _ in better)
                promise, state, move = self.rng.choice([one for one in better if one[0] >= most - 1e-9])
                moves.append(move)
                found[tuple(moves)] = promise
        bar = max(float(LEAST), self._promise(self.start) + float(GAP)) - DOUBT
        best = sorted((m for m in found if found[m] >= bar), key=lambda moves: (-found[moves], len(moves)))
        return [list(moves) for moves in best[:EXACT]]

    def _nearer(self, state: Any) -> Iterator[tuple[float, Any, Action]]:
        for action in self.policy.approaches(state, self.seat, self.target):
            after = state.copy()
            flow.act(self.rules, after, action, DISCARDED)
            if after.frames and after.frames[-1].seat == self.seat and self.policy.way(after) == PLANNED:
                yield self._promise(after), after, action

    def _promise(self, state: Any) -> float:
        """What the policy guesses of an attack once the moves are over."""
        after = state.copy()
        flow.act(self.rules, after, self.policy.close(after, self.seat).action, DISCARDED)
        return self.policy.promise(after, self.seat, self.target) if self._answered(after) else 0.0

    def best(self) -> Line | None:
        """The best line that is found, of equals the shortest; None if there is none at all."""
        return max(self.lines(), key=lambda line: (line.chance, -len(line.actions)), default=None)

    def shorter(self, line: Line) -> Line:
        """The same line without the moves that add nothing to its chance."""
        moves = list(line.actions)
        for move in line.actions[::-1]:
            if isinstance(move, self.policy.fateful) or len(moves) < 2:
                continue
            found = self.aimed([one for one in moves if one is not move])
            if found.chance >= line.chance and len(found.actions) < len(line.actions):
                line, moves = found, list(found.actions)
        return line


def goals(rules: Rules[Any], state: Any, seat: int, at: str = "", kind: str = TAKE) -> list[Goal]:
    """Places with a name or a worth where enemies stand, near to where one's own are; only one, if it is named, or all
    hexes with enemies in them.

    Who is to be destroyed stands alone, wherever it is.
    """
    view, grid = rules.view(state, 1 - seat), rules.grid
    named = rules.texts("en").names.hex
    theirs: dict[str, list[str]] = {}
    for piece in view.pieces:
        if piece.mine and piece.at in grid.index:
            theirs.setdefault(piece.at, []).append(piece.id)
    own = {piece.at for piece in rules.view(state, seat).pieces if piece.mine and piece.at in grid.index}
    meant = {h for h in theirs if kind != DESTROY or len(theirs[h]) == 1}
    if not at and kind != DESTROY:
        meant = {h for h in meant if h in rules.setting.objectives or named.get(h)}
    places = sorted(meant if at in ("", EVERYWHERE) else meant & {at})
    reached = [h for h in places if any(grid.distance(grid.index[h], grid.index[o]) <= 2 for o in own)]
    return [Goal(kind, h, theirs[h][0] if kind == DESTROY else "") for h in reached]


def puzzle(rules: Rules[Any], state: Any, seat: int, goal: Goal, rng: Random) -> Found | None:
    """What this position is worth as a puzzle; None if it is none."""
    position = rules.to_position(state) | {"rolled": 0}
    search = Search(known_policy(rules), rules.from_position(position), seat, goal, rng)
    best = search.best()
    if best is None or not LEAST <= best.chance <= SURE_ENOUGH:
        return None
    naive = search.plain()
    if best.chance - naive < GAP:
        return None
    return Found(position, position["turn"], rules.seats[seat], goal, naive, search.shorter(best))


def naive_chance(puzzle: Puzzle, rules: Rules[Any]) -> Fraction:
    """What naive play gets in a stored puzzle, by the players of now."""
    state = rules.from_position(puzzle.position)
    return Search(known_policy(rules), state, rules.seat_index(puzzle.seat), puzzle.goal, Random(0)).plain()


def found_in(
    game: str, scenario: str, seed: str, only: str = "", at: str = "", turn: int = 0, kind: str = TAKE
) -> Iterator[Found]:
    """The puzzles of one machine game, a turn after the other; of one seat, hex or turn only, where one is named."""
    match = fronte.new(game, scenario, seed)
    rules, policy, rng = match.rules, known_policy(match.rules), Random(seed)
    sits = [player(usual_player(game), f"{seed} {name}", game=game) for name in rules.seats]
    errand = None
    while match.seat >= 0:
        seat = match.seat
        now = (policy.errand(match.state), seat)
        if policy.way(match.state) == PLANNED and now != errand and only in ("", rules.seats[seat]):
            errand = now
            if turn and match.state.turn > turn:
                return
            asked = goals(rules, match.state, seat, at, kind) if turn in (0, match.state.turn) else []
            for goal in asked:
                found = puzzle(rules, match.state, seat, goal, rng)
                if found is not None:
                    yield found
        match.play(sits[seat](match.seated(rules.seats[seat])))
