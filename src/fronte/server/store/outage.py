"""The database is away, or cannot write; a match or the data of a game are damaged: whoever asks is told so."""

from __future__ import annotations

import logging
import time

import sqlalchemy as sa

from fronte.engine.pack import PackError
from fronte.server.problem import Problem
from fronte.server.store.database import Damaged

log = logging.getLogger("fronte.server")

OUTAGE = (sa.exc.DBAPIError, sa.exc.TimeoutError, OSError)
"""What is raised when the database cannot be reached, is being stopped, or has no room left."""
OURS = (sa.exc.IntegrityError, sa.exc.ProgrammingError, sa.exc.DataError)
"""Among these: faults of the program, which no waiting mends."""
SECONDS = 2
"""After which it is worth trying again."""
_said = [0.0]
"""When the log was told last."""


def outage(wrong: Exception) -> Problem:
    """What whoever asked is told; the fault itself goes to the log. A fault of the program is raised again."""
    if isinstance(wrong, OURS):
        raise wrong
    now = time.monotonic()
    if now - _said[0] > 1.0:  # many ask at once, and one line tells it all
        _said[0] = now
        reason = getattr(wrong, "orig", None) or wrong
        log.warning("the database does not do its work: %s: %s", type(reason).__name__, reason)
    return Problem(503, "the database does not answer, or has no room; try again in a while", retry=SECONDS)


FAULTS = (*OUTAGE, Damaged, PackError)
"""All that goes wrong below a request without its being wrong."""


def fault(wrong: Exception) -> Problem:
    """What whoever asked is told of one of these."""
    if isinstance(wrong, Damaged):
        return Problem(422, f"this match cannot be opened any more: {wrong}")
    if isinstance(wrong, PackError):
        log.error("the data of a game cannot be read: %s", wrong)  # with the place on this machine, which is nobody's
        return Problem(503, "the data of this game cannot be read; the log of the server says why")
    return outage(wrong)
