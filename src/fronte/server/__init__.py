"""The server: matches over HTTP and websocket, stored in a database, with machine players in processes of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fronte.server.settings import Settings

if TYPE_CHECKING:
    from fronte.server.app import create_app

__all__ = ["Settings", "create_app"]


def __getattr__(name: str) -> Any:
    """The application is loaded when it is asked for: the processes beside it need little of the server."""
    if name != "create_app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from fronte.server.app import create_app

    return create_app
