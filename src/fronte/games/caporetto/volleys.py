"""12.1.4, 12.2.9: the dice of a fire, and how its losses are shared out."""

from __future__ import annotations

from fronte.engine.frames import Chapter

CHAPTER = Chapter()
