"""Show: seats open parts of items, to all or to one seat alone (SPEC.md, "Show").

Body: (shares, mail). `shares` are the seat's shares of all parts that are shown to all, item by item, with one proof;
empty bytes if there are no such parts. `mail` has (seat, shares for it alone) for each other seat to which something is
shown, in seat order. Everybody checks these shares, and only that seat can read them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from kimberley.games.table import HIDDEN, Answer, Hidden, Plain, Show
from kimberley.protocol.asks.base import AskMachine, CryptoContext, ProtocolViolation
from kimberley.protocol.crypto import elgamal, shares
from kimberley.protocol.crypto.elgamal import PAIR_SIZE, Pair
from kimberley.protocol.crypto.group import POINT_SIZE, Point


class ShowMachine(AskMachine[Show]):
    """Everybody's shares of some parts of some items."""

    def __init__(self, crypto: CryptoContext, step: int, ask: Show, own: Show) -> None:
        super().__init__(crypto, step, ask, own)
        self.opened: dict[tuple[int, int], Plain] = {}
        """The values that this seat has seen, by (item, part)."""

    def owing(self, stage: int) -> tuple[int, ...]:
        return self._givers

    def owed(self, stage: int) -> str:
        return "the shares of what is shown"

    def body(self, stage: int, choice: Plain) -> Plain:
        crypto = self.crypto
        assert crypto.seat is not None
        g, context, x = crypto.group, self.context(stage, crypto.seat), crypto.bag_key.secret
        pairs = self.pairs(None)
        to_all = shares.share(g, crypto.seed, context, x, pairs) if pairs else b""
        mail = tuple(
            (to, shares.mail(g, crypto.seed, context, x, crypto.public_keys[to].mailbox, self.pairs(to)))
            for to in self._receivers
            if to != crypto.seat
        )
        return to_all, mail

    def check(self, stage: int, seat: int, body: Plain) -> None:
        match body:
            case (bytes() as to_all, tuple() as mail):
                pass
            case _:
                raise ProtocolViolation("it does not consist of shares for all and shares for single seats")
        crypto, context = self.crypto, self.context(stage, seat)
        g, public, pairs = crypto.group, crypto.public_keys[seat].bag, self.pairs(None)
        if (to_all != b"") != bool(pairs) or (pairs and not shares.verify_share(g, context, public, pairs, to_all)):
            raise ProtocolViolation("their shares are not those that their bag key fixes")
        receivers = [to for to in self._receivers if to != seat]
        if len(mail) != len(receivers):
            raise ProtocolViolation(f"it does not have separate shares for {len(receivers)} seats")
        for to, entry in zip(receivers, mail, strict=True):
            match entry:
                case (int() as named, bytes() as sent) if type(named) is int and named == to:
                    pass
                case _:
                    raise ProtocolViolation(f"it has no separate shares for seat {to + 1}")
            if shares.verify_mail(g, context, public, crypto.public_keys[to].mailbox, self.pairs(to), sent) is None:
                raise ProtocolViolation(
                    f"their separate shares for seat {to + 1} are not those that their bag key fixes"
                )

    def complete(self, stage: int, bodies: Mapping[int, Plain], choice: Plain) -> None:
        if pairs := self.pairs(None):
            self._open(None, pairs, [self._share(seat, bodies, pairs) for seat in range(self.crypto.seats)])
        me = self.crypto.seat
        if me is not None and (pairs := self.pairs(me)):
            self._open(me, pairs, [self._mailed(seat, bodies, pairs) for seat in range(self.crypto.seats)])

    def answers(self) -> tuple[Answer, Answer]:
        def seen(me: int | None) -> Answer:
            def value(item: int, part: int, to: int | None) -> Plain | Hidden:
                return self.opened[item, part] if to is None or to == me else HIDDEN

            return tuple(tuple(value(item, part, to) for part, to in self.ask.parts) for item in self.ask.items)

        return seen(None), seen(self.crypto.seat)

    def explain(self, stage: int, given: Plain, due: Plain, choice: Plain) -> str:
        return "their shares of what is shown are not those that their seed gives"

    @cached_property
    def _givers(self) -> tuple[int, ...]:
        """The seats that owe shares. A seat owes no share of parts that are shown only to itself."""
        return tuple(
            seat for seat in range(self.crypto.seats) if self.pairs(None) or any(to != seat for to in self._receivers)
        )

    @cached_property
    def _receivers(self) -> tuple[int, ...]:
        """The seats that see some part alone."""
        return tuple(sorted({to for _, to in self.ask.parts if to is not None} if self.ask.items else ()))

    def _places(self, to: int | None) -> list[tuple[int, int]]:
        return [(item, part) for item in self.ask.items for part, receiver in self.ask.parts if receiver == to]

    def pairs(self, to: int | None) -> list[Pair]:
        """Returns the encrypted parts that are shown to a seat, or to all if it is None."""
        return [self.crypto.items[item][part] for item, part in self._places(to)]

    def _open(self, to: int | None, pairs: Sequence[Pair], given: Sequence[Sequence[Point]]) -> None:
        for place, pair, points in zip(self._places(to), pairs, zip(*given, strict=True), strict=True):
            point = elgamal.plaintext(self.crypto.group, pair, points)
            self.opened[place] = self.crypto.values[place[1]][point]

    def _share(self, seat: int, bodies: Mapping[int, Plain], pairs: Sequence[Pair]) -> Sequence[Point]:
        """Returns a seat's shares of the parts that are shown to all. If the seat left, its published key gives
        them.
        """
        match bodies.get(seat):
            case (bytes() as to_all, _):
                return elgamal.decode_points(self.crypto.group, to_all[: POINT_SIZE * len(pairs)])
        return shares.open_share(self.crypto.group, self.crypto.departed[seat].bag, pairs)

    def _mailed(self, seat: int, bodies: Mapping[int, Plain], pairs: Sequence[Pair]) -> Sequence[Point]:
        """Returns a seat's shares of the parts that are shown to this seat alone."""
        g, me = self.crypto.group, self.crypto.seat
        if seat == me:
            return shares.open_share(g, self.crypto.bag_key.secret, pairs)
        match bodies.get(seat):
            case (_, tuple() as mail):
                sent = next(entry[1] for entry in mail if isinstance(entry, tuple) and entry[0] == me)
                assert isinstance(sent, bytes)
                points = elgamal.decode_points(g, sent[: PAIR_SIZE * len(pairs)])
                mailed = list(zip(points[::2], points[1::2], strict=True))
                return shares.read_mail(g, self.crypto.mailbox_key.secret, mailed)
        return shares.open_share(g, self.crypto.departed[seat].bag, pairs)
