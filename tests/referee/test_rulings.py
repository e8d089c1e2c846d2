"""What a referee rules, over real sockets: who stalls, is silent, cheats, refuses the audit, stays away, withdraws."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from kimberley.client.cli.verify_all import verify_bundle
from kimberley.games.diamond import GAME as DIAMOND
from kimberley.games.land import GAME as LAND
from kimberley.games.table import Plain
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table import match
from kimberley.p2p.tournament import client, events
from kimberley.p2p.tournament.client import TournamentClient
from kimberley.p2p.tournament.events import TableDecided
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.link import Link
from kimberley.protocol import audit
from kimberley.protocol.audit import Verdict, verify
from kimberley.protocol.closing import SHOW
from kimberley.protocol.peer import Peer
from kimberley.protocol.roster import SignedRoster
from kimberley.referee import clock_keeper, export, forwarding, readiness, round_tables
from kimberley.referee.server import RoundTiming, TableWaits
from tests.support.asyncs import run, until
from tests.support.cheats import Double, cheat, silent
from tests.support.evenings import Evening, clock, evening, grace
from tests.support.hostile_player import cannot_be_reached, hide_opponent
from tests.support.seated import no_faults
from tests.support.stones import MANY_STONES, STONES

pytestmark = pytest.mark.slow

ONE = RoundTiming(players=2, pause=0.0)
LONG = {"rounds": 40}


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


@pytest.fixture
def kinds(monkeypatch: pytest.MonkeyPatch) -> dict[bytes, type[Peer]]:
    """Returns the kinds of seats of those who do not play as the others do, by identity."""
    found: dict[bytes, type[Peer]] = {}

    def peer(game: object, table: SignedRoster, seat: int, *more: object) -> Peer:
        kind = found.get(table.roster.seats[seat].identity, Peer)
        return kind(game, table, seat, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(match, "Peer", peer)
    return found


def identity(tmp_path: Path, name: str) -> bytes:
    return Identity.load_or_create(tmp_path / name).public


async def settled(held: Evening, how: str, loser: str) -> tuple[TableDecided, Verdict | None]:
    """Returns the one result of a cup, which went against `loser`, and what the audit says of its record."""
    (result,) = await held.end()
    (table,) = held.server.tournament.rounds[0].tables
    names = held.names(table.seats)
    assert result.how == how, result.sentence
    assert result.places == tuple(0 if name == loser else 1 for name in names)
    assert result.sentence.startswith(loser) or f", {loser} cheated" in result.sentence
    for one in held.clients.values():
        assert one.tournament.rounds[0].tables[0].decided == result
    packed = held.record(result.record) if result.record is not None else None
    return result, verify(packed, held.find) if packed is not None else None


def test_who_lets_the_time_run_out_loses(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, rounds=1, **clock(2, 1)) as held:
            await held.enter("ana")
            stalls = await held.enter("ben", plays=False)
            await until(lambda: stalls.table is not None and stalls.table.phase == "playing")
            own = stalls.table
            assert own is not None
            mine = own.occupants.seat
            # The increment of the choice that ana has made.
            await until(lambda: len(stalls.clocks) == 2 and stalls.clocks[1 - mine].seconds > 2)
            shown = stalls.clocks
            assert [one.runs for one in shown] == [seat == mine for seat in range(2)]
            assert shown[mine].seconds <= 2
            result, verdict = await settled(held, events.TIME, "ben")
            assert result.sentence == "ben ran out of time."
            assert verdict is not None
            assert verdict.code == audit.INCOMPLETE
            assert own.problem == result.sentence

    run(story())


def test_who_is_gone_without_a_clock_loses_by_silence_and_the_record_says_who_attests_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, rounds=1, **grace(5)) as held:
            ana = await held.enter("ana")
            ben = await held.enter("ben", plays=False)
            await until(lambda: ben.table is not None and ben.table.phase == "playing")
            table = ana.table
            assert table is not None
            await until(lambda: table.peer is not None and table.peer.waiting == (1 - table.occupants.seat,))
            await held.leave("ben")
            _, verdict = await settled(held, events.SILENCE, "ben")
            assert verdict is not None
            assert verdict.code == audit.INCOMPLETE
            assert verdict.attested == ((1 - table.occupants.seat, (f"spectator {held.identity.public.hex()[:16]}",)),)
            # The player who stayed has the same in its own record.
            await until(lambda: table.ending.record is not None)
            assert table.ending.record is not None
            assert verify(table.ending.record.read_bytes(), held.find).attested == verdict.attested

    run(story())


def test_silence_is_ruled_when_it_can_be_attested_though_the_player_was_away_before(tmp_path: Path) -> None:
    async def story() -> None:
        loop, seconds = asyncio.get_running_loop(), 5
        async with evening(tmp_path, STONES, ONE, rounds=1, **grace(seconds)) as held:
            ana = await held.enter("ana", plays=False)
            ben = await held.enter("ben", plays=False)
            await until(lambda: ana.table is not None and ana.table.phase == "playing")
            await until(lambda: ben.table is not None and ben.table.phase == "playing")
            table = ana.table
            assert table is not None
            await until(lambda: table.peer is not None and table.peer.waiting == (0, 1))
            await held.leave("ben")
            left_at = loop.time()
            # Ana thinks on while ben is away.
            await until(lambda: loop.time() - left_at > seconds / 2)
            chosen_at = loop.time()
            held.play("ana")
            _, verdict = await settled(held, events.SILENCE, "ben")
            assert loop.time() - chosen_at >= seconds
            assert verdict is not None
            assert [seat for seat, _ in verdict.attested] == [1 - table.occupants.seat]

    run(story())


def test_who_is_caught_cheating_is_out(tmp_path: Path, kinds: dict[bytes, type[Peer]]) -> None:
    def rubbish(peer: Peer, body: Plain) -> Plain:
        return b"rubbish" if peer.play.step == 2 else body

    async def story() -> None:
        kinds[identity(tmp_path, "ben")] = cheat(rubbish)
        async with evening(tmp_path, STONES, ONE, rounds=2) as held:
            await held.enter("ana")
            await held.enter("ben")
            result, verdict = await settled(held, events.CHEATING, "ben")
            assert "ben cheated (" in result.sentence
            assert verdict is not None
            assert verdict.code == audit.UNFAIR
            player = held.server.tournament.player(identity(tmp_path, "ben"))
            assert player is not None
            assert player.state == "disqualified"

    run(story())


@pytest.mark.parametrize("reached", [lambda _client: None, cannot_be_reached], ids=["at her door", "by herself"])
def test_who_signs_two_things_is_out_whichever_of_them_the_others_show(
    tmp_path: Path, kinds: dict[bytes, type[Peer]], reached: Callable[[TournamentClient], None]
) -> None:
    """Ben shows the referee one of two envelopes, and ana got the other: her game ends as soon as she gets both."""

    async def story() -> None:
        kinds[identity(tmp_path, "ben")] = Double
        async with evening(tmp_path, STONES, ONE, rounds=1, **grace(5)) as held:
            reached(await held.enter("ana", plays=False))
            hide_opponent(await held.enter("ben"))
            _, verdict = await settled(held, events.CHEATING, "ben")
            assert verdict is not None
            assert "two different messages with one number" in verdict.reason

    run(story())


def test_who_is_back_after_it_caught_a_cheat_shows_the_proof(
    tmp_path: Path, kinds: dict[bytes, type[Peer]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ana's program is killed when it has caught ben, and before the referee has seen the proof."""
    monkeypatch.setattr(client, "RESULT_SECONDS", 0.0)

    async def story() -> None:
        kinds[identity(tmp_path, "ben")] = Double
        async with evening(tmp_path, STONES, ONE, rounds=1, **grace(5)) as held:
            ana = await held.enter("ana", plays=False)
            cannot_be_reached(ana)
            hide_opponent(await held.enter("ben"))
            await until(lambda: ana.table is not None and ana.table.phase == "failed")
            await held.leave("ana")
            assert not held.results
            cannot_be_reached(await held.enter("ana", plays=False))
            _, verdict = await settled(held, events.CHEATING, "ben")
            assert verdict is not None
            assert "two different messages with one number" in verdict.reason

    run(story())


