"""7.2 to 7.4: the Command Phase. Which formations are to act, with how many guns; in secret."""

from __future__ import annotations

from fronte.engine.frames import Chapter

CHAPTER = Chapter()
