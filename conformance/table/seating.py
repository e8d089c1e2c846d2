"""Seating: the suite plays all seats but the target's, as host or as joiner (SPEC.md, sections 9 and 10)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from typing import Any, Final

from kimberley.conformance.errors import Failed, present
from kimberley.conformance.harness.connection import Connection, Frame
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.harness.identity import SuiteIdentity
from kimberley.conformance.harness.target import Job
from kimberley.conformance.plain import spelled, to_json
from kimberley.conformance.script import ScriptGame
from kimberley.conformance.table.seating_frames import (
    MutateFrame,
    Person,
    SuiteSeat,
    TableDescription,
    check_roster,
    places,
    read_signatures,
    signed_by_all,
)
from kimberley.games.table import Game, Plain
from kimberley.protocol.envelope import START
from kimberley.protocol.roster import Roster, SignedRoster

SCRIPT: Final = ScriptGame.id
TARGET: Final = "target"


def unchanged(frame: Frame) -> Frame:
    """Changes nothing."""
    return frame


class Seating:
    """A table until its words are agreed on.

    Args:
        harness: what the case works with.
        asks: the script that the table plays.
        seats: how many seats the table has.
        target: the target's seat.
        hosts: whether the target is the host, at seat 0.
        options: options of the table besides the script's.
        game: another game than the script.
        seeded: whether the target is told where its secrets come from, so that the suite knows them.
        job: more entries for the target's job.
        mutations: what becomes of frames of seating before the suite sends them, by kind.
        unreachable: whether the suite's seats, except a host, accept no connections.

    """

    def __init__(
        self,
        harness: Harness,
        asks: tuple[Plain, ...],
        seats: int,
        target: int,
        *,
        hosts: bool,
        options: Mapping[str, Plain] | None = None,
        game: Game | None = None,
        seeded: bool = True,
        job: Mapping[str, Any] | None = None,
        mutations: Mapping[str, MutateFrame] | None = None,
        unreachable: bool = False,
    ) -> None:
        self.harness = harness
        self.target = target
        self.hosts = hosts
        self.seats = seats
        self.game: Game = game or ScriptGame(asks)
        script = {"asks": asks} if game is None else {}
        defaults: dict[str, Plain] = {option.name: option.values[0][0] for option in self.game.options}
        self.options: dict[str, Plain] = {**defaults, "last_look": 0, **script, **(options or {})}
        self.suite_seats = {seat: SuiteSeat(seat) for seat in range(seats) if seat != target}
        self.seed = os.urandom(32) if seeded else None
        self.mutations = dict(mutations or {})
        self.job: Job
        self.port = 0
        """The port at which the target accepts connections."""
        self.announced: TableDescription | None = None
        self.target_person: Person = (b"", "")
        self.round: Plain = 0
        self.signed: SignedRoster
        self.old_connections: list[Connection] = []
        """Connections that new ones have replaced."""
        self._job = dict(job or {})
        self._unreachable = unreachable

    @property
    def suite_seat(self) -> SuiteSeat:
        """The first seat of the suite."""
        return next(iter(self.suite_seats.values()))

    @property
    def connections(self) -> list[Connection]:
        """The connections to the target."""
        return [suite_seat.connection for suite_seat in self.suite_seats.values() if suite_seat.connection is not None]

    # -- coming together -----------------------------------------------------------------------------------------------

    async def sit(self) -> None:
        """Goes through seating until all have signed the roster and are connected."""
        await self.seat_everybody()
        await self.sign_roster()
        await self.mesh()

    async def start_job(self) -> None:
        """Gives the target its job, to host or to join. Raises NotClaimed."""
        await self.harness.require(self.game.id)
        more = dict(self._job)
        if self.seed is not None:
            more.setdefault("seed", self.seed.hex())
        options = {name: to_json(value) for name, value in self.options.items()}
        if self.hosts:
            more = {"game": self.game.id, "seats": self.seats, "options": options, **more}
            self.job = await self.harness.start_job("host", nickname=TARGET, port=0, **more)
            self.port = await self.harness.listening_port(self.job)
        else:
            host = self.suite_seats[0]
            host.listener = await self.harness.listen()
            more = {"options": {name: options[name] for name in options if name == "asks"}, **more}
            self.job = await self.harness.start_job("join", nickname=TARGET, port=host.listener.port, **more)

    async def seat_everybody(self) -> None:
        """Gives everybody a seat."""
        await self.start_job()
        if self.hosts:
            for suite_seat in self.suite_seats.values():
                self.announced = await self.join_host(suite_seat)
            self.target_person = present(self.announced).people[0]
        else:
            await self.receive_target()

    async def join_host(self, suite_seat: SuiteSeat) -> TableDescription:
        """Joins the target's table with a seat of the suite. Returns what the host then says of the table."""
        suite_seat.connection = await self.harness.connect_seat(
            self.port, suite_seat.identity, name=suite_seat.nickname
        )
        TableDescription.read(await self.harness.receive(suite_seat.connection, "table"))
        self.send(suite_seat, ("sit", suite_seat.nickname, suite_seat.port))
        return await self.table_frame(suite_seat, suite_seat.seat + 1)

    async def table_frame(self, suite_seat: SuiteSeat, people: int) -> TableDescription:
        """Returns what the host says of its table once this many people sit there."""
        while True:
            due = f"`table` with {people} people"
            frame = TableDescription.read(await self.harness.receive(suite_seat.wire, "table", due=due))
            if len(frame.people) >= people:
                return frame

    async def receive_target(self) -> None:
        """Gives the target a seat at the suite's table."""
        host = self.suite_seats[0]
        host.connection = await self.harness.accept(present(host.listener), host.identity)
        if host.connection.purpose != ("seat",):
            raise Failed(f"the target joins with the purpose {spelled(host.connection.purpose)} instead of a seat's")
        for suite_seat in self.suite_seats.values():
            if suite_seat.seat and not self._unreachable:
                suite_seat.listener = await self.harness.listen()
        self.send(host, self.announce(self.target).frame())
        match await self.harness.receive(host.connection, "sit", due="`sit`, the answer to `table`"):
            case ("sit", str() as nickname, int() as port):
                self.target_person = host.connection.identity, nickname
                self.port = port
            case frame:
                raise Failed(f"the target sits down with {spelled(frame)}")
        await self.keep_waiting(host)
        for people in range(self.target + 1, self.seats + 1):
            self.send(host, self.announce(people).frame())
        self.announced = self.announce(self.seats)

    async def keep_waiting(self, host: SuiteSeat) -> None:
        """Does what the suite's host does before it gives the target a seat: nothing, unless the case says so."""

    def announce(self, people: int) -> TableDescription:
        """Returns the frame of the suite's table with this many people at it."""
        here: list[Person] = []
        sitting: list[tuple[Plain, ...]] = []
        for seat in range(people):
            here.append(self.target_person if seat == self.target else self.suite_seats[seat].person)
            port = self.port if seat == self.target else self.suite_seats[seat].port
            sitting.append((seat != self.target, False, "", port))
        options = tuple(sorted(self.options.items()))
        return TableDescription(self.game.id, self.game.revision, options, self.seats, tuple(here), tuple(sitting))

    def send(self, suite_seat: SuiteSeat, frame: Frame) -> None:
        """Sends a frame of seating, changed if the case says so."""
        mutated = self.mutations.get(str(frame[0]), unchanged)(frame)
        if mutated:
            suite_seat.wire.send(*mutated)

    # -- the round -----------------------------------------------------------------------------------------------------

    @property
    def asks_ready(self) -> bool:
        """Whether the round waits for `ready`: the game can be played by different numbers of seats."""
        return sum(number <= self.seats for number in self.game.seats) > 1

    async def sign_roster(self) -> None:
        """Goes through the round: all sign the roster, and open their nonces."""
        self.signed = await (self._answer_round() if self.hosts else self._lead_round(self.suite_seats[0], 1))

    async def _answer_round(self, *, ready: bool = True) -> SignedRoster:
        """Answers the round that the target leads."""
        if self.asks_ready and ready:
            for suite_seat in self.suite_seats.values():
                self.send(suite_seat, ("vote", "ready", True))
        due = "`prepare`, since all seats are taken and those of the suite are ready"
        asked = [
            await self.harness.receive(suite_seat.wire, "prepare", due=due) for suite_seat in self.suite_seats.values()
        ]
        self.round = asked[0][1]
        for suite_seat in self.suite_seats.values():
            self.send(suite_seat, ("place", self.round, *suite_seat.place))
        packed = await self._same_for_all("roster")
        roster = self.read_roster(packed)
        for suite_seat in self.suite_seats.values():
            self.send(suite_seat, ("signature", self.round, suite_seat.identity.sign("roster", packed)))
        signatures: tuple[bytes, ...] = ()
        for suite_seat in self.suite_seats.values():
            frame = await self.harness.receive(suite_seat.wire, "signatures", due="`signatures`, since all have signed")
            signatures = read_signatures(frame, self.round, roster)
        for suite_seat in self.suite_seats.values():
            self.send(suite_seat, ("nonce", self.round, suite_seat.nonce))
        for suite_seat in self.suite_seats.values():
            frame = await self.harness.receive(suite_seat.wire, "nonces", due="`nonces`, since all have opened theirs")
        return signed_by_all(roster, signatures, frame)

    async def _same_for_all(self, kind: str) -> bytes:
        """Returns the bytes in the frame of this kind that the host sends to all. Raises Failed if they differ."""
        due = f"`{kind}`, since all have answered `prepare`"
        sent = [await self.harness.receive(suite_seat.wire, kind, due=due) for suite_seat in self.suite_seats.values()]
        match sent[0]:
            case (_, number, bytes() as data) if number == self.round and sent.count(sent[0]) == len(sent):
                return data
        raise Failed(f"the host does not send the same {kind} to every seat")

    def read_roster(self, packed: bytes) -> Roster:
        """Returns the target's roster. Raises Failed unless it is the one that it announced."""
        try:
            roster = Roster.unpack(packed)
        except ValueError as error:
            raise Failed(f"the target's roster cannot be read: {error}") from error
        check_roster(roster, present(self.announced))
        for suite_seat in self.suite_seats.values():
            place = roster.seats[suite_seat.seat]
            if (place.nonce_commitment, place.seed_hash) != suite_seat.place:
                raise Failed("the roster does not hold the nonce commitment and the seed hash that a seat gave")
        return roster

    async def _lead_round(self, host: SuiteSeat, number: int) -> SignedRoster:
        """Leads the round with this number as the suite's host."""
        announced = present(self.announced)
        if self.asks_ready:
            await self.harness.receive(host.wire, "ready", due="`ready`, since the target has taken its seat")
        self.round = number
        self.send(host, ("prepare", self.round))
        given = {suite_seat.identity.public: suite_seat.place for suite_seat in self.suite_seats.values()}
        match await self.harness.receive(host.wire, "place", due="`place`, the answer to `prepare`"):
            case ("place", n, bytes() as commitment, bytes() as seed_hash) if (
                n == number and len(commitment) == len(seed_hash) == 32
            ):
                given[self.target_person[0]] = (commitment, seed_hash)
            case frame:
                raise Failed(f"the target answers `prepare` with {spelled(frame)}")
        seats = places(announced.people, given)
        roster = Roster(self.game.id, self.game.revision, announced.options, seats, self.begins)
        packed = roster.packed
        self.send(host, ("roster", self.round, packed))
        match await self.harness.receive(host.wire, "signature", due="`signature`, the answer to `roster`"):
            case ("signature", n, bytes() as own) if n == number:
                pass
            case frame:
                raise Failed(f"the target answers the roster with {spelled(frame)}")
        signatures = tuple(
            own if seat == self.target else self.suite_seats[seat].identity.sign("roster", packed)
            for seat in range(self.seats)
        )
        read_signatures(("signatures", number, signatures), number, roster)
        self.send(host, ("signatures", self.round, signatures))
        match await self.harness.receive(host.wire, "nonce", due="`nonce`, the answer to `signatures`"):
            case ("nonce", n, bytes() as nonce) if n == number:
                pass
            case frame:
                raise Failed(f"the target answers the signatures with {spelled(frame)}")
        nonces = tuple(nonce if seat == self.target else self.suite_seats[seat].nonce for seat in range(self.seats))
        signed = signed_by_all(roster, signatures, ("nonces", number, nonces))
        await self.before_nonces(signed)
        self.send(host, ("nonces", self.round, nonces))
        return signed

    async def before_nonces(self, signed: SignedRoster) -> None:
        """Does nothing, unless a case overrides it, before the suite's host passes the nonces on."""

    begins: int | None = None
    """The seat that begins, according to the suite's roster."""

    # -- the mesh ------------------------------------------------------------------------------------------------------

    async def mesh(self) -> None:
        """Connects the target, if it joined, and the seats besides the host to each other."""
        if self.hosts:
            return
        for suite_seat in self.suite_seats.values():
            if 0 < suite_seat.seat < self.target:
                suite_seat.connection = await self.harness.accept(present(suite_seat.listener), suite_seat.identity)
                if suite_seat.connection.purpose != self.purpose:
                    raise Failed(
                        f"the target connects to a lower seat with the purpose {spelled(suite_seat.connection.purpose)}"
                    )
            elif suite_seat.seat > self.target and suite_seat.connection is None:
                suite_seat.connection = await self.harness.connect_seat(
                    self.port, suite_seat.identity, self.purpose, suite_seat.nickname
                )
            if suite_seat.seat and not suite_seat.early:
                suite_seat.wire.send(*self.nothing())

    def nothing(self) -> tuple[Plain, ...]:
        """Returns the `have` of a seat that has no envelopes yet."""
        return "have", self.signed.game_id, ((0, START),) * self.seats

    @property
    def purpose(self) -> Plain:
        """The purpose of connections for the game at hand."""
        return "seat", self.signed.game_id

    @property
    def target_identity(self) -> bytes:
        return self.target_person[0]

    def secret(self, number: int) -> bytes:
        """Returns the secret number k of a seeded target."""
        return hashlib.sha256(present(self.seed) + number.to_bytes(4, "big")).digest()

    @property
    def expected_identity(self) -> SuiteIdentity:
        """The identity of a seeded target."""
        return SuiteIdentity(self.secret(0))
