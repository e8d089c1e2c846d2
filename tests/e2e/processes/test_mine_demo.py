"""Diamond Mine over the real network: two bots in two processes, the record, and its uses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kimberley.client.boards.mine import BOARD
from kimberley.client.ui.canvas import Canvas
from kimberley.games import lookup
from kimberley.protocol.audit import audit
from tests.support.angola import PretendUi

pytestmark = pytest.mark.e2e


def run(*typed: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kimberley.client.cli.main", *map(str, typed)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.nightly
def test_a_demo_is_played_verified_and_told_with_all_that_was_hidden(tmp_path: Path) -> None:
    ran = run("demo", "mine", "--seed", 5, "--data", tmp_path, "--json")
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert found["verdict"] == "fair"
    path = Path(found["record"])
    assert run("verify", path).returncode == 0
    plain = run("replay", path, "--plain").stdout
    assert found["result"]["reason"] in plain

    audited = audit(path.read_bytes(), lookup.find)
    names = [place.nickname for place in audited.record.table.roster.seats]
    dossier = BOARD.dossier(audited, names, 0)
    assert sum(line.startswith("The vein on ") for line in dossier.lines) == 10
    # The gems in nests that nobody opened are shown too, and so are those in no nest: nothing is hidden any more.
    _, rows = dossier.build(78)
    told = ["".join(span.text for cell in row.cells for span in cell) for row in rows]
    assert not any("?" in row for row in told)
    assert told[-1].startswith("not in play: ")
    scores = [f"{name}: {points} points" for name, (points,) in zip(names, found["result"]["scores"], strict=True)]
    assert all(any(line.startswith(score) for line in dossier.lines) for score in scores)

    screen = BOARD.replay(audited, names, PretendUi(), rows[-2].step)
    canvas = Canvas(80, 24)
    screen.draw(canvas, 0.0)
    assert "Diamond Mine · replay" in canvas.lines()[0]
    assert screen.key("end")
    screen.draw(canvas, 0.0)
    assert "THE END" in canvas.lines()[1]
