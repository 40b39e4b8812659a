"""The unit files for systemd: the system reads them, and they confine the server, the template as much as the one."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = ("fronte.service", "fronte@.service")
PROGRAM = "/opt/fronte/bin/fronte"
MOST_EXPOSED = 2.5
"""On the scale of systemd-analyze: 10 is a service without any confinement, and below 3 counts as good."""

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    """The units with a program that is there, and an instance of the template."""
    for name in UNITS:
        text = (DEPLOY / name).read_text(encoding="utf-8")
        assert f"ExecStart={PROGRAM} serve " in text
        (tmp_path / name).write_text(text.replace(PROGRAM, "/bin/true"), encoding="utf-8")
    return tmp_path


def analyzed(*words: str) -> str:
    done = subprocess.run(["systemd-analyze", *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@needs_systemd
@pytest.mark.parametrize("name", ["fronte.service", "fronte@8417.service"])
def test_systemd_can_read_it(copies: Path, name: str) -> None:
    shutil.copy(copies / "fronte@.service", copies / "fronte@8417.service")
    assert "fronte" not in analyzed("verify", "--man=no", "--recursive-errors=no", str(copies / name))


@needs_systemd
@pytest.mark.parametrize("name", UNITS)
def test_it_is_confined(copies: Path, name: str) -> None:
    shown = analyzed("security", "--offline=yes", "--no-pager", str(copies / name))
    found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", shown)
    assert found is not None and float(found[1]) < MOST_EXPOSED, shown


def test_the_template_is_the_unit_but_for_port_and_database() -> None:
    one, several = (
        {line for line in (DEPLOY / name).read_text(encoding="utf-8").splitlines() if line and line[0] != "#"}
        for name in UNITS
    )
    differ = {"Description", "ExecStart", "Environment", "EnvironmentFile"}
    assert {line.partition("=")[0] for line in several - one} == differ
    assert {line.partition("=")[0] for line in one - several} == differ | {"StateDirectory", "StateDirectoryMode"}
    assert any("--port %i " in line for line in several)
