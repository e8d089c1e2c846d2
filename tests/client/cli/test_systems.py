"""A user without a home folder is told what to do, and can do it."""

from __future__ import annotations

import errno
import tempfile
from pathlib import Path
from typing import NoReturn

import platformdirs
import pytest

from kimberley.client.cli import doctor
from kimberley.client.cli.main import main
from kimberley.client.session.unfinished_games import find_journal
from kimberley.p2p.base.errors import NoHomeError
from kimberley.p2p.base.platform import data_folder
from kimberley.p2p.discovery.network_checkup import check_own_port
from kimberley.p2p.sharing import launcher
from kimberley.p2p.storage.journal import Journal
from kimberley.referee.tournament_folders import TournamentFolders
from tests.support.asyncs import run
from tests.support.homeless import homeless
from tests.support.recorded_table import RECORD
from tests.support.stones import STONES
from tests.support.tables import seed, signed_roster

TOLD = "This user has no home folder. Choose a folder for your games with --data, or set HOME."


@pytest.fixture(autouse=True)
def no_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    homeless(monkeypatch)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "typed",
    [
        (),
        ("--plain",),
        ("host",),
        ("join", "127.0.0.1"),
        ("watch", "127.0.0.1"),
        ("resume",),
        ("share",),
        ("bot", "host", "diamond"),
        ("referee", "Friday Cup", "--game", "diamond"),
        ("list", "--finished"),
        ("replay", str(RECORD)),
    ],
)
def test_a_command_that_keeps_something_says_what_to_do(
    typed: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(typed) == 1
    assert capsys.readouterr() == ("", f"kimberley: {TOLD}\n")
    assert list(tmp_path.iterdir()) == []


def test_a_home_that_an_older_platformdirs_leaves_open_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: "~/.local/share/kimberley")
    with pytest.raises(NoHomeError):
        data_folder()


@pytest.mark.slow
def test_with_a_folder_everything_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--finished", "--data", str(tmp_path / "data")]) == 0
    assert main(["verify", str(RECORD)]) == 0
    journal = Journal.create(tmp_path / "data", signed_roster(STONES), 0, seed(0))
    journal.write([("started",), ("sent", bytes(100))], sync=True)
    assert journal.warning is not None
    assert journal.warning.startswith("This user has no home folder. The game goes on")
    journal.close()
    Journal.resume(journal.path)[0].close()
    folders = TournamentFolders(None, "Friday Cup")
    assert folders.choose(tmp_path / "cup") == tmp_path / "cup"
    assert folders.others(tmp_path / "cup") == []
    assert find_journal(tmp_path, bytes(32), "~/one.journal") == Path("~/one.journal")


def test_the_doctor_finds_it(tmp_path: Path) -> None:
    data, state = doctor.check_folders(None)
    assert (data.ok, data.advice) == (False, TOLD)
    assert state.ok is None
    data, state = doctor.check_folders(tmp_path)
    assert (data.ok, state.ok) == (True, None)


def test_where_nothing_temporary_can_be_written_a_host_says_so_and_the_doctor_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in a container that can write to one folder alone."""

    def nowhere() -> NoReturn:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", nowhere)
    told = "There is nowhere to write temporary files. Set TMPDIR to a folder that can be written to."
    for typed in (("bot", "host", "diamond", "--data", str(tmp_path)), ("demo", "diamond")):
        assert main(typed) == 1
        assert capsys.readouterr().err == f"kimberley: {told}\n"
    found = {one.what: one for one in [*doctor.check_folders(tmp_path), *run(check_own_port())]}
    for what in ("temporary folder", "port for hosting"):
        assert (found[what].ok, found[what].advice) == (False, told)


def test_a_shared_copy_says_that_it_has_nowhere_to_unpack_itself() -> None:
    with pytest.raises(SystemExit, match="this user has none"):
        launcher.start(b"", None)
