"""A table with the target at it, from the words to the verdict (SPEC.md, sections 9.3 to 17).

The suite plays every other seat correctly, and checks everything that the target signs: chains, slots, heads, bodies,
and every byte if the target is seeded. A case can stop at any stage and do there what it likes.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

from kimberley.conformance.errors import Failed, present
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.plain import spelled, to_json
from kimberley.conformance.table.chains import EnvelopeChains, Slot
from kimberley.games.table import Plain, Result
from kimberley.protocol.asks.base import ProtocolViolation
from kimberley.protocol.closing import CLOSE, SHOW, VERDICT
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import CLOSING, LEAVE, RESIGN, STAGE, Envelope, next_head
from kimberley.protocol.log import reexecute
from kimberley.protocol.record import Record
from kimberley.protocol.resignations import resignation_result

FAIR: Final[Plain] = ("fair", ())

MutateBody = Callable[[Plain], Plain]


class TargetTable(EnvelopeChains):
    """A table that the target plays at, as host or as joiner. `Seating` lists the arguments."""

    # -- stages --------------------------------------------------------------------------------------------------------

    @property
    def owing(self) -> tuple[int, ...]:
        return self.play.owing if self.closing is None else self.play.crypto.present

    async def until(self, step: int, stage: int = 0) -> None:
        """Plays stages until this one is at hand or the game is over."""
        while self.slot < (step, stage) and self.closing is None:
            await self.complete()

    async def finish(self, code: str = "fair") -> Record:
        """Plays to the verdict, which must be `code`. Returns the record that the target keeps."""
        while self.closing is None or self.closing <= VERDICT:
            await self.complete()
        return await self.expect_verdict(code, [seat for _, _, seat in self.deviations])

    async def complete(self) -> None:
        """Ends the stage at hand, once everybody has given what they owe to it."""
        for seat in self.owing:
            if seat in self.suite_seats and seat not in self.given:
                self.give(seat)
        if self.target in self.owing:
            await self.await_target()
        self.end_stage()

    def body(self, seat: int) -> Plain:
        """Returns the body that a seat of the suite owes to the stage at hand."""
        if self.closing is None:
            self.choose(seat)
            return self.play.seats[seat].body()
        if self.closing == CLOSE:
            return self.close_body()
        if self.closing == SHOW:
            return self.suite_seats[seat].seed, tuple(self.play.seats[seat].choices)
        return self.verdict_due()

    def choose(self, seat: int) -> None:
        """Chooses for a seat of the suite, if it is asked and has not chosen yet."""
        if self.play.space(seat) is not None and (self.play.step, seat) not in self.chose:
            self.chose.add((self.play.step, seat))
            self.play.make_choice(seat, self.choice(seat))

    def choice(self, seat: int) -> Plain:
        """Returns the choice of a seat in this step."""
        space = present(self.play.space(seat))
        return self.choices.get((self.play.step, seat), space.pick(Random(f"{self.play.step} {seat}")))

    def give(self, seat: int, body: Plain | None = None, *, quiet: bool = False) -> Envelope:
        """Signs the stage at hand for a seat of the suite, and sends the envelope unless it is to be `quiet`."""
        kind = STAGE if self.closing is None else CLOSING
        envelope = self.sign(seat, kind, self.body(seat) if body is None else body)
        self.given[seat] = envelope
        if not quiet:
            self.send_envelope(envelope)
        return envelope

    def leave(self, seat: int, mutate: MutateBody = lambda body: body) -> Envelope:
        """Leaves for a seat of the suite in the stage at hand."""
        envelope = self.sign(seat, LEAVE, mutate(self.play.seats[seat].leave_body()))
        self.given[seat] = envelope
        self.send_envelope(envelope)
        return envelope

    # -- the target ----------------------------------------------------------------------------------------------------

    async def await_target(self) -> Envelope:
        """Waits for the target's envelope for the stage at hand."""
        if self.closing is None:
            self.tell_choice()
        await self.harness.wait_until(
            lambda: self.owed() is not None or self.gone,
            f"the target's envelope for step and stage {self.slot}",
        )
        envelope = self.owed()
        if envelope is None:
            await self.harness.pause(0.3)
            raise Failed(f"the target ended all connections at {self.slot}: {self.last_words()}")
        self._check(envelope)
        self.given[self.target] = envelope
        return envelope

    def tell_choice(self) -> None:
        """Tells the target's player what to choose, once for each step in which it is asked."""
        if self.play.space(self.target) is None or (self.play.step, self.target) in self.chose:
            return
        choice = self.choice(self.target)
        self.keep_silent(choice)
        self.job.do("choose", choice=to_json(choice))

    def keep_silent(self, choice: Plain) -> None:
        """Tells the target's player nothing in this step. `choice` is what must count as its choice."""
        self.chose.add((self.play.step, self.target))
        if self.target in self.play.seats:
            self.play.make_choice(self.target, choice)

    def owed(self) -> Envelope | None:
        """Returns the target's next envelope that counts for a stage."""
        self.read_envelopes()
        return next((one for one in self.chain[self._taken :] if not self._is_talk(one)), None)

    def _is_talk(self, envelope: Envelope) -> bool:
        """Returns whether an envelope only stands in the chain: a resignation, or in closing an envelope for a stage
        that a resignation cut short.
        """
        cut_short = self.closing is not None and envelope.kind != CLOSING and envelope.slot == self.play.slot
        return cut_short or envelope.kind == RESIGN

    def _check(self, envelope: Envelope) -> None:
        """Raises Failed unless an envelope of the target is right for the stage at hand."""
        kinds = (STAGE, LEAVE) if self.closing is None else (CLOSING,)
        if envelope.kind not in kinds or envelope.slot != self.slot:
            raise Failed(
                f"the target signs an envelope of kind {envelope.kind} for {envelope.slot} while {self.slot} is at hand"
            )
        if envelope.head != self.head:
            raise Failed(f"the target's envelope for {self.slot} has another head than the one due")
        if self.closing is not None:
            self._check_closing(self.closing, envelope.body)
            return
        try:
            if envelope.kind == LEAVE:
                self.play.check_leave(self.target, envelope.body)
            else:
                self.play.check(self.target, envelope.body)
        except ProtocolViolation as violation:
            raise Failed(f"the target's body for {self.slot} breaks the rules of its ask: {violation}") from violation
        if self.target in self.play.seats:
            own = self.play.seats[self.target]
            due = own.leave_body() if envelope.kind == LEAVE else own.body()
            if pack(due) != pack(envelope.body):
                raise Failed(f"the target's body for {self.slot} does not follow from its seed and its choices")

    # -- the end of a stage --------------------------------------------------------------------------------------------

    def end_stage(self) -> None:
        """Ends the stage at hand: every envelope that is owed to it is there."""
        self.heads[self.slot] = self.head
        bodies: dict[int, Plain] = {}
        left: dict[int, Plain] = {}
        taken: list[Envelope] = []
        for seat in self.owing:
            envelope = self.given[seat]
            taken += [*self._talk(seat, envelope), envelope]
            (left if envelope.kind == LEAVE else bodies)[seat] = envelope.body
        self.transcript += taken
        self.head = next_head(self.head, *self.slot, tuple(one.hash for one in taken))
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
        """Returns the talk of a seat since its last envelope for a stage."""
        if seat == self.target:
            talk = self.chain[self._taken : before.number]
            self._taken = before.number + 1
            return talk
        talk = [one for one in self.loose[seat] if one.number < before.number]
        self.loose[seat] = [one for one in self.loose[seat] if one.number > before.number]
        return talk

    # -- closing -------------------------------------------------------------------------------------------------------

    def close(self, resigned: tuple[int, ...] = ()) -> None:
        """Begins closing: the game has its result, or these seats have resigned."""
        self.closing, self.resigned = CLOSE, resigned
        self.closing_step = self.play.step + (1 if resigned else 0)

    @property
    def result(self) -> Result:
        """The result of the game."""
        if self.play.result is not None:
            return self.play.result
        return resignation_result(self.game, self.play, self.resigned)

    def close_body(self) -> Plain:
        return self.result.places, self.result.scores, self.resigned

    def verdict_due(self) -> Plain:
        """Returns the verdict that a correct seat signs."""
        return ("unfair", self.deviations) if self.deviations else FAIR

    def _check_closing(self, stage: int, body: Plain) -> None:
        if stage == CLOSE and pack(body) != pack(self.close_body()):
            raise Failed(f"the target signs the result {spelled(body)}, and {spelled(self.close_body())} is due")
        if stage == SHOW:
            self._check_show(body)
        if stage == VERDICT:
            self.verdict = body
            if pack(body) != pack(self.verdict_due()):
                raise Failed(f"the target signs the verdict {spelled(body)}, and {spelled(self.verdict_due())} is due")

    def _check_show(self, body: Plain) -> None:
        match body:
            case (bytes() as seed, tuple() as choices) if len(seed) == 32:
                if digest("seed", seed) != self.signed.roster.seats[self.target].seed_hash:
                    raise Failed("the target shows another seed than the one it committed to")
                deviation = reexecute(self.game, self.signed, self.play.log, self.target, seed, choices).deviation
                if deviation is not None:
                    raise Failed(f"what the target signed does not follow from its seed and its choices: {deviation}")
            case _:
                raise Failed(f"the target shows {spelled(body)} instead of its seed and its choices")

    # -- what comes of it ----------------------------------------------------------------------------------------------

    async def expect_verdict(self, code: str, seats: Iterable[int] = ()) -> Record:
        """Waits for the target's verdict, which must be `code` of these seats. Returns its record."""
        await self.harness.wait_until(
            lambda: len(self.job.all("verdict")) >= self.games or self.job.over, "the verdict of the target", 20.0
        )
        verdict = await self.harness.await_event(self.job, "verdict")
        if verdict.get("code") != code or sorted(verdict.get("seats", ())) != sorted(seats):
            raise Failed(f"the target's verdict is {spelled(verdict)}, and {code} of seats {sorted(seats)} is due")
        record = kept_record(verdict.get("record"))
        if record.table.plain() != self.signed.plain():
            raise Failed("the target's record is of another table")
        due = tuple(self.transcript)
        if record.envelopes[: len(due)] != due:
            raise Failed("the target's record does not begin with the transcript")
        return record

    async def expect_guilty(self, seat: int, slot: Slot | None = None) -> Record:
        """Expects the target to find a seat guilty at a slot (by default the one at hand), and to sign nothing more."""
        event = await self.harness.await_event(self.job, "guilty")
        step, stage = self.slot if slot is None else slot
        if (event.get("seat"), event.get("step"), event.get("stage")) != (seat, step, stage):
            raise Failed(f"the target finds {spelled(event)}, but seat {seat} is guilty at step {step}, stage {stage}")
        return await self.expect_verdict("unfair", [seat])

    @property
    def _judged(self) -> bool:
        """Whether the target has found somebody guilty, has ended its job or has gone on."""
        return self.job.last("guilty") is not None or self.job.over or self._past is not None

    @property
    def _past(self) -> Envelope | None:
        """An envelope that the target has signed for a later stage than the one at hand, if there is one."""
        self.read_envelopes()
        return next((one for one in self.chain if one.kind in (STAGE, CLOSING) and one.slot > self.slot), None)

    async def expect_caught(self, seat: int, body: Plain) -> None:
        """Signs for a seat of the suite a body that public facts forbid, and expects the target to find it guilty."""
        self.give(seat, body)
        await self.harness.wait_until(lambda: self._judged, "the event 'guilty' of the target")
        if self._past is not None:
            raise Failed(
                f"the target finds nobody guilty, and signs for {self._past.slot} while {self.slot} is at hand"
            )
        await self.expect_guilty(seat)

    async def expect_waiting(self, seat: int) -> None:
        """Expects the target to blame nobody, and to wait for a seat in this stage, even once the seat is gone."""
        await self.sync()
        if self.job.last("guilty") is not None or self._past is not None:
            raise Failed(f"the target does not wait for seat {seat} at {self.slot}: {self.last_words()}, {self._past}")
        self.suite_seats[seat].wire.send("bye", "is gone")
        verdict = await self.harness.await_event(self.job, "verdict")
        if verdict["code"] not in ("incomplete", "damaged"):
            raise Failed(f"the verdict is {spelled(verdict)}, though seat {seat} is gone")

    async def sync(self) -> Slot:
        """Waits until the target has handled everything sent before. Returns the slot at which it is.

        What its player is told comes on another stream: a chat line on each connection says that the target has got
        what was sent on it. One that ends meanwhile, as after a `bye`, has no more to say.
        """
        self._syncs += 1
        text = f"sync {self._syncs}"
        for suite_seat in self.suite_seats.values():
            suite_seat.wire.send("say", suite_seat.identity.public, text)
        await self.harness.wait_until(lambda: not self._unheard(text), "the event `said` of every seat connected to it")
        return await self.ask_state()

    def _unheard(self, text: str) -> set[int]:
        """Returns the seats still connected to the target whose line with this text it has not reported."""
        heard = {event["seat"] for event in self.job.all("said") if event["text"] == text}
        return {seat for seat, suite_seat in self.suite_seats.items() if not suite_seat.wire.closed} - heard

    async def ask_state(self) -> Slot:
        """Returns the slot at which the target is once it has handled all that it has got. Raises Failed if its head is
        not the one due there.
        """
        before = len(self.job.all("state"))
        self.job.do("state")
        await self.harness.wait_until(lambda: len(self.job.all("state")) > before, "the event `state`")
        state = self.job.all("state")[before]
        slot, due = (state["step"], state["stage"]), {**self.heads, self.slot: self.head}
        if slot in due and state["head"] != due[slot].hex():
            raise Failed(f"the target has the head {state['head']} at {slot}, and {due[slot].hex()} is due")
        self.read_envelopes()
        return slot

    async def await_slot(self) -> None:
        """Waits until the target is at the stage at hand, where it may owe nothing: what its player is told before that
        may overtake the envelopes that end the stage before.
        """
        while await self.ask_state() < self.slot:
            await self.harness.pause(0.05)


def kept_record(path: object) -> Record:
    """Returns the record whose path a target reports. Raises Failed."""
    try:
        return Record.unpack(Path(str(path)).read_bytes())
    except (OSError, ValueError) as error:
        raise Failed(f"the target's record cannot be read: {error}") from error


@asynccontextmanager
async def open_table(
    harness: Harness,
    asks: Sequence[Plain] = (),
    *,
    target: str = "host",
    seats: int = 2,
    seat: int | None = None,
    play: bool = True,
    kind: type[TargetTable] = TargetTable,
    **more: Any,
) -> AsyncIterator[TargetTable]:
    """Opens a table with the target at it.

    Args:
        harness: what the case works with.
        asks: the script that the table plays.
        target: what the target is, "host" or "join".
        seats: how many seats the table has.
        seat: where a target that joins sits; without it at the last seat.
        play: whether everybody sits down and the table is brought to its first stage.
        kind: the class of the table, for cases in which the suite's seats behave differently.
        more: see `Seating`.
    """
    number = 0 if target == "host" else seats - 1 if seat is None else seat
    table = kind(harness, tuple(asks), seats, number, hosts=target == "host", **more)
    if play:
        await table.sit()
        await table.begin()
    yield table
