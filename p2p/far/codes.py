"""Codes such as "7-velvet-harbor" that lead to a table far away, and the keys that they became.

A code is used once: two programs turn it into a key that nobody else has. The host keeps the key with the table's saved
game, the guest until many newer ones have come, so that the same two players find each other again, whatever happens to
their programs.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kimberley.p2p.base.text import narrow
from kimberley.p2p.storage.files import make_folder, read, replace

FILE: Final = "far-keys.json"
MOST_BYTES: Final = 64 << 10
MOST_KEYS: Final = 64
"""The most keys that are kept: the latest ones."""
KEY_SIZE: Final = 32

NO_MAILBOX: Final = "{text} is not a mailbox server: use one like ws://mailbox.example:4000/v1"
NO_RELAY: Final = "{text} is not a relay: use one like tcp:relay.example:4001"

_CODE: Final = re.compile(r"[1-9][0-9]{0,6}(-[a-z]{2,20}){2}")
_MAILBOX: Final = re.compile(r"wss?://[^\s/]+(/\S*)?")
_KEY: Final = re.compile("[0-9a-f]{64}")
_RELAY: Final = re.compile(r"tcp:(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+):([0-9]{1,5})")


def read_code(typed: str) -> str | None:
    """Returns the code that was typed, with hyphens or spaces, in capital or small letters; None if it is none."""
    code = "-".join(narrow(typed).lower().replace("-", " ").split())
    return code if _CODE.fullmatch(code) else None


def is_relay(text: str) -> bool:
    """Returns whether a text is the address of a relay, such as "tcp:relay.example:4001"."""
    match = _RELAY.fullmatch(text)
    return match is not None and 0 < int(match[2]) < 1 << 16


def relay_address(text: str) -> tuple[str, int]:
    """Returns the host and port of a relay."""
    host, _, port = text.removeprefix("tcp:").rpartition(":")
    return host.strip("[]"), int(port)


def is_mailbox(text: str) -> bool:
    """Returns whether a text is the address of a mailbox server, such as "ws://mailbox.example:4000/v1"."""
    return _MAILBOX.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class FarServers:
    """The servers that bring two programs together. Empty means those of the magic-wormhole project."""

    mailbox: str = ""
    relay: str = ""


@dataclass(frozen=True, slots=True)
class FarKey:
    """What a code became.

    Args:
        code: The code.
        key: The secret that both programs have.
        relay: Where they meet, such as "tcp:relay.example:4001".

    """

    code: str
    key: bytes = field(repr=False)
    relay: str

    def plain(self) -> dict[str, str]:
        """Returns the key for JSON."""
        return {"code": self.code, "key": self.key.hex(), "relay": self.relay}

    @classmethod
    def read(cls, plain: Any) -> FarKey | None:
        """Returns the key that JSON holds; None if it holds none."""
        match plain:
            case {"code": str() as code, "key": str() as key, "relay": str() as relay} if (
                _CODE.fullmatch(code) and is_relay(relay) and _KEY.fullmatch(key)
            ):
                return cls(code, bytes.fromhex(key), relay)
        return None


def load_keys(folder: Path) -> list[FarKey]:
    """Returns the keys that a guest keeps in a data folder, the latest first. Raises StorageError."""
    try:
        kept: Any = json.loads(read(folder / FILE, MOST_BYTES) or b"[]")
    except (ValueError, RecursionError):
        return []
    return [key for key in map(FarKey.read, kept if isinstance(kept, list) else []) if key is not None]


def keep_key(folder: Path, key: FarKey) -> None:
    """Keeps a guest's key, in place of an earlier one of the same code. Raises StorageError."""
    others = [kept for kept in load_keys(folder) if kept.code != key.code]
    rows = [one.plain() for one in (key, *others)[:MOST_KEYS]]
    replace(make_folder(folder) / FILE, json.dumps(rows, indent=1).encode())
