"""The terminal: lines in, text out, and a screen that can be wiped."""

from __future__ import annotations

import contextlib
import sys

from rich.console import Console, RenderableType

WIPE = "\x1b[H\x1b[2J\x1b[3J"
"""Clear the screen and what has scrolled off it, so that the other player cannot scroll back."""


class Terminal:
    """Where one or two people play."""

    def __init__(self, console: Console) -> None:
        self.console = console
        if sys.stdin.isatty():
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401 (its presence gives `input` editing and history)

    def say(self, what: RenderableType = "") -> None:
        """Print."""
        self.console.print(what)

    def ask(self, prompt: str) -> str | None:
        """A line that is typed; None at the end of the input."""
        try:
            line = input(prompt)
        except EOFError:
            self.console.print()
            return None
        if not sys.stdin.isatty():
            self.console.print(line, markup=False)  # so that a scripted game can be read like a played one
        return line

    def clear(self) -> None:
        """Wipe the screen; in a file or a pipe a line stands for it."""
        if self.console.is_terminal:
            self.console.file.write(WIPE)
            self.console.file.flush()
        else:
            self.console.rule()

    def forget(self) -> None:
        """Forget the lines that were typed: the other player could call them back."""
        with contextlib.suppress(ImportError):
            import readline

            readline.clear_history()
