"""The log: lines of text for people or of JSON for machines, and nothing in it that opens anything."""

from __future__ import annotations

import logging
import re
from datetime import UTC, datetime
from typing import Any

import msgspec

from fronte.server.settings import Settings

SECRET = re.compile(
    r"(?i)(?:bearer[ .]|token=|fronte=|csrf[\"':= ]+)[A-Za-z0-9_\-]+"
    r"|(?<![A-Za-z0-9_\-])[A-Za-z0-9_\-]{32}(?![A-Za-z0-9_\-])"
    r"|(?<=://)[^/\s@]*@"
)
"""Tokens by where they stand or by their length, and names and passwords in addresses."""
PLAIN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName", "color_message"}


def clean(text: str) -> str:
    """A text without anything that looks like a token."""
    return SECRET.sub("***", text)


class Text(logging.Formatter):
    """Lines for people."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, and what follows it if something failed."""
        return clean(super().format(record))


class Json(logging.Formatter):
    """One JSON object a line: at, level, logger, message, and what more the record holds."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        more: dict[str, Any] = {name: value for name, value in record.__dict__.items() if name not in PLAIN}
        told: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        } | more
        if record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return clean(msgspec.json.encode(told, enc_hook=str).decode())


def set_up(settings: Settings) -> None:
    """Let the whole program log as the settings say."""
    handler = logging.StreamHandler()
    handler.setFormatter(Json() if settings.log == "json" else Text("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("fronte").setLevel(settings.log_level.upper())
