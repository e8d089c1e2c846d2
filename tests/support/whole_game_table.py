"""A whole game at a table in memory, ask by ask: for a screen at one seat, a spectator, and the record afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import SimpleNamespace
from typing import Any, Final

from kimberley.client.session.interfaces import SpectatedPeer, Stop
from kimberley.games import lookup
from kimberley.games.table import Answer, Ask, Game, Observation, Plain, Result, State, Together, space_for
from kimberley.protocol.audit import AuditedGame, Verdict
from kimberley.protocol.events import Answered, Asked
from kimberley.protocol.record import Record
from kimberley.protocol.roster import SignedRoster
from tests.support.arena_table import ArenaPeer, ArenaTable
from tests.support.seated_arena import SeatedArena
from tests.support.tables import signed_roster

NAMES: Final = ("ana", "ben", "carla", "dmitri")
LAST_LOOK: Final = 12
Choices = Callable[[Observation], Plain]


def at_random(seed: int) -> Choices:
    """Returns legal choices that depend only on the seed, the seat, and how far the game has come."""

    def choose(observation: Observation) -> Plain:
        space = space_for(observation.state.ask(), observation.seat)
        assert space is not None
        return space.pick(Random(f"{seed} {observation.seat} {len(observation.story)}"))

    return choose


class WholeGameTable(ArenaTable):
    """The test's seat is 0. The game goes on only when the test says so: `offer` the pending ask, then `answer` it.

    A choice that was made on the screen counts; where there is none, `choices` decide, as for all other seats.
    """

    def __init__(
        self,
        game: str,
        seats: int,
        seed: int,
        choices: Choices,
        now: Callable[[], float],
        options: Mapping[str, Plain],
        last_look: int = LAST_LOOK,
        begins: int | None = 0,
    ) -> None:
        rules = lookup.find(game)
        self.settled = dict(options)
        super().__init__(
            game=rules, seats=seats, phase="playing", names=NAMES[:seats], agreed=(True,) * seats, can_adjourn=True,
            acquaintance=("you", *["known"] * (seats - 1)), options={**self.settled, "last_look": last_look},
        )  # fmt: skip
        self.all_seats = SeatedArena(rules, seats, Random(seed), self.settled, begins)
        self.start = self.all_seats.arena.truth
        self.story: list[tuple[Ask, Answer]] = []
        self.seen: list[tuple[Ask, Answer]] = []
        """The story as a spectator sees it."""
        self.arena_peer: ArenaPeer[State] = ArenaPeer(self.all_seats, self.occupants.seat)
        self.put(peer=self.arena_peer)
        self._choices, self._now, self._own = choices, now, dict[int, Plain]()
        self._last_look = last_look

    @property
    def ask(self) -> Ask | Result:
        """The pending ask, with nothing hidden."""
        return self.all_seats.arena.truth.ask()

    def offer(self) -> None:
        """Asks all who have to choose now."""
        ask, own = self.ask, self.arena_peer.state.ask()
        assert not isinstance(ask, Result)
        assert not isinstance(own, Result)
        self.arena_peer.waiting = ask.choosers
        space = space_for(own, self.occupants.seat) if self.occupants.seat in ask.choosers else None
        self.arena_peer.asked = None if space is None else Asked(len(self.arena_peer.story), own, space)
        if isinstance(own, Together) and own.last_look:
            self.put(final_adjustment_until=self._now() + self._last_look)
        self.change(self.arena_peer.asked)

    def on_choice(self, plain: Plain) -> None:
        self._own[self.occupants.seat] = plain
        if self.play.final_adjustment_until is None:
            self.arena_peer.asked = None
            self.arena_peer.waiting = tuple(seat for seat in self.arena_peer.waiting if seat != self.occupants.seat)
            self.change(None)

    @property
    def decided(self) -> frozenset[int]:
        """The seats whose choice for the pending ask was made on the screen."""
        return frozenset(self._own)

    def commit(self) -> None:
        """Makes this seat's choice, if it has not been made on the screen. The others still choose."""
        if self.occupants.seat not in self._own and self.arena_peer.asked is not None:
            self.play.choose(self._choices(self.all_seats.observation(self.occupants.seat)))

    def answer(self) -> None:
        """Answers the pending ask, and announces the answer."""
        ask = self.ask
        assert not isinstance(ask, Result)
        self.put(final_adjustment_until=None)
        self.arena_peer.asked, self.arena_peer.waiting = None, ()
        answer = self.resolve(ask, self._own)
        self._own = {}
        public = self.all_seats.spectator.ask()
        assert not isinstance(public, Result)
        self.story.append((ask, answer))
        self.seen.append((public, ask.visible_answer(answer, None)))
        self.all_seats.apply(answer)
        result = self.ask
        self.arena_peer.result = result if isinstance(result, Result) else None
        told = self.arena_peer.story
        self.change(Answered(len(told) - 1, *told[-1], self.arena_peer.state))

    def resolve(self, ask: Ask, chosen: Mapping[int, Plain]) -> Answer:
        """Returns the answer to an ask, with what was `chosen` on the screen."""
        made = {
            seat: chosen[seat] if seat in chosen else self._choices(self.all_seats.observation(seat))
            for seat in ask.choosers
        }
        return self.all_seats.arena.answer(ask, made)

    def audited_game(self) -> AuditedGame:
        """Returns the finished game, as its audit gives it."""
        result = self.ask
        assert isinstance(result, Result)
        verdict = Verdict("fair", "", result=result, envelopes=len(self.story))
        return AuditedGame(Record(self.signed(), ()), self.start, tuple(self.story), result, verdict)

    def signed(self) -> SignedRoster:
        """Returns the roster of the table."""
        return signed_roster(self.game, self.occupants.seats, options=self.settled, begins=0)


class WholeGameWatch:
    """What a spectator of the table knows now: `client.session.interfaces.SpectatorLike`."""

    problem: str | None = None
    away_since: float | None = None

    def __init__(self, table: WholeGameTable) -> None:
        asked = table.ask
        self.game: Game | None = table.game
        self.peer: SpectatedPeer | None = SimpleNamespace(
            state=table.all_seats.spectator, story=tuple(table.seen), table=table.signed(), finished=False, caught=None,
            waiting=() if isinstance(asked, Result) else asked.choosers, waiting_since={},
            result=asked if isinstance(asked, Result) else None,
        )  # fmt: skip

    def subscribe(self, callback: Callable[[Any], None]) -> Stop:
        del callback
        return lambda: None

    async def audit(self) -> AuditedGame | None:
        return None

    async def close(self) -> None:
        return None
