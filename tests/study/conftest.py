"""What the tests of studies share: small studies of both games, between random players."""

from __future__ import annotations

import pytest
from small_studies import RANDOM, Studied

from fronte.study.asked import begin
from fronte.study.plan import Asked
from fronte.study.run import play
from fronte.study.runners import here


@pytest.fixture(scope="session", params=["isonzo", "altipiani"])
def studied(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Studied:
    """A finished study of six games, with its tables and without a report."""
    folder = tmp_path_factory.mktemp("study")
    plan = begin(folder, Asked(request.param, RANDOM, games=6, seed=3))
    play(plan, folder, here, lambda: None)
    return plan, folder