async def _quit(held: Evening) -> None:
    await held.leave("ana")


async def _withdraw(held: Evening) -> None:
    held.clients["ana"].withdraw()


@pytest.mark.parametrize("goes", [_withdraw, _quit])
def test_who_goes_after_it_caught_a_cheat_does_not_lose(
    tmp_path: Path, kinds: dict[bytes, type[Peer]], goes: Callable[[Evening], Awaitable[None]]
) -> None:
    """Ana goes when her program has caught ben, and before the referee has seen the proof."""

    async def story() -> None:
        kinds[identity(tmp_path, "ben")] = Double
        async with evening(tmp_path, STONES, ONE, rounds=1, **grace(5)) as held:
            ana = await held.enter("ana", plays=False)
            cannot_be_reached(ana)
            hide_opponent(await held.enter("ben"))
            await until(lambda: ana.table is not None and ana.table.peer is not None and ana.table.peer.caught)
            assert not held.results
            await goes(held)
            await settled(held, events.CHEATING, "ben")

    run(story())


def test_who_refuses_the_audit_loses_whatever_the_game_came_to(tmp_path: Path, kinds: dict[bytes, type[Peer]]) -> None:
    def refuses(peer: Peer) -> bool:
        return peer.closing is not None and peer.closing.stage == SHOW

    async def story() -> None:
        kinds[identity(tmp_path, "ben")] = silent(refuses)
        async with evening(tmp_path, STONES, ONE, rounds=1, **grace(5)) as held:
            await held.enter("ana")
            await held.enter("ben")
            result, verdict = await settled(held, events.REFUSED, "ben")
            assert "did not finish the fairness check" in result.sentence
            assert verdict is not None
            assert verdict.result is not None

    run(story())


