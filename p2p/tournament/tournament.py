"""A tournament as the fold of its events: pure, frozen, and the same for whoever folds the same list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from p2p.confusables import confusable
from p2p.identity import fingerprint
from p2p.referee.cup import KNOCKOUT, MOST_PLAYERS, MOST_ROUNDS, ROUND_ROBIN, Cup, lot, lots
from p2p.referee.events import (
    ABSENT,
    CHEATING,
    IN_GAME,
    TIME,
    Decided,
    Drawn,
    Ended,
    Enrolled,
    Event,
    Paired,
    Returned,
    Seated,
    Withdrew,
)
from p2p.referee.field import DISQUALIFIED, IN, WITHDRAWN, Player, Round, Table
from p2p.referee.schedule import planned, schedule
from p2p.referee.standing import Standing, standings

ENROLLING, PLAYING, BETWEEN, OVER = "enrolling", "playing", "between", "ended"


@dataclass(frozen=True)
class Tournament:
    """A cup, who has enrolled in this order, its rounds, and the seed of its lots once they are drawn."""

    cup: Cup
    players: tuple[Player, ...] = ()
    rounds: tuple[Round, ...] = ()
    seed: bytes | None = None
    ended: bool = False

    @classmethod
    def fold(cls, cup: Cup, events: Iterable[Event]) -> Tournament:
        """The tournament after these events. Raises ValueError."""
        now = cls(cup)
        for event in events:
            now = now.after(event)
        return now

    # -- what is to be read --------------------------------------------------------------------------------------------

    @property
    def phase(self) -> str:
        """Until lots are drawn "enrolling"; "playing" while a table is open, "between" rounds, "ended"."""
        if self.ended:
            return OVER
        if self.seed is None:
            return ENROLLING
        return PLAYING if self.rounds and self.rounds[-1].open else BETWEEN

    @property
    def round(self) -> Round | None:
        """The latest round."""
        return self.rounds[-1] if self.rounds else None

    @property
    def planned(self) -> int:
        """How many rounds there will be, as far as it can be told: a replay of a knockout is one more. 0 at first."""
        return planned(self.cup, self.players, self.rounds)

    def player(self, identity: bytes) -> Player | None:
        return self._by_identity.get(identity)

    def name(self, identity: bytes) -> str:
        """The player's nickname, with a fingerprint where another's could be taken for it."""
        player = self._by_identity[identity]
        twin = any(one.identity != identity and confusable(one.nickname, player.nickname) for one in self.players)
        return f"{player.nickname} {fingerprint(identity)}" if twin else player.nickname

    def table_of(self, identity: bytes) -> Table | None:
        """The table without a result at which somebody sits."""
        tables = self.rounds[-1].open if self.rounds else ()
        return next((table for table in tables if identity in table.seats), None)

    def standings(self) -> tuple[Standing, ...]:
        """Everybody who has enrolled, best first."""
        return self._standings

    @cached_property
    def _standings(self) -> tuple[Standing, ...]:
        return standings(self.cup, self.players, self.rounds)

    @cached_property
    def _by_identity(self) -> dict[bytes, Player]:
        return {player.identity: player for player in self.players}

    # -- what follows --------------------------------------------------------------------------------------------------

    def proceed(self, at: int) -> Paired | Ended:
        """The next round, or the end: always the same for the same tournament. Raises ValueError while it cannot.

        Pairing 64 players takes seconds: keep it off a thread that others wait for.
        """
        self._must(self.phase == BETWEEN, f"A round cannot be paired now: the cup is {self.phase}.")
        found = schedule(self.cup, self.players, self.rounds)
        if found is None:
            self._must(bool(self.rounds), f"{len(self.players)} have enrolled: that is too few for a table.")
            return Ended(at)
        return Paired(at, len(self.rounds) + 1, found.tables, found.byes)

    def after(self, event: Event) -> Tournament:
        """The tournament after one more event. Raises ValueError for what cannot happen now.

        It holds a round to who may play in it, not to the pairing that `proceed` gives: `p2p.referee.bundle` does.
        """
        self._must(not self.ended, "The cup has ended.")
        match event:
            case Enrolled():
                return self._enrolled(event)
            case Withdrew():
                return self._moved(event.identity, IN, WITHDRAWN)
            case Returned():
                return self._numbered(self._moved(event.identity, WITHDRAWN, IN))
            case Drawn():
                return self._drawn(event)
            case Paired():
                return self._paired(event)
            case Seated():
                return self._seated(event)
            case Decided():
                return self._decided(event)
            case Ended():
                self._must(self.phase != PLAYING, "The cup cannot end while a table is played.")
                return replace(self, ended=True)

    # -- each event ----------------------------------------------------------------------------------------------------

    def _enrolled(self, event: Enrolled) -> Tournament:
        known = self._by_identity.get(event.identity)
        self._must(known is None, "Nobody enrols twice.")
        self._must(len(self.players) < MOST_PLAYERS, f"The cup is full: {MOST_PLAYERS} play at most.")
        return self._numbered(replace(self, players=(*self.players, Player(event.identity, event.nickname))))

    def _moved(self, identity: bytes, before: str, state: str) -> Tournament:
        player = self._by_identity.get(identity)
        self._must(player is not None, "Who has not enrolled can neither withdraw nor return.")
        assert player is not None
        self._must(player.state == before, f"{player.nickname} is {player.state}.")
        return self._changed({identity: replace(player, state=state)})

    def _drawn(self, event: Drawn) -> Tournament:
        self._must(self.seed is None, "Lots are drawn once.")
        self._must(lots(event.seed) == self.cup.lots, "These are not the lots that the cup committed to.")
        there = [player for player in self.players if player.state == IN]
        there.sort(key=lambda player: lot(event.seed, self.cup.id, player.identity))
        changed = {player.identity: replace(player, number=number) for number, player in enumerate(there, 1)}
        return replace(self._changed(changed), seed=event.seed)

    def _paired(self, event: Paired) -> Tournament:
        self._must(self.phase == BETWEEN, f"No round begins now: the cup is {self.phase}.")
        self._must(event.round == len(self.rounds) + 1 <= MOST_ROUNDS, "Rounds follow each other.")
        people = [identity for table in event.tables for identity in table] + list(event.byes)
        self._must(len(set(people)) == len(people), "Nobody sits at two tables.")
        there = {player.identity for player in self.players if player.state == IN and player.number}
        self._must(there.issuperset(people), "Only who is there is paired.")
        sizes = all(len(table) in self.cup.sizes for table in event.tables)
        self._must(sizes, f"A table of this cup has {' or '.join(map(str, self.cup.sizes))} seats.")
        tables = tuple(Table(number, seats) for number, seats in enumerate(event.tables))
        return replace(self, rounds=(*self.rounds, Round(event.round, tables, event.byes)))

    def _seated(self, event: Seated) -> Tournament:
        table = self._open(event.round, event.table)
        self._must(table.game is None, "One game is played at a table.")
        games = {table.game for one in self.rounds for table in one.tables}
        self._must(event.game not in games, "A game is played at one table.")
        return self._with(event.round, replace(table, game=event.game))

    def _decided(self, event: Decided) -> Tournament:
        table = self._open(event.round, event.table)
        self._must(len(event.places) == len(table.seats), "A result has a place for each seat.")
        self._must(event.game == table.game, "A result names the game of its table.")
        begun = table.game is not None
        self._must(begun or event.how not in IN_GAME, f"A table without a game does not end by {event.how!r}.")
        self._must(not begun or event.how != ABSENT, "Nobody is absent from a game that has begun.")
        self._must(event.how != TIME or self.cup.clock is not None, "Nobody loses on time without a clock.")
        now = self._with(event.round, replace(table, decided=event))
        out = [table.seats[seat] for seat in event.lost] if event.how == CHEATING else []
        return now._changed({one: replace(self._by_identity[one], state=DISQUALIFIED) for one in out})

    # -- small change --------------------------------------------------------------------------------------------------

    @property
    def _numbers(self) -> int:
        """How many have a starting number."""
        return sum(1 for player in self.players if player.number)

    def _numbered(self, now: Tournament) -> Tournament:
        """Once lots are drawn, who comes in gets the next starting number."""
        if now.seed is None:
            return now
        new = [player for player in now.players if not player.number and player.state == IN]
        if new:
            self._must(self.cup.format != KNOCKOUT, "The bracket of this knockout is drawn: nobody can enter any more.")
            free = self.cup.format != ROUND_ROBIN or self.cup.seats > 2 or self._numbers % 2 == 1
            self._must(free, "The tables of this round-robin are drawn, and no place is free.")
        return now._changed(
            {player.identity: replace(player, number=number) for number, player in enumerate(new, now._numbers + 1)}
        )

    def _open(self, round: int, table: int) -> Table:
        """A table of the present round that has no result yet. Raises ValueError."""
        self._must(bool(self.rounds) and self.rounds[-1].number == round, f"Round {round} is not being played.")
        tables = self.rounds[-1].tables
        self._must(table < len(tables), f"Round {round} has no table {table + 1}.")
        self._must(tables[table].decided is None, f"Table {table + 1} of round {round} has its result.")
        return tables[table]

    def _with(self, round: int, table: Table) -> Tournament:
        """With a table of the present round replaced."""
        assert self.rounds[-1].number == round
        tables = self.rounds[-1].tables
        changed = replace(self.rounds[-1], tables=(*tables[: table.number], table, *tables[table.number + 1 :]))
        return replace(self, rounds=(*self.rounds[:-1], changed))

    def _changed(self, players: dict[bytes, Player]) -> Tournament:
        return replace(self, players=tuple(players.get(player.identity, player) for player in self.players))

    @staticmethod
    def _must(holds: bool, reason: str) -> None:
        if not holds:
            raise ValueError(reason)
