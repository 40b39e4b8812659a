"""4.0-7, 4.0-8: formations are activated in turn, and their actions run from step to step."""

from __future__ import annotations

from fronte.engine.frames import Chapter

CHAPTER = Chapter()
