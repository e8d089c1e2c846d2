"""The records of finished games, as lists show them: on the screen, in the line mode and in a shell."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from kimberley.client.cli.main import main
from kimberley.client.session import kept_games
from kimberley.client.session.kept_games import FINDINGS, describe_kept, list_kept, verify_kept
from kimberley.client.session.services import KeptGame
from kimberley.games.diamond import GAME
from kimberley.games.piecepack import GAME as PIECEPACK
from kimberley.p2p.storage.archive import save_record
from kimberley.p2p.storage.identity import Identity
from kimberley.protocol.record import Record
from tests.support.tables import played, seated

STRANGER = b"s" * 32


@pytest.fixture(scope="module")
def record() -> Record:
    return played(GAME, salt="kept").peers[0].record()


@pytest.fixture
def kept(tmp_path: Path, record: Record) -> Path:
    """Returns the path of the record in a data folder."""
    return save_record(tmp_path, ["ana", "ben"], record.pack())


def only(data: Path, own: bytes) -> KeptGame:
    (game,) = list_kept(data, own)
    return game


@pytest.mark.slow
@pytest.mark.usefixtures("kept")
def test_a_record_says_with_whom_and_how_it_ended_once_it_is_judged(tmp_path: Path, record: Record) -> None:
    told = {}
    for seat in (0, 1):
        game = only(tmp_path, record.table.roster.seats[seat].identity)
        assert (game.title, game.seat, len(game.others), game.game) == ("Diamond", seat, 1, "diamond")
        judged = verify_kept(tmp_path, game)
        assert judged.finding is not None
        assert judged.finding.label == "✓ fair"
        told[seat] = judged.standing
    assert sorted(told.values()) in (["lost", "won"], ["draw", "draw"])
    watched = only(tmp_path, STRANGER)
    assert (watched.seat, len(watched.others)) == (None, 2)
    assert watched.standing in ("watched", "draw")
    assert describe_kept(watched).startswith("Diamond, played by player1 and player2, ")


def test_what_an_audit_found_is_kept_for_these_bytes_only(tmp_path: Path, kept: Path, record: Record) -> None:
    assert only(tmp_path, STRANGER).finding is None
    assert verify_kept(tmp_path, only(tmp_path, STRANGER)).finding == only(tmp_path, STRANGER).finding
    kept.write_bytes(replace(record, envelopes=record.envelopes[:-1]).pack())
    assert only(tmp_path, STRANGER).finding is None
    judged = verify_kept(tmp_path, only(tmp_path, STRANGER))
    assert judged.finding is not None
    assert judged.finding.label == "? incomplete"


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    "text", ["", "[]", '{"a": 1}', '{"a": ["fair", 2, 3, [], []]}', '{"a": ["fair", "b", "", [], [[0]]]}', "{" * 10]
)
def test_findings_that_make_no_sense_are_made_anew(tmp_path: Path, text: str) -> None:
    (tmp_path / FINDINGS).write_text(text)
    assert only(tmp_path, STRANGER).finding is None
    verify_kept(tmp_path, only(tmp_path, STRANGER))
    assert only(tmp_path, STRANGER).finding is not None


def test_findings_never_outgrow_what_is_read_and_the_latest_stay(
    tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = {f"{number:064x}": ["fair", "in order", "a draw", [1, 1], []] for number in range(100)}
    (tmp_path / FINDINGS).write_text(json.dumps(old))
    monkeypatch.setattr(kept_games, "MOST_BYTES", (tmp_path / FINDINGS).stat().st_size)
    judged = verify_kept(tmp_path, only(tmp_path, STRANGER))
    assert (tmp_path / FINDINGS).stat().st_size <= kept_games.MOST_BYTES
    assert only(tmp_path, STRANGER).finding == judged.finding
    assert kept.exists()


def test_a_file_that_is_no_record_is_listed_as_damaged(tmp_path: Path, kept: Path) -> None:
    kept.write_bytes(b"nothing")
    game = only(tmp_path, STRANGER)
    assert game.title == kept.stem
    judged = verify_kept(tmp_path, game)
    assert judged.finding is not None
    assert (judged.finding.label, judged.standing) == ("! damaged", "")


def test_of_a_record_that_was_cut_the_list_says_no_more_than_that(tmp_path: Path, kept: Path) -> None:
    kept.write_bytes(kept.read_bytes()[:-9])
    judged = verify_kept(tmp_path, only(tmp_path, STRANGER))
    assert judged.reason == "the record was changed or cut after it was written"


@pytest.fixture(scope="module")
def left() -> Record:
    """Returns the record of the first of three players, who left; the others play on."""
    wire = seated(PIECEPACK, 3, salt="left")
    wire.run(lambda: len(wire.peers[0].story) > 12)
    wire.peers[0].resign()
    wire.run(lambda: wire.peers[0].gone)
    assert wire.peers[0].waiting
    return wire.peers[0].record()


@pytest.mark.slow
def test_who_left_reads_that_they_left_not_that_the_others_stopped(
    tmp_path: Path, left: Record, capsys: pytest.CaptureFixture[str]
) -> None:
    path = save_record(tmp_path, ["ana", "ben", "cleo"], left.pack())
    for _ in range(2):
        game = only(tmp_path, left.table.roster.seats[0].identity)
        game = game if game.finding is not None else verify_kept(tmp_path, game)
        assert game.finding is not None
        assert (game.standing, game.finding.label) == ("left", "? incomplete")
        assert re.fullmatch(r"you left on turn \d+", game.ending)
        assert game.reason == "your record ends where you left"
        assert re.search(r"\. You left on turn \d+\. Incomplete\.", describe_kept(game))
    said = r"player1 left on turn \d+\. This record breaks off while the game was waiting for"
    for own in (left.table.roster.seats[1].identity, STRANGER):
        game = only(tmp_path, own)
        assert (game.standing, game.ending) == ("stopped", "")
        assert re.match(said, game.reason)
        assert re.search(said, describe_kept(game)), "text mode tells as much as the screen"
    assert main(["verify", str(path)]) == 3
    assert re.match(f"Incomplete: {said}", out := capsys.readouterr().out)
    assert "checks out. If others played on, their records show the rest." in out
    assert main(["verify", str(path), "--json"]) == 3
    told = json.loads(capsys.readouterr().out)
    assert (told["verdict"], [one["seat"] for one in told["left"]]) == ("incomplete", [0])
    assert main(["list", "--finished", "--data", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["left"] == told["left"]


@pytest.mark.slow
def test_the_result_of_a_game_says_who_left_it_before_its_end(tmp_path: Path) -> None:
    wire = seated(PIECEPACK, 3, salt="left")
    wire.run(lambda: len(wire.peers[1].story) > 12)
    wire.peers[0].resign()
    wire.run()
    save_record(tmp_path, ["ana", "ben", "cleo"], wire.peers[1].record().pack())
    ending = verify_kept(tmp_path, only(tmp_path, STRANGER)).ending
    assert re.search(r"\(player1 resigned, player2 \d+ points?, player3 \d+ points?\)", ending)


@pytest.mark.parametrize(
    ("places", "seat", "said"),
    [
        ((1, 2), 0, "won"),
        ((1, 2), 1, "lost"),
        ((1, 1), 0, "draw"),
        ((2, 1, 3), 0, "2nd of 3"),
        ((4, 1, 3, 2), 0, "4th of 4"),
        ((1, 1, 3, 4), 0, "=1st"),
        ((1, 2, 2), 2, "=2nd"),
        ((1, 1, 1), 2, "draw"),
        ((1, 2), None, "watched"),
        ((), 0, ""),
    ],
)
@pytest.mark.usefixtures("kept")
def test_the_standing_in_a_word_or_three(tmp_path: Path, places: tuple[int, ...], seat: int | None, said: str) -> None:
    game = verify_kept(tmp_path, only(tmp_path, STRANGER))
    assert game.finding is not None
    assert replace(game, seat=seat, finding=replace(game.finding, places=places)).standing == said


def test_the_latest_is_first_and_the_command_lists_the_same(
    tmp_path: Path, kept: Path, record: Record, capsys: pytest.CaptureFixture[str]
) -> None:
    Identity.load_or_create(tmp_path)
    other = save_record(tmp_path, ["ana", "ben"], replace(record, envelopes=record.envelopes[:-1]).pack())
    os.utime(kept, (10**9, 10**9))
    assert main(["list", "--finished", "--data", str(tmp_path)]) == 0
    heading, first, second = capsys.readouterr().out.splitlines()
    assert heading.split() == ["GAME", "WITH", "WHEN", "RESULT", "VERDICT", "FILE"]
    assert (first.index("? incomplete"), first.index(str(other))) == (heading.index("VERDICT"), heading.index("FILE"))
    assert first.startswith("Diamond  ")
    assert "? incomplete" in first
    assert first.endswith(str(other))
    assert first.index(str(other)) == second.index(str(kept)) == heading.index("FILE")
    assert "✓ fair" in second
    assert second.endswith(str(kept))
    assert main(["list", "--finished", "--data", str(tmp_path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(one["verdict"], one["game"], one["file"]) for one in found] == [
        ("incomplete", "diamond", str(other)),
        ("fair", "diamond", str(kept)),
    ]


def test_without_records_the_command_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--finished", "--data", str(tmp_path)]) == 0
    assert "No finished games" in capsys.readouterr().err


def test_a_list_of_no_games_makes_neither_a_folder_nor_an_identity(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in (tmp_path / "nope", tmp_path):
        assert main(["list", "--finished", "--data", str(folder)]) == 0
        assert "No finished games in" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
