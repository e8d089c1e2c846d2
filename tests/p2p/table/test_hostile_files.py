"""Files from others: journals, keys and saved games that were made to hurt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kimberley.games.diamond.notation import TurnNotationError
from kimberley.games.diamond.score_sheet import read_sheet
from kimberley.games.table import Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage import journal
from kimberley.p2p.storage.files import StorageError
from kimberley.p2p.storage.identity import KNOWN_FILE, KnownKeys
from kimberley.p2p.storage.journal import DamagedJournal, framed
from kimberley.p2p.table.guest_lobby import read_table
from kimberley.p2p.transport.address import is_ip
from kimberley.protocol.encoding import pack
from tests.support.stones import STONES
from tests.support.tables import secret, signed_roster

PATH = Path("a.journal")
DEEP = b"[" * 100_000


@pytest.mark.parametrize(
    "tail",
    [bytes(8_000_000), b"\0\0\0\1" * 500_000, b"\0\0\0\1\0\4\0\0" * 200_000, bytes(9_000_000)],
    ids=["no bytes", "one frame in all of them", "many large frames", "more than a frame"],
)
def test_a_journal_that_takes_long_to_look_through_is_given_up(tail: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each search for a frame checks up to all that is left: hours in total, for a file of some megabytes."""
    looked: list[int] = []
    check = journal.checksum

    def counted(number: int, body: bytes) -> bytes:
        looked.append(len(body))
        return check(number, body)

    monkeypatch.setattr(journal, "checksum", counted)
    with pytest.raises(DamagedJournal):
        journal.split_frames(journal.MAGIC + framed(0, b"x") * (tail[3] == 1) + b"\1" + tail, PATH)
    assert sum(looked) <= journal.MOST_CHECKED
    assert len(looked) <= journal.MOST_CHECKED // journal.A_LOOK + 2


def test_a_torn_tail_is_told_from_damage_wherever_it_was_cut() -> None:
    whole = framed(0, pack((("started",),))) + framed(1, pack((("sent", bytes(500)),)))
    for cut in range(len(framed(0, b"")), len(whole)):
        bodies, _ = journal.split_frames(journal.MAGIC + whole[:cut], PATH)
        assert len(bodies) == (1 if cut >= len(whole) - len(framed(1, pack((("sent", bytes(500)),)))) else 0)
    with pytest.raises(DamagedJournal):
        journal.split_frames(journal.MAGIC + b"\xff" + whole, PATH)


@pytest.mark.parametrize(("seat", "seed"), [(True, bytes(32)), (2, bytes(32)), (-1, bytes(32)), (0, b""), (0, None)])
def test_a_journal_of_no_seat_or_no_seed_is_damaged(tmp_path: Path, seat: Plain, seed: Plain) -> None:
    path = tmp_path / "a.journal"
    header = ("header", signed_roster(STONES).plain(), seat, seed)
    path.write_bytes(journal.MAGIC + framed(0, pack((header,))))
    with pytest.raises(DamagedJournal):
        journal.read_journal(path)


@pytest.mark.slow
def test_a_journal_of_more_bytes_or_values_than_any_game_needs_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    header = ("header", signed_roster(STONES).plain(), 0, bytes(32))
    many = pack(("note", *[((),)] * 60_000))
    frames = (framed(number, b"\x91" + many) for number in range(1, 19))
    path.write_bytes(journal.MAGIC + framed(0, pack((header,))) + b"".join(frames))
    with pytest.raises(DamagedJournal, match="may hold"):
        journal.read_journal(path)
    with path.open("r+b") as file:
        file.truncate(journal.MOST_BYTES + 1)
    for read in (journal.read_journal, journal.Journal.resume):
        with pytest.raises(StorageError, match=rf"larger than {journal.MOST_BYTES} bytes\. Move it away"):
            read(path)


@pytest.mark.parametrize(
    "kept",
    [
        {"format": 1, "aborted": True, "keys": {}},
        {"format": 1, "aborted": 0, "keys": {" " * 62 + "00": {"nickname": "ana", "verified": True}}},
        {"format": 1, "aborted": 0, "keys": {"É" * 64: {"nickname": "ana", "verified": True}}},
        {"format": 1, "aborted": 0, "keys": {"00" * 32: {"nickname": "ana", "verified": 1}}},
    ],
    ids=["no count", "spaces in a key", "no digits", "no truth"],
)
def test_known_keys_that_cannot_be_are_damage(tmp_path: Path, kept: object) -> None:
    (tmp_path / KNOWN_FILE).write_text(json.dumps(kept))
    with pytest.raises(StorageError, match="is damaged"):
        KnownKeys(tmp_path)


def test_known_keys_that_nest_without_end_are_damage(tmp_path: Path) -> None:
    (tmp_path / KNOWN_FILE).write_bytes(DEEP)
    with pytest.raises(StorageError, match="is damaged"):
        KnownKeys(tmp_path)


@pytest.mark.parametrize("number", ["9" * 5000, "9" * 5000 + ".", "0" * 20, "٣" * 5000])
def test_a_score_sheet_with_a_number_beyond_all_numbers_is_refused(number: str) -> None:
    with pytest.raises(TurnNotationError, match="where move 1 is due") as caught:
        read_sheet(f"{number} d4")
    assert len(str(caught.value)) < 100


@pytest.mark.parametrize("scope", ["\x1b[2J", "eth 0", "a]b", "\u202e", "\0"])
def test_an_address_whose_scope_cannot_be_shown_is_none(scope: str) -> None:
    """A host tells the others where each seat is, and what it tells is shown in sentences for people."""
    assert is_ip("fe80::1%eth0")
    assert not is_ip(f"fe80::1%{scope}")
    sitting = ((True, False, f"fe80::1%{scope}", 7411), (True, False, "", 0))
    people = ((secret("a"), "ana"), (secret("b"), "ben"))
    with pytest.raises(UserError):
        read_table(("table", "stones", 1, (), 2, people, sitting), secret("a"))
