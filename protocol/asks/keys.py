"""Step 0, before the first ask: every seat announces its keys (SPEC.md, "Keys and the joint coin").

Body of the only stage: (public key, proof of possession), 32 and 64 bytes, for each of the coin key, the bag key and
the mailbox key. The three keys are independent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kimberley.games.table import Answer, Plain
from kimberley.protocol.asks.base import Machine, ProtocolViolation, PublicKeys, decode_point
from kimberley.protocol.crypto.coin import COIN, verify_key
from kimberley.protocol.crypto.elgamal import BAG, MAILBOX

PURPOSES: Final = (COIN, BAG, MAILBOX)


class KeysMachine(Machine):
    """Every seat's public keys, with proofs that the seat knows their secrets."""

    def owing(self, stage: int) -> tuple[int, ...]:
        return tuple(range(self.crypto.seats))

    def owed(self, stage: int) -> str:
        return "the keys"

    def body(self, stage: int, choice: Plain) -> Plain:
        crypto = self.crypto
        return tuple((key.public, key.proof) for key in (crypto.coin_key, crypto.bag_key, crypto.mailbox_key))

    def check(self, stage: int, seat: int, body: Plain) -> None:
        if not isinstance(body, tuple) or len(body) != len(PURPOSES):
            raise ProtocolViolation(f"it does not announce {len(PURPOSES)} keys")
        for purpose, key in zip(PURPOSES, body, strict=True):
            match key:
                case (bytes() as public, bytes() as proof):
                    decode_point(self.crypto, public)
                    if not verify_key(self.crypto.group, self.context(stage, seat), purpose, public, proof):
                        raise ProtocolViolation(f"they do not prove that they know their {purpose} key")
                case _:
                    raise ProtocolViolation(f"their {purpose} key is not a key and a proof")

    def complete(self, stage: int, bodies: Mapping[int, Plain], choice: Plain) -> None:
        self.crypto.public_keys = tuple(_publics(bodies[seat]) for seat in range(self.crypto.seats))

    def answers(self) -> tuple[Answer, Answer]:
        return None, None


def _publics(body: Plain) -> PublicKeys:
    match body:
        case ((bytes() as coin, _), (bytes() as bag, _), (bytes() as mailbox, _)):
            return PublicKeys(coin, bag, mailbox)
    raise AssertionError("an unchecked body")
