"""The environment for learners: PettingZoo's AEC interface over a match, one small choice at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from fronte.engine import flow
from fronte.engine.capabilities import NotOffered
from fronte.engine.decision import Action
from fronte.engine.dice import seed_bytes
from fronte.engine.event import Event
from fronte.engine.frames import NOBODY
from fronte.engine.match import Match
from fronte.engine.record import Entry
from fronte.engine.rules import Rules
from fronte.games.registry import ruleset
from fronte.rl.dialogue import Dialogue
from fronte.rl.plain import PlainRoom
from fronte.rl.rewards import REWARDS, final_reward
from fronte.rl.room import Observation, Room, room_of


class Environment(AECEnv):  # type: ignore[misc]
    """A game for learners. The agents are the seats; an action is a small choice, numbered by `alphabet`.

    A choice with only one answer is not asked. `match` is the game being played; look at it as you like, but let the
    environment play.
    """

    def __init__(
        self,
        game: str,
        scenario: str = "",
        options: Mapping[str, Any] | None = None,
        packs: Sequence[Path | str] = (),
        reward: str = "level",
        shaping: float = 0.0,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        rules = ruleset(game, scenario, options, packs)
        self.room = self._room(rules)
        if shaping and self.room.scorer == NOBODY:
            raise NotOffered(game, "running score by which a learner could be paid")
        if reward not in REWARDS:
            raise ValueError(f"no reward {reward!r}; the rewards are {', '.join(REWARDS)}")
        self.rules, self.reward, self.shaping, self.render_mode = rules, reward, shaping, render_mode
        self.metadata = {"name": f"fronte_{game}_v1", "render_modes": ["svg"], "is_parallelizable": False}
        self.alphabet, self.sights = self.room.alphabet, self.room.sights
        self.possible_agents = list(rules.seats)
        self._seeds = Random(0)
        self._make_spaces()
        self._begin(Match.begin(rules, bytes(32)))

    def _room(self, rules: Rules[Any]) -> Room[Any]:
        """How the game is asked and shown: as its family has it; NotOffered if it has not."""
        return room_of(rules)

    # Spaces

    def _make_spaces(self) -> None:
        size = self.alphabet.size
        mask = spaces.Box(0, 1, (size,), np.int8)
        self.observation_spaces = {
            seat: spaces.Dict({**sight.spaces(), "action_mask": mask})
            for seat, sight in zip(self.rules.seats, self.sights, strict=True)
        }
        self.action_spaces = {seat: spaces.Discrete(size) for seat in self.rules.seats}

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent observes; the same object whenever it is asked."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The small choices of the game, by number."""
        return self.action_spaces[agent]

    # Play

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new match. The same seed gives the same match; without one the next of the series that it began.

        With `options={"match": match}` play goes on from where that match stands, without changing it.
        """
        if seed is not None:
            self._seeds = Random(seed)
        given = (options or {}).get("match")
        if given is None:
            self._begin(Match.begin(self.rules, seed_bytes(self._seeds.randbytes(32))))
        elif given.rules is self.rules:
            self._begin(given.copy())
        else:
            raise ValueError("the match is played with other rules than this environment has")

    def _begin(self, match: Match) -> None:
        self.match = match
        seats = self.rules.seats
        self.agents = list(seats)
        self.rewards = dict.fromkeys(seats, 0.0)
        self._cumulative_rewards = dict.fromkeys(seats, 0.0)
        self.terminations = dict.fromkeys(seats, False)
        self.truncations = dict.fromkeys(seats, False)
        self.infos: dict[str, dict[str, Any]] = {seat: {} for seat in seats}
        self._paid = False
        self.room.begin(match)
        self._score = self.room.score(match.state) if self.shaping else 0
        self.choices: list[int] = []
        self.chosen: list[int] = []
        self._open_dialogue()
        self._go_on(None)

    def step(self, action: int | None) -> None:
        """Take a small choice of the agent whose turn it is; ValueError if the mask does not allow it."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None or action not in self.choices:
            raise ValueError(f"{self.alphabet.name(action)} is not among the choices of {agent} now; see its mask")
        self._cumulative_rewards[agent] = 0.0
        if self._paid:
            self._clear_rewards()
            self._paid = False
        chosen = int(action)
        self.chosen.append(chosen)
        self._go_on(chosen)

    def _go_on(self, answer: int | None) -> None:
        """Give an answer to the dialogue and go on, through all choices with one answer, to the next real one."""
        while True:
            try:
                choices = next(self._dialogue) if answer is None else self._dialogue.send(answer)
            except StopIteration as end:
                self._play(end.value)
                if not self.match.state.frames:
                    self._finish()
                    return
                self._open_dialogue()
                answer = None
                continue
            if len(choices) > 1:
                self.choices = choices
                self.agent_selection = self.rules.seats[self.match.seat]
                return
            answer = choices[0]
            self.chosen.append(answer)

    def _open_dialogue(self) -> None:
        self.chosen = []
        self._dialogue = self.dialogue()

    def dialogue(self) -> Dialogue:
        """The small choices of the decision that is owed now."""
        return self.room.dialogue(self.match)

    def _play(self, action: Action) -> None:
        """Carry out an action: what `Match.play` does, less the check and the way back, as it is known to be legal."""
        match, rules = self.match, self.rules
        seat = rules.seats[match.seat]
        events: list[Event] = []
        flow.act(rules, match.state, action, events)
        rolls = flow.roll_on(rules, match.state, events)
        match.events += rules.all_cited(events)
        match.entries.append(Entry(seat, msgspec.to_builtins(action), tuple(rolls)))
        match.marks.append(len(match.events))
        self.room.played(match)
        if self.shaping:
            score = self.room.score(match.state)
            if score != self._score:
                self._pay(self.room.scorer, self.shaping * (score - self._score))
                self._score = score

    def _pay(self, seat: int, amount: float) -> None:
        """Zero-sum: what one seat gets the others pay."""
        self._paid = True
        others = len(self.rules.seats) - 1
        for number, name in enumerate(self.rules.seats):
            share = amount if number == seat else -amount / others
            self.rewards[name] += share
            self._cumulative_rewards[name] += share

    def _finish(self) -> None:
        result = self.match.result
        assert result is not None
        if result.winner is not None:
            self._pay(self.rules.seat_index(result.winner), final_reward(self.rules, result, self.reward))
        for seat in self.rules.seats:
            self.terminations[seat] = True
            self.infos[seat] = {"level": result.level, "score": result.score, "winner": result.winner}
        self.choices = []
        self.chosen = []
        self.agent_selection = self.rules.seats[0]

    def spell(self, action: Action) -> list[int]:
        """The small choices that are asked for when this action is chosen now; for learning from recorded games.

        The order of units in a list does not matter. ValueError if no choices lead to the action: it is not legal.
        """
        try:
            letters = list(self.alphabet.spell(action))
        except KeyError as unknown:
            raise ValueError(f"no small choices lead to {action}: there is no {unknown}") from None
        asked: list[int] = []
        dialogue = self.dialogue()
        try:
            choices = next(dialogue)
            while letters:
                letter = self._next_letter(letters, choices)
                if letter is None:
                    letters.pop(0)  # nothing is asked where there is nothing to choose
                    continue
                if len(choices) > 1:
                    asked.append(letter)
                choices = dialogue.send(letter)
        except StopIteration as end:
            if _alike(end.value, action):
                return asked
        raise ValueError(f"no small choices lead to {action}")

    def _next_letter(self, letters: list[int], choices: list[int]) -> int | None:
        """The letter that answers a choice, taken out of those left; of a list of units the first that is asked for."""
        if len(choices) == 1:
            if choices[0] in letters:
                letters.remove(choices[0])
            return choices[0]
        row = list(takewhile(self.alphabet.unordered.__contains__, letters)) or letters[:1]
        for choice in choices:
            if choice in row:
                letters.remove(choice)
                return choice
        return None

    # What is seen

    def observe(self, agent: str) -> Observation:
        """What an agent sees as arrays, each a copy of its own, and the mask of its choices."""
        deciding = agent == self.agent_selection
        seen = self.sights[self.rules.seat_index(agent)].observe(self.match.state, self.chosen if deciding else ())
        mask = bytearray(self.alphabet.size)
        if deciding:
            for choice in self.choices:
                mask[choice] = 1
        seen["action_mask"] = np.frombuffer(mask, np.int8)
        return seen

    def render(self) -> str | None:
        """The board as both seats may see it, as SVG."""
        return self.match._repr_svg_() if self.render_mode == "svg" else None

    def close(self) -> None:
        """Nothing is held open."""


class PlainEnvironment(Environment):
    """Any game: a choice is one of its listed legal actions, what is seen is the view in plain numbers."""

    def _room(self, rules: Rules[Any]) -> Room[Any]:
        return PlainRoom(rules)


def _alike(one: Action, two: Action) -> bool:
    """Are these the same action, in whatever order their units are named?"""
    if type(one) is not type(two):
        return False
    for name in one.__struct_fields__:
        here, there = getattr(one, name), getattr(two, name)
        if here != there and (name == "path" or sorted(here) != sorted(there)):
            return False
    return True
