"""Somebody who takes a lesson: does what its steps ask and sees them go by, as web/src/lib/lesson.ts has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import fronte
from fronte.ai import player
from fronte.engine.match import Match

LONGEST = 400
"""No lesson asks for as many decisions, whoever takes it."""


class Learner:
    """The seat of the learner at a table; the other seats are the machine's. `obeys`: he does what he is told."""

    def __init__(self, lesson: Mapping[str, Any], machine: str = "lesson", obeys: bool = True) -> None:
        game, seats = lesson["game"], lesson["seats"]
        self.match: Match = fronte.position(game, lesson["position"], lesson["scenario"], lesson["seed"])
        (self.seat,) = (seat for seat, who in seats.items() if who == "human")
        self.machines = {seat: player("steady", f"{machine} {seat}", game=game) for seat in seats}
        self.steps, self.step, self.obeys = lesson["steps"], 0, obeys
        self.left = LONGEST
        self.passed: list[int] = []

    @property
    def is_done(self) -> bool:
        return bool(self.steps[self.step].get("last"))

    def take(self) -> None:
        """The whole lesson, step by step."""
        while not self.is_done:
            self.do_step()

    def do_step(self) -> None:
        """What the step under way asks for; then the next is due."""
        now, step = self.step, self.steps[self.step]
        self.wait()
        for action in step.get("do", ()) if self.obeys else ():
            self.play(action)
            self.wait()
        if self.step > now:
            return
        if "until" not in step or step.get("ahead") or self.is_picked(step):
            self.turn_page()
        elif step.get("free") or not self.obeys:
            while self.step == now and self.match.decision is not None:
                self.play(self.machines[self.seat](self.match.seated(self.seat)))
                self.wait()
        assert self.step > now, f"step {now + 1} waits for {step['until']}, and {self.asked} is asked"

    def is_over(self, step: Mapping[str, Any]) -> bool:
        return any(holds(until, self.match, self.seat) for until in step.get("until", ()))

    def is_picked(self, step: Mapping[str, Any]) -> bool:
        """May he choose what he is told to? What is chosen on the screen is no matter of the rules."""
        picked = {until["picked"] for until in step["until"] if "picked" in until}
        return bool(picked) and picked <= {piece.id for piece in self.match.view(self.seat).pieces if piece.mine}

    @property
    def asked(self) -> str:
        """What he is asked now."""
        self.wait()
        decision = self.match.decision
        return "nothing" if decision is None else decision.kind

    def wait(self) -> None:
        """Until he is asked."""
        self.look()
        while (decision := self.match.decision) is not None and decision.seat != self.seat:
            self.play(self.machines[decision.seat](self.match.seated(decision.seat)))
        self.look()

    def play(self, action: Any) -> None:
        self.left -= 1
        assert self.left, f"step {self.step + 1} goes on for ever"
        self.match.play(action)
        self.look()

    def turn_page(self) -> None:
        """The button, or a choice on the screen."""
        self.passed.append(self.step)
        self.step += 1
        self.look()

    def look(self) -> None:
        """Whatever step of the lesson is over is over."""
        while not self.is_done and self.is_over(self.steps[self.step]):
            self.passed.append(self.step)
            self.step += 1


def holds(until: Mapping[str, Any], match: Match, seat: str) -> bool:
    """Has come about what a step waits for, as far as the rules know?"""
    if "picked" in until:
        return False
    decision = match.decision
    if "decision" in until:
        return decision is not None and decision.seat == seat and decision.kind == until["decision"]
    if "turn" in until:
        return bool(match.state.turn >= until["turn"])
    asked = {key: value for key, value in until.items() if key != "event"}
    return any(
        event.kind == until["event"] and asked.items() <= {key: event.data.get(key) for key in asked}.items()
        for event in match.events
    )
