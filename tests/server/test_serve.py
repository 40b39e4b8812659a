"""The command: where it listens, and the browser that opens."""

from __future__ import annotations

import gc
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from weakref import ref

import httpx2 as httpx
import pytest
from processes import Served
from starlette.testclient import TestClient

from fronte.cli.serve import address_of, held, is_loopback, listen
from fronte.server import Settings, create_app
from fronte.server.processes.collector import COLLECTED_AFTER, let_be, look_through
from fronte.server.store.file_lock import AlreadyServed, FileLock


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


def test_the_collector_leaves_alone_what_a_server_has_loaded() -> None:
    before = gc.get_threshold()
    try:
        loaded = [["something"] for _ in range(100)]
        let_be()
        assert gc.get_freeze_count() > len(loaded)
        assert not any(each is kept for kept in gc.get_objects() for each in loaded)
        assert gc.get_threshold()[0] == COLLECTED_AFTER > USUAL
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


USUAL = 700
"""New objects after which Python looks through them where nobody has said otherwise."""


class Held:
    """Something that holds itself."""

    def __init__(self) -> None:
        self.itself = self


def test_what_is_new_is_looked_through_while_nobody_waits_and_left_alone_then() -> None:
    before = gc.get_threshold()
    try:
        let_be()
        gc.disable()
        gone = ref(Held())
        new = [["something"]]
        look_through()
        assert gone() is None
        assert not any(each is kept for kept in gc.get_objects() for each in new)
        held = Held()
        look_through()
        gone = ref(held)
        del held
        gc.collect()
        assert gone() is not None, "it is left alone"
        look_through(everything=True)
        assert gone() is None
    finally:
        gc.enable()
        gc.set_threshold(*before)
        gc.unfreeze()


def test_a_process_that_was_not_let_be_has_its_collector_as_usual() -> None:
    gc.unfreeze()
    gc.disable()
    try:
        gone = ref(Held())
        look_through(everything=True)
        assert gc.get_freeze_count() == 0 and gone() is not None
    finally:
        gc.enable()


def test_addresses() -> None:
    with listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        assert address_of(listening) == f"http://127.0.0.1:{port}"
        listening.listen()
        with pytest.raises(OSError, match=f"cannot listen at 127.0.0.1:{port}"):
            listen("127.0.0.1", port)
    assert is_loopback("localhost") and is_loopback("127.0.0.1") and not is_loopback("0.0.0.0")


# One process for one file


def second(*words: str, database: Path, browser: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fronte", *words, "--database", str(database)]
    environment = os.environ | ({"BROWSER": browser} if browser else {})
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)


def test_a_file_is_served_once_and_a_second_start_says_where(tmp_path: Path) -> None:
    database = tmp_path / "m.sqlite"
    server = Served(str(database), tmp_path / "log")
    try:
        told = second("serve", "--port", "0", database=database)
        assert told.returncode == 1 and "Traceback" not in told.stderr
        words = " ".join(told.stderr.split())
        assert f"are being served already at {server.address} (process {server.process.pid})" in words
        assert "several processes need PostgreSQL" in words
        link = tmp_path / "link.sqlite"
        link.symlink_to(database)
        with pytest.raises(AlreadyServed), held(Settings(database=str(link))):
            raise AssertionError("the same file by another name")
        to_play_again_opens_the_table_that_is_there(server, database)
    finally:
        server.kill()
    with FileLock(database) as stuck:  # the one before was killed, and its lock went with it
        stuck.tell("http://127.0.0.1:9")  # something holds the file, but nobody answers there
        told = second("play", database=database, browser=SHOWS)
        assert told.returncode == 1 and "being served already" in told.stderr and "shown" not in told.stdout
    again = Served(str(database), tmp_path / "log")
    assert again.stop() == 0
    with FileLock(database):
        pass  # nor does one that was stopped hold it


SHOWS = f"{sys.executable} -c 'import sys; print(\"shown\", sys.argv[1], flush=True)' %s"


def to_play_again_opens_the_table_that_is_there(server: Served, database: Path) -> None:
    told = second("play", "--language", "it", database=database, browser=SHOWS)
    assert told.returncode == 0, told.stderr
    assert f"Fronte runs already, at {server.address}" in told.stdout
    assert f"shown {server.address}/?language=it" in told.stdout


def test_two_who_begin_to_play_at_once_play_at_one_table(tmp_path: Path) -> None:
    """As when somebody presses twice."""
    command = [sys.executable, "-m", "fronte", "play", "--database", str(tmp_path / "m.sqlite")]
    environment = os.environ | {"BROWSER": SHOWS}
    outs, running = [tmp_path / "one", tmp_path / "two"], []
    for out in outs:
        with out.open("wb") as told:
            running.append(subprocess.Popen(command, stdout=told, stderr=told, env=environment))
    try:
        end = time.monotonic() + 60
        while not all("shown http" in out.read_text() for out in outs) or all(one.poll() is None for one in running):
            assert time.monotonic() < end, [out.read_text() for out in outs]
            time.sleep(0.1)
        assert len({re.findall(r"shown (\S+)", out.read_text())[0] for out in outs}) == 1
        assert sorted(process.poll() is None for process in running) == [False, True], "one has gone, one serves"
    finally:
        for process in running:
            process.kill()
            process.wait()


def test_any_host_of_the_application_holds_its_file(tmp_path: Path) -> None:
    settings = Settings(database=str(tmp_path / "m.sqlite"), static=tmp_path)
    with TestClient(create_app(settings)), pytest.raises(AlreadyServed, match=f"process {os.getpid()}"):
        TestClient(create_app(settings)).__enter__()
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        assert client.get("/api/health").json() == {"ok": True}
