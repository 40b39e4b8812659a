"""The command: where it listens, and the browser that opens."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx2 as httpx
import pytest

from fronte.cli.serve import address_of, is_loopback, listen


def test_a_table_opens_in_the_browser_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with out.open("wb") as told:
        command = [sys.executable, "-m", "fronte", "play", "--language", "it", "--database", str(tmp_path / "m.sqlite")]
        browser = {"BROWSER": f"{sys.executable} -c 'import sys; print(sys.argv[1], flush=True)' %s"}
        process = subprocess.Popen(command, stdout=told, stderr=told, env=os.environ | browser)
    try:
        end = time.monotonic() + 60
        while not (found := re.search(r"^(http://127\.0\.0\.1:\d+)/\?language=it", out.read_text(), re.MULTILINE)):
            assert process.poll() is None and time.monotonic() < end, out.read_text()
            time.sleep(0.05)
        assert httpx.get(f"{found[1]}/api/matches").json() == {"matches": []}
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert "Traceback" not in out.read_text()
    finally:
        process.kill()
        process.wait()


def test_addresses() -> None:
    with listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        assert address_of(listening) == f"http://127.0.0.1:{port}"
        listening.listen()
        with pytest.raises(OSError, match=f"cannot listen at 127.0.0.1:{port}"):
            listen("127.0.0.1", port)
    assert is_loopback("localhost") and is_loopback("127.0.0.1") and not is_loopback("0.0.0.0")
