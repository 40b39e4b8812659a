"""4.0-7.B: bombardment and support fire of an action."""

from __future__ import annotations

from fronte.engine.frames import Chapter

CHAPTER = Chapter()
