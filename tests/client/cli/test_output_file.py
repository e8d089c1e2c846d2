"""Files that a command writes at the end: what is wrong with one is said beforehand, and a link stays a link."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kimberley.client.cli.main import main
from kimberley.client.cli.output_file import OutputFile, OutputFileTrouble


def test_a_place_where_no_file_can_be_is_refused(tmp_path: Path) -> None:
    os.mkfifo(fifo := tmp_path / "fifo")
    for path, told in (
        (tmp_path / "none" / "x.html", f"there is no folder {tmp_path / 'none'}. Create it, or name another file."),
        (tmp_path, "is not a file. Name another one."),
        (Path(os.devnull), "is not a file. Name another one."),
        (fifo, "is not a file. Name another one."),
    ):
        with pytest.raises(OutputFileTrouble) as raised:
            OutputFile.at(path)
        assert str(path) in str(raised.value)
        assert str(raised.value).endswith(told)
    assert list(tmp_path.iterdir()) == [fifo]


def test_a_link_stays_and_leads_to_what_was_written(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to(target)
    OutputFile.at(link).write("whole")
    assert link.is_symlink()
    assert target.read_text() == "whole"


def test_another_name_of_a_file_does_not_hide_it(tmp_path: Path) -> None:
    kept, again = tmp_path / "kept", tmp_path / "again"
    kept.write_text("kept")
    again.hardlink_to(kept)
    with pytest.raises(OutputFileTrouble, match="is still needed"):
        OutputFile.at(again, kept)


def test_a_shared_program_is_written_nowhere_if_there_is_no_such_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["share", "--out", str(tmp_path / "none" / "kimberley.pyz")]) == 1
    told = capsys.readouterr().err
    assert "there is no folder" in told
    assert "--data" not in told