def test_who_leaves_after_a_game_has_ended_and_owes_nothing_does_not_lose_it(
    tmp_path: Path, kinds: dict[bytes, type[Peer]]
) -> None:
    def refuses(peer: Peer) -> bool:
        return peer.closing is not None and peer.closing.stage == SHOW

    async def story() -> None:
        kinds[identity(tmp_path, "ben")] = silent(refuses)
        async with evening(tmp_path, STONES, ONE, rounds=1, **grace(5)) as held:
            ana = await held.enter("ana")
            await held.enter("ben")
            await until(lambda: ana.table is not None and ana.table.phase == "playing")
            (referee,) = held.server.referees.values()
            seat = referee.people.index(ana.identity)

            def owes_nothing() -> bool:
                view = referee.view
                return (
                    view is not None and view.result is not None and view.slot[1] == SHOW and seat not in view.waiting
                )

            await until(owes_nothing)
            assert ana.table is not None
            ana.table.departures.leave()
            result, _ = await settled(held, events.REFUSED, "ben")
            assert "ben sent nothing for" in result.sentence
            assert "did not finish the fairness check" in result.sentence

    run(story())


def test_who_does_not_come_to_the_table_loses(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(pause=0.0, come=6.0), rounds=1) as held:
            await held.enter("ana")
            await held.enter("ben")
            await held.leave("ben")
            await held.start()
            result, verdict = await settled(held, events.ABSENT, "ben")
            assert verdict is None
            assert result.game is None

    run(story())


def referee_follows(held: Evening) -> bool:
    """Returns whether the referee has seen a game begin: whoever leaves before that leaves no game."""
    return any(referee.view is not None for referee in held.server.referees.values())


