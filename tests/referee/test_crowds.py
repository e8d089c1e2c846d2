"""Players who have enrolled and do harm: nobody delays a pairing, comes and goes without end, or asks for everything
again and again; and the organizer can keep a player out.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from kimberley.client.cli.verify_all import bundle_in_words, verify_bundle
from kimberley.p2p.base.errors import NotRetryable, UserError
from kimberley.p2p.sentences.tournaments import why_out
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.events import (
    GameSeated,
    MessageSent,
    PlayerBanned,
    PlayerEnrolled,
    PlayerReturned,
    PlayerWithdrew,
    RoundPaired,
    RoundScheduled,
    TableDecided,
    TournamentEvent,
)
from kimberley.p2p.tournament.messages import ENROL
from kimberley.p2p.tournament.orders import OrderReply
from kimberley.p2p.tournament.players import BANNED, KEPT_OUT
from kimberley.p2p.tournament.tournament import Tournament, is_last_round
from kimberley.p2p.transport.channel import Channel, ChannelClosed
from kimberley.p2p.transport.dial import dial
from kimberley.p2p.transport.frames import Frame
from kimberley.protocol import audit
from kimberley.referee import export, membership, player_connections
from kimberley.referee.console import LOST_BURST
from kimberley.referee.membership import BEING_PAIRED, RETURN_SECONDS, return_refusal
from kimberley.referee.organizer import NO_REASON, Organizer
from kimberley.referee.organizer_commands import obey_organizer
from kimberley.referee.server import PresenceChanged, RoundTiming, ServerNotice
from tests.support.asyncs import run, until
from tests.support.evenings import Evening, evening
from tests.support.referee_console import console_of
from tests.support.seated import LOOPBACK, no_faults
from tests.support.stones import STONES
from tests.support.tournaments import PEOPLE, settings_of
from tests.support.tournaments import Evening as PureEvening

OPEN = RoundTiming(pause=0.0)


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


async def connected(held: Evening, identity: Identity, count: int = 0) -> tuple[Channel, Frame]:
    """Returns a channel of a player that says how many events it knows, and the referee's answer."""
    channel = await dial(LOOPBACK, held.server.port, identity, (ENROL,))
    channel.send((ENROL, "eve", count, False))
    return channel, await channel.receive()


