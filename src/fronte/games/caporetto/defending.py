"""4.0-7.C, 4.0-7.F: defensive fire, against assaults and counter-assaults."""

from __future__ import annotations

from fronte.engine.frames import Chapter

CHAPTER = Chapter()