def test_who_withdraws_in_the_middle_of_a_round_loses_it_and_is_not_paired_again(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(players=3, pause=0.0), rounds=2) as held:
            for name in ("ana", "ben", "cleo"):
                await held.enter(name, plays=False)
            await until(lambda: any(one.table and one.table.phase == "playing" for one in held.clients.values()))
            await until(lambda: referee_follows(held))
            goes = next(one for one in held.clients.values() if one.table and one.table.phase == "playing")
            name = held.server.tournament.name(goes.identity)
            place, channel = goes.place, goes._channel
            assert place is not None
            assert channel is not None
            goes.withdraw()
            # So its program may say at once, before it knows that the withdrawal is stored.
            channel.send(("leave", place.round, place.table))
            for other in sorted({"ana", "ben", "cleo"} - {name}):
                held.play(other)
            first, *later = await held.end()
            assert (first.how, first.sentence) == (events.WITHDREW, f"{name} withdrew from the tournament.")
            packed = held.record(first.record or b"")
            assert packed is not None
            assert verify(packed, held.find).code == audit.INCOMPLETE
            assert [result.how for result in later] == [events.PLAYED]
            assert goes.identity not in held.server.tournament.rounds[1].tables[0].seats
            assert goes.table is None

    run(story())


def test_who_leaves_a_table_loses_it_and_stays_in_the_tournament(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, rounds=1, options=LONG) as held:
            await held.enter("ana")
            ben = await held.enter("ben", plays=False)
            await until(lambda: ben.table is not None and ben.table.peer is not None and ben.table.peer.asked)
            assert ben.table is not None
            ben.table.departures.leave()
            result, _ = await settled(held, events.WITHDREW, "ben")
            assert result.sentence == "ben left the table for good."
            assert [player.state for player in held.server.tournament.players] == ["in", "in"]

    run(story())


def test_who_leaves_before_the_game_loses_it_and_who_finds_other_words_may_try_again(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, rounds=1) as held:
            await held.enter("ben")
            await held.leave("ben")
            ben = await held.enter("ben", plays=False, headless=False, nickname="benjamin")
            await held.enter("ana")
            await until(lambda: ben.table is not None and ben.table.phase == "words")
            first = ben.table
            assert first is not None
            assert sorted(first.occupants.names) == ["ana", "ben"]
            first.words.answer(False)
            await until(lambda: ben.table is not None and ben.table is not first and ben.table.phase == "words")
            assert ben.table is not None
            assert not held.results
            ben.table.departures.leave()
            result, _ = await settled(held, events.WITHDREW, "ben")
            assert result.sentence == "ben left the table for good."
            assert result.game is None

    run(story())


def keep_back(monkeypatch: pytest.MonkeyPatch, names: list[str]) -> None:
    """Keeps seats from sending envelopes to the players of these names, from now on."""
    real = Link.send

    def send(link: Link, frame: Frame) -> None:
        if frame[0] != "envelope" or link.nickname not in names:
            real(link, frame)

    monkeypatch.setattr(Link, "send", send)


def test_a_seat_cannot_keep_its_envelopes_for_the_referee_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ben gives ana nothing once the game has begun, and shows all of it at his door: ana must not lose for it."""
    silenced: list[str] = []
    keep_back(monkeypatch, silenced)

    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, rounds=1, options={"rounds": 1}, **clock(60)) as held:
            await held.enter("ana")
            ben = await held.enter("ben")
            await until(lambda: ben.table is not None and ben.table.phase == "playing")
            silenced.append("ana")
            (result,) = await held.end()
            assert result.how == events.PLAYED, result.sentence

    run(story())


def test_what_a_seat_keeps_back_costs_the_other_no_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player shows a move to the referee alone, and that passes nothing on: the other one's clock stands still."""
    monkeypatch.setattr(forwarding, "LAG_SECONDS", 3600.0)
    quiet: list[str] = []
    keep_back(monkeypatch, quiet)

    async def story() -> None:
        async with evening(tmp_path, DIAMOND, ONE, rounds=1, **clock(2)) as held:
            await asyncio.gather(*(held.enter(name, plays=False) for name in ("ana", "ben")))

            def on_turn() -> list[str]:
                tables = {name: client.table for name, client in held.clients.items()}
                return [name for name, table in tables.items() if table and table.peer and table.peer.asked]

            await until(on_turn)
            (mover,) = on_turn()
            (other,) = {"ana", "ben"} - {mover}
            quiet.append(other)
            table, (referee,), loop = (
                held.clients[mover].table,
                held.server.referees.values(),
                asyncio.get_running_loop(),
            )
            assert table is not None
            assert table.peer is not None
            assert table.peer.asked is not None
            table.play.choose(table.peer.asked.space.pick(Random(1)))
            seat = 1 - table.occupants.seat
            await until(lambda: referee.view is not None and referee.view.waiting == (seat,))
            shown = loop.time()
            await until(lambda: loop.time() - shown > 3.0)
            assert not held.results
            assert referee.clocks.used(seat, loop.time()) == 0
            monkeypatch.setattr(forwarding, "LAG_SECONDS", 0.0)
            await settled(held, events.TIME, other)

    run(story())


