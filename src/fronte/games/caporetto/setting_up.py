"""24.8 to 27.4: set-up. Both sides place their units, or take what is listed."""

from __future__ import annotations

from fronte.engine.frames import Chapter

CHAPTER = Chapter()
