"""How the seats of a table meet: the suite plays all but the target's, whoever hosts (SPEC.md, sections 9 and 10)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from client.conformance.case import Failed, present
from client.conformance.hashing import Identity
from client.conformance.plain import Plain, spelled, to_json
from client.conformance.roster import Person, Roster, Signed
from client.conformance.script import ScriptGame
from client.conformance.seating import (
    BendFrame,
    Chair,
    TableFrame,
    check_roster,
    places,
    read_signatures,
    signed_by_all,
)
from client.conformance.target import Job
from client.conformance.wire import Frame, Line
from games.table import Game

if TYPE_CHECKING:
    from client.conformance.bench import Bench

SCRIPT: Final = ScriptGame.id
TARGET: Final = "target"


def as_sent(frame: Frame) -> Frame:
    """Bends nothing."""
    return frame


class Meeting:
    """A table until its words are agreed on. `target` is the target's seat; `hosts` says that it is the host, seat 0.

    `options` are those of the table besides the script's; `game` another game than the script. With `seeded` the target
    is told where its secrets come from, so that the suite knows them; `job` adds to its job. `bends` are what becomes
    of frames of seating before they are sent, by kind. `unreachable` seats of the suite, but for a host, have no doors.
    """

    def __init__(
        self,
        bench: Bench,
        asks: tuple[Plain, ...],
        seats: int,
        target: int,
        *,
        hosts: bool,
        options: Mapping[str, Plain] | None = None,
        game: Game | None = None,
        seeded: bool = True,
        job: Mapping[str, Any] | None = None,
        bends: Mapping[str, BendFrame] | None = None,
        unreachable: bool = False,
    ) -> None:
        self.bench = bench
        self.target = target
        self.hosts = hosts
        self.seats = seats
        self.game: Game = game or ScriptGame(asks)
        script = {"asks": asks} if game is None else {}
        defaults: dict[str, Plain] = {option.name: option.values[0][0] for option in self.game.options}
        self.options: dict[str, Plain] = {**defaults, "last_look": 0, **script, **(options or {})}
        self.chairs = {seat: Chair(seat) for seat in range(seats) if seat != target}
        self.seed = os.urandom(32) if seeded else None
        self.bends = dict(bends or {})
        self.job: Job
        self.port = 0
        """Of the target's door."""
        self.announced: TableFrame | None = None
        self.target_person: Person = (b"", "")
        self.round: Plain = 0
        self.signed: Signed
        self.old_lines: list[Line] = []
        """Connections that were replaced."""
        self._job = dict(job or {})
        self._unreachable = unreachable

    @property
    def chair(self) -> Chair:
        """The first seat of the suite."""
        return next(iter(self.chairs.values()))

    @property
    def lines(self) -> list[Line]:
        """The connections to the target."""
        return [chair.line for chair in self.chairs.values() if chair.line is not None]

    # -- coming together -----------------------------------------------------------------------------------------------

    async def sit(self) -> None:
        """Everybody sits, and all have signed the roster."""
        await self.gather()
        await self.settle()
        await self.mesh()

    async def start_job(self) -> None:
        """The target begins to host, or to join. Raises NotClaimed."""
        await self.bench.needs(self.game.id)
        more = dict(self._job)
        if self.seed is not None:
            more.setdefault("seed", self.seed.hex())
        options = {name: to_json(value) for name, value in self.options.items()}
        if self.hosts:
            more = {"game": self.game.id, "seats": self.seats, "options": options, **more}
            self.job = await self.bench.job("host", nickname=TARGET, port=0, **more)
            self.port = await self.bench.listening(self.job)
        else:
            host = self.chairs[0]
            host.door = await self.bench.door()
            more = {"options": {name: options[name] for name in options if name == "asks"}, **more}
            self.job = await self.bench.job("join", nickname=TARGET, port=host.door.port, **more)

    async def gather(self) -> None:
        """Everybody sits."""
        await self.start_job()
        if self.hosts:
            for chair in self.chairs.values():
                self.announced = await self.join_host(chair)
            self.target_person = present(self.announced).people[0]
        else:
            await self.receive_target()

    async def join_host(self, chair: Chair) -> TableFrame:
        """A seat of the suite sits down at the target's table, which is as the host says then."""
        chair.line = await self.bench.seat_line(self.port, chair.identity, name=chair.nickname)
        TableFrame.read(await self.bench.receive(chair.line, "table"))
        self.send(chair, ("sit", chair.nickname, chair.port))
        return await self.table_frame(chair, chair.seat + 1)

    async def table_frame(self, chair: Chair, people: int) -> TableFrame:
        """What the host says of its table once so many sit there."""
        while True:
            due = f"`table` with {people} people"
            frame = TableFrame.read(await self.bench.receive(chair.wire, "table", due=due))
            if len(frame.people) >= people:
                return frame

    async def receive_target(self) -> None:
        """The target sits down at the suite's table."""
        host = self.chairs[0]
        host.line = await self.bench.guest(present(host.door), host.identity)
        if host.line.purpose != ("seat",):
            raise Failed(f"the target joins with the purpose {spelled(host.line.purpose)}")
        for chair in self.chairs.values():
            if chair.seat and not self._unreachable:
                chair.door = await self.bench.door()
        self.send(host, self.announce(self.target).frame())
        match await self.bench.receive(host.line, "sit", due="`sit`, the answer to `table`"):
            case ("sit", str() as nickname, int() as port):
                self.target_person = host.line.identity, nickname
                self.port = port
            case frame:
                raise Failed(f"the target sits down with {spelled(frame)}")
        for people in range(self.target + 1, self.seats + 1):
            self.send(host, self.announce(people).frame())
        self.announced = self.announce(self.seats)

    def announce(self, people: int) -> TableFrame:
        """The suite's table with so many people at it."""
        here: list[Person] = []
        sitting: list[tuple[Plain, ...]] = []
        for seat in range(people):
            here.append(self.target_person if seat == self.target else self.chairs[seat].person)
            port = self.port if seat == self.target else self.chairs[seat].port
            sitting.append((seat != self.target, False, "", port))
        options = tuple(sorted(self.options.items()))
        return TableFrame(self.game.id, self.game.revision, options, self.seats, tuple(here), tuple(sitting))

    def send(self, chair: Chair, frame: Frame) -> None:
        """A frame of seating, bent if the case says so."""
        bent = self.bends.get(str(frame[0]), as_sent)(frame)
        if bent:
            chair.wire.send(*bent)

    # -- the round -----------------------------------------------------------------------------------------------------

    @property
    def asks_ready(self) -> bool:
        """Whether the round waits for `ready`: there is a choice of how many play."""
        return sum(number <= self.seats for number in self.game.seats) > 1

    async def settle(self) -> None:
        """The round of seating: the roster is signed, and the nonces are open."""
        self.signed = await (self._answer_round() if self.hosts else self._lead_round(self.chairs[0], 1))

    async def _answer_round(self, *, ready: bool = True) -> Signed:
        """The target leads it."""
        if self.asks_ready and ready:
            for chair in self.chairs.values():
                self.send(chair, ("ready", True))
        due = "`prepare`, since all seats are taken and those of the suite are ready"
        asked = [await self.bench.receive(chair.wire, "prepare", due=due) for chair in self.chairs.values()]
        self.round = asked[0][1]
        for chair in self.chairs.values():
            self.send(chair, ("place", self.round, *chair.place))
        packed = await self._same_for_all("roster")
        roster = self.read_roster(packed)
        for chair in self.chairs.values():
            self.send(chair, ("signature", self.round, chair.identity.sign("roster", packed)))
        signatures: tuple[bytes, ...] = ()
        for chair in self.chairs.values():
            frame = await self.bench.receive(chair.wire, "signatures", due="`signatures`, since all have signed")
            signatures = read_signatures(frame, self.round, roster, packed)
        for chair in self.chairs.values():
            self.send(chair, ("nonce", self.round, chair.nonce))
        for chair in self.chairs.values():
            frame = await self.bench.receive(chair.wire, "nonces", due="`nonces`, since all have opened theirs")
        return signed_by_all(roster, packed, signatures, frame)

    async def _same_for_all(self, kind: str) -> bytes:
        """The bytes that the host sends to every seat with this kind of frame."""
        due = f"`{kind}`, since all have answered `prepare`"
        sent = [await self.bench.receive(chair.wire, kind, due=due) for chair in self.chairs.values()]
        match sent[0]:
            case (_, number, bytes() as data) if number == self.round and sent.count(sent[0]) == len(sent):
                return data
        raise Failed(f"the host does not send every seat the same {kind}")

    def read_roster(self, packed: bytes) -> Roster:
        """The target's roster. Raises Failed where it is not the announced one."""
        try:
            roster = Roster.read(packed)
        except ValueError as error:
            raise Failed(f"the target's roster: {error}") from error
        check_roster(roster, present(self.announced))
        for chair in self.chairs.values():
            given = (roster.places[chair.seat].nonce_commitment, roster.places[chair.seat].seed_hash)
            if given != chair.place:
                raise Failed("the roster does not hold what a seat gave")
        return roster

    async def _lead_round(self, host: Chair, number: int) -> Signed:
        """The suite's host leads the round with this number."""
        announced = present(self.announced)
        if self.asks_ready:
            await self.bench.receive(host.wire, "ready", due="`ready`, since the target has taken its seat")
        self.round = number
        self.send(host, ("prepare", self.round))
        given = {chair.identity.public: chair.place for chair in self.chairs.values()}
        match await self.bench.receive(host.wire, "place", due="`place`, the answer to `prepare`"):
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
        match await self.bench.receive(host.wire, "signature", due="`signature`, the answer to `roster`"):
            case ("signature", n, bytes() as own) if n == number:
                pass
            case frame:
                raise Failed(f"the target answers the roster with {spelled(frame)}")
        signatures = tuple(
            own if seat == self.target else self.chairs[seat].identity.sign("roster", packed)
            for seat in range(self.seats)
        )
        read_signatures(("signatures", number, signatures), number, roster, packed)
        self.send(host, ("signatures", self.round, signatures))
        match await self.bench.receive(host.wire, "nonce", due="`nonce`, the answer to `signatures`"):
            case ("nonce", n, bytes() as nonce) if n == number:
                pass
            case frame:
                raise Failed(f"the target answers the signatures with {spelled(frame)}")
        nonces = tuple(nonce if seat == self.target else self.chairs[seat].nonce for seat in range(self.seats))
        signed = signed_by_all(roster, packed, signatures, ("nonces", number, nonces))
        await self.before_nonces(signed)
        self.send(host, ("nonces", self.round, nonces))
        return signed

    async def before_nonces(self, signed: Signed) -> None:
        """What a case does before the suite's host passes the nonces on."""

    begins: int | None = None
    """The seat that the suite's roster lets begin."""

    # -- the mesh ------------------------------------------------------------------------------------------------------

    async def mesh(self) -> None:
        """The target, which joined, and the seats besides the host find each other."""
        if self.hosts:
            return
        for chair in self.chairs.values():
            if 0 < chair.seat < self.target:
                chair.line = await self.bench.guest(present(chair.door), chair.identity)
                if chair.line.purpose != self.purpose:
                    raise Failed(f"the target connects to a lower seat with the purpose {spelled(chair.line.purpose)}")
            elif chair.seat > self.target and chair.line is None:
                chair.line = await self.bench.seat_line(self.port, chair.identity, self.purpose, chair.nickname)
            if chair.seat and not chair.early:
                chair.wire.send("have", 0)

    @property
    def purpose(self) -> Plain:
        """Of connections for the game at hand."""
        return "seat", self.signed.game_id

    @property
    def target_identity(self) -> bytes:
        return self.target_person[0]

    def secret(self, number: int) -> bytes:
        """The k-th secret of a seeded target."""
        return hashlib.sha256(present(self.seed) + number.to_bytes(4, "big")).digest()

    @property
    def expected_identity(self) -> Identity:
        """Of a seeded target."""
        return Identity(self.secret(0))