def test_who_has_left_a_game_gains_nothing_by_a_later_ruling(tmp_path: Path) -> None:
    """Ben leaves, and cleo's clock runs out, before or after that takes effect in the game: ana alone has won."""

    async def story() -> None:
        async with evening(tmp_path, LAND, RoundTiming(players=3, pause=0.0), rounds=1, seats=3, **clock(3)) as held:
            await held.enter("ana")
            ben = await held.enter("ben", plays=False)
            cleo = await held.enter("cleo", plays=False)
            await until(lambda: ben.table is not None and ben.table.phase == "playing")
            await until(lambda: cleo.table is not None and cleo.table.phase == "playing")
            await until(lambda: referee_follows(held))
            assert ben.table is not None
            ben.table.departures.leave()
            (result,) = await held.end()
            assert result.how == events.TIME, result.sentence
            assert result.sentence.startswith("cleo ran out of time")
            assert result.sentence.endswith(" ben had already left.")
            (table,) = held.server.tournament.rounds[0].tables
            assert dict(zip(held.names(table.seats), result.places, strict=True)) == {"ana": 1, "ben": 0, "cleo": 0}
            bundle, *_ = export.export_tournament(tmp_path / "referee", held.identity, held.find)
            assert verify_bundle(bundle).finding.code == audit.FAIR

    run(story())


def test_a_table_of_three_goes_on_to_a_ruling_when_one_is_gone(tmp_path: Path) -> None:
    async def story() -> None:
        plan = RoundTiming(players=3, pause=0.0)
        async with evening(tmp_path, MANY_STONES, plan, rounds=1, seats=3, **clock(3)) as held:
            await held.enter("ana")
            await held.enter("ben")
            cleo = await held.enter("cleo", plays=False)
            await until(lambda: cleo.table is not None and cleo.table.peer is not None and cleo.table.peer.asked)
            await held.leave("cleo")
            (result,) = await held.end()
            assert result.how == events.TIME
            assert result.sentence.startswith("cleo ran out of time")
            assert sorted(result.places) == [0, 1, 1]

    run(story())


async def seated_on_turn(held: Evening) -> tuple[str, str]:
    """Returns ana and ben at a game of Diamond in which nobody plays: the player to move, and the other one, who goes
    away.
    """
    for name in ("ana", "ben"):
        await held.enter(name, plays=False)
    await until(lambda: all(one.table is not None and one.table.phase == "playing" for one in held.clients.values()))
    tables = {name: client.table for name, client in held.clients.items()}
    await until(
        lambda: any(table is not None and table.peer is not None and table.peer.asked for table in tables.values())
    )
    on_turn = next(name for name, table in tables.items() if table is not None and table.peer and table.peer.asked)
    (gone,) = set(tables) - {on_turn}
    await held.leave(gone)
    return on_turn, gone


