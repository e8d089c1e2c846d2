"""The group of all games, ristretto255 (RFC 9496), by the library that `backend` chooses."""

from typing import Final

from kimberley.protocol.crypto import backend
from kimberley.protocol.crypto.group import Group

RISTRETTO: Final[Group] = backend.group()
