"""12.3.5: where those who retreat go; each decision of it."""

from __future__ import annotations

from fronte.engine.frames import Chapter

CHAPTER = Chapter()