def test_nobody_loses_on_time_to_a_player_who_is_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of the player to move stands still after a while, and the one who is away loses by silence."""
    monkeypatch.setattr(clock_keeper, "AWAY_SECONDS", 1.0)

    async def story() -> None:
        async with evening(tmp_path, DIAMOND, ONE, rounds=1, **grace(5), **clock(6)) as held:
            on_turn, gone = await seated_on_turn(held)
            stays = held.clients[on_turn]
            seat = stays.people.index(stays.identity)
            await until(lambda: stays.clocks and stays.clocks[1 - seat].away and not stays.clocks[seat].runs)
            assert 0 < stays.clocks[seat].seconds <= 6
            assert not stays.clocks[1 - seat].runs
            result, verdict = await settled(held, events.AWAY, gone)
            assert result.sentence.startswith(f"{gone} lost after being away for 6 seconds on {on_turn}’s turn")
            assert verdict is not None
            assert (verdict.code, verdict.attested) == (audit.INCOMPLETE, ())

    run(story())


def test_without_clocks_a_player_who_is_away_on_the_turn_of_another_loses_after_the_grace(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, DIAMOND, ONE, rounds=1, **grace(5)) as held:
            _, gone = await seated_on_turn(held)
            await settled(held, events.AWAY, gone)

    run(story())


def test_whose_time_runs_out_while_another_is_away_has_not_lost(tmp_path: Path) -> None:
    """The time of the player to move is over before the clocks stand still, and the other one comes back."""

    async def story() -> None:
        async with evening(tmp_path, DIAMOND, ONE, rounds=1, **grace(60), **clock(2)) as held:
            on_turn, gone = await seated_on_turn(held)
            (referee,) = held.server.referees.values()
            seat = held.clients[on_turn].people.index(held.clients[on_turn].identity)
            await until(lambda: referee.clocks.left(seat, asyncio.get_running_loop().time()) == 0)
            assert not held.results
            await held.enter(gone, plays=False)
            await settled(held, events.TIME, on_turn)

    run(story())


def test_who_does_not_say_in_time_that_the_words_are_the_same_loses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(round_tables, "TELL_SECONDS", 0.5)

    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(players=2, pause=0.0, come=5.0), rounds=1) as held:
            await held.enter("ana")
            ben = await held.enter("ben", plays=False, headless=False)
            result, verdict = await settled(held, events.UNREADY, "ben")
            assert result.sentence == "ben did not confirm within 5 seconds that the words match."
            assert (verdict, result.game) == (None, None)
            waits = [news.wait for news in held.news if isinstance(news, TableWaits)]
            seat = (held.server.tournament.rounds[0].tables[0].seats.index(ben.identity),)
            assert (seat, readiness.COMPARING) in {(wait.seats, wait.doing) for wait in waits}

    run(story())


def test_all_lose_if_nobody_says_that_the_words_are_the_same(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, RoundTiming(players=2, pause=0.0, come=4.0), rounds=1) as held:
            for name in ("ana", "ben"):
                await held.enter(name, plays=False, headless=False)
            (result,) = await held.end()
            assert (result.how, result.places) == (events.UNREADY, (0, 0))

    run(story())


def test_who_says_only_to_the_referee_that_the_words_are_the_same_has_said_it_to_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Link.send
    monkeypatch.setattr(Link, "send", lambda link, frame: None if frame[:2] == ("vote", "same") else real(link, frame))

    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, rounds=1) as held:
            await held.enter("ana")
            await held.enter("ben")
            (result,) = await held.end()
            assert result.how == events.PLAYED

    run(story())


def test_nobody_compares_words_with_a_bot_whose_key_the_referee_names(tmp_path: Path) -> None:
    async def story() -> None:
        async with evening(tmp_path, STONES, ONE, rounds=1) as held:
            ana = await held.enter("ana", plays=False, headless=False)
            ben = await held.enter("ben", announced=True)
            await until(lambda: ana.table is not None and ana.table.phase == "playing")
            assert ana.table is not None
            assert sorted(ana.table.words.acquaintance) == ["named bot", "you"]
            assert [held.server.tournament.label(one.identity) for one in (ana, ben)] == ["ana", "ben (bot)"]

    run(story())
