"""Whole games between seats of the suite, played without a network: what records are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from kimberley.conformance.errors import present
from kimberley.conformance.harness.identity import SuiteIdentity
from kimberley.conformance.script import ScriptGame
from kimberley.conformance.table.play import TablePlay
from kimberley.games.table import Plain
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.envelope import STAGE, START, Envelope, first_head, next_head
from kimberley.protocol.record import Record
from kimberley.protocol.roster import Roster, RosterSeat, SignedRoster

ASKS: Final[Plain] = (("roll", (6,)), ("seal", (0, 1), 9), ("decide", 1, 9))


class OfflineGame:
    """A game between seats of the suite, played without a network."""

    def __init__(
        self,
        seats: int = 2,
        asks: Plain = ASKS,
        *,
        identities: Sequence[SuiteIdentity] = (),
        nicknames: Sequence[str] = (),
        **roster: Any,
    ) -> None:
        self.identities = list(identities) or [SuiteIdentity(digest("identity", seat)) for seat in range(seats)]
        self.seeds = [digest("a seed", seat) for seat in range(seats)]
        nonces = tuple(digest("a nonce", seat) for seat in range(seats))
        names = nicknames or [f"seat{seat}" for seat in range(seats)]
        places = tuple(
            RosterSeat(identity.public, names[seat], digest("nonce", nonces[seat]), digest("seed", self.seeds[seat]))
            for seat, identity in enumerate(self.identities)
        )
        fields: dict[str, Any] = {
            "game": ScriptGame.id,
            "rules": 1,
            "options": (("asks", asks), ("last_look", 0)),
            "seats": places,
        }
        made = Roster(**(fields | roster))
        signatures = tuple(identity.sign("roster", made.packed) for identity in self.identities)
        self.signed = SignedRoster(made, signatures, nonces)
        self.game_id = self.signed.game_id
        self.head = first_head(self.game_id)
        self.envelopes: list[Envelope] = []
        self.heads: dict[tuple[int, int], bytes] = {}
        self.chains = [(0, START)] * seats
        self.play = TablePlay(ScriptGame(asks), self.signed, dict(enumerate(self.seeds)))

    def sign(self, seat: int, kind: int, body: Plain, slot: tuple[int, int], *, kept: bool = True) -> Envelope:
        number, previous = self.chains[seat]
        made = Envelope(self.game_id, seat, number, previous, *slot, self.head, kind, body).signed(
            self.identities[seat].sign
        )
        if kept:
            self.chains[seat] = number + 1, made.hash
            self.envelopes.append(made)
        return made

    def stage(self, slot: tuple[int, int], kind: int, bodies: dict[int, Plain]) -> None:
        self.heads[slot] = self.head
        signed = [self.sign(seat, kind, body, slot) for seat, body in bodies.items()]
        self.head = next_head(self.head, *slot, tuple(one.hash for one in signed))

    def until(self, step: int) -> OfflineGame:
        """Plays up to a step. Returns this game."""
        play = self.play
        while play.step < step and play.result is None:
            bodies = {}
            for seat in play.owing:
                if play.space(seat) is not None and play.stage == 0:
                    play.make_choice(seat, seat + 1)
                bodies[seat] = play.seats[seat].body()
            self.stage(play.slot, STAGE, bodies)
            play.complete(bodies)
        return self

    def closed(self, verdict: Plain = ("fair", ()), stages: int = 3) -> OfflineGame:
        """Plays to the end, with `stages` stages of closing. Returns this game."""
        self.until(99)
        play, result = self.play, present(self.play.result)
        shows = [(seed, tuple(play.seats[seat].choices)) for seat, seed in enumerate(self.seeds)]
        bodies: list[Callable[[int], Plain]] = [
            lambda seat: (result.places, result.scores, ()),
            lambda seat: shows[seat],
            lambda seat: verdict,
        ]
        for stage in range(stages):
            self.stage((play.step, stage), 3, {seat: bodies[stage](seat) for seat in range(len(self.seeds))})
        return self

    @property
    def record(self) -> Record:
        return Record(self.signed, tuple(self.envelopes))
