"""`kimberley review` says in a sentence why there is no review."""

from __future__ import annotations

from pathlib import Path

import pytest

from kimberley.client.cli.main import main


def test_what_is_no_record_has_no_review(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.kdt"
    path.write_bytes(b"nothing")
    assert main(["review", str(path)]) == 1
    assert f"{path} cannot be reviewed: " in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [path], "nothing is kept"
