"""What is done in an action by who is after one hex, for puzzles: who stands next to it assaults it or gives support
fire, the guns may all be aimed at it. What is asked while it is fought for is answered as steady does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fronte.ai.caporetto import decide
from fronte.ai.caporetto.act import Action as Acting
from fronte.ai.caporetto.act import Assaulters, Option
from fronte.ai.caporetto.chart import Chart
from fronte.ai.policy import is_legal
from fronte.engine.decision import Action
from fronte.games.caporetto import acting, aims, assault, bombarding
from fronte.games.caporetto.acting import Assault, Support
from fronte.games.caporetto.moving import ROAD, Done
from fronte.games.caporetto.state import State
from fronte.hexes import bits

LED = 4
"""So many of the strong are tried at the head of the first wave."""


def next_actions(chart: Chart, state: State, target: int) -> list[Action]:
    """What is tried next for the hex."""
    kind = state.frames[-1].name
    if kind == "act":
        declaration = _declaration(chart, state, target)
        done = Done() if is_legal(chart.rules, state, Done()) else decide.close(chart, state).action
        return [declaration or done]
    found = decide.plan(chart, state)[:1] if kind in decide.PLANNED else [decide.answer(chart, state)]
    tried = [answer.action for answer in found] or [decide.close(chart, state).action]
    return [*tried, *_bombardment(chart, state, target)] if kind == "bombard" else tried


def _declaration(chart: Chart, state: State, target: int) -> Action | None:
    """10.2: of those who stand next to the hex the next that assaults it, or supports those who do."""
    rules, name = chart.rules, chart.rules.grid.ids[target]
    ready = assault.acting(rules, state) & ~rules.flamethrowers & ~acting.declared(state)
    near = [unit for unit in bits(ready) if rules.grid.ring[target] >> state.at[unit] & 1]
    tried: list[Action] = [Assault(rules.ids[unit], name, (), by) for unit in near for by in ("", ROAD)]
    tried += [Support(rules.ids[unit], name) for unit in near]
    return next((action for action in tried if is_legal(rules, state, action)), None)


def _bombardment(chart: Chart, state: State, target: int) -> list[Action]:
    """12.1.3: every gun that reaches the hex fires at it, and nobody elsewhere."""
    rules = chart.rules
    able = [one.unit for one in bombarding.all_barrels(rules, state) if (target, 0) in one.targets]
    word = aims.word(rules, (target, 0))
    return [bombarding.Bombard(tuple((rules.ids[unit], word) for unit in able))] if able else []


class _Venture(Acting):
    """An action that is for one hex alone."""

    def to(self, target: int, out: Sequence[int], more: int) -> list[Action]:
        """A wave without these units, then support, then a second wave; as much of it as is asked for."""
        self._able = self.movers()
        options = [one for one in self.options().get(target, ()) if one.unit not in out]
        wave = self.wave_for(target, options) if options else None
        if wave is None:
            return []
        self.add(wave)
        if more > 1:
            self.second(target, out)
        if more > 0:
            self._support(target)
        return [answer.action for answer in self.answers]

    def add(self, wave: Assaulters) -> None:
        """10.2: a wave declares its assault."""
        self.targets.append(wave.hex)
        self._declare(wave)
        self.ways.clear()
        self.marches.clear()

    def second(self, target: int, out: Sequence[int]) -> None:
        """10.2.4: others assault after them."""
        options: list[Option] = [
            one for one in self.options().get(target, ()) if one.here not in self._full(target) and one.unit not in out
        ]
        wave = self.wave_for(target, options) if options else None
        if wave is not None:
            self.add(wave)


def ventures(chart: Chart, state: State, target: int) -> Iterator[list[Action]]:
    """10.2: who could assault the hex: the best wave, with support and with a second one; then without its first."""
    if state.frames[-1].name != "act":
        return
    out: list[int] = []
    for _ in range(LED):
        lead = -1
        for more in range(3):
            picture = decide.picture_of(chart, state.copy())
            line = _Venture(picture, decide.weights_of(picture)).to(target, out, more)
            if not line:
                return
            first: Any = next(one for one in line if isinstance(one, Assault))
            lead = chart.rules.number[first.unit]
            yield line
        out.append(lead)
