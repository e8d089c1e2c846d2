"""What a player takes from a referee, and what it does not: forged results, contradictions, other games, nonsense."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from kimberley.games.table import Game
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.common_options import FINAL_ADJUSTMENT
from kimberley.p2p.tournament import client as client_module
from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.client import TournamentClient
from kimberley.p2p.tournament.events import (
    DecisionUndone,
    GameSeated,
    LotsDrawn,
    PlayerEnrolled,
    RoundPaired,
    TableDecided,
    TournamentEvent,
    decide,
)
from kimberley.p2p.tournament.messages import TableId, read_wait
from kimberley.p2p.tournament.players import KEPT_OUT
from kimberley.p2p.tournament.settings import MOST_TABLES, TournamentSettings
from kimberley.p2p.transport.channel import Channel
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.handshake import PeerVersion, refusal_frame
from kimberley.p2p.transport.link import REDIAL_SECONDS
from kimberley.p2p.transport.listener import Listener
from kimberley.p2p.transport.table_card import TableCard
from tests.support.asyncs import run, until
from tests.support.seated import LOOPBACK, no_faults
from tests.support.stones import STONES

SEED = bytes(32)
REFEREE, ANA, BEN = Identity.fresh(), Identity.fresh(), Identity.fresh()
PAIR = ANA.public, BEN.public


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield from no_faults(caplog)


def find(game: str) -> Game:
    if game != "stones":
        raise LookupError(game)
    return STONES


def settings(**other: object) -> TournamentSettings:
    made = TournamentSettings.of(
        REFEREE.public, "Friday Cup", game="stones", rules=1, options={"rounds": 3, FINAL_ADJUSTMENT: 0},
        format="swiss", rounds=2, seats=2, allowed=(2,), clock=None, seed=SEED,
    )  # fmt: skip
    return replace(made, **other)  # type: ignore[arg-type]


BEGUN: tuple[TournamentEvent, ...] = (
    PlayerEnrolled(1, ANA.public, "ana"), PlayerEnrolled(2, BEN.public, "ben"), LotsDrawn(3, SEED),
    RoundPaired(4, 1, (PAIR,), ()),
    GameSeated(5, 1, 0, bytes(32), (ANA.sign(events.SAME, bytes(32)), BEN.sign(events.SAME, bytes(32)))),
)  # fmt: skip


def result(
    signer: Identity = REFEREE, of: TournamentSettings | None = None, seats: tuple[bytes, ...] = PAIR
) -> TableDecided:
    """Returns the result that ben has left."""
    return decide(
        signer, of or settings(), seats, at=6, round=1, table=0, places=(1, 0), how=events.WITHDREW,
        sentence="ben is away.", game=bytes(32),
    )  # fmt: skip


def decision() -> TableDecided:
    """Returns the organizer's decision that ana has won."""
    return decide(
        REFEREE, settings(), PAIR, at=6, round=1, table=0, places=(1, 0), how=events.ORGANIZER,
        sentence="ana won.", game=bytes(32),
    )  # fmt: skip


def undone(signer: Identity = REFEREE) -> DecisionUndone:
    """Returns the event that this no longer counts."""
    event = events.reopen(signer, settings(), PAIR, DecisionUndone(7, 1, 0, "The wrong name.", b""))
    assert isinstance(event, DecisionUndone)
    return event


@asynccontextmanager
async def referee(
    said: Callable[[Frame], list[Frame]], identity: Identity = REFEREE, channels: list[Channel] | None = None
) -> AsyncIterator[str]:
    """Opens a door at which somebody answers the enrollment with these frames. Yields its address, and puts the
    connections into `channels`.
    """
    channels = [] if channels is None else channels

    async def answer(channel: Channel) -> None:
        for frame in said(await channel.receive()):
            channel.send(frame)

    def welcome(channel: Channel) -> None:
        channels.append(channel)
        tasks.append(loop.create_task(answer(channel)))

    loop = asyncio.get_running_loop()
    tasks: list[asyncio.Task[None]] = []
    card = TableCard(identity.public, "Friday Cup", "stones", 1, 2, 2, PeerVersion.own())
    door = Listener(identity, welcome, lambda: card)
    await door.open(0, LOOPBACK)
    try:
        yield f"{LOOPBACK}:{door.port}"
    finally:
        await asyncio.gather(*tasks)
        for channel in channels:
            await channel.close()
        await door.close()


def tells(
    happened: tuple[TournamentEvent, ...], start: int = 0, of: TournamentSettings | None = None
) -> Callable[[Frame], list[Frame]]:
    """Returns a referee that tells these events."""

    def said(frame: Frame) -> list[Frame]:
        assert frame[0] == "enrol"
        told: list[Frame] = [("cup", (of or settings()).plain(), start + len(happened))]
        return [*told, *(("event", number, events.plain(event)) for number, event in enumerate(happened, start))]

    return said


async def enter(where: str, tmp_path: Path) -> TournamentClient:
    return await TournamentClient.enter(
        where, find, nickname="ana", identity=ANA, data=tmp_path, headless=True, bind=LOOPBACK, seek=False
    )


