"""Show: parts of items are opened, to all or to one seat alone (SPEC.md, "Show").

Body: (shares, mail). `shares` are the seat's shares of all that is shown to all, item by item, with one proof; empty
bytes if that is nothing. `mail` has for each other seat to which something is shown, in seat order, (seat, shares for
it alone): everybody checks them, and only that seat can read them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from games.table import HIDDEN, Answer, Hidden, Plain, Show
from protocol.asks.base import Desk, Foul, Machine
from protocol.crypto import elgamal, shares
from protocol.crypto.elgamal import PAIR_SIZE, Pair
from protocol.crypto.group import POINT_SIZE, Point


class ShowMachine(Machine):
    """Everybody's shares of some parts of some items."""

    def __init__(self, desk: Desk, step: int, ask: Show) -> None:
        super().__init__(desk, step)
        self.ask = ask
        self.opened: dict[tuple[int, int], Plain] = {}
        """What this seat has come to see, by (item, part)."""

    def owing(self, stage: int) -> tuple[int, ...]:
        return self._givers

    def owed(self, stage: int) -> str:
        return "its shares of what is shown"

    def body(self, stage: int, choice: Plain) -> Plain:
        desk = self.desk
        assert desk.seat is not None
        g, context, x = desk.group, self.context(stage, desk.seat), desk.bag_key.secret
        pairs = self._pairs(None)
        to_all = shares.share(g, desk.seed, context, x, pairs) if pairs else b""
        mail = tuple(
            (to, shares.mail(g, desk.seed, context, x, desk.publics[to].mailbox, self._pairs(to)))
            for to in self._receivers
            if to != desk.seat
        )
        return to_all, mail

    def check(self, stage: int, seat: int, body: Plain) -> None:
        match body:
            case (bytes() as to_all, tuple() as mail):
                pass
            case _:
                raise Foul("it is not shares for all and shares for some")
        desk, context = self.desk, self.context(stage, seat)
        g, public, pairs = desk.group, desk.publics[seat].bag, self._pairs(None)
        if (to_all != b"") != bool(pairs) or (pairs and not shares.verify_share(g, context, public, pairs, to_all)):
            raise Foul("its shares are not those that its bag key fixes")
        receivers = [to for to in self._receivers if to != seat]
        if len(mail) != len(receivers):
            raise Foul(f"it has no shares for each of {len(receivers)} seats alone")
        for to, entry in zip(receivers, mail, strict=True):
            match entry:
                case (int() as named, bytes() as sent) if type(named) is int and named == to:
                    pass
                case _:
                    raise Foul(f"it has no shares for seat {to + 1} alone")
            if shares.verify_mail(g, context, public, desk.publics[to].mailbox, self._pairs(to), sent) is None:
                raise Foul(f"its shares for seat {to + 1} alone are not those that its bag key fixes")

    def complete(self, stage: int, bodies: Mapping[int, Plain], choice: Plain) -> None:
        if pairs := self._pairs(None):
            self._open(None, pairs, [self._share(seat, bodies, pairs) for seat in range(self.desk.seats)])
        me = self.desk.seat
        if me is not None and (pairs := self._pairs(me)):
            self._open(me, pairs, [self._mailed(seat, bodies, pairs) for seat in range(self.desk.seats)])

    def answers(self) -> tuple[Answer, Answer]:
        def seen(me: int | None) -> Answer:
            def value(item: int, part: int, to: int | None) -> Plain | Hidden:
                return self.opened[item, part] if to is None or to == me else HIDDEN

            return tuple(tuple(value(item, part, to) for part, to in self.ask.parts) for item in self.ask.items)

        return seen(None), seen(self.desk.seat)

    def explain(self, stage: int, given: Plain, due: Plain, choice: Plain) -> str:
        return "its shares of what is shown are not those that its seed gives"

    @cached_property
    def _givers(self) -> tuple[int, ...]:
        """The seats that owe shares: a seat to which alone something is shown owes none to itself."""
        return tuple(
            seat for seat in range(self.desk.seats) if self._pairs(None) or any(to != seat for to in self._receivers)
        )

    @cached_property
    def _receivers(self) -> tuple[int, ...]:
        """The seats to which something is shown alone."""
        return tuple(sorted({to for _, to in self.ask.parts if to is not None} if self.ask.items else ()))

    def _places(self, to: int | None) -> list[tuple[int, int]]:
        return [(item, part) for item in self.ask.items for part, receiver in self.ask.parts if receiver == to]

    def _pairs(self, to: int | None) -> list[Pair]:
        return [self.desk.items[item][part] for item, part in self._places(to)]

    def _open(self, to: int | None, pairs: Sequence[Pair], given: Sequence[Sequence[Point]]) -> None:
        for place, pair, points in zip(self._places(to), pairs, zip(*given, strict=True), strict=True):
            point = elgamal.plaintext(self.desk.group, pair, points)
            self.opened[place] = self.desk.values[place[1]][point]

    def _share(self, seat: int, bodies: Mapping[int, Plain], pairs: Sequence[Pair]) -> Sequence[Point]:
        """A seat's shares of what is shown to all; of a seat that left, from the key that it published."""
        match bodies.get(seat):
            case (bytes() as to_all, _):
                return elgamal.decode_points(self.desk.group, to_all[: POINT_SIZE * len(pairs)])
        return shares.open_share(self.desk.group, self.desk.left[seat].bag, pairs)

    def _mailed(self, seat: int, bodies: Mapping[int, Plain], pairs: Sequence[Pair]) -> Sequence[Point]:
        """A seat's shares of what is shown to this seat alone."""
        g, me = self.desk.group, self.desk.seat
        if seat == me:
            return shares.open_share(g, self.desk.bag_key.secret, pairs)
        match bodies.get(seat):
            case (_, tuple() as mail):
                sent = next(entry[1] for entry in mail if isinstance(entry, tuple) and entry[0] == me)
                assert isinstance(sent, bytes)
                points = elgamal.decode_points(g, sent[: PAIR_SIZE * len(pairs)])
                mailed = list(zip(points[::2], points[1::2], strict=True))
                return shares.read_mail(g, self.desk.mailbox_key.secret, mailed)
        return shares.open_share(g, self.desk.left[seat].bag, pairs)
