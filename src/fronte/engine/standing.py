"""Standing orders: policies of a game that answer small decisions for a seat, with conditions.

An order is written as people type it: the name of a policy and its parameters, `shoot unit=red-1 odds=50`. Several,
with semicolons between them, are tried in turn; where the conditions of none are met, the seat is asked. A game
declares which policies there are for a kind of decision and what they take (`Rules.standing`). The record keeps orders
as they were written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine.decision import Action, Frame

if TYPE_CHECKING:
    from fronte.engine.rules import Rules

NUMBER = "number"
PIECE = "piece"
WORD = "word"
HEX = "hex"
LONGEST = 400
"""An order is not longer than this."""
DEFENCE = "defence"
"""In the place of a kind of decision: until the turn ends, whatever the seat is asked while another is active is
answered for it by whoever runs the match (`Match.defended`)."""
NOW = "now"
"""The policy of that order: from here to the end of the turn."""

Value = int | str
Answer = Callable[[Any, Any, Frame], Action]
"""What answers a decision, always: with these rules, in this state."""
Conditional = Callable[[Any, Any, Frame, Mapping[str, Value]], Action | None]
"""The same with parameters; None where its conditions are not met."""


class Parameter(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that a policy takes: a number within bounds, a piece of one's own, a hex, or one of a few words."""

    name: str
    kind: str
    low: int = 0
    high: int = 0
    words: tuple[str, ...] = ()
    default: int | str = ""
    """What holds where it is not given; of a piece or a hex, an empty name stands for any."""


ONE_HEX = (Parameter("at", HEX),)
"""What an order takes that may be for one hex alone; elsewhere the next one holds, or the seat is asked."""


class Policy(msgspec.Struct, frozen=True):
    """A policy that takes parameters."""

    answer: Conditional
    takes: tuple[Parameter, ...] = ()


Policies = Mapping[str, Answer | Policy]


class Order(msgspec.Struct, frozen=True):
    """One policy of an order, with its parameters."""

    policy: str
    given: dict[str, Value]
    """What was given; the rest has its default."""


def takes(policy: Answer | Policy) -> tuple[Parameter, ...]:
    """What a policy takes; nothing where it is a plain function."""
    return policy.takes if isinstance(policy, Policy) else ()


def must_be_answered(rules: Rules[Any], kind: str) -> Policies:
    """The policies for a kind of decision; ValueError if there are none."""
    policies: Policies | None = rules.standing.get(kind)
    if policies is None:
        known = ", ".join(sorted(rules.standing))
        raise ValueError(f"no standing order can answer {kind!r}; these can be answered: {known}")
    return policies


def read(rules: Rules[Any], kind: str, text: str) -> list[Order]:
    """An order as it is written; ValueError if the game has none such."""
    policies = must_be_answered(rules, kind)
    if len(text) > LONGEST:
        raise ValueError(f"an order has {LONGEST} characters at the most")
    return [_one(rules, kind, policies, part.split()) for part in text.split(";")]


def _one(rules: Rules[Any], kind: str, policies: Policies, words: list[str]) -> Order:
    name = words[0] if words else ""
    if name not in policies:
        raise ValueError(f"no policy {name!r} for {kind}; the policies are {', '.join(sorted(policies))}")
    known = {parameter.name: parameter for parameter in takes(policies[name])}
    given: dict[str, Value] = {}
    for word in words[1:]:
        field, _, value = word.partition("=")
        if field not in known or field in given:
            raise ValueError(f"{name} takes {', '.join(f'{one}=' for one in known) or 'nothing'}, not {word!r}")
        given[field] = _value(rules, known[field], value)
    return Order(name, given)


def _value(rules: Rules[Any], parameter: Parameter, text: str) -> Value:
    if parameter.kind == NUMBER:
        if not text.isascii() or not text.isdigit() or not parameter.low <= int(text[:9]) <= parameter.high:
            raise ValueError(f"{parameter.name}= is a number from {parameter.low} to {parameter.high}, not {text!r}")
        return int(text)
    if parameter.kind == WORD and text not in parameter.words:
        raise ValueError(f"{parameter.name}= is one of {', '.join(parameter.words)}, not {text!r}")
    if not text:
        raise ValueError(f"{parameter.name}= names nothing")
    if parameter.kind == HEX and text not in rules.grid.index:
        raise ValueError(f"{parameter.name}= is a hex of the board, not {text!r}")
    return text


def written(orders: list[Order]) -> str:
    """An order as it is kept and typed."""
    return "; ".join(
        " ".join([order.policy, *(f"{name}={value}" for name, value in order.given.items())]) for order in orders
    )


def answered(rules: Rules[Any], state: Any, frame: Frame, text: str) -> Action | None:
    """What an order answers to the decision on top; None where its conditions are not met and the seat is asked."""
    policies: Policies = rules.standing[frame.name]
    for order in read(rules, frame.name, text):
        policy = policies[order.policy]
        if not isinstance(policy, Policy):
            return policy(rules, state, frame)
        defaults = {parameter.name: parameter.default for parameter in policy.takes}
        found = policy.answer(rules, state, frame, defaults | order.given)
        if found is not None:
            return found
    return None
