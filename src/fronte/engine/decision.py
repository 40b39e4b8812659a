"""Decisions: what a seat owes, what it may answer, and why an answer is refused.

A match is at every moment a stack of frames. The top frame is either a decision that one seat owes, a throw of dice,
or a step that the rules take by themselves. Frames are plain data, so a match can be saved in the middle of anything.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from fronte.engine.ways import packed

CHANCE = -1
"""Seat of a frame that waits for dice."""
AUTO = -2
"""Seat of a frame that the rules carry out by themselves."""


class Frame(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One entry of the stack: what is to be done, by whom, about what."""

    name: str
    seat: int
    args: tuple[Any, ...] = ()


class Action(
    msgspec.Struct,
    frozen=True,
    tag_field="do",
    tag=str.lower,
    omit_defaults=True,
    forbid_unknown_fields=True,
    gc=False,
):
    """What a player decides, never a click. `form` is its one-line text form (see `notation`).

    A field that it does not have is refused: what somebody meant by it would be lost without a word.
    """

    form: ClassVar[str] = ""
    odds: ClassVar[bool] = False
    """It throws dice, and its exact odds can be asked before (`Rules.sheet`)."""
    words: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """For fields that are neither units nor hexes nor numbers: what is typed there, as `road` or `road|country`."""


class Refusal(msgspec.Struct, frozen=True, gc=False):
    """Why an action is not legal: the rule that forbids it, and the reason: the key of a text and what fills it.

    Rules say no more than that, since most refusals are read by nobody. Those that a match gives to people hold the
    reason in English too; `Texts.refusal` says it in any language. `data` holds names and numbers, and only such as
    the seat that asks may know.
    """

    rule: str
    key: str
    data: dict[str, Any] = {}
    why: str = ""


class IllegalAction(ValueError):
    """An action that the rules forbid. The match is as it was."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal

    @property
    def rule(self) -> str:
        """The rule that forbids it; empty where none does."""
        return self.refusal.rule

    @property
    def why(self) -> str:
        """The reason, in English."""
        return self.refusal.why

    def __str__(self) -> str:
        return f"{self.why} (rule {self.rule})" if self.rule else self.why


class Decision(msgspec.Struct, frozen=True):
    """What is owed now, for whoever asks: the seat's name, the kind of decision, and the rules behind it."""

    seat: str
    kind: str
    rules: tuple[str, ...]
    about: dict[str, Any]
    panel: str = "choose"
    """How it is answered on a screen (see `panel`)."""
    odds: tuple[str, ...] = ()
    """The verbs of those actions whose odds can be asked."""
    whole: dict[str, Any] | None = None
    """In a reaction window, the answer with which nobody reacts: it may be given to the whole move (`Match.play`)."""


MOST_LISTED = 3000
"""How many actions are listed at once. Any other legal one can be played all the same."""

R = TypeVar("R", contravariant=True)
S = TypeVar("S", contravariant=True)


class Choice(ABC, Generic[R, S]):
    """One kind of decision: what may be answered and what the answer does. `R` is the ruleset, `S` the state.

    `legal` yields every legal action once; `why_not` judges any action of the kinds listed in `verbs`; `apply` carries
    out an action that is known to be legal.
    """

    name: ClassVar[str]
    rules: ClassVar[tuple[str, ...]]
    verbs: ClassVar[tuple[type[Action], ...]]
    panel: ClassVar[str] = "choose"
    """How it is answered on a screen, which fixes the shape of its offer (see `panel`)."""

    @abstractmethod
    def legal(self, rules: R, state: S, frame: Frame) -> Iterator[Action]:
        """Every legal action, without repetition, in an order that is always the same."""

    @abstractmethod
    def why_not(self, rules: R, state: S, frame: Frame, action: Action) -> Refusal | None:
        """None if the action is legal, else the rule and the reason."""

    @abstractmethod
    def apply(self, rules: R, state: S, frame: Frame, action: Action, out: list[Any]) -> None:
        """Carry out a legal action; events go to `out`."""

    def sample(self, rules: R, state: S, frame: Frame, rng: Random) -> Action:
        """One legal action at random. Kinds with many actions draw without listing them all."""
        return rng.choice(self.listed(rules, state, frame))

    def listed(self, rules: R, state: S, frame: Frame) -> list[Action]:
        """The legal actions, or the first of them where they are more than anybody would read."""
        return list(islice(self.legal(rules, state, frame), MOST_LISTED))

    def about(self, rules: R, state: S, frame: Frame) -> dict[str, Any]:
        """What the decision is about, in names, for the seat that owes it."""
        return {}

    def offer(self, rules: R, state: S, frame: Frame) -> dict[str, Any]:
        """What is on offer, in names: units, hexes, costs, limits."""
        listed = self.listed(rules, state, frame)
        more = {"more": True} if len(listed) == MOST_LISTED else {}
        return {"actions": [msgspec.to_builtins(action) for action in listed], **more}

    def offer_json(self, rules: R, state: S, frame: Frame) -> bytes:
        """The offer as JSON for a wire, with ways as trees (`ways`)."""
        return msgspec.json.encode(packed(self.offer(rules, state, frame)))
