"""4.0-9, 4.0-10: guns move, then units that were not activated."""

from __future__ import annotations

from fronte.engine.frames import Chapter

CHAPTER = Chapter()
