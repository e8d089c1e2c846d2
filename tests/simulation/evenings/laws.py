"""What must hold at an evening, and when it is over."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Final

from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.bundle import read_bundle, read_records
from kimberley.p2p.tournament.events import (
    GameSeated,
    PlayerEnrolled,
    PlayerReturned,
    RoundPaired,
    TableDecided,
    TeamFormed,
)
from kimberley.p2p.tournament.players import IN
from kimberley.p2p.tournament.settings import ACCELERATED_SWISS, ARENA, SWISS
from kimberley.p2p.tournament.tournament import BETWEEN, Tournament
from kimberley.p2p.tournament.verification import ResultClaim, check_claim, replay_bundle
from kimberley.protocol.audit import INCOMPLETE
from kimberley.referee.export import write_bundle
from kimberley.referee.player_connections import AGAIN_BURST, AGAIN_FREE, AGAIN_SECONDS, KNOWN_BURST, KNOWN_SECONDS
from kimberley.referee.server import ServerNotice
from kimberley.referee.store import StoreReader
from tests.simulation.seat import Broken

if TYPE_CHECKING:
    from tests.simulation.evenings.evening import Evening

ANSWERS: Final = 4
"""The most frames of one kind that go to one honest player for one frame, or one connection, of anybody."""
LATE_SECONDS: Final = 6.0
"""Time for an honest player to get in."""
ROOM_TO_THE_END: Final = (SWISS, ACCELERATED_SWISS, ARENA)
PAIRING_SECONDS: Final = 20.0
"""Time from the last result of a round and the pause to the next round."""


def judge(evening: Evening) -> None:
    """Checks all laws. Raises Broken."""
    _nothing_failed(evening)
    _nobody_honest_has_less(evening)
    _honest_players_have_places(evening)
    _little_work(evening)
    _nobody_honest_was_called_silent(evening)
    _bundle_verifies(evening)


def _nothing_failed(evening: Evening) -> None:
    if evening.server.problem is not None:
        raise Broken("failure", f"the referee has stopped: {evening.server.problem}")
    if evening.failures:
        raise Broken("failure", "; ".join(evening.failures[:3]))


def _nobody_honest_has_less(evening: Evening) -> None:
    """Checks that nobody honest loses except by a game, and that a table without a game's result names somebody."""
    honest = evening.honest
    tournament = Tournament(evening.server.settings)
    for event in evening.events:
        tournament = tournament.after(event)
        if not isinstance(event, TableDecided) or event.how == events.PLAYED:
            continue
        seats = next(table.seats for table in tournament.rounds[event.round - 1].tables if table.decided == event)
        wronged = [seat for seat, player in enumerate(seats) if player in honest]
        if wronged and (not event.lost or any(seat in event.lost for seat in wronged)):
            at = f"round {event.round}, table {event.table + 1}"
            names = " and ".join(honest[seats[seat]].guest.name for seat in wronged)
            raise Broken("less", f"{at}, honest {names}: {event.how}, {event.places}, {event.sentence}")


def _honest_players_have_places(evening: Evening) -> None:
    """Checks that every honest player is in the tournament to its end, and plays or has a bye in each round."""
    now = evening.server.tournament
    for key, player in evening.honest.items():
        enrolled = now.player(key)
        if enrolled is None:
            if not _came_too_late(evening, player.guest.comes):
                raise Broken("place", f"{player.guest.name} was never let in")
            continue
        client = player.client
        if enrolled.state != IN:
            raise Broken("place", f"honest {player.guest.name} is {enrolled.state}")
        if client is not None and (client.phase == "failed" or client.problem is not None):
            raise Broken("place", f"the program of {player.guest.name} says: {client.problem}")
        if evening.server.over and (client is None or client.phase != "over"):
            raise Broken("place", f"the program of {player.guest.name} does not know that the tournament is over")
    if evening.plan.boards:
        _teams_are_of_those_who_came_first(evening)
    elif not evening.plan.minutes:
        _everybody_is_paired(evening)


def _came_too_late(evening: Evening, comes: float) -> bool:
    """Whether there may have been no room any more: in most formats there is room until the tournament is over."""
    until = evening.ended_at if evening.plan.format in ROOM_TO_THE_END else evening.plan.begins
    return until is None or comes > until - LATE_SECONDS


def _everybody_is_paired(evening: Evening) -> None:
    before: set[bytes] = set()
    for event in evening.events:
        if isinstance(event, PlayerEnrolled):
            before.add(event.identity)
        if isinstance(event, RoundPaired) and evening.plan.format in (SWISS, ACCELERATED_SWISS):
            paired = {*event.byes, *(key for table in event.tables for key in table)}
            if left_out := [one.guest.name for key, one in evening.honest.items() if key in before - paired]:
                raise Broken("place", f"{left_out} are not paired in round {event.round}")


