"""4.0-7.E: counter-assaults are declared."""

from __future__ import annotations

from fronte.engine.frames import Chapter

CHAPTER = Chapter()
