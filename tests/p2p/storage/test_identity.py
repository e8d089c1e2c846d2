"""Identities and known keys, and the files that hold them."""

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from kimberley.p2p.base.platform import data_folder
from kimberley.p2p.storage import identity as identity_module
from kimberley.p2p.storage.archive import list_records
from kimberley.p2p.storage.files import StorageError, create, replace
from kimberley.p2p.storage.identity import Identity, KnownKeys, nickname_from
from kimberley.p2p.storage.journal import list_journals
from kimberley.protocol.crypto import signatures
from kimberley.protocol.roster import MOST_NICKNAME
from tests.support.full_disk import full_disk

ANA, BEN, EVE = (bytes([number]) * 32 for number in (1, 2, 3))


def test_the_identity_is_made_once_and_kept(tmp_path: Path) -> None:
    data = tmp_path / "not" / "there" / "yet"
    made = Identity.load_or_create(data)
    assert Identity.load_or_create(data) == made
    assert signatures.verify(made.public, "hello", b"text", made.sign("hello", b"text"))
    assert not signatures.verify(made.public, "roster", b"text", made.sign("hello", b"text"))
    assert made.fingerprint == made.public.hex()[:4]


def test_nobody_else_can_read_the_identity(tmp_path: Path) -> None:
    data = tmp_path / "data"
    Identity.load_or_create(data)
    assert stat.S_IMODE((data / "identity").stat().st_mode) == 0o600
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    assert [file.name for file in data.iterdir()] == ["identity"]


def test_the_secret_is_not_printed() -> None:
    identity = Identity.fresh()
    assert str(identity.secret) not in repr(identity)
    assert identity.secret.hex() not in repr(identity)


@pytest.mark.parametrize("spoil", [b"kimberley", b"\xff\xfe", b"x" * 10_000])
def test_a_damaged_identity_is_never_replaced(tmp_path: Path, spoil: bytes) -> None:
    Identity.load_or_create(tmp_path)
    (tmp_path / "identity").write_bytes(spoil)
    with pytest.raises(StorageError, match=r"identity is damaged\. Put back a copy"):
        Identity.load_or_create(tmp_path)
    assert (tmp_path / "identity").read_bytes() == spoil


@pytest.mark.parametrize(
    ("name", "before", "after"), [("identity", b"identity 1", b"identity 2"), ("known-keys.json", b": 1,", b": 2,")]
)
def test_what_a_later_version_wrote_is_neither_damaged_nor_replaced(
    name: str, before: bytes, after: bytes, tmp_path: Path
) -> None:
    Identity.load_or_create(tmp_path)
    KnownKeys(tmp_path).remember({BEN: "ben"}, verified=True)
    path = tmp_path / name
    later = path.read_bytes().replace(before, after, 1)
    assert later != path.read_bytes()
    path.write_bytes(later)
    with pytest.raises(StorageError, match=rf"{name} is from a newer Kimberley: update yours\.$"):
        (Identity.load_or_create if name == "identity" else KnownKeys)(tmp_path)
    assert path.read_bytes() == later


