"""A table before its game: who is asked for what, whom it waits for, and who is late if it does not begin."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.common_options import FINAL_ADJUSTMENT
from kimberley.p2p.table.paired_lobby import AGAIN, PairedLobby
from kimberley.p2p.table.terms import TableTerms
from kimberley.p2p.tournament.events import SAME
from kimberley.p2p.transport.frames import Frame
from kimberley.protocol.roster import SignedRoster
from kimberley.referee.readiness import COMPARING, MOST_AGAIN, NOT_CONNECTED, ON_THE_WAY, SITTING_DOWN, Readiness
from kimberley.referee.table_wait import TableWait

ANA, BEN = (Identity.of(hashlib.sha256(name).digest()) for name in (b"ana", b"ben"))
PEOPLE = (ANA.public, "ana"), (BEN.public, "ben")
TERMS = TableTerms("stones", 1, ((FINAL_ADJUSTMENT, 0),), 2)
COME = 60.0


@dataclass
class Program:
    """A player's program: it answers what the referee asks while it `answers`."""

    identity: Identity
    room: Room
    answers: bool = True
    signed: SignedRoster | None = None
    asked: list[Frame] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        """Starts the program (again): it knows nothing of a round."""
        self.lobby = PairedLobby(
            self.identity, TERMS, PEOPLE, lambda signed, _seed: setattr(self, "signed", signed), lambda: None,
            lambda reason: self.room.failures.append(reason), self._say,
        )  # fmt: skip

    def _say(self, frame: Frame) -> None:
        self.room.outbox.append((self.identity.public, frame))

    def agree(self) -> None:
        """Has its person say that the words are the same."""
        assert self.signed is not None
        game = self.signed.game_id
        self.room.readiness.on_words(self.identity.public, game, self.identity.sign(SAME, game))


