"""`kimberley verify` and `kimberley replay`: every verdict has its exit status, its sentence and its JSON."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kimberley.client.cli.main import main
from kimberley.client.session.verdicts import ask_for_patience
from kimberley.games.diamond import GAME as DIAMOND
from kimberley.games.diamond_trust import GAME
from kimberley.p2p.storage.archive import SUFFIX
from kimberley.protocol.crypto import signatures
from kimberley.protocol.encoding import pack
from kimberley.protocol.record import MAGIC, Record
from tests.support.paths import DATA
from tests.support.tables import identity, peer_of, played, renamed, signed_roster

Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str]) -> Typed:
    """Runs a command. Returns its exit status, output and errors."""

    def run(*arguments: object) -> tuple[int, str, str]:
        status = main([str(argument) for argument in arguments])
        return status, *capsys.readouterr()

    return run


@pytest.fixture(scope="module")
def record() -> Record:
    return played(GAME, salt="verify").peers[0].record()


@pytest.fixture
def kept(tmp_path: Path) -> Callable[[Record | bytes], Path]:
    def keep(what: Record | bytes) -> Path:
        path = tmp_path / "game.kimberley"
        path.write_bytes(what if isinstance(what, bytes) else what.pack())
        return path

    return keep


Kept = Callable[[Record | bytes], Path]


def verdict_of(typed: Typed, path: Path) -> tuple[int, dict[str, Any]]:
    status, out, _ = typed("verify", path, "--json")
    found = json.loads(out)
    assert isinstance(found, dict)
    return status, found


def two_faced(record: Record, seat: int) -> Record:
    """Returns the record with proof that a seat signed two envelopes with the same number."""
    honest = next(envelope for envelope in record.envelopes if envelope.seat == seat)
    other = replace(honest, body=b"another").signed(partial(signatures.sign, identity(seat)))
    return replace(record, evidence=(other,))


@pytest.mark.slow
def test_a_fair_game(typed: Typed, kept: Kept, record: Record) -> None:
    path = kept(record)
    status, out, err = typed("verify", path)
    assert (status, err) == (0, "")
    assert out.startswith("Fair: ")
    assert "player1" in out
    status, found = verdict_of(typed, path)
    assert status == 0
    assert found["verdict"] == "fair"
    assert found["seats"] == found["deviations"] == []
    assert found["step"] is None
    assert found["envelopes"] == len(record.envelopes)
    assert sorted(found["result"]["places"]) in ([1, 1], [1, 2])


@pytest.mark.slow
def test_a_cheat_is_named_with_its_step_and_the_reason(typed: Typed, kept: Kept, record: Record) -> None:
    path = kept(two_faced(record, seat=1))
    status, out, _ = typed("verify", path)
    assert status == 1
    assert out.startswith("Unfair: in move ")
    assert "two different messages" in out
    status, found = verdict_of(typed, path)
    assert (status, found["verdict"], found["seats"]) == (1, "unfair", [1])
    assert found["deviations"][0]["reason"] in out


@pytest.mark.parametrize("content", [b"", b"not a record", MAGIC, MAGIC + b"\x00" * 64])
def test_what_is_no_record_is_damaged(typed: Typed, kept: Kept, content: bytes) -> None:
    status, found = verdict_of(typed, kept(content))
    assert (status, found["verdict"], found["seats"]) == (2, "damaged", [])


@pytest.mark.slow
def test_a_changed_record_is_damaged_and_blames_nobody(typed: Typed, kept: Kept, record: Record) -> None:
    data = bytearray(record.pack())
    data[len(data) // 2] ^= 1
    status, found = verdict_of(typed, kept(bytes(data)))
    assert (status, found["verdict"], found["seats"]) == (2, "damaged", [])


def test_a_record_that_was_cut_says_so_in_words_for_players(typed: Typed, kept: Kept, record: Record) -> None:
    packed = record.pack()
    for cut in range(20, len(packed), len(packed) // 7):
        code, out, _ = typed("verify", kept(packed[:cut]))
        assert code == 2
        assert out == (
            "Damaged: the record was changed or cut after it was written (its bytes are incomplete or not well "
            "formed).\nCheck a copy of it, or another player’s record.\n"
        )


def test_a_file_that_is_not_there_is_named(typed: Typed, tmp_path: Path) -> None:
    status, out, err = typed("verify", tmp_path / "nowhere.kdt")
    assert (status, out) == (69, "")
    assert f"{tmp_path / 'nowhere.kdt'} cannot be read: there is no such file." in err


def test_a_game_that_stopped_is_incomplete_with_the_absent_step(typed: Typed, kept: Kept, record: Record) -> None:
    half = replace(record, envelopes=record.envelopes[: len(record.envelopes) // 2])
    status, found = verdict_of(typed, kept(half))
    assert (status, found["verdict"]) == (3, "incomplete")
    assert found["seats"]
    assert found["step"] > 0
    assert found["result"] is None
    status, out, _ = typed("verify", kept(half))
    assert status == 3
    assert f"move {found['step']}" not in out, "boards count moves in another way"


def test_who_is_missing_is_named_once(typed: Typed, kept: Kept, record: Record) -> None:
    half = replace(record, envelopes=record.envelopes[: len(record.envelopes) // 2])
    status, out, _ = typed("verify", kept(half))
    assert status == 3
    stopped = r"while waiting for player[12]|before it was finished; player[12] still had to play"
    assert re.match(rf"Incomplete: the (game|fairness check) stopped ({stopped})\.", out)


def test_of_two_players_the_one_to_move_is_not_said_to_have_been_waited_for(typed: Typed, kept: Kept) -> None:
    game = played(DIAMOND, salt="one of two").peers[0].record()
    for part in (20, 21, 30, 31):
        _, out, _ = typed("verify", kept(replace(game, envelopes=game.envelopes[:part])))
        assert re.match(r"Incomplete: the game stopped before it was finished; player[12] still had to play\.", out)


def test_where_everyone_still_had_to_play_nobody_is_said_to_have_waited(
    typed: Typed, kept: Kept, record: Record
) -> None:
    status, out, _ = typed("verify", kept(replace(record, envelopes=())))
    assert status == 3
    stopped = "the game stopped before it was finished; player1 and player2 still had to play."
    assert out.startswith(f"Incomplete: {stopped}")


def test_a_result_stands_where_only_the_audit_is_missing(typed: Typed, kept: Kept, record: Record) -> None:
    status, found = verdict_of(typed, kept(replace(record, envelopes=record.envelopes[:-3])))
    assert (status, found["verdict"]) == (3, "incomplete")
    assert found["result"] is not None


def test_an_unknown_revision_cannot_be_judged(typed: Typed, kept: Kept) -> None:
    later = peer_of(GAME, signed_roster(GAME, revision=GAME.revision + 1), None).record()
    status, found = verdict_of(typed, kept(later))
    assert (status, found["verdict"]) == (4, "unknown")
    status, out, _ = typed("verify", kept(later))
    assert str(GAME.revision + 1) in out


def test_an_unknown_revision_of_the_protocol_cannot_be_judged(typed: Typed, kept: Kept) -> None:
    import hashlib

    data = MAGIC + pack((250, b"something of the future"))
    status, found = verdict_of(typed, kept(data + hashlib.sha256(data).digest()))
    assert (status, found["verdict"]) == (4, "unknown")
    assert "250" in found["reason"]


EVIL = "a\x1b[2J\x9b2J\u202eb"


@pytest.fixture
def hostile(kept: Kept) -> Path:
    return kept(peer_of(GAME, renamed(signed_roster(GAME, salt="verify"), EVIL), None).record())


def test_a_name_cannot_move_the_cursor(typed: Typed, hostile: Path) -> None:
    _, out, err = typed("verify", hostile)
    assert "\x1b" not in out + err


def test_a_name_cannot_move_the_cursor_in_json_either(typed: Typed, hostile: Path) -> None:
    _, out, _ = typed("verify", hostile, "--json")
    assert json.loads(out)["names"][0] == EVIL
    assert out.isascii()
    hostile.rename(hostile.with_suffix(SUFFIX))
    _, out, _ = typed("verify", hostile.parent, "--json")
    assert json.loads(out)["records"][0]["names"][0] == EVIL
    assert out.isascii()


def test_replay_prints_every_step_with_what_was_sealed(typed: Typed, kept: Kept, record: Record) -> None:
    status, out, _ = typed("replay", kept(record), "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [line["step"] for line in lines] == list(range(len(lines)))
    seals = [line["answer"] for line in lines if line["ask"] == "seal"]
    assert seals
    assert {"hidden": True} not in [part for answer in seals for part in answer]


def test_replay_in_words_tells_the_dossier_too(typed: Typed, kept: Kept, record: Record) -> None:
    status, out, _ = typed("replay", kept(record), "--plain")
    assert status == 0
    assert re.search(r"^Month 1$", out, re.M)
    assert re.search(r"^ +\d+  player1 ", out, re.M)
    assert "player1" in out.split("\n\n")[-1]


def test_replay_of_half_a_game_shows_what_all_saw(typed: Typed, kept: Kept, record: Record) -> None:
    half = kept(replace(record, envelopes=record.envelopes[: len(record.envelopes) // 2]))
    status, out, _ = typed("replay", half, "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert {"hidden": True} in next(line["answer"] for line in lines if line["ask"] == "seal")
    status, _, err = typed("replay", half)
    assert status == 1
    assert "--plain" in err
    status, out, _ = typed("replay", half, "--plain")
    assert status == 0
    assert "\n\nIncomplete: the game stopped while waiting for player" in out
    status, _, err = typed("review", half)
    assert status == 1
    assert "cannot be reviewed: the game stopped while waiting for player" in err


def test_replay_of_a_game_without_moves_begins_with_the_verdict(typed: Typed, kept: Kept, record: Record) -> None:
    none = kept(replace(record, envelopes=()))
    _, out, _ = typed("replay", none, "--plain")
    assert out.startswith("Incomplete: ")
    assert typed("replay", none, "--json") == (0, "", "")


def test_replay_refuses_what_holds_no_game(typed: Typed, kept: Kept) -> None:
    status, out, err = typed("replay", kept(b"nothing"), "--plain")
    assert (status, out) == (1, "")
    assert "cannot be replayed" in err


@pytest.mark.parametrize("terminal", [True, False])
def test_a_person_at_a_terminal_is_told_why_nothing_is_to_be_seen(
    terminal: bool, kept: Kept, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    ask_for_patience(Path("somewhere/game.kdt"))
    assert capsys.readouterr().err == "", "there is nothing to check"
    ask_for_patience(kept(b"nothing"))
    assert ("Checking game.kimberley: " in capsys.readouterr().err) == terminal


@pytest.mark.parametrize("command", [("replay", "--plain"), ("review",), ("listen", "--out", "game.wav")])
def test_who_takes_one_game_says_who_takes_a_tournament(
    command: tuple[str, ...], typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = DATA / "kept" / "1.0.0" / "evening.cup"
    status, out, errors = typed(*command, path)
    assert (status, out) == (1, "")
    assert errors == (
        f"kimberley: {path} holds a whole tournament, not one game. To check it: kimberley verify {path}\n"
    )


@pytest.mark.parametrize("command", ["replay", "review", "listen"])
def test_a_record_that_is_not_there_is_said_to_be_so_by_every_command(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "nowhere.kdt"
    assert main([command, str(path)]) != 0
    assert f"{path} cannot be read: there is no such file." in capsys.readouterr().err
