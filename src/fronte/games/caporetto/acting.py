"""4.0-7.A: movement and declarations of an action."""

from __future__ import annotations

from fronte.engine.frames import Chapter

CHAPTER = Chapter()
