"""10: moves hex by hex, and what happens on the way."""

from __future__ import annotations

from fronte.engine.frames import Chapter

CHAPTER = Chapter()
