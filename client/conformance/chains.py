"""The chains of a table: what the suite's seats sign, and what the target does, on connections that may be lost.

SPEC.md, sections 9.3, 10 and 11.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from client.conformance.case import Failed, present
from client.conformance.envelope import FIRST, Envelope, Slot, first_head
from client.conformance.hashing import Secrets
from client.conformance.meeting import Meeting
from client.conformance.plain import Plain, spelled
from client.conformance.play import Play
from client.conformance.wire import Line

if TYPE_CHECKING:
    from client.conformance.bench import Bench


MOST_BYTES: Final = 1047552
"""Of an envelope."""


class Chains(Meeting):
    """See above; and `Meeting` for what it is made with."""

    def __init__(self, bench: Bench, asks: tuple[Plain, ...], seats: int, target: int, **more: Any) -> None:
        super().__init__(bench, asks, seats, target, **more)
        self.play: Play
        self.head = b""
        self.chain: list[Envelope] = []
        """All that the target has signed at this table."""
        self.transcript: list[Envelope] = []
        self.choices: dict[tuple[int, int], Plain] = {}
        """By step and seat: what is chosen there, the target's seat included; elsewhere something legal."""
        self.deviations: tuple[tuple[int, int, int], ...] = ()
        """What an audit has to find."""
        self.relayed: list[Envelope] = []
        """What the target passed on."""
        self.resigned: tuple[int, ...] = ()
        self.closing: int | None = None
        """The stage of closing at hand."""
        self.closing_step = 0
        self.verdict: Plain = None
        """What the target has signed of the audit."""
        self.heads: dict[Slot, bytes] = {}
        self.numbers: dict[int, tuple[int, bytes]] = {}
        """By seat of the suite: the number of its next envelope, and the hash of the one before."""
        self.loose: dict[int, list[Envelope]] = {}
        self.given: dict[int, Envelope] = {}
        """What seats of the suite have signed for the stage at hand."""
        self.sent: dict[int, list[Envelope]] = {}
        self.chose: set[tuple[int, int]] = set()
        """Steps and seats that have chosen."""
        self._taken = 0
        self._read: dict[Line, tuple[int, int]] = {}

    @property
    def slot(self) -> Slot:
        """The step and the stage at hand."""
        return self.play.slot if self.closing is None else (self.closing_step, self.closing)

    # -- the words -----------------------------------------------------------------------------------------------------

    async def begin(self) -> None:
        """All say that the words are the same, and play begins."""
        self.prepare()
        await self.say_same()
        await self.bench.event(self.job, "began")

    async def begin_again(self) -> None:
        """As `begin`, for another game at the table."""
        self.games += 1
        self.prepare()
        await self.bench.wait(lambda: len(self.job.all("words")) >= self.games, "the words of another game")
        await self.say_same()
        await self.bench.wait(lambda: len(self.job.all("began")) >= self.games, "the beginning of another game")

    games: int = 1
    """Played at this table, the one at hand counted."""

    def prepare(self) -> None:
        """What follows from the signed roster."""
        secrets = [Secrets(self.signed.game_id, chair.seat, chair.seed) for chair in self.chairs.values()]
        if self.seed is not None:
            secrets.append(Secrets(self.signed.game_id, self.target, self.secret(self.seed_number)))
        self.play = Play(self.game, self.signed, secrets)
        self.head = first_head(self.signed.game_id)
        self.chain, self.transcript, self.relayed, self.heads = [], [], [], {}
        self.numbers = dict.fromkeys(self.chairs, (0, FIRST))
        self.loose = {seat: [] for seat in range(self.seats)}
        self.given, self.sent, self.chose = {}, {seat: [] for seat in self.chairs}, set()
        self.closing, self.resigned, self.verdict, self._taken = None, (), None, 0
        self._read = {line: (len(line.frames), 0) for line in self.lines}
        for line in self.lines:
            line.extra = lambda: (self.signed.game_id, *self.slot, self.head)

    seed_number: int = 1
    """Which of its secrets is a seeded target's seed."""

    async def say_same(self, yes: bool = True) -> None:
        """Every seat of the suite says whether the words are the same, and hears the target say so."""
        words = await self.bench.event(self.job, "words")
        if words.get("words") != list(self.signed.words) or words.get("seat") != self.target:
            raise Failed(f"the target shows {spelled(words)} for the words {self.signed.words} of seat {self.target}")
        for chair in self.chairs.values():
            chair.wire.send("same", self.signed.game_id, yes)
            if yes:
                frame = await self.bench.receive(chair.wire, "same", due="`same` with true")
                if frame != ("same", self.signed.game_id, True):
                    raise Failed(f"the target says {spelled(frame)} of the words")

    # -- what the suite signs ------------------------------------------------------------------------------------------

    def sign(self, seat: int, kind: int, body: Plain, *, kept: bool = True, **bent: Any) -> Envelope:
        """The next envelope of a seat of the suite, with some fields `bent`. If `kept`, its chain goes on from it."""
        number, previous = self.numbers[seat]
        step, stage = self.slot
        made = Envelope(self.signed.game_id, seat, number, previous, step, stage, self.head, kind, body)
        signed = replace(made, **bent).signed(self.chairs[seat].identity)
        if kept:
            self.numbers[seat] = number + 1, signed.hash
            self.sent[seat].append(signed)
        return signed

    def send_envelope(self, envelope: Envelope, by: int | None = None) -> None:
        """Sends an envelope on the line of its seat, or as a relay on that of another one."""
        own = by is None or by == envelope.seat
        line = self.chairs[envelope.seat if by is None else by].wire
        line.send("envelope" if own else "relay", envelope.packed)

    # -- what the target signs -----------------------------------------------------------------------------------------

    @property
    def gone(self) -> bool:
        """Whether all connections to the target are over."""
        return all(line.closed for line in self.lines)

    def said_last(self) -> str:
        """What the target said before it went."""
        byes = [frame for line in self.lines for frame in line.frames if frame[0] in ("bye", "refused")]
        told = [event for event in self.job.events if event["event"] in ("guilty", "problem", "exited")]
        return f"{byes[:1]} {told}"

    def absorb(self) -> None:
        """Takes in what the target has sent. Raises Failed for what is no next envelope of its chain."""
        for line in self.lines:
            start, count = self._read.get(line, (0, 0))
            for frame in line.frames[start:]:
                match frame:
                    case ("envelope", bytes() as data):
                        self._own(line, data, count)
                        count += 1
                    case ("relay", bytes() as data):
                        self.relayed.append(Envelope.read(data))
            self._read[line] = len(line.frames), count

    def passed_on(self) -> list[Envelope]:
        """What the target has passed on so far."""
        self.absorb()
        return self.relayed

    async def come_back(self, seat: int, port: int = 0, *, known: int | None = None) -> int:
        """A seat of the suite connects again, and says how many of the target's envelopes it has, or says it has.
        Returns how many of its own the target says to have.
        """
        chair = self.chairs[seat]
        line = await self.bench.seat_line(port or self.port, chair.identity, self.purpose, chair.nickname)
        return await self.take_up(seat, line, known=known)

    async def redialled(self, seat: int, at: int) -> int:
        """The target has connected again to the door of a seat, as the connection with this number."""
        chair = self.chairs[seat]
        line = await self.bench.guest(present(chair.door), chair.identity, at=at)
        if line.purpose != self.purpose:
            raise Failed(f"the target comes back with the purpose {spelled(line.purpose)}")
        return await self.take_up(seat, line)

    async def take_up(self, seat: int, line: Line, *, known: int | None = None) -> int:
        """Both sides of a connection that was opened again say what they have, and go on from there."""
        self.absorb()
        chair = self.chairs[seat]
        if chair.line is not None:
            self.old_lines.append(chair.line)
        chair.line = line
        line.extra = lambda: (self.signed.game_id, *self.slot, self.head)
        count = len(self.chain) if known is None else known
        self._read[line] = 0, count
        line.send("have", count)
        await self.bench.wait(lambda: line.frames or line.closed, "`have` of the target")
        first = line.frames[0] if line.frames else ()
        match first:
            case ("have", int() as its) if type(its) is int:
                pass
            case _:
                raise Failed(f"the target begins a connection for a game with {spelled(first)}")
        for envelope in self.sent[seat][its:]:
            line.send("envelope", envelope.packed)
        return its

    def _own(self, line: Line, data: bytes, count: int) -> None:
        try:
            envelope = Envelope.read(data)
        except ValueError as error:
            raise Failed(f"the target sends what is no envelope: {error}") from error
        if count < len(self.chain):
            if self.chain[count] != envelope:
                raise Failed(f"the target sends {line.name} another envelope number {count} than others")
            return
        previous = self.chain[-1].hash if self.chain else FIRST
        if (envelope.game, envelope.seat) != (self.signed.game_id, self.target):
            raise Failed("the target signs an envelope of another game or seat")
        if not envelope.holds(self.target_identity):
            raise Failed("the signature of the target's envelope does not hold")
        if (envelope.number, envelope.previous) != (len(self.chain), previous):
            raise Failed(f"the target's envelope number {envelope.number} does not continue its chain")
        if len(data) > MOST_BYTES:
            raise Failed("the target's envelope is too large")
        self.chain.append(envelope)

    # -- another game --------------------------------------------------------------------------------------------------

    async def next_game(self) -> None:
        """All want another game at the target's table: everybody moves up a seat, and plays from the start."""
        await self._move_up()
        people = {seat: chair.person for seat, chair in self.chairs.items()} | {self.target: self.target_person}
        due = tuple(people[seat] for seat in range(self.seats))
        try:
            while self.announced is None or self.announced.people != due:
                self.announced = await self.table_frame(self.chair, self.seats)
        except Failed as failure:
            shown = self.announced.people if self.announced is not None else ()
            raise Failed(f"for another game people sit as {spelled(shown)}, and {spelled(due)} is due") from failure
        before = self.round
        self.signed = await self._answer_round(ready=False)
        if not isinstance(before, int) or not isinstance(self.round, int) or self.round <= before:
            raise Failed(f"the round of another game has the number {spelled(self.round)}")
        self.seed_number += 2

    async def lead_next_game(self) -> None:
        """All want another game at the suite's table, up to its words."""
        host = self.chairs[0]
        await self._move_up()
        self.announced = self.announce(self.seats)
        self.send(host, self.announced.frame())
        self.signed = await self._lead_round(host, 2)
        self.seed_number += 2

    async def _move_up(self) -> None:
        """Everybody has said `again`, and has the seat and the secrets of another game."""
        for chair in self.chairs.values():
            await self.bench.receive(chair.wire, "again", due="`again`, since the target plays more games")
            chair.wire.send("again", True)
        order = [(seat - 1) % self.seats for seat in range(self.seats)]
        self.target = order[self.target]
        self.chairs = {order[seat]: chair for seat, chair in sorted(self.chairs.items(), key=lambda one: order[one[0]])}
        for seat, chair in self.chairs.items():
            chair.seat = seat
            chair.seed, chair.nonce = os.urandom(32), os.urandom(32)
