"""A study from its beginning to its report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fronte.study.journal import Journal
from fronte.study.plan import Plan, jobs
from fronte.study.runners import Runner
from fronte.study.tables import write_tables

JOURNAL = "games.journal"


def finished(folder: Path) -> int:
    """How many games of a study are done."""
    journal = Journal(folder / JOURNAL)
    try:
        return len(journal.places)
    finally:
        journal.close()


def play(plan: Plan, folder: Path, runner: Runner, tick: Callable[[], None]) -> None:
    """Play the games of a plan that are not done yet, then write the tables; `tick` is called after each game."""
    journal = Journal(folder / JOURNAL)
    try:
        todo = [job for job in jobs(plan) if job not in journal.places]
        if todo:
            for job, record in runner(plan, todo):
                journal.add(job, record)
                tick()
        write_tables(folder, plan, journal)
    finally:
        journal.close()
