"""Faults for the evenings to find. If they miss one, they are worth little.

Each must be found within `EVENINGS` evenings at which all hostile players have its `trick`, on the integers from its
`first` on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from unittest.mock import patch

from kimberley.p2p.base.platform import in_background, wall_time
from kimberley.p2p.table import match, policy, refereeing, session, spectator_client
from kimberley.p2p.tournament import events
from kimberley.protocol.roster import SignedRoster
from kimberley.referee import (
    forwarding,
    membership,
    named_teams,
    player_connections,
    readiness,
    server,
    table_observer,
    table_referee,
)
from kimberley.referee.rulings import void_ruling
from tests.simulation.evenings.plan import Focus
from tests.support.wrong import always

EVENINGS: Final = 20
"""Each fault must be found within this many evenings."""
Change: TypeAlias = tuple[Any, str, Callable[[Any], Any]]
"""An object, the name of its attribute, and what makes the wrong one out of the right one."""


@dataclass(frozen=True)
class Fault:
    """One fault. At least one of the `laws` must be found broken."""

    changes: tuple[Change, ...]
    laws: tuple[str, ...]
    trick: str
    """What the hostile players who profit from it do."""
    teams: bool | None = None
    first: int = 0
    """The integer of the first evening: which players meet decides where a rare fault shows."""

    @property
    def evenings(self) -> range:
        """The integers of the evenings on which it must be found."""
        return range(self.first, self.first + EVENINGS)

    @property
    def focus(self) -> Focus:
        """The evenings on which it must be found."""
        return Focus(self.trick, teams=self.teams)

    def finds(self, broken: str) -> bool:
        """Returns whether the broken law is one that this fault must break."""
        return broken.split(":")[0] in self.laws

    @contextmanager
    def put_in(self) -> Iterator[None]:
        """Puts the fault into the code while the block lasts."""
        with ExitStack() as stack:
            for where, name, make in self.changes:
                stack.enter_context(patch.object(where, name, make(vars(where)[name])))
            yield


# -- what begins a game ------------------------------------------------------------------------------------------------


def _one_seat_begins(right: Any) -> Any:
    """The first game that some seat shows at its door has begun."""

    def begin(self: Any, door: Any, plain: Any) -> None:
        right(self, door, plain)
        if self._runner is None:
            signed = SignedRoster.read(plain)
            door.foreign = False
            self.begin(signed)
            table = self._callbacks
            table._tournament.on_game_started(table, signed.game_id, (bytes(64),) * len(table.people))

    return begin


def _not_once_begun(right: Any) -> Any:
    return lambda self: right(self) if self.game_id is None else None


def _when_they_say_so(right: Any) -> Any:
    """Seats begin when the others have told them, not the referee."""
    return policy.TablePolicy(players_end_game=False, players_play_again=False, players_begin=True)


def _silent_before_its_game(right: Any) -> Any:
    """Spectators call a seat silent in a game that has not begun for it."""

    def silent(self: Any) -> Any:
        begun, self._begun = self._begun, frozenset(range(len(self.names)))
        try:
            return right.fget(self)
        finally:
            self._begun = begun

    return property(silent)


def _void_if_nobody_sat_down(right: Any) -> Any:
    def examine(self: Any) -> None:
        if self._readiness.unready() and not self._readiness.comparing:
            self.end(void_ruling(len(self.people), "They did not sit down. Nobody wins."))
        else:
            right(self)

    return examine


# -- whose time it is --------------------------------------------------------------------------------------------------


def _charged_to_all(right: Any) -> Any:
    """What one player uses up before the game counts against all who are not ready."""

    def update(self: Any, now: float, *, stopped: bool) -> None:
        passed, owing = now - self._now, (*self._absent, *self._owing)
        right(self, now, stopped=stopped)
        for player in self._keys if not stopped and not self._begun else ():
            if player not in owing and player not in self._confirmed:
                self._spent[player] += passed

    return update


# -- who comes and goes ------------------------------------------------------------------------------------------------


def _paired_again(right: Any) -> Any:
    """A round is paired again if somebody has come or gone meanwhile."""

    async def proceed(self: Any) -> None:
        now = self.tournament
        try:
            event = await in_background(now.proceed, int(wall_time()))
        except ValueError as error:
            self._stuck = now
            self._refused(str(error))
            return
        async with self._turn:
            if event is not None and self.tournament is now:
                self._refused(await self._append(event))

    return proceed


class _Free:
    """A rate that everybody keeps to."""

    def try_acquire(self, *who: object) -> bool:
        del who
        return True


def _for_strangers_alone(right: Any) -> Any:
    """Players who have enrolled may connect, and be told everything, as often as they like."""
    return lambda burst, rate: right(burst, rate) if burst == player_connections.ENROL_BURST else _Free()


def _last_called(right: Any) -> Any:
    """The last one to enroll under a nickname is meant."""

    def called(now: Any, nickname: str) -> Any:
        return next((one for one in reversed(now.players) if one.nickname.casefold() == nickname.casefold()), None)

    return called


# -- all of them -------------------------------------------------------------------------------------------------------


RETURNS: Final[Change] = (membership, "return_refusal", always(None))
FREE: Final[Change] = (player_connections, "TokenBuckets", _for_strangers_alone)
FAULTS: Final[dict[str, Fault]] = {
    "one seat begins a game": Fault(
        (
            (table_observer.TableObserver, "_begin", _one_seat_begins),
            (table_referee.TableReferee, "_examine_coming", _not_once_begun),
            (events.GameSeated, "holds", always(True)),
            (refereeing.Refereeing, "begin", always(None)),
            (session, "REFEREED", _when_they_say_so),
        ),
        ("less",),
        "shows a game alone",
    ),
    "spectators believe one seat": Fault(
        ((spectator_client.SpectatorClient, "silent", _silent_before_its_game),), ("witness",), "shows a game alone"
    ),
    "what one uses up is charged to all": Fault(
        ((readiness.Readiness, "update", _charged_to_all),), ("less",), "sits down at the last moment"
    ),
    "nobody loses who never sits down": Fault(
        ((table_referee.TableReferee, "_examine_coming", _void_if_nobody_sat_down),), ("less",), "never sits down"
    ),
    "players return at any time": Fault((RETURNS, FREE), ("work",), "withdraws and returns"),
    "who comes or goes delays a pairing": Fault(
        (RETURNS, FREE, (server.TournamentServer, "_proceed", _paired_again)), ("delay", "end"), "withdraws and returns"
    ),
    "asking for all again is free": Fault((FREE,), ("work",), "asks for all again"),
    "the last under a name takes the place": Fault(
        ((named_teams, "_first_called", _last_called), (membership, "unclear_members", always([]))),
        ("place",),
        "takes names",
        teams=True,
    ),
    "nothing is relayed": Fault(
        ((forwarding.Forwarding, "forward", always(None)),), ("less", "end"), "hides from its opponents"
    ),
    "any signature is ready": Fault(
        ((readiness, "holds", always(True)),), ("place", "bundle", "end"), "says what does not fit"
    ),
    "a program that ends forgets its word": Fault(
        ((match.Match, "discard", lambda right: lambda self, kept=False: right(self)),),
        ("less",),
        "is ready at the last moment",
        first=140,
    ),
}
