"""A ruleset with printed matter: what the functions of this package take, whichever family's it is."""

from __future__ import annotations

from fronte.engine.rules import Rules, S
from fronte.games.common.printed import Printed


class Game(Printed, Rules[S]):
    """The rules of a game on paper. A family puts its own printed matter before it."""
