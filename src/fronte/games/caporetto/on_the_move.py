"""21.5.3: assaults on the move, within step A."""

from __future__ import annotations

from fronte.engine.frames import Chapter

CHAPTER = Chapter()