def test_an_identity_that_stays_empty_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program stopped between the two steps of a file system without links; nobody has met this identity."""
    monkeypatch.setattr(identity_module, "EMPTY_SECONDS", 0)
    (tmp_path / "identity").touch()
    (tmp_path / ".identity.0123abcd").write_bytes(b"whole, but never named")
    made = Identity.load_or_create(tmp_path)
    assert Identity.load_or_create(tmp_path) == made
    assert [file.name for file in tmp_path.iterdir()] == ["identity"]


def test_an_identity_that_another_process_is_making_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Identity.load_or_create(tmp_path / "other")
    (tmp_path / "identity").touch()
    monkeypatch.setattr(time, "sleep", lambda _: (tmp_path / "other/identity").rename(tmp_path / "identity"))
    assert Identity.load_or_create(tmp_path) == other


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_in_the_place_of_the_identity_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "identity")
    with pytest.raises(StorageError, match="could not be read: it is not a file"):
        Identity.load_or_create(tmp_path)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there are no permissions here")
@pytest.mark.parametrize("act", [Identity.load_or_create, KnownKeys, list_journals, list_records])
def test_a_folder_that_may_not_be_searched_is_said(act: Callable[[Path], object]) -> None:
    with closed_folder() as data, pytest.raises(StorageError, match="permission denied"):
        act(data)


@contextmanager
def closed_folder() -> Iterator[Path]:
    """Yields a folder that this process may not look into, even where the tests run as root."""
    own = os.geteuid()
    with TemporaryDirectory() as outer:
        os.chmod(outer, 0o755)
        data = Path(outer, "data")
        data.mkdir()
        data.chmod(0)
        os.seteuid(own or 65534)
        try:
            yield data
        finally:
            os.seteuid(own)
            data.chmod(0o700)


def test_one_changed_digit_of_an_identity_is_noticed(tmp_path: Path) -> None:
    Identity.load_or_create(tmp_path)
    whole = (tmp_path / "identity").read_bytes()
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1
        (tmp_path / "identity").write_bytes(changed)
        with pytest.raises(StorageError, match="damaged"):
            Identity.load_or_create(tmp_path)


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(StorageError, match="--data"):
        Identity.load_or_create(tmp_path / "data")


def test_an_identity_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "identity").mkdir()
    with pytest.raises(StorageError, match="could not be read"):
        Identity.load_or_create(tmp_path)


def test_a_full_disk_leaves_no_half_written_file(tmp_path: Path) -> None:
    replace(tmp_path / "kept", b"old")
    with full_disk(100):
        with pytest.raises(StorageError, match="The disk is full"):
            replace(tmp_path / "kept", b"new" * 100)
        with pytest.raises(StorageError, match="The disk is full"):
            create(tmp_path / "made", b"new" * 100)
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("kept", b"old")]


def test_create_never_overwrites(tmp_path: Path) -> None:
    assert create(tmp_path / "file", b"first")
    assert not create(tmp_path / "file", b"second")
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"first"]


def test_a_fresh_identity_is_new_each_time() -> None:
    assert Identity.fresh() != Identity.fresh()


def test_the_data_folder_is_in_the_home_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert data_folder().is_relative_to(tmp_path)
    assert data_folder().name == "kimberley"


def test_a_known_nickname_with_another_key_is_noticed(tmp_path: Path) -> None:
    known = KnownKeys(tmp_path)
    assert known.status_of("ana", ANA) == "new"
    known.remember({ANA: "ana"}, verified=True)
    assert known.status_of("ana", ANA) == "met"
    assert known.status_of("ana", EVE) == "changed"
    assert known.status_of("ANA", EVE) == "changed"
    assert known.status_of("ben", EVE) == "new"


def test_keys_are_remembered_in_the_folder_only(tmp_path: Path) -> None:
    KnownKeys(tmp_path).remember({ANA: "ana", BEN: "ben"}, verified=True)
    assert KnownKeys(tmp_path).status_of("ben", BEN) == "met"
    assert KnownKeys(tmp_path / "other").status_of("ben", BEN) == "new"
    assert KnownKeys(None).status_of("ben", BEN) == "new"


def test_two_friends_of_one_name_are_both_known(tmp_path: Path) -> None:
    known = KnownKeys(tmp_path)
    known.remember({ANA: "ana"}, verified=True)
    known.remember({BEN: "ana"}, verified=True)
    assert (known.status_of("ana", ANA), known.status_of("ana", BEN), known.status_of("ana", EVE)) == (
        "met",
        "met",
        "changed",
    )


def test_a_friend_may_change_the_nickname_but_not_to_a_friends(tmp_path: Path) -> None:
    known = KnownKeys(tmp_path)
    known.remember({ANA: "ana", BEN: "ben"}, verified=True)
    assert known.status_of("anna", ANA) == "met"
    assert known.status_of("ben", ANA) == "changed"


def test_a_key_pinned_without_comparing_words_is_not_met(tmp_path: Path) -> None:
    known = KnownKeys(tmp_path)
    known.remember({ANA: "ana"}, verified=False)
    assert known.status_of("ana", ANA) == "new"
    assert known.status_of("ana", EVE) == "changed"
    known.remember({ANA: "ana"}, verified=True)
    known.remember({ANA: "ana"}, verified=False)
    assert known.status_of("ana", ANA) == "met"


def test_tables_given_up_at_their_words_are_counted(tmp_path: Path) -> None:
    known = KnownKeys(tmp_path)
    known.count_aborted()
    KnownKeys(tmp_path).count_aborted()
    known.count_aborted()
    assert (known.aborted, KnownKeys(tmp_path).aborted) == (3, 3)
    known.remember({ANA: "ana"}, verified=False)
    assert known.aborted == 3
    known.remember({ANA: "ana"}, verified=True)
    assert KnownKeys(tmp_path).aborted == 0


def test_two_tables_of_one_person_do_not_forget_each_others_keys(tmp_path: Path) -> None:
    one, other = KnownKeys(tmp_path), KnownKeys(tmp_path)
    one.remember({ANA: "ana"}, verified=True)
    other.remember({BEN: "ben"}, verified=True)
    assert KnownKeys(tmp_path).status_of("ana", ANA) == KnownKeys(tmp_path).status_of("ben", BEN) == "met"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"\xff",
        b"[" * 100_000,
        b'{"format": 0, "aborted": 0, "keys": {}}',
        b'{"format": 1, "aborted": 0, "keys": {"00": {"nickname": "ana", "verified": true}}}',
        b'{"format": 1, "aborted": 0, "keys": {"%s": {"nickname": "ana"}}}' % (b"00" * 32),
        b'{"format": 1, "aborted": 0, "keys": {"%s": {"nickname": "ana", "verified": true}}}' % (b"zz" * 32),
    ],
)
def test_a_damaged_list_of_keys_is_refused_with_a_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "known-keys.json").write_bytes(content)
    with pytest.raises(StorageError, match=r"known-keys\.json is damaged\. Move it away"):
        KnownKeys(tmp_path)


def test_nicknames_fit_a_roster() -> None:
    assert nickname_from("  ana\n\u202e ") == "ana"
    assert nickname_from("\x00\u200b") == "player"
    assert len(nickname_from("x" * 1000)) == MOST_NICKNAME


def test_a_read_only_file_system_is_called_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(StorageError) as refused:
        create(tmp_path / "identity", b"content")
    assert "the file system is read-only. Choose a folder elsewhere with --data" in str(refused.value)


def test_known_keys_never_outgrow_what_is_read_and_those_compared_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity_module, "MOST_KNOWN_BYTES", 2000)
    known = KnownKeys(tmp_path)
    known.remember({bytes(32): "friend"}, verified=True)
    for number in range(1, 60):
        known.remember({number.to_bytes(32, "big"): f"met {number}"}, verified=False)
    again = KnownKeys(tmp_path)
    assert again.status_of("friend", bytes(32)) == "met"
    assert again.status_of("met 59", bytes(31) + b"x") == "changed", "whom one met last is still known"
    assert (tmp_path / "known-keys.json").stat().st_size <= 2000
