"""Python's collector in a process that serves."""

from __future__ import annotations

import gc

COLLECTED_AFTER, AGAIN_AFTER = 5_000, 100
"""New objects after which the youngest are looked through, so few that it takes two or three milliseconds (each offer
makes thousands that are gone at once), and after how many such rounds those that stayed are looked through again."""


def let_be() -> None:
    """What has been loaded stays: it is looked through for cycles never again, and what is new seldom.

    The collector stops everything while it looks. With a hundred matches in memory and as often as usual that was a
    tenth of a second every eight actions, and most of what the slowest actions waited for.
    """
    gc.freeze()
    gc.set_threshold(COLLECTED_AFTER, AGAIN_AFTER)


def look_through(everything: bool = False) -> None:
    """In a moment in which nobody waits: what is new is looked through, and then left alone too, before so much has
    come together that somebody must wait for it: what comes while as much goes is not counted by Python, but looked at.

    Nothing that games make is left to the collector, so it is for the few cycles of others that everything is looked
    through now and then.
    """
    if not gc.get_freeze_count():
        return  # nothing has been let be here
    if everything:
        gc.unfreeze()
    gc.collect()
    gc.freeze()