class Room:
    """A table to which players have `COME` seconds to come, and their programs; frames travel in `run`."""

    def __init__(self) -> None:
        self.here: set[bytes] = {key for key, _ in PEOPLE}
        self.failures: list[str] = []
        self.outbox: list[tuple[bytes, Frame]] = []
        self.inbox: list[tuple[bytes, Frame]] = []
        self.now = 100.0
        self.readiness = Readiness(
            PEOPLE, TERMS, lambda player: player in self.here, lambda player, frame: self.inbox.append((player, frame)),
            self.now, COME,
        )  # fmt: skip
        self.ana, self.ben = Program(ANA, self), Program(BEN, self)

    def run(self) -> None:
        while self.inbox or self.outbox:
            inbox, self.inbox = self.inbox, []
            for player, frame in inbox:
                program = self.ana if player == ANA.public else self.ben
                if program.answers:
                    program.lobby.ask(frame)
                else:
                    program.asked.append(frame)
            outbox, self.outbox = self.outbox, []
            for player, frame in outbox:
                self.readiness.on_answer(player, frame)

    def come(self, *programs: Program) -> None:
        for program in programs:
            self.readiness.on_arrival(program.identity.public)
        self.run()

    def wait(self, seconds: float, *, stopped: bool = False) -> None:
        self.now += seconds
        self.readiness.update(self.now, stopped=stopped)

    @property
    def late(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return self.readiness.absent(), self.readiness.unready()


def test_a_table_waits_for_one_thing_after_the_other() -> None:
    room = Room()
    room.here.discard(BEN.public)
    room.come(room.ana)
    assert room.readiness.wait() == TableWait((1,), NOT_CONNECTED, 160.0)
    room.here.add(BEN.public)
    room.wait(10)
    assert room.readiness.wait() == TableWait((1,), ON_THE_WAY, 160.0)
    room.ben.answers = False
    room.come(room.ben)
    assert room.readiness.wait() == TableWait((1,), SITTING_DOWN, 170.0)
    room.ben.answers = True
    room.come(room.ben)
    assert room.readiness.wait() == TableWait((0, 1), COMPARING, 170.0)
    room.ana.agree()
    room.wait(5)
    assert room.readiness.wait() == TableWait((1,), COMPARING, 170.0)
    assert room.readiness.signatures is None
    room.ben.agree()
    assert room.readiness.signatures is not None
    assert room.failures == []


def test_what_an_opponent_uses_up_counts_against_nobody_else() -> None:
    """Ben comes, and sits down, three seconds before each of his own deadlines: ana has all of her time after that."""
    room = Room()
    room.come(room.ana)
    room.wait(COME - 3)
    room.ben.answers = False
    room.come(room.ben)
    room.wait(COME - 3)
    assert room.late == ((), ())
    room.ben.answers = True
    room.come(room.ben)
    room.ben.agree()
    room.wait(COME - 1)
    assert room.late == ((), ())
    room.ana.agree()
    assert room.readiness.signatures is not None


def test_who_stays_and_does_nothing_is_late_and_nobody_else_is() -> None:
    room = Room()
    room.ben.answers = False
    room.come(room.ana, room.ben)
    room.wait(COME)
    assert room.late == ((), (1,))
    room = Room()
    room.come(room.ana)
    room.wait(COME)
    assert room.late == ((1,), ())


def test_of_two_who_do_not_confirm_the_words_neither_wins_because_the_other_sat_down_more_slowly() -> None:
    room = Room()
    room.ben.answers = False
    room.come(room.ana, room.ben)
    room.wait(1)
    room.ben.answers = True
    room.come(room.ben)
    room.wait(COME - 1)
    assert not any(room.late)
    assert room.readiness.wait() == TableWait((0, 1), COMPARING, room.now + 1)
    room.wait(1)
    assert room.late == ((), (0, 1))


def test_who_confirms_the_words_in_time_wins_against_a_player_who_does_not() -> None:
    room = Room()
    room.ben.answers = False
    room.come(room.ana, room.ben)
    room.wait(1)
    room.ben.answers = True
    room.come(room.ben)
    room.wait(COME - 1)
    room.ana.agree()
    assert room.late == ((), (1,))


def test_who_starts_over_gives_the_others_their_time_again_and_may_not_do_so_for_ever() -> None:
    room = Room()
    room.come(room.ana, room.ben)
    for _ in range(MOST_AGAIN):
        room.ana.agree()
        room.wait(COME / 8)
        before = room.ana.signed
        room.ben.start()
        room.come(room.ben)
        assert room.ana.signed is not before, "all are seated in a new round"
        room.wait(COME / 8)
        assert room.late == ((), ())
    room.ben.start()
    room.come(room.ben)
    assert (room.readiness.restless(), room.late) == ((1,), ((), ()))
    assert room.failures == []


def test_a_frame_that_was_lost_is_asked_for_again_and_answered_as_before() -> None:
    room = Room()
    for lost in range(3):
        room = Room()
        room.come(room.ana)
        room.readiness.on_arrival(BEN.public)
        for _ in range(lost):
            inbox, room.inbox = room.inbox, []
            for player, frame in inbox:
                (room.ana if player == ANA.public else room.ben).lobby.ask(frame)
            outbox, room.outbox = room.outbox, []
            for player, frame in outbox:
                room.readiness.on_answer(player, frame)
        # What is on its way between ben and the referee is lost.
        room.inbox = [(player, frame) for player, frame in room.inbox if player == ANA.public]
        room.run()
        assert room.readiness.signed is None
        room.come(room.ben)
        assert room.ana.signed == room.ben.signed == room.readiness.signed is not None
    assert room.failures == []


def test_a_connection_that_is_lost_in_every_stage_of_a_round_is_no_start_over() -> None:
    """Ben stalls before each of his parts, and meanwhile ana's connection is lost and back."""
    room = Room()
    room.come(room.ana)
    room.ben.answers = False
    room.come(room.ben)
    while room.ben.signed is None:
        room.ana.lobby.on_referee()
        room.come(room.ana)
        asked, room.ben.asked = room.ben.asked, []
        room.ben.lobby.ask(asked[-1])
        room.run()
    assert room.ana.signed == room.ben.signed == room.readiness.signed
    assert room.readiness.restless() == ()
    assert room.failures == []


def test_only_a_players_own_signature_confirms_its_words_and_no_words_take_that_back() -> None:
    room = Room()
    room.come(room.ana, room.ben)
    readiness = room.readiness
    assert readiness.signed is not None
    game, other = readiness.signed.game_id, bytes(32)
    room.ben.agree()
    for signature in (BEN.sign(SAME, game), ANA.sign(SAME, other), b"nonsense"):
        readiness.on_words(ANA.public, game, signature)
        assert readiness.signatures is None
    readiness.on_words(ANA.public, other, ANA.sign(SAME, other))
    assert readiness.signatures is None
    room.ana.agree()
    assert readiness.signatures == (ANA.sign(SAME, game), BEN.sign(SAME, game))
    readiness.on_words(ANA.public, None, None)
    assert readiness.signatures is None


def test_nobody_is_charged_while_the_referee_is_cut_off_or_the_table_paused() -> None:
    room = Room()
    room.come(room.ana)
    room.wait(3 * COME, stopped=True)
    assert room.readiness.absent() == ()
    room.wait(COME)
    assert room.readiness.absent() == (1,)


def test_what_no_player_says_changes_nothing() -> None:
    room = Room()
    room.come(room.ana, room.ben)
    signed = room.readiness.signed
    for frame in ((), (AGAIN,), (AGAIN, 7), ("place", 1, bytes(32), bytes(32)), ("nonce", 1, bytes(32)), (b"x", 1)):
        room.readiness.on_answer(BEN.public, frame)
    assert room.readiness.signed is signed
