"""A table with the target at it, from the words to the verdict (SPEC.md, sections 9.3 to 17).

The suite plays every other seat correctly, and checks all that the target signs: chains, slots, heads, bodies, and with
a seeded target every byte. A case stops at any stage, and does there what it likes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

from client.conformance.case import Failed, present, typed
from client.conformance.chains import Chains
from client.conformance.codec import pack
from client.conformance.desk import Foul
from client.conformance.envelope import (
    CHAT,
    CLOSING,
    LEAVE,
    RESIGN,
    STAGE,
    Envelope,
    Slot,
    next_head,
)
from client.conformance.hashing import digest
from client.conformance.plain import Plain, spelled, to_json
from client.conformance.play import CLOSE, SHOW, VERDICT, audit
from client.conformance.record import Record
from games.table import Leavable, Result

FAIR: Final[Plain] = ("fair", ())

Bend = Callable[[Plain], Plain]


class Table(Chains):
    """See above; and `Meeting` for what it is made with."""

    # -- stages --------------------------------------------------------------------------------------------------------

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
        space = present(self.play.space(seat))
        return self.choices.get((self.play.step, seat), space.pick(Random(f"{self.play.step} {seat}")))

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
        choice = self.choice(self.target)
        self.keep_silent(choice)
        self.job.do("choose", choice=to_json(choice))

    def keep_silent(self, choice: Plain) -> None:
        """Tells the target's player nothing in this step; this is what must count as its choice."""
        self.chose.add((self.play.step, self.target))
        if self.target in self.play.seats:
            self.play.seats[self.target].choices.append(choice)

    def owed(self) -> Envelope | None:
        """The target's next envelope that is no talk."""
        self.absorb()
        return next((one for one in self.chain[self._taken :] if not self._is_talk(one)), None)

    def _is_talk(self, envelope: Envelope) -> bool:
        """Whether it only stands in the chain: in closing also what was signed for the stage that was cut short."""
        cut_short = self.closing is not None and envelope.kind != CLOSING and envelope.slot == self.play.slot
        return cut_short or envelope.kind in (CHAT, RESIGN)

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
        result = typed(state.ask(), Result)
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
            raise Failed(f"the target signs {spelled(body)}, and the result is {spelled(self.close_body())}")
        if stage == SHOW:
            self._check_show(body)
        if stage == VERDICT:
            self.verdict = body
            if pack(body) != pack(self.verdict_due()):
                raise Failed(f"the target signs the verdict {spelled(body)}, and {spelled(self.verdict_due())} is due")

    def _check_show(self, body: Plain) -> None:
        match body:
            case (bytes() as seed, tuple() as choices) if len(seed) == 32:
                if digest("seed", seed) != self.signed.roster.places[self.target].seed_hash:
                    raise Failed("the target shows another seed than it committed to")
                found = audit(self.game, self.signed, self.play.log, self.target, seed, choices)
                if found is not None:
                    raise Failed(f"what the target signed at {found} is not what its seed and its choices give")
            case _:
                raise Failed(f"the target shows {spelled(body)}")

    # -- what comes of it ----------------------------------------------------------------------------------------------

    async def judged(self, code: str, seats: Iterable[int] = ()) -> Record:
        """The verdict of the target on its record, which must be this one. Returns that record."""
        await self.bench.wait(
            lambda: len(self.job.all("verdict")) >= self.games or self.job.over, "the verdict of the target", 20.0
        )
        verdict = await self.bench.event(self.job, "verdict")
        if verdict.get("code") != code or sorted(verdict.get("seats", ())) != sorted(seats):
            raise Failed(f"the target's verdict is {spelled(verdict)}, and {code} of seats {sorted(seats)} is due")
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
            raise Failed(f"the target finds {spelled(event)}, and seat {seat} at step {step}, stage {stage} is guilty")
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