def test_an_honest_referee_is_believed(tmp_path: Path) -> None:
    async def story() -> None:
        async with referee(tells((*BEGUN, result()))) as where:
            client = await enter(where, tmp_path)
            await until(lambda: client.tournament.rounds and client.tournament.rounds[0].tables[0].decided)
            assert (client.problem, client.phase) == (None, "waiting")
            assert [one.player.nickname for one in client.tournament.standings()] == ["ana", "ben"]
            await client.close()

    run(story())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("later", "problem"),
    [
        ([refusal_frame(KEPT_OUT)], KEPT_OUT),
        (
            tells((), of=settings(name="Another Cup"))(("enrol",)),
            "The referee has started another tournament. Join that one.",
        ),
    ],
    ids=["removed", "another tournament"],
)
def test_who_has_no_place_any_more_stops_asking_for_it(tmp_path: Path, later: list[Frame], problem: str) -> None:
    async def story() -> None:
        answers, channels = iter([tells((*BEGUN, result()))(("enrol",)), later]), list[Channel]()
        async with referee(lambda frame: next(answers), channels=channels) as where:
            client = await enter(where, tmp_path)
            await until(lambda: client.tournament.rounds and client.tournament.rounds[0].tables[0].decided)
            await channels[0].close()
            # A third call would find no answer.
            await until(lambda: client.phase == "failed")
            assert client.problem == problem
            await asyncio.sleep(3 * REDIAL_SECONDS[1])
            assert len(channels) == 2
            await client.close()

    run(story())


def test_an_error_in_ones_own_program_is_told_and_the_place_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def boom(plain: object) -> events.TournamentEvent:
        raise ZeroDivisionError("boom")

    async def story() -> None:
        monkeypatch.setattr(events, "read", boom)
        async with referee(tells(BEGUN)) as where:
            client = await enter(where, tmp_path)
            await until(lambda: client.phase == "failed")
            assert str(client.problem).startswith("Something went wrong in the program (ZeroDivisionError('boom'))")
            assert str(client.problem).endswith("Join the tournament again.")
            await client.close()

    run(story())


@pytest.mark.parametrize(
    "told",
    [
        (*BEGUN, result(BEN)),
        (*BEGUN, result(of=settings(rounds=3))),
        (*BEGUN, result(seats=PAIR[::-1])),
        (*BEGUN, replace(result(), places=(0, 1))),
        (*BEGUN, replace(result(), sentence="ben has lost.")),
    ],
    ids=["another signer", "another cup", "other seats", "other places", "other words"],
)
def test_a_result_counts_only_as_the_referee_has_signed_it(tmp_path: Path, told: tuple[TournamentEvent, ...]) -> None:
    async def story() -> None:
        async with referee(tells(told)) as where:
            client = await enter(where, tmp_path)
            await until(lambda: client.phase == "failed")
            assert client.problem is not None
            assert "shows a result that it has not signed" in client.problem
            assert client.tournament.rounds[0].tables[0].decided is None
            await client.close()

    run(story())


@pytest.mark.parametrize(
    ("told", "start"),
    [
        (BEGUN[1:], 1), ((*BEGUN[:2], LotsDrawn(3, bytes(31) + b"x")), 0), ((*BEGUN, BEGUN[3]), 0),
        ((*BEGUN[:3], RoundPaired(4, 1, ((ANA.public, REFEREE.public),), ())), 0), ((*BEGUN[:1], BEGUN[0]), 0),
        ((*BEGUN, result(), undone()), 0), ((*BEGUN, decision(), undone(BEN)), 0), ((*BEGUN, undone()), 0),
    ],
    ids=[
        "one is missing", "other lots", "a round in a round", "a stranger", "twice",
        "a ruling of the program is undone", "another undoes a decision", "nothing is undone",
    ],
)  # fmt: skip
def test_nobody_plays_on_for_a_referee_that_contradicts_itself(
    tmp_path: Path, told: tuple[TournamentEvent, ...], start: int
) -> None:
    async def story() -> None:
        async with referee(tells(told, start)) as where:
            client = await enter(where, tmp_path)
            await until(lambda: client.phase == "failed")
            assert client.problem is not None
            assert "The referee cannot be trusted" in client.problem
            assert client.table is None
            await client.close()

    run(story())


