"""A seat as a deterministic machine: envelopes in, envelopes out (SPEC.md, "Stages and the transcript").

What a Peer signs depends only on its seed, its player's choices and the transcript of complete stages, never on the
order in which envelopes arrive. It has no clock, no entropy and no sockets: `receive` accepts the bytes of an envelope,
`take` returns the events.

Runners use what stands under "state for the runner" and "calls by the runner". The steps between them are public too: a
seat that cheats, or notes what it checks, is a subclass that changes one of them.

    stages of the game (a Play)  ->  close: all sign the result  ->  show: all publish seed and choices  ->  verdict:
    all sign the audit

All envelopes of a seat form one chain: each has its number and the hash of the previous one. A stage is
complete when every seat that owes an envelope has delivered it. Then the head covers them, in seat order.

Only its own valid signature can blame a seat. Bytes that do not parse, verify, fit the chain or name the current head
are dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256

from kimberley.games.table import Answer, Ask, Game, Leave, Plain, Result, State
from kimberley.protocol.chain import MOST_EARLY, Chain
from kimberley.protocol.closing import CLOSE, SHOW, VERDICT, Closing, earliest, verdict_body
from kimberley.protocol.crypto.group import Group
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.encoding import Malformed, pack
from kimberley.protocol.envelope import (
    CLOSING,
    LEAVE,
    RESIGN,
    STAGE,
    Envelope,
    Sign,
    first_head,
    next_head,
)
from kimberley.protocol.events import (
    Answered,
    Asked,
    AuditDue,
    Caught,
    Dropped,
    Event,
    GameEnded,
    OutdatedState,
    RecordComplete,
    Resigned,
    SeatDeparted,
    SeedShown,
    Send,
    Waiting,
)
from kimberley.protocol.log import Deviation, Reexecution, Reexecutions, StageLog, reexecute
from kimberley.protocol.play import NotAllowed, Play, ProtocolViolation
from kimberley.protocol.record import Record
from kimberley.protocol.resignations import Resignations, resignation_result
from kimberley.protocol.roster import SignedRoster


class Peer:
    """One seat at one table, or a spectator. Call `start` once. Events accumulate until `take`.

    Args:
        game: The game that the roster names.
        table: The signed and checked roster.
        seat: The seat's number from 0; None for a spectator.
        seed: The seat's secret seed, 32 bytes; empty for a spectator.
        sign: Signs with the seat's identity key; None for a spectator.
        group: The group of all commitments and proofs.

    """

    def __init__(
        self,
        game: Game,
        table: SignedRoster,
        seat: int | None,
        seed: bytes = b"",
        sign: Sign | None = None,
        group: Group = RISTRETTO,
    ) -> None:
        self.game = game
        self.table = table
        self.seat = seat
        self.play = Play(game, table, seat, seed, group)
        self.caught: Caught | None = None
        self.finished = False
        self.waiting: tuple[int, ...] = ()
        self.asked: Asked | None = None
        self.log: list[StageLog] = []
        self.transcript: list[Envelope] = []
        self.evidence: list[Envelope] = []
        self.closing: Closing | None = None
        self.verdicts: dict[int, Plain] = {}
        self._group = group
        self.seed = seed
        self._sign = sign
        self.head = first_head(table.game_id)
        """The hash of all complete stages."""
        self.heads: dict[tuple[bool, int, int], bytes] = {}
        """The head before each complete stage, by (whether the game was being closed, step, stage)."""
        self.chains = [Chain() for _ in table.roster.seats]
        self.resignations = Resignations(self.play, self.chains, self.log, self._head_of)
        self.events: list[Event] = []
        """The events since the last `take`."""
        self.resigning = False
        """Whether the player has resigned; the seat signs that as soon as it may."""
        self.findings: tuple[Deviation, ...] | None = None
        """What this seat's audit has found; None before it."""
        self.reexecutions = Reexecutions()
        """Peers whose `audited` is equal may share one."""

    # -- state for the runner -------------------------------------------------------------------------------------

    @property
    def first_state(self) -> State:
        """The first state of the game: all that is in it is public."""
        return self.play.start

    @property
    def state(self) -> State:
        """The game as this seat knows it."""
        return self.play.own

    @property
    def public(self) -> State:
        """The game as a spectator knows it."""
        return self.play.public

    @property
    def story(self) -> tuple[tuple[Ask, Answer], ...]:
        """Every ask so far, with the answer as this seat saw it."""
        return self.play.story

    @property
    def result(self) -> Result | None:
        """The result of the game, once it has ended."""
        return self.closing.result if self.closing else self.play.result

    @property
    def gone(self) -> bool:
        """Returns whether this seat has left for good. It then follows the game as a spectator."""
        return self.seat in self.play.crypto.departed

    @property
    def gaps(self) -> tuple[int, ...]:
        """The seats whose next envelope is missing although later ones came."""
        return tuple(seat for seat, chain in enumerate(self.chains) if chain.early)

    @property
    def shown(self) -> Mapping[int, tuple[bytes, tuple[Plain, ...]]]:
        """(seed, choices) of every seat that has published them."""
        return self.closing.shown if self.closing else {}

    @property
    def slot(self) -> tuple[int, int]:
        """The current step and stage."""
        return self.closing.slot if self.closing else (self.play.step, self.play.stage)

    @property
    def slot_owed(self) -> tuple[int, int]:
        """The (step, stage) of what the missing seats owe: the current one, or, after a resignation, that of the first
        closing stage.
        """
        return (self.play.step + 1, CLOSE) if self.closing is None and self.resigners() else self.slot

    def record(self) -> Record:
        """Returns the record so far, incomplete while the game is unfinished."""
        loose: list[Envelope] = []
        for seat, chain in enumerate(self.chains if not self.finished else ()):
            loose += chain.loose
            loose += [chain.given] if chain.given else []
            if (self.caught is not None and self.caught.seat == seat) or not chain.stuck:
                loose += chain.queue
        return Record(self.table, (*self.transcript, *loose), tuple(self.evidence))

    def chain(self, seat: int, start: int) -> list[Envelope]:
        """Returns the known envelopes of a seat, starting with number `start`."""
        known = self.chains[seat]
        return [known.known[number] for number in range(start, known.number)]

    def take(self) -> list[Event]:
        """Returns the events since the last call."""
        events, self.events = self.events, []
        return events

    # -- calls by the runner --------------------------------------------------------------------------------------

    def start(self) -> None:
        """Starts the first stage, in which all seats announce their keys."""
        self.advance()

    def choose(self, plain: Plain) -> None:
        """Accepts the player's choice for what is `asked`. Raises NotAllowed, with the rule that the choice breaks, and
        then signs nothing.
        """
        if self.asked is None:
            raise NotAllowed("nothing is asked of this seat now")
        self.play.choose(plain)
        self.asked = None
        self.advance()

    def resign(self) -> None:
        """Resigns, if the game is still running. With three or more seats present, this seat leaves the game with the
        next envelope that it owes.
        """
        if self.seat is None or self.caught is not None or self.closing is not None or self.gone:
            return
        self.asked = None
        self.resigning = True
        self.advance()

    def receive(self, data: bytes) -> bool:
        """Accepts the bytes of an envelope from anyone. Never raises; bytes that are not an envelope of this table are
        dropped with an event.

        Returns whether the bytes changed the state of this seat.
        """
        try:
            envelope = Envelope.unpack(data)
        except Malformed as error:
            return self._ignore(f"not an envelope: {error}")
        if envelope.game != self.table.game_id:
            return self._ignore("an envelope of another table")
        if envelope.seat >= len(self.chains):
            return self._ignore(f"an envelope of seat {envelope.seat + 1}, which this table does not have")
        chain = self.chains[envelope.seat]
        early = chain.early.get(envelope.number)
        known = chain.known.get(envelope.number, early)
        if known is not None and known.hash == envelope.hash:
            return False
        if not envelope.signed_by(self.table.roster.seats[envelope.seat].identity):
            return self._ignore(f"an envelope that seat {envelope.seat + 1} did not sign")
        if self.caught is not None or (self.finished and known is None):
            return False
        if envelope.seat == self.seat and known is None:
            self.events.append(OutdatedState(envelope.number, data))
            return True
        if known is not None:
            self.evidence += [envelope] if early is None else [early, envelope]
            self.catch(envelope, "they signed two different messages with one number")
            return True
        if envelope.number > chain.number:
            if len(chain.early) >= MOST_EARLY:
                return self._ignore(f"seat {envelope.seat + 1} is too far ahead")
            chain.early[envelope.number] = envelope
            return True
        if not self._link(chain, envelope):
            return False
        while (early := chain.early.pop(chain.number, None)) is not None:
            self._link(chain, early)
        self.advance()
        return True

    def ends_with(self, data: bytes) -> bool:
        """Returns whether this seat signs nothing more once it has received these bytes: an envelope of its own that it
        does not know, or a second one with a number that is known.
        """
        try:
            envelope = Envelope.unpack(data)
        except Malformed:
            return False
        if envelope.game != self.table.game_id or envelope.seat >= len(self.chains):
            return False
        known = self.chains[envelope.seat].known.get(envelope.number)
        new = envelope.seat == self.seat if known is None else known.hash != envelope.hash
        return new and envelope.signed_by(self.table.roster.seats[envelope.seat].identity)

    def audit(self) -> None:
        """Re-executes every other seat from its published seed and choices, signs what that finds, and continues. To be
        called once the audit is due.
        """
        self.findings = earliest(self.deviations(seat for seat in self.shown if seat != self.seat))
        self.advance()

    def deviations(self, seats: Iterable[int]) -> tuple[Deviation, ...]:
        """Returns what the audit finds if it re-executes these seats, which have published their seeds."""
        deviations = [self.reexecution(seat).deviation for seat in seats]
        spoiled = self.closing.spoiled if self.closing else ()
        return tuple(sorted([*spoiled, *(deviation for deviation in deviations if deviation is not None)]))

    def reexecution(self, seat: int) -> Reexecution:
        """Returns what came of running a seat again that has published its seed. It is run only once."""
        return self.reexecutions.of(
            seat, lambda: reexecute(self.game, self.table, self.log, seat, *self.shown[seat], self._group)
        )

    @property
    def audited(self) -> tuple[int, bytes]:
        """Returns all that running seats again depends on: the game, and a hash of the table, the stages and what the
        seats have published. To be asked once the audit is due.
        """
        stages = tuple(
            (stage.step, stage.stage, tuple(sorted(stage.bodies.items())), tuple(sorted(stage.left.items())))
            for stage in self.log
        )
        published = tuple((seat, seed, tuple(choices)) for seat, (seed, choices) in sorted(self.shown.items()))
        return id(self.game), sha256(pack((self.table.game_id, self._group.name, stages, published))).digest()

    # -- chains ---------------------------------------------------------------------------------------------------

    def _link(self, chain: Chain, envelope: Envelope) -> bool:
        """Appends the envelope if it is the next one of the chain. Returns whether it is."""
        if (refusal := chain.refusal(envelope)) is not None:
            return self._ignore(refusal)
        guilt = chain.append(envelope)
        if envelope.kind == RESIGN and guilt is None:
            self.events.append(Resigned(envelope.seat))
        if guilt is not None:
            self.catch(envelope, guilt)
        return True

    def sign_next(self, kind: int, body: Plain) -> None:
        """Signs the next envelope of this seat's chain, for the current stage."""
        assert self.seat is not None
        assert self._sign is not None
        chain = self.chains[self.seat]
        step, stage = self.slot
        envelope = Envelope(
            self.table.game_id, self.seat, chain.number, chain.previous, step, stage, self.head, kind, body
        ).signed(self._sign)
        self.events.append(Send(envelope.pack()))
        self._link(chain, envelope)

    # -- stages ---------------------------------------------------------------------------------------------------

    def advance(self) -> None:
        """Advances as far as the available envelopes and choices allow."""
        while self.caught is None and not self.finished:
            for chain in self.chains:
                self._take_in(chain)
            if self.caught is None and not (self.complete() or self._begin_closing() or self._resign() or self.give()):
                break
        self.ask_player()
        self._report_waiting()

    def _take_in(self, chain: Chain) -> None:
        """Moves queued envelopes into the current stage, up to the one that the seat owes to it."""
        between = self.closing is None and self.play.result is not None
        while chain.queue and chain.given is None and self.caught is None and not between:
            envelope = chain.queue[0]
            late = self.closing and (envelope.kind == RESIGN or envelope.slot == self.closing.abandoned)
            if late:
                if envelope.kind in (STAGE, LEAVE) and any(other.kind in (STAGE, LEAVE) for other in chain.loose):
                    self.catch(envelope, "they signed two messages where one was due")
                    return
                chain.loose.append(chain.queue.popleft())
                continue
            if envelope.slot > self.slot or (envelope.kind == CLOSING and self.closing is None):
                return
            if not self.names_head(chain, envelope):
                return
            if envelope.kind == RESIGN and not self.resignations.can_leave(envelope.slot):
                chain.loose.append(chain.queue.popleft())
                continue
            if envelope.slot < self.slot or envelope.kind not in self._kinds or envelope.seat not in self.owing:
                self.catch(envelope, "they signed a message out of turn")
                return
            chain.given = chain.queue.popleft()
            if envelope.seat != self.seat:
                self.check(envelope)
            if self.closing and self.caught is None:
                self.closing.deliver(envelope.seat, envelope.body)

    def names_head(self, chain: Chain, envelope: Envelope) -> bool:
        """Returns whether the head is the one of the envelope's stage. If not, nobody can be blamed, and the chain is
        stuck.
        """
        if self._head_of(envelope) == envelope.head:
            return True
        if not chain.stuck:
            chain.stuck = True
            self._drop(f"seat {envelope.seat + 1} signed a different transcript from the one at hand")
        return False

    def _head_of(self, envelope: Envelope) -> bytes:
        """Returns the head that an envelope of this kind and slot must name."""
        return self.heads.get((envelope.kind == CLOSING, *envelope.slot), self.head)

    def check(self, envelope: Envelope) -> None:
        """Blames the seat if public facts forbid the body of its envelope."""
        judge = self.closing or self.play
        try:
            if envelope.kind == LEAVE:
                self.play.check_leave(envelope.seat, envelope.body)
            else:
                judge.check(envelope.seat, envelope.body)
        except ProtocolViolation as violation:
            self.catch(envelope, f"{violation} ({self.closing.owed if self.closing else self.play.topic})")

    @property
    def _kinds(self) -> tuple[int, ...]:
        """The kinds of envelopes that the current stage accepts."""
        return (CLOSING,) if self.closing else (STAGE, LEAVE)

    @property
    def owing(self) -> tuple[int, ...]:
        """The seats that owe an envelope to the current stage."""
        return self.closing.owing if self.closing else self.play.owing

    def give(self) -> bool:
        """Signs what this seat owes to the stage, if it already can."""
        seat = self.seat
        if seat is None or seat not in self.owing:
            return False
        chain = self.chains[seat]
        if chain.given is not None or chain.queue or (self.closing is None and self.resigners()):
            return False
        if self.resigning and self.closing is None and self.play.crypto.public_keys:
            self.sign_next(LEAVE, self.play.leave_body())
            return True
        body = self.closing_body(self.closing) if self.closing else self.game_body()
        if body is None:
            return False
        self.sign_next(CLOSING if self.closing else STAGE, body)
        return True

    def _resign(self) -> bool:
        """Signs this seat's resignation, if it wants to resign and can no longer leave while the others play on."""
        if (
            not self.resigning
            or self.closing
            or self.gone
            or self.resignations.can_leave(self.slot)
            or self.seat in self.resigners()
        ):
            return False
        self.sign_next(RESIGN, None)
        return True

    def game_body(self) -> Plain:
        """Returns the body of this seat for a stage of the game; None while it waits for a choice."""
        return None if self.play.wants is not None else self.play.body()

    def closing_body(self, closing: Closing) -> Plain:
        """Returns the body of this seat for a closing stage; None while it waits for its audit."""
        if closing.stage == CLOSE:
            return closing.close_body()
        if closing.stage == SHOW:
            return self.seed, tuple(self.play.choices)
        return None if self.findings is None else verdict_body(self.findings)

    def complete(self) -> bool:
        """Ends the stage, if every seat that owes an envelope has delivered it."""
        owing = self.owing
        if (self.closing is None and self.play.result) or any(self.chains[seat].given is None for seat in owing):
            return False
        step, stage = self.slot
        bodies: dict[int, Plain] = {}
        left: dict[int, Plain] = {}
        taken: list[Envelope] = []
        for seat in owing:
            chain = self.chains[seat]
            assert chain.given is not None
            (left if chain.given.kind == LEAVE else bodies)[seat] = chain.given.body
            taken += [*chain.loose, chain.given]
            chain.loose, chain.given = [], None
        self.heads[self.closing is not None, step, stage] = self.head
        self.head = next_head(self.head, step, stage, tuple(envelope.hash for envelope in taken))
        self.transcript += taken
        if self.closing:
            self._complete_closing(self.closing, bodies)
        else:
            self.log.append(StageLog(step, stage, bodies, left))
            for ask, answer, state in self.play.complete(bodies, left):
                if isinstance(ask, Leave):
                    self.events.append(SeatDeparted(step, ask.seat, state))
                else:
                    self.events.append(Answered(step, ask, answer, state))
        return True

    def _complete_closing(self, closing: Closing, bodies: Mapping[int, Plain]) -> None:
        stage = closing.stage
        closing.complete()
        if stage == SHOW:
            closing.recover(self.play.crypto, self.play.departed)
            self.events += [SeedShown(seat, choices) for seat, (_, choices) in sorted(closing.shown.items())]
            self.events.append(AuditDue())
        elif stage == VERDICT:
            self.verdicts = dict(bodies)
            self.finished = True
            self.events.append(RecordComplete())

    # -- the end --------------------------------------------------------------------------------------------------

    def resigners(self) -> tuple[int, ...]:
        """Returns the seats whose resignation ends the game, once the current stage has stopped."""
        return self.resignations.resigners(self.slot)

    def _begin_closing(self) -> bool:
        """Begins the closing stages, if the game has its result or a resignation ends it."""
        if self.closing is not None:
            return False
        result, step = self.play.result, self.play.step
        resigned: tuple[int, ...] = ()
        abandoned = None
        if result is None:
            resigned = self.resigners()
            step += 1
            if not resigned or not self.resignations.stopped(self.seat, resigned):
                return False
            abandoned = self._abandon_stage()
            result = resignation_result(self.game, self.play, resigned)
        self.closing = Closing(self.table, step, result, self.play.crypto.present, resigned, abandoned)
        self.asked = None
        self.events.append(GameEnded(result))
        return True

    def _abandon_stage(self) -> tuple[int, int]:
        """Abandons the current stage: its envelopes stay in the record, but have no effect on the game."""
        bodies: dict[int, Plain] = {}
        left: dict[int, Plain] = {}
        for seat, chain in enumerate(self.chains):
            if chain.given is not None:
                (left if chain.given.kind == LEAVE else bodies)[seat] = chain.given.body
                chain.loose.append(chain.given)
                chain.given = None
        if bodies or left:
            self.log.append(StageLog(self.play.step, self.play.stage, bodies, left))
        return self.slot

    # -- events ---------------------------------------------------------------------------------------------------

    def ask_player(self) -> None:
        """Asks the player if the next stage needs a choice."""
        if self.closing or self.caught or self.asked or self.resigning or self.resigners():
            return
        space = self.play.wants
        if space is not None and self.play.ask is not None:
            self.asked = Asked(self.play.step, self.play.ask, space)
            self.events.append(self.asked)

    def _report_waiting(self) -> None:
        resigned = self.resigners() if self.closing is None else ()
        if self.finished or self.caught is not None:
            waiting: tuple[int, ...] = ()
        elif resigned:
            waiting = tuple(seat for seat in self.play.crypto.present if seat not in resigned)
        else:
            waiting = tuple(seat for seat in self.owing if self.chains[seat].given is None)
        if waiting != self.waiting:
            self.waiting = waiting
            self.events.append(Waiting(waiting))

    def _drop(self, reason: str) -> None:
        self.events.append(Dropped(reason))

    def _ignore(self, reason: str) -> bool:
        """Drops an envelope that does not count."""
        self._drop(reason)
        return False

    def catch(self, envelope: Envelope, reason: str) -> None:
        """Blames the seat that signed the envelope. The game stops here; only the first seat is blamed."""
        if self.caught is not None:
            return
        self.caught = Caught(envelope.seat, envelope.step, envelope.stage, reason)
        self.asked = None
        self.events.append(self.caught)