def _teams_are_of_those_who_came_first(evening: Evening) -> None:
    """Checks that an honest player has a place in the team that names its nickname. If somebody else came first under
    that name, the organizer was asked.
    """
    asked = [one.sentence for one in evening.news if isinstance(one, ServerNotice)]
    first: dict[str, bytes] = {}
    enrolled: set[bytes] = set()
    for event in evening.events:
        if isinstance(event, PlayerEnrolled):
            first.setdefault(event.nickname.casefold(), event.identity)
            enrolled.add(event.identity)
        if not isinstance(event, TeamFormed):
            continue
        for name in evening.plan.teams[event.name]:
            key = next(
                (key for key in evening.honest.keys() & enrolled if evening.honest[key].guest.name == name), None
            )
            if key is None or key in event.members:
                continue
            if first[name] == key:
                raise Broken("place", f"{name} came first under that name, and has no place in {event.name}")
            if not any(f"Which {name} plays" in question for question in asked):
                raise Broken("place", f"{name} has no place in {event.name}, and the organizer was not asked")


def check_delay(evening: Evening) -> None:
    """Checks that a round is paired once the last one is over. To be called all the time."""
    since = evening.free_since
    if evening.server.tournament.phase != BETWEEN or since is None or len(evening.honest) < 2:
        return
    passed = asyncio.get_running_loop().time() - since
    if passed > evening.plan.pause + PAIRING_SECONDS + 30 * len(evening.plan.referee_restarts):
        raise Broken("delay", f"no round is paired {passed:.0f} seconds after the last result")


def _little_work(evening: Evening) -> None:
    """Checks that what a player makes the referee store, and send to others, is bounded by a number and the time."""
    frames, referee = evening.wires.frames, evening.identity.public
    seconds = asyncio.get_running_loop().time()
    happened = evening.events
    restarts = 1 + len(evening.plan.referee_restarts)
    returns = Counter(event.identity for event in happened if isinstance(event, PlayerReturned))
    most_returns = 2 + len(evening.server.tournament.rounds) + seconds / 60
    for key, count in returns.items():
        if count > most_returns:
            raise Broken("work", f"{_name(evening, key)} returned {count} times in {seconds:.0f} seconds")
    strangers = Counter(evening.wires.hosts[event.identity] for event in happened if isinstance(event, PlayerEnrolled))
    for host, count in strangers.items():
        if count > restarts * 66 + seconds / 2:
            raise Broken("work", f"{count} players enrolled from {host} in {seconds:.0f} seconds")
    most_visits = restarts * (KNOWN_BURST + 2) + seconds / KNOWN_SECONDS
    for key in {event.identity for event in happened if isinstance(event, PlayerEnrolled)}:
        visits = frames[referee, key, "cup"]
        if visits > most_visits:
            raise Broken("work", f"{_name(evening, key)} was let in {visits} times in {seconds:.0f} seconds")
        most_told = visits * AGAIN_FREE + (restarts * (AGAIN_BURST + 2) + seconds / AGAIN_SECONDS) * len(happened)
        if (told := frames[referee, key, "event"]) > most_told:
            raise Broken("work", f"{_name(evening, key)} was told {told} events, of {len(happened)}")
    to_referee = sum(count for (_, to, _), count in frames.items() if to == referee)
    visits = sum(count for (sender, _, kind), count in frames.items() if sender == referee and kind == "cup")
    for key, player in evening.honest.items():
        for kind in ("doors", "seating", "envelope", "attest"):
            most = ANSWERS * (to_referee + visits + len(happened) + 10)
            if (count := frames[referee, key, kind]) > most:
                raise Broken("work", f"{player.guest.name} was sent {count} frames {kind!r}")
    notices = Counter(one.sentence for one in evening.news if isinstance(one, ServerNotice))
    if sum(notices.values()) > 50 + 2 * len(happened):
        raise Broken("work", f"the organizer was told {sum(notices.values())} sentences")


def _nobody_honest_was_called_silent(evening: Evening) -> None:
    """Checks that no spectator attests the silence of an honest player in a game that has not begun."""
    begun = {event.game for event in evening.events if isinstance(event, GameSeated)}
    for spectator in evening.spectators:
        for key, game in spectator.attested:
            if key in evening.honest and game not in begun:
                raise Broken(
                    "witness", f"{evening.honest[key].guest.name} was called silent in a game that never began"
                )


def _bundle_verifies(evening: Evening) -> None:
    with StoreReader(evening.folder_of_referee) as store:
        path = evening.folder / "evening.cup"
        write_bundle(path, evening.identity, store.settings, store.events(), store.record)
    with path.open("rb") as file:
        bundle = read_bundle(file)
        records = list(read_records(bundle, file))
    _, claims = replay_bundle(bundle)
    left = iter(records)
    for claim in claims:
        record = next(left) if isinstance(claim, ResultClaim) and claim.event.record is not None else None
        if (finding := check_claim(claim, record, lambda _: evening.game)) is None:
            continue
        if finding.code != INCOMPLETE or not evening.plan.referee_restarts:
            # A referee that was away lacks the record of a game to which nobody came back.
            raise Broken("bundle", str(finding))


def _name(evening: Evening, key: bytes) -> str:
    return evening.server.tournament.name(key)
