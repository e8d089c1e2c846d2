"""A table with the target at it, from the words to the verdict (SPEC.md, sections 9.3 to 17).

The suite plays every other seat correctly, and checks all that the target signs: chains, slots, heads, bodies, and with
a seeded target every byte. A case stops at any stage, and does there what it likes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from client.conformance.case import Failed
from client.conformance.codec import pack
from client.conformance.desk import Foul
from client.conformance.envelope import (
    CHAT,
    CLOSING,
    FIRST,
    LEAVE,
    RESIGN,
    STAGE,
    Envelope,
    Slot,
    first_head,
    next_head,
)
from client.conformance.hashing import Secrets, digest
from client.conformance.meeting import Meeting
from client.conformance.plain import Plain, to_json
from client.conformance.play import CLOSE, LEAST_TO_LEAVE, SHOW, VERDICT, Play, audit
from client.conformance.record import Record
from client.conformance.wire import Line
from games.table import Leavable, Result

if TYPE_CHECKING:
    from client.conformance.bench import Bench

FAIR: Final[Plain] = ("fair", ())

Bend = Callable[[Plain], Plain]


class Table(Meeting):
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
            raise Failed(f"the target shows {words} for the words {self.signed.words} of seat {self.target}")
        for chair in self.chairs.values():
            chair.wire.send("same", self.signed.game_id, yes)
            if yes:
                frame = await self.bench.receive(chair.wire, "same")
                if frame != ("same", self.signed.game_id, True):
                    raise Failed(f"the target says {frame!r} of the words")

    # -- stages --------------------------------------------------------------------------------------------------------

    @property
    def slot(self) -> Slot:
        """The step and the stage at hand."""
        return self.play.slot if self.closing is None else (self.closing_step, self.closing)

    @property
    def owing(self) -> tuple[int, ...]:
        return self.play.owing if self.closing is None else self.play.desk.present

    async def until(self, step: int, stage: int = 0) -> None:
        """Plays stages until this one is at hand, or the game is over."""
        while self.slot < (step, stage) and self.closing is None:
            await self.complete()

    async def finish(self, code: str = "fair") -> Record:
        """Plays on to the verdict, which must be this one. Returns the record that the target keeps."""
        while self.closing is None or self.closing <= VERDICT:
            await self.complete()
        return await self.judged(code, [seat for _, _, seat in self.deviations])

    async def complete(self) -> None:
        """Everybody gives what it owes to the stage at hand, and it ends."""
        for seat in self.owing:
            if seat in self.chairs and seat not in self.given:
                self.give(seat)
        if self.target in self.owing:
            await self.hear()
        self.end_stage()

    def body(self, seat: int) -> Plain:
        """What a seat of the suite owes to the stage at hand."""
        if self.closing is None:
            self.choose(seat)
            return self.play.body(seat)
        if self.closing == CLOSE:
            return self.close_body()
        if self.closing == SHOW:
            return self.chairs[seat].seed, tuple(self.play.seats[seat].choices)
        return self.verdict_due()

    def choose(self, seat: int) -> None:
        """A seat of the suite chooses, if it is asked and has not."""
        if self.play.space(seat) is not None and (self.play.step, seat) not in self.chose:
            self.chose.add((self.play.step, seat))
            self.play.seats[seat].choices.append(self.choice(seat))

    def choice(self, seat: int) -> Plain:
        """What a seat chooses in this step."""
        space = self.play.space(seat)
        assert space is not None
        return self.choices.get((self.play.step, seat), space.pick(Random(f"{self.play.step} {seat}")))

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

    def give(self, seat: int, body: Plain | None = None, *, quiet: bool = False) -> Envelope:
        """A seat of the suite signs the stage at hand, and sends it unless it is to be `quiet`."""
        kind = STAGE if self.closing is None else CLOSING
        envelope = self.sign(seat, kind, self.body(seat) if body is None else body)
        self.given[seat] = envelope
        if not quiet:
            self.send_envelope(envelope)
        return envelope

    def say(self, seat: int, text: str) -> Envelope:
        """A seat of the suite talks."""
        envelope = self.sign(seat, CHAT, text)
        self.loose[seat].append(envelope)
        self.send_envelope(envelope)
        return envelope

    def leave(self, seat: int, bend: Bend = lambda body: body) -> Envelope:
        """A seat of the suite leaves with the stage at hand."""
        envelope = self.sign(seat, LEAVE, bend(self.play.leave_body(seat)))
        self.given[seat] = envelope
        self.send_envelope(envelope)
        return envelope

    # -- the target ----------------------------------------------------------------------------------------------------

    async def hear(self) -> Envelope:
        """What the target gives to the stage at hand."""
        if self.closing is None:
            self.tell_choice()
        await self.bench.wait(
            lambda: self.owed() is not None or self.gone,
            f"the target's envelope for step and stage {self.slot}",
        )
        envelope = self.owed()
        if envelope is None:
            await self.bench.pause(0.3)
            raise Failed(f"the target ended all connections at {self.slot}: {self.said_last()}")
        self._check(envelope)
        self.given[self.target] = envelope
        return envelope

    def tell_choice(self) -> None:
        """Tells the target's player what to choose, if it is asked for the first time in this step."""
        if self.play.space(self.target) is None or (self.play.step, self.target) in self.chose:
            return
        self.chose.add((self.play.step, self.target))
        choice = self.choice(self.target)
        if self.target in self.play.seats:
            self.play.seats[self.target].choices.append(choice)
        self.job.do("choose", choice=to_json(choice))

    def owed(self) -> Envelope | None:
        """The target's next envelope that is no talk."""
        self.absorb()
        return next((one for one in self.chain[self._taken :] if not self._is_talk(one)), None)

    def _is_talk(self, envelope: Envelope) -> bool:
        """Whether it only stands in the chain: in closing also what was signed for the stage that was cut short."""
        cut_short = self.closing is not None and envelope.kind != CLOSING and envelope.slot == self.play.slot
        return cut_short or envelope.kind in (CHAT, RESIGN)

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
        assert chair.door is not None
        line = await self.bench.guest(chair.door, chair.identity, at=at)
        if line.purpose != self.purpose:
            raise Failed(f"the target comes back with the purpose {line.purpose!r}")
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
                raise Failed(f"the target begins a connection for a game with {first!r}")
        for envelope in self.sent[seat][its:]:
            line.send("envelope", envelope.packed)
        return its

    async def next_game(self) -> None:
        """All want another game at the target's table: everybody moves up a seat, and plays from the start."""
        for chair in self.chairs.values():
            await self.bench.receive(chair.wire, "again")
            chair.wire.send("again", True)
        order = [(seat - 1) % self.seats for seat in range(self.seats)]
        self.target = order[self.target]
        self.chairs = {order[seat]: chair for seat, chair in sorted(self.chairs.items(), key=lambda one: order[one[0]])}
        for seat, chair in self.chairs.items():
            chair.seat = seat
            chair.seed, chair.nonce = os.urandom(32), os.urandom(32)
        self.announced = await self.table_frame(self.chair, self.seats)
        people = {seat: chair.person for seat, chair in self.chairs.items()} | {self.target: self.target_person}
        if self.announced.people != tuple(people[seat] for seat in range(self.seats)):
            raise Failed(f"for another game people sit as {self.announced.people}")
        before = self.round
        self.signed = await self._answer_round(ready=False)
        if not isinstance(before, int) or not isinstance(self.round, int) or self.round <= before:
            raise Failed(f"the round of another game has the number {self.round!r}")
        self.seed_number += 2

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
        if pack(envelope.body) and len(data) > 1047552:
            raise Failed("the target's envelope is too large")
        self.chain.append(envelope)

    def _check(self, envelope: Envelope) -> None:
        """Raises Failed unless the target's envelope is right for the stage at hand."""
        kinds = (STAGE, LEAVE) if self.closing is None else (CLOSING,)
        if envelope.kind not in kinds or envelope.slot != self.slot:
            raise Failed(f"the target signs kind {envelope.kind} for {envelope.slot}, where {self.slot} is at hand")
        if envelope.head != self.head:
            raise Failed(f"the target names another head at {self.slot}")
        if self.closing is not None:
            self._check_closing(self.closing, envelope.body)
            return
        try:
            if envelope.kind == LEAVE:
                self.play.check_leave(self.target, envelope.body)
            else:
                self.play.check(self.target, envelope.body)
        except Foul as foul:
            raise Failed(f"the target's body at {self.slot} breaks what its ask demands: {foul}") from foul
        if self.target in self.play.seats:
            leaves = envelope.kind == LEAVE
            due = self.play.leave_body(self.target) if leaves else self.play.body(self.target)
            if pack(due) != pack(envelope.body):
                raise Failed(f"the target's body at {self.slot} is not what its seed and its choices give")

    # -- the end of a stage --------------------------------------------------------------------------------------------

    def end_stage(self) -> None:
        """All that is owed to the stage at hand is there."""
        self.heads[self.slot] = self.head
        bodies: dict[int, Plain] = {}
        left: dict[int, Plain] = {}
        taken: list[Envelope] = []
        for seat in self.owing:
            envelope = self.given[seat]
            taken += [*self._talk(seat, envelope), envelope]
            (left if envelope.kind == LEAVE else bodies)[seat] = envelope.body
        self.transcript += taken
        step, stage = self.slot
        self.head = next_head(self.head, (step, stage), tuple(one.hash for one in taken))
        self.given = {}
        if self.closing is not None:
            self.closing += 1
        else:
            self.play.complete(bodies, left)
            if self.play.result is not None:
                self.close()
            elif not self.owing:
                self.end_stage()

    def _talk(self, seat: int, before: Envelope) -> Iterable[Envelope]:
        """What a seat has said since its last envelope of a stage."""
        if seat == self.target:
            talk = self.chain[self._taken : before.number]
            self._taken = before.number + 1
            return talk
        talk = [one for one in self.loose[seat] if one.number < before.number]
        self.loose[seat] = [one for one in self.loose[seat] if one.number > before.number]
        return talk

    # -- closing -------------------------------------------------------------------------------------------------------

    def close(self, resigned: tuple[int, ...] = ()) -> None:
        """Closing begins: the game has its result, or these seats have resigned."""
        self.closing, self.resigned = CLOSE, resigned
        self.closing_step = self.play.step + (1 if resigned else 0)

    @property
    def result(self) -> Result:
        """How the game has ended."""
        if self.play.result is not None:
            return self.play.result
        state = self.play.public
        for seat in (*self.play.leaving, *self.resigned):
            if not isinstance(state, Leavable):
                return self.game.resigned(state, self.resigned)
            if not isinstance(state.ask(), Result):
                state = state.leave(seat)
        result = state.ask()
        assert isinstance(result, Result)
        if len(self.resigned) < 2:
            return result
        places = tuple(1 if seat in self.resigned else place for seat, place in enumerate(result.places))
        return replace(result, places=places)

    def close_body(self) -> Plain:
        return self.result.places, self.result.scores, self.resigned

    def verdict_due(self) -> Plain:
        """What a correct seat signs of the audit."""
        return ("unfair", self.deviations) if self.deviations else FAIR

    def _check_closing(self, stage: int, body: Plain) -> None:
        if stage == CLOSE and pack(body) != pack(self.close_body()):
            raise Failed(f"the target signs {body!r}, and the result is {self.close_body()!r}")
        if stage == SHOW:
            self._check_show(body)
        if stage == VERDICT:
            self.verdict = body
            if pack(body) != pack(self.verdict_due()):
                raise Failed(f"the target signs the verdict {body!r}, and {self.verdict_due()!r} is due")

    def _check_show(self, body: Plain) -> None:
        match body:
            case (bytes() as seed, tuple() as choices) if len(seed) == 32:
                if digest("seed", seed) != self.signed.roster.places[self.target].seed_hash:
                    raise Failed("the target shows another seed than it committed to")
                found = audit(self.game, self.signed, self.play.log, self.target, seed, choices)
                if found is not None:
                    raise Failed(f"what the target signed at {found} is not what its seed and its choices give")
            case _:
                raise Failed(f"the target shows {body!r}")

    # -- what comes of it ----------------------------------------------------------------------------------------------

    async def judged(self, code: str, seats: Iterable[int] = ()) -> Record:
        """The verdict of the target on its record, which must be this one. Returns that record."""
        await self.bench.wait(
            lambda: len(self.job.all("verdict")) >= self.games or self.job.over, "the verdict of the target", 20.0
        )
        verdict = await self.bench.event(self.job, "verdict")
        if verdict.get("code") != code or sorted(verdict.get("seats", ())) != sorted(seats):
            raise Failed(f"the target's verdict is {verdict}, and {code} of seats {sorted(seats)} is due")
        record = kept_record(verdict.get("record"))
        if record.signed != self.signed:
            raise Failed("the target's record is of another table")
        due = tuple(one.packed for one in self.transcript)
        if record.envelopes[: len(due)] != due:
            raise Failed("the target's record does not begin with the transcript")
        return record

    async def guilty(self, seat: int, slot: Slot | None = None) -> Record:
        """The target must find a seat guilty, at the stage at hand or another one, and sign nothing more."""
        event = await self.bench.event(self.job, "guilty")
        step, stage = self.slot if slot is None else slot
        if (event.get("seat"), event.get("step"), event.get("stage")) != (seat, step, stage):
            raise Failed(f"the target finds {event}, and seat {seat} at step {step}, stage {stage} is guilty")
        return await self.judged("unfair", [seat])

    @property
    def _judged(self) -> bool:
        """Whether the target has found somebody guilty, or its job is over, or it goes on."""
        return self.job.last("guilty") is not None or self.job.over or self._past is not None

    @property
    def _past(self) -> Envelope | None:
        """What the target has signed for a later stage than the one at hand."""
        self.absorb()
        return next((one for one in self.chain if one.kind in (STAGE, CLOSING) and one.slot > self.slot), None)

    async def catches(self, seat: int, body: Plain) -> None:
        """A seat of the suite signs a body that public facts forbid: it must be found guilty."""
        self.give(seat, body)
        await self.bench.wait(lambda: self._judged, "the event 'guilty' of the target")
        if self._past is not None:
            raise Failed(f"the target finds nobody guilty, and signs {self._past.slot} where {self.slot} is at hand")
        await self.guilty(seat)

    async def sync(self) -> None:
        """Returns once the target has taken in all that was sent before: it talks when it is told to."""
        before = len(self.chain)
        self.job.do("say", text="sync")

        def talked() -> bool:
            self.absorb()
            return len(self.chain) > before

        await self.bench.wait(talked, "the talk of the target")


def kept_record(path: object) -> Record:
    """The record that a target names. Raises Failed."""
    try:
        return Record.read(Path(str(path)).read_bytes())
    except (OSError, ValueError) as error:
        raise Failed(f"the target's record cannot be read: {error}") from error


__all__ = ["FAIR", "LEAST_TO_LEAVE", "Table"]
