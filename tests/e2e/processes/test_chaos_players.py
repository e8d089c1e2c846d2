"""The players of text mode in the chaos come to the end of each game, and leave a record that is fair. The one for the
piecepack is tested in `tests/e2e/terminal/test_piecepack.py`.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from kimberley.games import lookup
from tests.chaos.plan import OPTIONS
from tests.chaos.players import PLAYERS
from tests.support.at_the_lan import verified
from tests.support.effort import spread
from tests.support.pipe import Pipe
from tests.support.program import PATIENCE


@pytest.mark.parametrize("game", spread(1, sorted({*lookup.ids()} - {"piecepack"})))
def test_a_player_of_the_chaos_plays_alone_to_the_end(tmp_path: Path, game: str) -> None:
    options = OPTIONS.get(game, ())
    with Pipe("alone", game, *options, "--level", "1", data=tmp_path / "ana", answers=PLAYERS[game](Random(1))) as ana:
        record = ana.wait(re.escape("Record: ") + r"(.*\.kdt)[.]", 3 * PATIENCE)[1]
    assert verified(Path(record)) == "fair"
