"""`kimberley verify DIR`, and of a bundle: here, on all cores, and on a cluster; what a person sees meanwhile."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path

import pytest

from kimberley.client.cli import main, verify_all
from kimberley.protocol.record import Record
from tests.support.told import Told, cut_in_the_middle, honest_cup, two_faced
from tests.support.tournaments import Evening, by_number, settings_of, someone


@pytest.fixture(scope="module")
def honest() -> Told:
    return honest_cup()


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks everything in this process: only one of these tests needs others."""
    monkeypatch.setattr(verify_all, "cores", lambda: 1)


@pytest.fixture
def folder(honest: Told, tmp_path: Path) -> Path:
    (tmp_path / "more").mkdir()
    for number, record in enumerate(honest.records):
        (tmp_path / ("more" if number else "") / f"game{number}.kdt").write_bytes(record)
    (tmp_path / "notes.txt").write_text("no record")
    return tmp_path


def verified(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    status = main.main(["verify", *map(str, arguments)])
    return status, capsys.readouterr().out


@pytest.mark.slow
def test_a_folder_is_as_good_as_its_worst_record(
    folder: Path, honest: Told, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = verified(capsys, folder)
    assert status == 0
    assert said.splitlines()[0] == "fair        game0.kdt"
    assert said.splitlines()[-1] == "4 records: 4 fair."
    record = Record.unpack(honest.records[0])
    (folder / "incomplete.kdt").write_bytes(cut_in_the_middle(record).pack())
    assert verified(capsys, folder)[0] == 3
    (folder / "nothing.kdt").write_bytes(b"nothing")
    assert verified(capsys, folder)[0] == 2
    (folder / "unfair.kdt").write_bytes(two_faced(record, 0).pack())
    status, said = verified(capsys, folder)
    assert status == 1
    assert said.splitlines()[-1] == "7 records: 4 fair, 1 incomplete, 1 damaged, 1 unfair."
    assert [line.split()[1] for line in said.splitlines()[:-1]] == sorted(
        str(path.relative_to(folder)) + (":" if "game" not in path.name else "") for path in folder.rglob("*.kdt")
    )
    status, said = verified(capsys, folder, "--json")
    found = json.loads(said)
    assert (status, found["verdict"]) == (1, "unfair")
    assert found["counts"] == {"fair": 4, "incomplete": 1, "damaged": 1, "unfair": 1}
    assert {Path(one["file"]).name: one["verdict"] for one in found["records"]}["nothing.kdt"] == "damaged"


@pytest.mark.slow
def test_the_bundles_of_a_folder_are_judged_with_its_records(
    folder: Path, honest: Told, capsys: pytest.CaptureFixture[str]
) -> None:
    path = honest.write(folder / "more" / "friday.cup")
    status, said = verified(capsys, folder)
    assert status == 0
    assert "more/friday.cup\n  Fair: 2 rounds, 4 results and 4 games check out.\n" in said
    assert said.splitlines()[-1] == "4 records: 4 fair. 1 tournament."
    path.write_bytes(path.read_bytes()[:-1])
    status, said = verified(capsys, folder, "--json")
    found = json.loads(said)
    assert (status, found["verdict"], len(found["records"])) == (2, "damaged", 4)
    assert [(Path(one["file"]).name, one["verdict"]) for one in found["tournaments"]] == [("friday.cup", "damaged")]


@pytest.mark.slow
def test_several_files_are_checked_one_after_the_other(
    folder: Path, honest: Told, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    cup, damaged = honest.write(tmp_path / "friday.cup"), tmp_path / "a.kdt"
    damaged.write_bytes(b"nothing")
    record = folder / "game0.kdt"
    status, said = verified(capsys, record, cup, damaged, record, "--json")
    found = json.loads(said)
    assert (status, found["counts"]) == (2, {"fair": 1, "damaged": 1})
    assert [one["file"] for one in found["records"]] == [str(record), str(damaged)]
    assert [one["file"] for one in found["tournaments"]] == [str(cup)]
    status, said = verified(capsys, record, cup)
    assert (status, said.splitlines()[0]) == (0, f"fair        {record}")
    assert said.splitlines()[-1] == "1 record: 1 fair. 1 tournament."


@pytest.mark.slow
def test_the_folder_of_an_export_has_a_bundle_and_no_record(
    honest: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    honest.write(tmp_path / "friday.cup")
    status, said = verified(capsys, tmp_path)
    assert status == 0
    assert said.splitlines()[-1] == "1 tournament."


def test_a_folder_without_records_is_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, said = verified(capsys, tmp_path)
    assert status == 2
    assert "No records" in said


@pytest.mark.slow
def test_processes_say_the_same(
    folder: Path, honest: Told, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = honest.write(folder / "friday.cup")
    alone = verified(capsys, folder, "--json"), verified(capsys, path, "--json")
    monkeypatch.setattr(verify_all, "cores", lambda: 2)
    assert (verified(capsys, folder, "--json"), verified(capsys, path, "--json")) == alone


@pytest.mark.slow
@pytest.mark.nightly
def test_a_cluster_says_the_same(folder: Path, honest: Told, capsys: pytest.CaptureFixture[str]) -> None:
    path = honest.write(folder / "friday.cup")
    alone = verified(capsys, folder, "--json"), verified(capsys, path, "--json")
    distributed = import_module("distributed")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        there = "--dask", cluster.scheduler_address
        assert (verified(capsys, folder, "--json", *there), verified(capsys, path, "--json", *there)) == alone


@pytest.mark.slow
def test_a_cluster_that_is_not_there_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["verify", str(folder), "--dask", "nonsense://nowhere"]) == 69
    assert "No Dask scheduler" in capsys.readouterr().err


@pytest.mark.slow
def test_on_a_terminal_the_files_are_counted(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "nothing.kdt").write_bytes(b"nothing")
    assert main.main(["verify", str(folder)]) == 2
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    main.main(["verify", str(folder)])
    line = capsys.readouterr().err
    assert "5 of 5 checked, 1 with problems, about 0 s left" in line
    assert line.endswith("\r\x1b[K")


def test_an_arena_is_checked_without_rounds() -> None:
    arena = Evening.of(settings_of("arena"), map(someone, range(4)))
    arena.round(by_number)
    said = verify_all.checks_in_words(arena.tournament, 0)
    assert not any("round" in line for line in said), said
