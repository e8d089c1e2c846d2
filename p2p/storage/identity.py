"""The player's own identity, and the keys of the players met before.

An identity is an Ed25519 key in a file that only its owner can read. It is never derived from a game's seed, since
seeds are published. The keys of others are kept with their nicknames, so that an impostor is noticed.
"""

from __future__ import annotations

import contextlib
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeAlias

from kimberley.p2p.base.confusables import confusable
from kimberley.p2p.base.platform import random_bytes
from kimberley.p2p.base.text import name_form
from kimberley.p2p.storage.files import FROM_NEWER, StorageError, create, make_folder, read, replace
from kimberley.protocol.crypto import signatures
from kimberley.protocol.roster import MOST_NICKNAME

IDENTITY_FILE: Final = "identity"
KNOWN_FILE: Final = "known-keys.json"

MOST_IDENTITY_BYTES: Final = 64 << 10
MOST_KNOWN_BYTES: Final = 4 << 20
"""Some 20,000 people."""

EMPTY_SECONDS: Final = 1.0
EMPTY_LOOKS: Final = 20
"""How long, and how often, an empty identity is read again: another process may be about to fill it."""

KeyStatus: TypeAlias = Literal["met", "new", "changed"]
"""met: the same key as before. new: an unknown nickname. changed: a known nickname with another key."""

_IDENTITY: Final = re.compile(rb"kimberley identity 1\nsecret ([0-9a-f]{64})\npublic ([0-9a-f]{64})\n")
_LATER: Final = re.compile(rb"kimberley identity [2-9]\n")
_KEY: Final = re.compile("[0-9a-f]{64}")


def fingerprint(key: bytes) -> str:
    """Returns the first four hex digits of an identity key: enough to distinguish two players with the same nickname,
    but not to trust one.
    """
    return key.hex()[:4]


def nickname_from(text: str) -> str:
    """Returns a nickname that rosters allow, 1 to 24 visible characters; "player" if nothing is left."""
    return name_form(text, MOST_NICKNAME) or "player"


@dataclass(frozen=True, slots=True)
class Identity:
    """An Ed25519 key pair, 32 bytes each."""

    secret: bytes = field(repr=False)
    public: bytes

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.public)

    def sign(self, purpose: str, message: bytes) -> bytes:
        """Returns a signature of 64 bytes, valid for this purpose only."""
        return signatures.sign(self.secret, purpose, message)

    @classmethod
    def fresh(cls) -> Identity:
        """Creates an identity that nobody has met. It is not stored anywhere."""
        return cls.of(random_bytes(signatures.SECRET_SIZE))

    @classmethod
    def of(cls, secret: bytes) -> Identity:
        """Returns the identity with this secret of 32 bytes."""
        return cls(secret, signatures.public(secret))

    @classmethod
    def load(cls, data: Path) -> Identity | None:
        """Returns the identity in the data folder; None if it has none. Creates nothing. Raises UserError."""
        return None if read(data / IDENTITY_FILE, MOST_IDENTITY_BYTES) is None else cls.load_or_create(data)

    @classmethod
    def load_or_create(cls, data: Path) -> Identity:
        """Returns the identity in the data folder. The first call creates one.

        A damaged identity is never replaced silently: others would see a stranger. But nobody has met an identity whose
        file stays empty: a program stopped while it was creating it.

        Raises:
            StorageError: The folder cannot be used, or the file is unreadable or damaged.

        """
        path = make_folder(data) / IDENTITY_FILE
        content = read(path, MOST_IDENTITY_BYTES)
        if content is None:
            new = cls.fresh()
            if create(path, new._as_file()):
                return new
            content = read(path, MOST_IDENTITY_BYTES)
        content = content or _read_patiently(path)
        if not content:
            replace(path, cls.fresh()._as_file())
            content = read(path, MOST_IDENTITY_BYTES)
        _remove_leftovers(path)
        match = _IDENTITY.fullmatch(content or b"")
        if match:
            secret, public = (bytes.fromhex(part.decode()) for part in match.groups())
            if signatures.public(secret) == public:
                return cls(secret, public)
        if _LATER.match(content or b""):
            raise StorageError(FROM_NEWER.format(path=path))
        raise StorageError(
            f"{path} is damaged. Put back a copy if you have one. Otherwise move it away: you get a new identity, and "
            "your friends will be warned about it."
        )

    def _as_file(self) -> bytes:
        return f"kimberley identity 1\nsecret {self.secret.hex()}\npublic {self.public.hex()}\n".encode("ascii")


