"""4.0-7.D, 4.0-7.G: assaults are fought, wave by wave."""

from __future__ import annotations

from fronte.engine.frames import Chapter

CHAPTER = Chapter()