class HeldPairing:
    """Keeps each pairing from its end until it is let go, and counts them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun = 0
        self.free = threading.Event()
        proceed = Tournament.proceed

        def slow(now: Tournament, at: int) -> object:
            self.begun += 1
            assert self.free.wait(20)
            return proceed(now, at)

        monkeypatch.setattr(Tournament, "proceed", slow)


def kinds(happened: list[TournamentEvent]) -> list[type[TournamentEvent]]:
    """Returns the kinds of some events, without what tables do by themselves meanwhile."""
    return [type(event) for event in happened if not isinstance(event, GameSeated | TableDecided)]


# -- pairing -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_who_goes_while_a_round_is_paired_goes_right_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, OPEN, rounds=1) as held:
            for name in ("ana", "ben", "cleo", "dan"):
                await held.enter(name, plays=False)
            pairing = HeldPairing(monkeypatch)
            await held.start()
            await until(lambda: pairing.begun)
            going = asyncio.create_task(held.server.withdraw(held.clients["ana"].identity))
            # What does not touch the pairing waits for nothing.
            assert await Organizer(held.server, held.identity).announce("Soon") is None
            assert not going.done()
            pairing.free.set()
            assert await going is None
            assert kinds(held.server.history(0))[-3:] == [MessageSent, RoundPaired, PlayerWithdrew]
            assert pairing.begun == 1
            # It has lost the table at which it was paired, and no other table has changed.
            await until(lambda: held.results)
            assert [result.how for result in held.results] == [events.WITHDREW]

    run(story())


@pytest.mark.slow
def test_the_organizer_still_holds_a_round_that_is_being_paired(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, OPEN, rounds=1) as held:
            for name in ("ana", "ben"):
                await held.enter(name, plays=False)
            pairing = HeldPairing(monkeypatch)
            await held.start()
            await until(lambda: pairing.begun)
            assert await Organizer(held.server, held.identity).schedule(None) is None
            pairing.free.set()
            # This waits for the pairing.
            assert await held.server.withdraw(held.clients["ana"].identity) is None
            assert kinds(held.server.history(0))[-2:] == [RoundScheduled, PlayerWithdrew]

    run(story())


@pytest.mark.slow
def test_who_comes_while_a_round_is_paired_waits_a_while_and_is_then_asked_to_come_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, OPEN, rounds=2) as held:
            for name in ("ana", "ben"):
                await held.enter(name, plays=False)
            pairing = HeldPairing(monkeypatch)
            await held.start()
            await until(lambda: pairing.begun)
            monkeypatch.setattr(membership, "PAIRING_SECONDS", 0.1)
            with pytest.raises(UserError, match=BEING_PAIRED):
                await held.enter("cleo", plays=False)
            # A player who is already playing comes back at once.
            await held.leave("ana")
            await held.enter("ana", plays=False)
            monkeypatch.setattr(membership, "PAIRING_SECONDS", 20.0)
            cleo = asyncio.create_task(held.enter("cleo", plays=False))
            pairing.free.set()
            await cleo
            assert kinds(held.server.history(0))[-2:] == [RoundPaired, PlayerEnrolled]

    run(story())


# -- coming and going --------------------------------------------------------------------------------------------------


def test_a_player_returns_once_a_round_and_before_the_first_one_once_in_a_while() -> None:
    held = PureEvening.of(settings_of(rounds=2), PEOPLE[:4])
    ana = PEOPLE[0]

    def refused(at: int) -> bool:
        return return_refusal(held.tournament, ana, at) is not None

    held.add(PlayerWithdrew(100, ana))
    assert not refused(100)
    held.add(PlayerReturned(100, ana))
    held.add(PlayerWithdrew(101, ana))
    assert refused(99 + RETURN_SECONDS)
    assert not refused(100 + RETURN_SECONDS)
    assert not refused(1), "a clock that was set back makes nobody wait"
    for _ in range(2):
        held.proceed()
        assert not refused(held.at)
        held.add(PlayerReturned(held.at, ana))
        held.add(PlayerWithdrew(held.at, ana))
        told = return_refusal(held.tournament, ana, held.at + 10 * RETURN_SECONDS)
        assert told is not None
        assert ("in the next round" in told) != is_last_round(held.tournament)
        for table in held.tournament.rounds[-1].open:
            held.decide(table, (1, 2))
        assert refused(held.at + 10 * RETURN_SECONDS), "until the next round is paired"


@pytest.mark.slow
def test_who_has_come_back_once_is_told_when_it_can_come_back_again(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, OPEN, rounds=2) as held:
            for name in ("ana", "ben", "cleo", "dan"):
                await held.enter(name, plays=False)
            ana = held.clients["ana"].identity
            await held.start()
            await until(lambda: held.server.tournament.rounds)
            for _ in range(2):
                assert await held.server.withdraw(ana) is None
                await held.leave("ana")
                if not any(isinstance(event, PlayerReturned) for event in held.server.history(0)):
                    await held.enter("ana", plays=False)
            with pytest.raises(UserError, match=r"once in this round\. You can come back in the next round"):
                await held.enter("ana", plays=False)
            # Nothing of that is kept only in memory.
            await held.reopen()
            with pytest.raises(UserError, match="once in this round"):
                await held.enter("ana", plays=False)

    run(story())


def test_who_connects_too_often_is_turned_away_for_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_connections, "KNOWN_BURST", 2)
    monkeypatch.setattr(player_connections, "KNOWN_SECONDS", 3600.0)

    async def story() -> None:
        async with evening(tmp_path, STONES, OPEN) as held:
            eve, answers = Identity.fresh(), []
            for _ in range(4):
                channel, answer = await connected(held, eve)
                answers.append(answer[0])
                await channel.close()
            # The first of them has enrolled it.
            assert answers == ["cup"] * 3 + ["refused"]
            await held.enter("ana", plays=False)

    run(story())


@pytest.mark.slow
def test_a_second_program_of_a_player_takes_over_its_game_and_the_first_one_stops_and_says_why(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(players=2, pause=0.0), rounds=1) as held:
            first = await held.enter("ana", plays=False)
            await held.enter("ben")
            await until(lambda: first.table is not None and first.table.peer is not None and first.table.peer.asked)
            await held.enter("ana")
            await until(lambda: first.phase == "failed")
            assert first.problem == player_connections.REPLACED
            assert [result.how for result in await held.end()] == [events.PLAYED]
            await first.close()

    run(story())


def test_of_a_player_that_comes_and_goes_only_the_first_times_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, OPEN) as held:
            console = console_of(held.server, tmp_path / "referee", held.identity)
            eve = Identity.fresh()
            assert await held.server.enroll(eve.public, "eve", bot=False) is None
            capsys.readouterr()
            for _ in range(3 * LOST_BURST):
                for here in (False, True):
                    held.server.on_presence(eve.public, here)
            said = [line[10:] for line in capsys.readouterr().out.splitlines()]
            assert said.count("eve is offline.") == said.count("eve is back.") == LOST_BURST
            assert len([line for line in said if line.endswith("type: ban NAME: REASON")]) == 1
            await console.close()

    run(story())


# -- asking again ------------------------------------------------------------------------------------------------------


def test_asking_for_everything_again_is_answered_once_in_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_connections, "AGAIN_FREE", 1)
    monkeypatch.setattr(player_connections, "AGAIN_BURST", 1)
    monkeypatch.setattr(player_connections, "AGAIN_SECONDS", 3600.0)

    async def story() -> None:
        async with evening(tmp_path, STONES, OPEN) as held:
            eve, organizer = Identity.fresh(), Organizer(held.server, held.identity)
            for _ in range(4):
                await organizer.announce("Pizza is here")
            answers = []
            for count in (0, 0, 0, 4, 1 << 40):
                channel, answer = await connected(held, eve, count)
                answers.append(answer[0])
                await channel.close()
                await until(lambda: eve.public not in held.server.present)
            assert answers == ["cup", "cup", "refused", "cup", "cup"]

    run(story())


def test_what_a_player_lacks_comes_in_pieces_and_without_a_gap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_connections, "MOST_PIECE", 2)

    async def story() -> None:
        async with evening(tmp_path, STONES, OPEN) as held:
            organizer = Organizer(held.server, held.identity)
            for number in range(9):
                await organizer.announce(f"{number}")
            entering = asyncio.create_task(held.enter("ana", plays=False))
            for number in range(9, 20):
                await organizer.announce(f"{number}")
            ana = await entering
            await until(lambda: len(ana.tournament.messages) == 20)
            assert ana.problem is None
            assert ana.identity in held.server.present

    run(story())


def test_who_reads_nothing_of_what_has_happened_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_connections, "MOST_PIECE", 1)
    monkeypatch.setattr(player_connections, "MOST_AHEAD", -1)
    monkeypatch.setattr(player_connections, "CATCH_UP_SECONDS", 0.2)

    async def story() -> None:
        async with evening(tmp_path, STONES, OPEN) as held:
            await Organizer(held.server, held.identity).announce("Pizza is here")
            eve = Identity.fresh()
            channel, answer = await connected(held, eve)
            assert answer[0] == "cup"
            with contextlib.suppress(ChannelClosed):
                while True:
                    await channel.receive()
            assert eve.public not in held.server.present
            await channel.close()

    run(story())


# -- keeping a player out ----------------------------------------------------------------------------------------------


def test_a_player_is_kept_out_for_good_and_everybody_hears_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(pause=600.0), rounds=2) as held:
            console = console_of(held.server, tmp_path / "referee", held.identity)
            organizer = Organizer(held.server, held.identity)
            for name in ("ana", "ben", "eve"):
                await held.enter(name, plays=False)
            eve = held.clients["eve"]
            assert await obey_organizer(organizer, "ban eve") == OrderReply(False, NO_REASON)
            assert not (await obey_organizer(organizer, "ban : why")).done
            assert (await obey_organizer(organizer, "ban dan: why")).sentence.startswith("No player")
            assert await obey_organizer(organizer, "ban eve: she comes and goes") == OrderReply(True)
            await until(lambda: eve.phase == "failed")
            assert eve.problem == f"{KEPT_OUT} The reason: she comes and goes."
            assert why_out(eve.tournament, eve.identity) == KEPT_OUT
            said = "The organizer has removed eve for good: she comes and goes."
            assert said in capsys.readouterr().out
            await until(lambda: any(player.state == BANNED for player in held.clients["ana"].tournament.players))
            with pytest.raises(UserError, match=KEPT_OUT):
                await held.enter("eve", plays=False)
            assert await organizer.ban(eve.identity, "again") == "eve is banned."
            assert await organizer.withdraw(eve.identity) == "eve is banned."
            await held.reopen()
            with pytest.raises(NotRetryable, match=KEPT_OUT):
                await held.enter("eve", plays=False)
            assert PlayerBanned in kinds(held.events())
            path, *_ = export.export_tournament(tmp_path / "referee", held.identity, held.find)
            judged = verify_bundle(path)
            assert judged.finding.code == audit.INCOMPLETE, judged.finding.reason
            assert (
                f"Before round 1: eve ({eve.identity.hex()[:16]}) was removed for good by the organizer. "
                "The organizer’s reason: she comes and goes."
            ) in "\n".join(bundle_in_words(judged))
            await console.close()

    run(story())


@pytest.mark.slow
def test_who_is_kept_out_loses_the_table_and_is_not_paired_again(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(pause=0.0), rounds=2) as held:
            for name in ("ana", "eve"):
                await held.enter(name, plays=False)
            eve = held.clients["eve"].identity
            await held.start()
            await until(lambda: held.server.referees)
            assert await Organizer(held.server, held.identity).ban(eve, "no") is None
            await until(lambda: held.results)
            (result,) = held.results
            seats = held.server.tournament.rounds[0].tables[0].seats
            assert (result.how, seats[result.lost[0]]) == (events.WITHDREW, eve)
            assert result.sentence == "eve was removed by the organizer."

    run(story())


# -- names -------------------------------------------------------------------------------------------------------------


def test_the_organizer_is_asked_who_is_meant_when_a_second_one_comes_under_a_members_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def story() -> None:
        plan = RoundTiming(pause=0.0, teams={"Reds": ("ana", "ben")})
        async with evening(tmp_path, STONES, plan, rounds=1, boards=2) as held:
            first, second = Identity.fresh().public, Identity.fresh().public
            for identity, name in ((Identity.fresh().public, "ana"), (first, "ben"), (second, "Ben")):
                assert await held.server.enroll(identity, name, bot=False) is None
            (question,) = [news.sentence for news in held.news if isinstance(news, ServerNotice)]
            assert question.startswith("Which ben plays for team Reds: ")
            # Also after the referee was stopped, when it says how things are.
            await held.reopen()
            console_of(held.server, tmp_path / "referee", held.identity).open(plan)
            assert question in capsys.readouterr().out
            typed = question[question.rindex("team Reds:") :]
            assert await obey_organizer(Organizer(held.server, held.identity), typed) == OrderReply(True)
            (team,) = held.server.tournament.teams
            assert team.members[1] == second
            assert held.server.membership.questions == []

    run(story())


def test_presence_is_told_only_when_a_player_has_heard_everything(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, OPEN) as held:
            await held.enter("ana", plays=False)
            assert [type(news) for news in held.news] == [PlayerEnrolled, PresenceChanged]

    run(story())
