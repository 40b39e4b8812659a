"""`python -m fronte` is the `fronte` command."""

from fronte.cli import app

if __name__ == "__main__":
    app(prog_name="fronte")
