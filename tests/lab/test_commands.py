"""What the commands of the lab say about themselves."""

from __future__ import annotations

import pytest

from tests.lab.__main__ import main


@pytest.mark.parametrize("command", ["arena", "tune", "train", "bench"])
def test_every_command_explains_itself_and_no_line_is_wider_than_a_terminal(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as exit_:
        main([command, "--help"])
    assert exit_.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"python -m tests.lab {command}" in lines[0]
    assert len(lines) > 8
    assert max(map(len, lines)) <= 80
