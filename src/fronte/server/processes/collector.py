"""Python's collector in a process that serves."""

from __future__ import annotations

import gc

COLLECTED_AFTER = 50_000
"""New objects after which the youngest are looked through; each offer makes thousands that are gone at once."""


def let_be() -> None:
    """What has been loaded stays: it is looked through for cycles never again, and what is new seldom.

    The collector stops everything while it looks. With a hundred matches in memory and as often as usual that was a
    tenth of a second every eight actions, and most of what the slowest actions waited for.
    """
    gc.freeze()
    gc.set_threshold(COLLECTED_AFTER)
