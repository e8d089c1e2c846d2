"""The chains of envelopes of a table, over connections that can be lost and come back.

SPEC.md, sections 9.3, 10 and 11.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any, Final

from kimberley.conformance.errors import Failed, present
from kimberley.conformance.harness.connection import Connection, Frame
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.play import TablePlay
from kimberley.conformance.table.seating import Seating
from kimberley.games.table import Plain
from kimberley.protocol.envelope import START, Envelope, first_head

BEAT: Final[Frame] = ("beat",)
Slot = tuple[int, int]
"""Step and stage."""


class EnvelopeChains(Seating):
    """A table with the envelopes that the suite's seats and the target have signed. `Seating` lists the arguments."""

    def __init__(self, harness: Harness, asks: tuple[Plain, ...], seats: int, target: int, **more: Any) -> None:
        super().__init__(harness, asks, seats, target, **more)
        self.play: TablePlay
        self.head = b""
        self.chain: list[Envelope] = []
        """Every envelope that the target has signed at this table."""
        self.transcript: list[Envelope] = []
        self.choices: dict[tuple[int, int], Plain] = {}
        """By (step, seat), the choices of seats, the target's included. Any other choice is a legal one."""
        self.deviations: tuple[tuple[int, int, int], ...] = ()
        """The deviations (step, stage, seat) that the audit has to find."""
        self.relayed: list[Envelope] = []
        """The envelopes that the target has passed on."""
        self.resigned: tuple[int, ...] = ()
        self.closing: int | None = None
        """The stage of closing at hand."""
        self.closing_step = 0
        self.verdict: Plain = None
        """The verdict that the target has signed."""
        self.heads: dict[Slot, bytes] = {}
        self.numbers: dict[int, tuple[int, bytes]] = {}
        """By seat of the suite, the number of its next envelope and the hash of the previous one."""
        self.loose: dict[int, list[Envelope]] = {}
        self.given: dict[int, Envelope] = {}
        """By seat, the envelopes signed for the stage at hand."""
        self.sent: dict[int, list[Envelope]] = {}
        self.chose: set[tuple[int, int]] = set()
        """The (step, seat) in which seats have chosen."""
        self._taken = 0
        self._syncs = 0
        self._read: dict[Connection, tuple[int, int]] = {}
        self._claimed: dict[Connection, int] = {}
        """How many of the target's envelopes the suite had when a connection began."""

    @property
    def slot(self) -> Slot:
        """The step and the stage at hand."""
        return self.play.slot if self.closing is None else (self.closing_step, self.closing)

    # -- the words -----------------------------------------------------------------------------------------------------

    async def begin(self) -> None:
        """Begins the game, once everybody has said that the words are the same."""
        self.prepare()
        await self.say_same()
        await self.harness.await_event(self.job, "began")

    async def begin_again(self) -> None:
        """Begins another game at the table, like `begin`."""
        self.games += 1
        self.prepare()
        await self.harness.wait_until(lambda: len(self.job.all("words")) >= self.games, "the words of another game")
        await self.say_same()
        await self.harness.wait_until(lambda: len(self.job.all("began")) >= self.games, "the beginning of another game")

    games: int = 1
    """How many games have been played at this table, including the one at hand."""

    def prepare(self) -> None:
        """Sets up what follows from the signed roster."""
        seeds = {suite_seat.seat: suite_seat.seed for suite_seat in self.suite_seats.values()}
        if self.seed is not None:
            seeds[self.target] = self.secret(self.seed_number)
        self.play = TablePlay(self.game, self.signed, seeds)
        self.head = first_head(self.signed.game_id)
        self.chain, self.transcript, self.relayed, self.heads = [], [], [], {}
        self.numbers = dict.fromkeys(self.suite_seats, (0, START))
        self.loose = {seat: [] for seat in range(self.seats)}
        self.given, self.sent, self.chose = {}, {seat: [] for seat in self.suite_seats}, set()
        self.closing, self.resigned, self.verdict, self._taken = None, (), None, 0
        self._read = {connection: (len(connection.frames), 0) for connection in self.connections}

    def have(self, known: int | None = None, **rows: tuple[int, bytes]) -> tuple[Plain, ...]:
        """Returns what the seats of the suite have: all that they have signed, and the target's first `known`
        envelopes; or other `rows`, by name: `target`, or `seat` and a number.
        """
        count = len(self.chain) if known is None else known
        last = self.chain[count - 1].hash if 0 < count <= len(self.chain) else START
        own = {**self.numbers, self.target: rows.pop("target", (count, last))}
        own |= {int(name.removeprefix("seat")): row for name, row in rows.items()}
        return "have", self.signed.game_id, tuple(own[seat] for seat in range(self.seats))

    def say_have(self) -> None:
        """Says for every seat of the suite what it has, and again with each heartbeat."""
        for suite_seat in self.suite_seats.values():
            suite_seat.wire.heartbeat = self.have
            suite_seat.wire.send(*self.have())

    seed_number: int = 1
    """The number of the secret that is the seed of a seeded target."""

    async def say_same(self, yes: bool = True) -> None:
        """Says for every seat of the suite whether the words are the same. If they are, the target must say so too."""
        words = await self.harness.await_event(self.job, "words")
        if words.get("words") != list(self.signed.phrase) or words.get("seat") != self.target:
            raise Failed(
                f"the target shows {spelled(words)}; the words are {self.signed.phrase}, and its seat is {self.target}"
            )
        for suite_seat in self.suite_seats.values():
            suite_seat.wire.send("vote", "same", (self.signed.game_id, yes))
            if yes:
                frame = await self.harness.receive(suite_seat.wire, "same", due="`same` with true")
                if frame != ("vote", "same", (self.signed.game_id, True)):
                    raise Failed(f"the target answers the words with {spelled(frame)}")
        if yes:
            self.say_have()

    # -- what the suite signs ------------------------------------------------------------------------------------------

    def sign(self, seat: int, kind: int, body: Plain, *, kept: bool = True, **mutated: Any) -> Envelope:
        """Signs the next envelope of a seat of the suite, with fields `mutated`. Extends its chain if `kept`."""
        number, previous = self.numbers[seat]
        step, stage = self.slot
        made = Envelope(self.signed.game_id, seat, number, previous, step, stage, self.head, kind, body)
        signed = replace(made, **mutated).signed(self.suite_seats[seat].identity.sign)
        if kept:
            self.numbers[seat] = number + 1, signed.hash
            self.sent[seat].append(signed)
        return signed

    def send_envelope(self, envelope: Envelope, by: int | None = None) -> None:
        """Sends an envelope on the connection of its seat, or on that of the seat `by`."""
        self.suite_seats[envelope.seat if by is None else by].wire.send("envelope", envelope.pack())

    # -- what the target signs -----------------------------------------------------------------------------------------

    @property
    def gone(self) -> bool:
        """Whether all connections to the target have ended."""
        return all(connection.closed for connection in self.connections)

    def last_words(self) -> str:
        """Returns what the target said before it went away."""
        byes = [
            frame for connection in self.connections for frame in connection.frames if frame[0] in ("bye", "refused")
        ]
        events = [event for event in self.job.events if event["event"] in ("guilty", "problem", "exited")]
        return f"{byes[:1]} {events}"

    def read_envelopes(self) -> None:
        """Reads what the target has sent. Raises Failed if an envelope is not the next one of its chain."""
        for connection in self.connections:
            start, count = self._read.get(connection, (0, 0))
            for frame in connection.frames[start:]:
                match frame:
                    case ("envelope", bytes() as data):
                        count = self._take(connection, data, count)
            self._read[connection] = len(connection.frames), count

    def relayed_envelopes(self) -> list[Envelope]:
        """Returns the envelopes that the target has passed on so far."""
        self.read_envelopes()
        return self.relayed

    async def reconnect(self, seat: int, port: int = 0, *, known: int | None = None) -> int:
        """Connects a seat of the suite again and says how many of the target's envelopes it has, or `known`. Returns
        how many envelopes of the seat the target says it has.
        """
        suite_seat = self.suite_seats[seat]
        connection = await self.harness.connect_seat(
            port or self.port, suite_seat.identity, self.purpose, suite_seat.nickname
        )
        return await self.resume_connection(seat, connection, known=known)

    async def await_reconnect(self, seat: int, at: int) -> int:
        """Waits until the target has connected to a seat again, as that listener's connection number `at`."""
        suite_seat = self.suite_seats[seat]
        connection = await self.harness.accept(present(suite_seat.listener), suite_seat.identity, at=at)
        if connection.purpose != self.purpose:
            raise Failed(f"the target connects again with the purpose {spelled(connection.purpose)}")
        return await self.resume_connection(seat, connection)

    async def resume_connection(self, seat: int, connection: Connection, *, known: int | None = None) -> int:
        """Brings both sides of a new connection up to date. Returns how many envelopes of the seat the target had."""
        self.read_envelopes()
        suite_seat = self.suite_seats[seat]
        if suite_seat.connection is not None:
            self.old_connections.append(suite_seat.connection)
        suite_seat.connection = connection
        self._claimed[connection] = len(self.chain) if known is None else known
        self._read[connection] = 0, self._claimed[connection]
        connection.send(*self.have(known))
        connection.heartbeat = self.have
        await self.harness.wait_until(lambda: connection.first or connection.closed, "`have` of the target")
        its = self.count_of(seat, connection)
        for envelope in self.sent[seat][its:]:
            connection.send("envelope", envelope.pack())
        return its

    def count_of(self, seat: int, connection: Connection) -> int:
        """Returns how many of a seat's envelopes the target has, by its first frame. Raises Failed for another one."""
        match connection.first:
            case ("have", bytes() as game_id, tuple() as rows) if (
                game_id == self.signed.game_id and len(rows) == self.seats
            ):
                match rows[seat]:
                    case (int() as its, bytes()) if type(its) is int:
                        return its
        raise Failed(
            f"the target's first frame on a connection for a game is {spelled(connection.first)} instead of `have`"
        )

    def _take(self, connection: Connection, data: bytes, count: int) -> int:
        """Takes an envelope that the target has sent. Returns how many of its own it has sent on this connection."""
        try:
            envelope = Envelope.unpack(data)
        except ValueError as error:
            raise Failed(f"the target sends bytes that are not an envelope: {error}") from error
        if envelope.seat != self.target:
            self.relayed.append(envelope)
            return count
        if not self._claimed.get(connection, 0) <= envelope.number <= count:
            raise Failed(f"the target sends its envelope number {envelope.number} to {connection.name}, not {count}")
        self._own(connection, envelope)
        return max(count, envelope.number + 1)

    def _own(self, connection: Connection, envelope: Envelope) -> None:
        if envelope.number < len(self.chain):
            if self.chain[envelope.number] != envelope:
                raise Failed(
                    f"the target's envelope number {envelope.number} to {connection.name} differs from the one that "
                    "others got"
                )
            return
        previous = self.chain[-1].hash if self.chain else START
        if (envelope.game, envelope.seat) != (self.signed.game_id, self.target):
            raise Failed("the target signs an envelope for another game or seat")
        if not envelope.signed_by(self.target_identity):
            raise Failed("the signature of the target's envelope does not verify")
        if (envelope.number, envelope.previous) != (len(self.chain), previous):
            raise Failed(f"the target's envelope number {envelope.number} does not continue its chain")
        self.chain.append(envelope)

    # -- another game --------------------------------------------------------------------------------------------------

    async def next_game(self) -> None:
        """Begins another game at the target's table: all want it, move up one seat and sign the next roster."""
        await self._move_up()
        people = {seat: suite_seat.person for seat, suite_seat in self.suite_seats.items()} | {
            self.target: self.target_person
        }
        due = tuple(people[seat] for seat in range(self.seats))
        try:
            while self.announced is None or self.announced.people != due:
                self.announced = await self.table_frame(self.suite_seat, self.seats)
        except Failed as failure:
            seated = self.announced.people if self.announced is not None else ()
            raise Failed(
                f"the people sit as {spelled(seated)} for another game, and {spelled(due)} is due"
            ) from failure
        before = self.round
        self.signed = await self._answer_round(ready=False)
        if not isinstance(before, int) or not isinstance(self.round, int) or self.round <= before:
            raise Failed(
                f"the round of another game has the number {spelled(self.round)}, which is not above the last one"
            )
        self.seed_number += 2

    async def lead_next_game(self) -> None:
        """Begins another game at the suite's table: all want it, move up one seat and sign the next roster."""
        host = self.suite_seats[0]
        await self._move_up()
        self.announced = self.announce(self.seats)
        self.send(host, self.announced.frame())
        self.signed = await self._lead_round(host, 2)
        self.seed_number += 2

    async def _move_up(self) -> None:
        """Says `again` for everybody, and gives each the seat and the secrets for another game."""
        for suite_seat in self.suite_seats.values():
            await self.harness.receive(suite_seat.wire, "again", due="`again`, since the target plays more games")
            suite_seat.wire.send("vote", "again", True)
            suite_seat.wire.heartbeat = lambda: BEAT
        order = [(seat - 1) % self.seats for seat in range(self.seats)]
        self.target = order[self.target]
        self.suite_seats = {
            order[seat]: suite_seat
            for seat, suite_seat in sorted(self.suite_seats.items(), key=lambda one: order[one[0]])
        }
        for seat, suite_seat in self.suite_seats.items():
            suite_seat.seat = seat
            suite_seat.seed, suite_seat.nonce = os.urandom(32), os.urandom(32)
