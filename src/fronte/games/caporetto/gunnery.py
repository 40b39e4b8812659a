"""4.0-6: the Artillery Phase. Modes, barrages, the preparatory bombardment, gas and mines."""

from __future__ import annotations

from fronte.engine.frames import Chapter

CHAPTER = Chapter()