def test_a_decision_that_is_undone_opens_the_table_again(tmp_path: Path) -> None:
    async def story() -> None:
        async with referee(tells((*BEGUN, decision(), undone()))) as where:
            client = await enter(where, tmp_path)
            await until(lambda: client.place is not None and client.table is not None)
            assert (client.place, client.phase, client.ruling) == (TableId(1, MOST_TABLES), "seated", None)
            await client.close()

    run(story())


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (lambda _: [("cup", settings(game="chess").plain(), 0)], '"chess", which you have not installed'),
        (lambda _: [("cup", settings(rules=2).plain(), 0)], "revision 2 of the rules of Stones"),
        (lambda _: [("cup", settings(options=(("last_look", 0), ("rounds", 7))).plain(), 0)], 'no option "rounds"'),
        (lambda _: [("cup", settings(referee=BEN.public).plain(), 0)], "not a tournament referee"),
        (lambda _: [("cup", ("x",), 0)], "does not speak a referee"),
        (lambda _: [("cup", settings(pairing=3).plain(), 0)], "Update yours to join"),
        (lambda _: [("table", "stones", 1, (), 2, (), ())], "not a tournament referee"),
        (lambda _: [("refused", "Come tomorrow.")], r"Come tomorrow\."),
    ],
    ids=["game", "rules", "options", "another's cup", "no cup", "pairing", "a table", "refused"],
)
def test_what_cannot_be_played_is_not_entered(
    tmp_path: Path, said: Callable[[Frame], list[Frame]], reason: str
) -> None:
    async def story() -> None:
        async with referee(said) as where:
            with pytest.raises(UserError, match=reason):
                await enter(where, tmp_path)

    run(story())


def test_nonsense_of_a_referee_changes_nothing(tmp_path: Path) -> None:
    nonsense: list[Frame] = [
        ("clocks", 1, 0, ((-1, True, False), ("x",), (7, True), (7000, True, False))),
        ("clocks", 9, 0, ((1, True),)), ("clocks",),
        ("doors", 1, 0, ((b"x", "nowhere", 5), (BEN.public, "127.0.0.1", 70000), (BEN.public, 5, 5))),
        ("envelope", 1, 0, b"rubbish"), ("have", 1, 0, ((1, b""),)), ("attest", 1, 0, ("x",)),
        ("doors", True, False, ()), ("what",), ("waits",), ("waits", 1, 0, (5, True, "x", 1), 7000),
        ("waits", 1, 9, (0,), 7000),
    ]  # fmt: skip

    async def story() -> None:
        async with referee(lambda frame: [*tells(BEGUN)(frame), *nonsense]) as where:
            client = await enter(where, tmp_path)
            await until(lambda: client.clocks)
            assert [(clock.seconds, clock.runs) for clock in client.clocks] == [(7.0, True)]
            now = client.clocks[0].at
            assert (client.clocks[0].left(now + 2), client.clocks[0].left(now + 9)) == (5.0, 0.0)
            await until(lambda: client.wait is not None)
            assert client.wait is not None
            assert client.wait.seats == (1,)
            for seats, left in (((), 7000), ((0,), -1), ((0,), True), (0, 7000), ((0,), 10**12)):
                assert read_wait(seats, left, 2, 0.0) is None
            await until(lambda: client.table is not None)
            assert (client.phase, client.problem) == ("seated", None)
            assert client.people == PAIR
            await client.close()

    run(story())


@pytest.mark.parametrize("fails", [False, True])
def test_a_seat_that_fails_at_once_is_taken_again_after_a_pause_that_no_news_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    tries: list[int] = []
    doors: Frame = ("doors", 1, 0, ((BEN.public, LOOPBACK, 9),))

    async def sit_down(*_: object, **__: object) -> SimpleNamespace:
        tries.append(len(tries))
        channels[-1].send(doors)
        if fails:
            raise UserError("No seat.")
        return SimpleNamespace(
            phase="failed", problem="", peer=None, refereeing=None, leaving=False, port=1, close=closed,
            subscribe=lambda _: lambda: None, resumable=True,
        )  # fmt: skip

    async def closed() -> None:
        pass

    monkeypatch.setattr(client_module, "sit_down", sit_down)
    monkeypatch.setattr(client_module, "REDIAL_SECONDS", (0.001, 0.001, 1000.0))
    channels: list[Channel] = []

    async def story() -> None:
        async with referee(tells(BEGUN[:-1]), channels=channels) as where:
            client = await enter(where, tmp_path)
            await until(lambda: len(tries) >= 3)
            for _ in range(20):
                channels[-1].send(doors)
            channels[-1].send(("waits", 1, 0, (1,), 5000))
            await until(lambda: client.wait is not None)
            await asyncio.sleep(0)
            assert len(tries) == 3
            await client.close()

    run(story())


def test_a_table_that_gives_way_to_a_game_from_before_a_crash_is_not_left_for_good(tmp_path: Path) -> None:
    async def story() -> None:
        channels: list[Channel] = []
        async with referee(tells(BEGUN[:-1]), channels=channels) as where:
            client = await enter(where, tmp_path)
            await until(lambda: client.table is not None)
            opened = client.table
            channels[0].send(("event", len(BEGUN) - 1, events.plain(BEGUN[-1])))
            await until(lambda: client.table is not None and client.table is not opened)
            assert client.table is not None
            heard = [await channels[0].receive()]
            while heard[-1] != ("arrive", 1, 0, client.table.port):
                heard.append(await channels[0].receive())
            assert not [frame for frame in heard if frame[0] == "leave"]
            await client.close()

    run(story())