def _read_patiently(path: Path) -> bytes | None:
    """Returns the content of a file that another process may be about to fill. Raises StorageError."""
    for _ in range(EMPTY_LOOKS):
        if content := read(path, MOST_IDENTITY_BYTES):
            return content
        time.sleep(EMPTY_SECONDS / EMPTY_LOOKS)
    return read(path, MOST_IDENTITY_BYTES)


def _remove_leftovers(path: Path) -> None:
    """Removes what a crash left of an attempt to write the file."""
    with contextlib.suppress(OSError):
        for leftover in path.parent.glob(f".{path.name}.*"):
            leftover.unlink(missing_ok=True)


class _NewerFormat(ValueError):
    """A later version of this program wrote the file."""


@dataclass(slots=True)
class _Met:
    nickname: str
    verified: bool


class KnownKeys:
    """The keys of the players met before, in the data folder; without a folder, only while the program runs."""

    def __init__(self, data: Path | None) -> None:
        """Raises StorageError if the file exists and cannot be understood."""
        self._path = None if data is None else make_folder(data) / KNOWN_FILE
        self._met: dict[bytes, _Met] = {}
        self._aborted = 0
        self.refresh()

    @property
    def aborted(self) -> int:
        """Tables given up at their four words since the last agreement. An impostor would need many tries."""
        return self._aborted

    def status_of(self, nickname: str, key: bytes) -> KeyStatus:
        """Returns how well the player knows the key that comes with this nickname. An unverified key is still new."""
        met = self._met.get(key)
        if met is not None and met.verified and met.nickname == nickname:
            return "met"
        if any(other != key and confusable(known.nickname, nickname) for other, known in self._met.items()):
            return "changed"
        return "met" if met is not None and met.verified else "new"

    def remember(self, people: Mapping[bytes, str], *, verified: bool) -> None:
        """Keeps keys with their nicknames. `verified`: the player compared the words. Raises StorageError."""
        self.refresh()
        for key, nickname in people.items():
            before = self._met.get(key)
            self._met[key] = _Met(nickname, verified or (before is not None and before.verified))
        if verified:
            self._aborted = 0
        self._save()

    def count_aborted(self) -> None:
        """Counts one more table given up at its four words. Raises StorageError."""
        self.refresh()
        self._aborted += 1
        self._save()

    def refresh(self) -> None:
        """Reads the file: another table of this player may have written to it. Raises StorageError."""
        if self._path is None:
            return
        content = read(self._path, MOST_KNOWN_BYTES)
        if content is None:
            return
        try:
            self._met, self._aborted = _read(content)
        except _NewerFormat as error:
            raise StorageError(FROM_NEWER.format(path=self._path)) from error
        except (ValueError, RecursionError) as error:
            raise StorageError(
                f"{self._path} is damaged. Move it away. You will have to compare the four words again with the "
                "people you know."
            ) from error

    def _save(self) -> None:
        if self._path is None:
            return
        while len(content := self._packed()) > MOST_KNOWN_BYTES:
            self._forget_some()
        replace(self._path, content)

    def _packed(self) -> bytes:
        keys = {key.hex(): {"nickname": met.nickname, "verified": met.verified} for key, met in self._met.items()}
        content = {"format": 1, "aborted": self._aborted, "keys": keys}
        return json.dumps(content, indent=1, ensure_ascii=False).encode()

    def _forget_some(self) -> None:
        """Forgets a quarter of the keys: first those with whom no words were compared; of these, those met first."""
        order = sorted(self._met, key=lambda key: self._met[key].verified)
        for key in order[: len(order) // 4 + 1]:
            del self._met[key]


def _read(content: bytes) -> tuple[dict[bytes, _Met], int]:
    """Parses the file of known keys. Raises ValueError, or _NewerFormat."""
    match json.loads(content):
        case {"format": 1, "aborted": int() as aborted, "keys": dict() as keys} if type(aborted) is int:
            pass
        case {"format": int() as number} if number > 1:
            raise _NewerFormat
        case _:
            raise ValueError("not a list of known keys")
    known: dict[bytes, _Met] = {}
    for key, entry in keys.items():
        match entry:
            case {"nickname": str() as nickname, "verified": bool() as verified} if _KEY.fullmatch(key):
                known[bytes.fromhex(key)] = _Met(nickname_from(nickname), verified)
            case _:
                raise ValueError("not a known key")
    return known, aborted
