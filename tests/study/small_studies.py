"""Small studies between random players, and the command that plays them."""

from __future__ import annotations

import sys
from pathlib import Path

from fronte.study.plan import Plan

RANDOM = "random,random"
Studied = tuple[Plan, Path]


def command(*words: str) -> list[str]:
    """The command `fronte study` for this interpreter."""
    return [sys.executable, "-m", "fronte", "study", *words]


def tables(folder: Path) -> dict[str, bytes]:
    """The bytes of every table of a study."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.parquet"))}
