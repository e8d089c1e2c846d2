"""Roll: random numbers that all seats make together (SPEC.md, "Roll"). Body: (share,), the seat's share of the joint
coin with its proof.
"""

from __future__ import annotations

from collections.abc import Mapping

from kimberley.games.table import Answer, Plain, Roll
from kimberley.protocol.asks.base import AskMachine, CryptoContext, ProtocolViolation
from kimberley.protocol.crypto import coin
from kimberley.protocol.crypto.group import POINT_SIZE


class RollMachine(AskMachine[Roll]):
    """One roll of any number of dice, made from one share of each seat."""

    def __init__(self, crypto: CryptoContext, step: int, ask: Roll, own: Roll) -> None:
        super().__init__(crypto, step, ask, own)
        self.rolled: tuple[int, ...] = ()

    def owing(self, stage: int) -> tuple[int, ...]:
        return tuple(range(self.crypto.seats))

    def owed(self, stage: int) -> str:
        return "the share of the roll"

    def body(self, stage: int, choice: Plain) -> Plain:
        crypto = self.crypto
        assert crypto.seat is not None
        return (coin.share(crypto.group, crypto.seed, self.context(stage, crypto.seat), crypto.coin_key.secret, 0),)

    def check(self, stage: int, seat: int, body: Plain) -> None:
        match body:
            case (bytes() as share,) if coin.verify_share(
                self.crypto.group, self.context(stage, seat), self.crypto.public_keys[seat].coin, 0, share
            ):
                return
        raise ProtocolViolation("their share of the roll is not the one that their coin key fixes")

    def complete(self, stage: int, bodies: Mapping[int, Plain], choice: Plain) -> None:
        points = []
        for seat in self.owing(stage):
            match bodies.get(seat):
                case (bytes() as share,):
                    points.append(share[:POINT_SIZE])
                case _:
                    key = self.crypto.departed[seat].coin
                    points.append(coin.open_share(self.crypto.group, self.context(stage, seat), key, 0))
        self.rolled = coin.dice(coin.combine(self.crypto.group, points), self.ask.sides)

    def answers(self) -> tuple[Answer, Answer]:
        return self.rolled, self.rolled
