"""The server: matches over HTTP and websocket, stored in a database, with machine players in processes of their own."""

from fronte.server.app import create_app
from fronte.server.settings import Settings

__all__ = ["Settings", "create_app"]
