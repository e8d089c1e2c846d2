"""Step 0, before the first ask: every seat announces its keys (SPEC.md, "Keys").

Body of the one stage, for each of the coin key, the bag key and the mailbox key, which are independent: (public key,
proof of possession), 32 and 64 bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.table import Answer, Plain
from protocol.asks.base import Foul, Machine, Publics, point
from protocol.crypto.coin import COIN, verify_key
from protocol.crypto.elgamal import BAG, MAILBOX

PURPOSES: Final = (COIN, BAG, MAILBOX)


class Keys(Machine):
    """Every seat's public keys, with proofs that the seat knows their secrets."""

    def owing(self, stage: int) -> tuple[int, ...]:
        return tuple(range(self.desk.seats))

    def owed(self, stage: int) -> str:
        return "its keys"

    def body(self, stage: int, choice: Plain) -> Plain:
        desk = self.desk
        return tuple((key.public, key.proof) for key in (desk.coin_key, desk.bag_key, desk.mailbox_key))

    def check(self, stage: int, seat: int, body: Plain) -> None:
        if not isinstance(body, tuple) or len(body) != len(PURPOSES):
            raise Foul(f"it does not announce {len(PURPOSES)} keys")
        for purpose, key in zip(PURPOSES, body, strict=True):
            match key:
                case (bytes() as public, bytes() as proof):
                    point(self.desk, public)
                    if not verify_key(self.desk.group, self.context(stage, seat), purpose, public, proof):
                        raise Foul(f"it does not prove that it knows its {purpose} key")
                case _:
                    raise Foul(f"its {purpose} key is not a key and a proof")

    def complete(self, stage: int, bodies: Mapping[int, Plain], choice: Plain) -> None:
        self.desk.publics = tuple(_publics(bodies[seat]) for seat in range(self.desk.seats))

    def answers(self) -> tuple[Answer, Answer]:
        return None, None


def _publics(body: Plain) -> Publics:
    match body:
        case ((bytes() as coin, _), (bytes() as bag, _), (bytes() as mailbox, _)):
            return Publics(coin, bag, mailbox)
    raise AssertionError("an unchecked body")
