"""The game of the tests in this folder."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module")
def volturno() -> str:
    """Its name."""
    return "volturno"
