"""Roll: chance that all seats make together (SPEC.md, "Roll"). Body: (share,), the seat's share of the joint coin with
its proof.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.table import Answer, Plain, Roll
from protocol.asks.base import Desk, Foul, Machine
from protocol.crypto import coin
from protocol.crypto.group import POINT_SIZE


class RollMachine(Machine):
    """One roll of any number of dice, from one share of each seat."""

    def __init__(self, desk: Desk, step: int, ask: Roll) -> None:
        super().__init__(desk, step)
        self.ask = ask
        self.rolled: tuple[int, ...] = ()

    def owing(self, stage: int) -> tuple[int, ...]:
        return tuple(range(self.desk.seats))

    def owed(self, stage: int) -> str:
        return "its share of the roll"

    def body(self, stage: int, choice: Plain) -> Plain:
        desk = self.desk
        assert desk.seat is not None
        return (coin.share(desk.group, desk.seed, self.context(stage, desk.seat), desk.coin_key.secret, 0),)

    def check(self, stage: int, seat: int, body: Plain) -> None:
        match body:
            case (bytes() as share,) if coin.verify_share(
                self.desk.group, self.context(stage, seat), self.desk.publics[seat].coin, 0, share
            ):
                return
        raise Foul("its share of the roll is not the one that its coin key fixes")

    def complete(self, stage: int, bodies: Mapping[int, Plain], choice: Plain) -> None:
        points = []
        for seat in self.owing(stage):
            match bodies.get(seat):
                case (bytes() as share,):
                    points.append(share[:POINT_SIZE])
                case _:
                    key = self.desk.left[seat].coin
                    points.append(coin.open_share(self.desk.group, self.context(stage, seat), key, 0))
        self.rolled = coin.dice(coin.combine(self.desk.group, points), self.ask.sides)

    def answers(self) -> tuple[Answer, Answer]:
        return self.rolled, self.rolled
