"""The Inferno games by file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, cast

from fronte.engine.event import Event
from fronte.engine.rules import Rules
from fronte.engine.view import View
from fronte.games.inferno import by_file, by_file_checks
from fronte.games.inferno.rules import Inferno
from fronte.games.inferno.state import State
from fronte.mail.halves import Halves


class InfernoHalves(Halves[State]):
    """5.4: each side shows the other what lies on top, and what is open."""

    def why_unfit(self, rules: Rules[State]) -> str:
        return by_file.why_unfit(cast(Inferno[State], rules))

    def tell(self, rules: Rules[State], before: State, after: State, seat: int, ran: Sequence[str]) -> dict[str, Any]:
        return by_file.tell(cast(Inferno[State], rules), before, after, seat, ran)

    def hear(
        self, rules: Rules[State], mine: State, told: Mapping[str, Any], events: Sequence[Event], seat: int, rng: Random
    ) -> State:
        return by_file_checks.hear(cast(Inferno[State], rules), mine, told, events, seat, rng)

    def view(self, rules: Rules[State], state: State, seat: int, told: Mapping[str, Any]) -> View:
        """The stacks of the other are only imagined here: how large they are is what he said."""
        sizes = told["view"].get("sizes", {}) if told else {}
        return cast(Inferno[State], rules).half_view(state, seat, sizes)


HALVES = InfernoHalves()
