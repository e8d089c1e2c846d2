"""Step 0, before the first ask: every seat announces its coin key (SPEC.md, "Keys").

Body of the one stage: (public key, proof of possession), 32 and 64 bytes.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.table import Answer, Plain
from protocol.asks.base import Foul, Machine, point
from protocol.crypto.coin import COIN, CoinKey, verify_key


class Keys(Machine):
    """Every seat's coin key, with a proof that the seat knows its secret."""

    names = ("its keys",)

    def owing(self, stage: int) -> tuple[int, ...]:
        return tuple(range(self.desk.seats))

    def body(self, stage: int, choice: Plain) -> Plain:
        desk = self.desk
        assert desk.seat is not None
        key = CoinKey.derive(desk.group, desk.seed, self.context(stage, desk.seat))
        return key.public, key.proof

    def check(self, stage: int, seat: int, body: Plain) -> None:
        match body:
            case (bytes() as public, bytes() as proof):
                point(self.desk, public)
                if not verify_key(self.desk.group, self.context(stage, seat), COIN, public, proof):
                    raise Foul("it does not prove that it knows its coin key")
            case _:
                raise Foul("its keys are not a key and a proof")

    def complete(self, stage: int, bodies: Mapping[int, Plain], choice: Plain) -> None:
        publics = []
        for seat in range(self.desk.seats):
            match bodies[seat]:
                case (bytes() as public, bytes()):
                    publics.append(public)
        self.desk.coins = tuple(publics)

    def answers(self) -> tuple[Answer, Answer]:
        return None, None
