"""14: the other side may react with a formation."""

from __future__ import annotations

from fronte.engine.frames import Chapter

CHAPTER = Chapter()
