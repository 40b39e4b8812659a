"""What can be set: by the command line, or by the environment (`FRONTE_...`)."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How a server runs."""

    database: str = ""
    """A URL of SQLAlchemy, or the path of an SQLite file. Empty: a file in the user's data folder."""
    local: bool = True
    """One table, one machine: whoever reaches the server may list and open every match and download every save."""
    hosts: tuple[str, ...] = ()
    """The names under which the server answers in local mode, besides those of the loopback."""
    static: Path = Path(__file__).parent / "static"
    """The browser client, once it is built."""
    packs: dict[str, tuple[Path, ...]] = {}
    """For a game folders of one's own data, which come before the game's: `isonzo=/home/me/isonzo,...`."""
    workers: int = 2
    """The most processes for machine players."""
    think_seconds: float = 10.0
    """A machine player that takes longer over one decision is stopped, and a random one answers."""
    body_bytes: int = 64 * 1024
    """The largest request, and the largest message on a websocket."""
    upload_bytes: int = 2 * 1024 * 1024
    """The largest save that can be uploaded."""
    uploads_bytes: int = 32 * 1024 * 1024
    """What is kept of saves and positions that came from one address, or from one account (see `store.quota`)."""
    all_uploads_bytes: int = 1024 * 1024 * 1024
    """What is kept of those that came without an account, from all addresses together. A local table has no bounds."""
    head_seconds: float = 10.0
    """A connection that has not sent the head of a request by then is closed (see `timeouts`)."""
    body_seconds: float = 20.0
    """A request whose body has not come by then is refused; an upload has three times as long."""
    stall_seconds: float = 30.0
    """A connection whose browser takes nothing of what waits for it for so long is closed."""
    trial_seconds: float = 15.0
    """A save or a position that takes longer to read is refused (see `sandbox`)."""
    work_seconds: float = 8.0
    """What takes longer at a match, to open it or to show it, is given up, and the match rests for a while."""
    most_lines: int = 10_000
    """Lines that a record may have: many times as many as a match takes."""
    keep_matches: int = 200
    """How many matches stay in memory; the others are replayed from the record when they are wanted."""
    keep_bytes: int = 192 * 1024 * 1024
    """How much all matches in memory may take, about; those that nobody has looked at for long leave it first."""
    public_url: str = ""
    """Where browsers find the server (https://fronte.example): for notices, cookies and the check of origins."""
    accounts: bool = True
    """Visitors may make accounts."""
    open_matches: bool = False
    """Matches with open seats are listed for everybody, and anybody may sit down."""
    session_days: int = 30
    """How long a log-in lasts."""
    rates: str = ""
    """Rate limits that are not the usual ones: `login=20/60,create=100/3600`. A local table has none."""
    most_requests: int = 128
    """Requests under way in one process; more are sent away at once (see `load_shedding`)."""
    most_actions: int = 24
    """Decisions under way in one process."""
    most_openings: int = 64
    """Websockets that come in at the same time."""
    most_sockets: int = 4000
    """Websockets open in one process."""
    sockets_per_link: int = 16
    """Websockets open at the same time with one link; for the link of spectators ten times as many."""
    smtp: str = ""
    """Where mail is sent from: smtp://user:password@host:587 (with STARTTLS), smtps://..., or smtp+plain://..."""
    mail_from: str = ""
    """The sender of mails."""
    webhooks: tuple[str, ...] = ()
    """Hosts that may be sent webhooks (`hooks.example`, `10.0.0.5:8080`); `*` for all public addresses. Empty: none."""
    push: bool = False
    """Browsers may ask for notices by web push."""
    push_targets: tuple[str, ...] = ("*",)
    """Push services that may be sent to, as with `webhooks`."""
    notice_after: int = 120
    """Seconds that a seat has to answer before it gets a notice."""
    metrics: str = ""
    """The bearer token that may read /api/metrics; without one only a local table shows them."""
    log: Literal["text", "json"] = "text"
    """How the log is written."""
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    """What is logged; `info` has a line for every request."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """The settings that the environment asks for: FRONTE_DATABASE_URL, FRONTE_LOCAL, FRONTE_WORKERS and so on."""
        given = {
            field.name: environment[name]
            for field in msgspec.structs.fields(cls)
            if (name := _variable(field.name)) in environment
        }
        for name in {"hosts", "webhooks", "push_targets"} & set(given):
            given |= {name: _parts(given[name])}  # type: ignore[dict-item]
        if "packs" in given:
            given |= {"packs": _packs(given["packs"])}  # type: ignore[dict-item]
        try:
            return msgspec.convert(given, cls, strict=False, dec_hook=_path)
        except msgspec.ValidationError as wrong:
            raise ValueError(f"in the environment: {wrong}") from None

    def folders(self, game: str) -> tuple[Path, ...]:
        """The folders of one's own data for a game."""
        return self.packs.get(game, ())

    @property
    def url(self) -> str:
        """The database as SQLAlchemy names it, with the drivers that do not block."""
        given = self.database or str(data_folder() / "matches.sqlite")
        if "://" not in given:
            return f"sqlite+aiosqlite:///{Path(given).expanduser().resolve()}"
        for plain, driven in (
            ("sqlite://", "sqlite+aiosqlite://"),
            ("postgresql://", "postgresql+asyncpg://"),
            ("postgres://", "postgresql+asyncpg://"),
        ):
            if given.startswith(plain):
                return driven + given[len(plain) :]
        return given


def _variable(field: str) -> str:
    return "FRONTE_DATABASE_URL" if field == "database" else f"FRONTE_{field.upper()}"


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _packs(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for part in _parts(text):
        game, equals, folder = part.partition("=")
        if not equals:
            raise ValueError(f"in the environment: FRONTE_PACKS: {part!r} is not written game=folder")
        found.setdefault(game.strip(), []).append(folder.strip())
    return found


def _path(kind: type, value: object) -> object:
    return Path(str(value)) if kind is Path else value


def data_folder() -> Path:
    """Where the matches of this user lie."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "fronte"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "fronte"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "fronte"
