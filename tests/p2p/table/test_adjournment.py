"""Games that end before their end: put aside by all and taken up again, or given up because somebody is gone."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.storage import archive
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import list_journals
from kimberley.p2p.table.abandonment import Abandonment
from kimberley.p2p.table.adjournment import ASIDE, ASIDE_ALONE
from kimberley.p2p.table.table import Table, TableChanged
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.audit import verify
from kimberley.protocol.encoding import Malformed, pack, unpack
from kimberley.protocol.play import NotAllowed
from kimberley.protocol.record import MAGIC, Record, sealed
from tests.support.asyncs import run, until
from tests.support.cards import CARDS
from tests.support.comeback import age, answers, back, die, to_answer
from tests.support.inside import cut, identity_of, links_of, match_of
from tests.support.seated import QUICK, Circle, circle_of_tables, pair_of_tables, play
from tests.support.stones import STONES


@pytest.fixture(autouse=True)
def nothing_fails_in_the_background(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Asserts that no error in a background task was logged."""
    yield
    assert [record.getMessage() for record in caplog.get_records("call") if record.levelname == "ERROR"] == []


async def asked(*tables: Table) -> None:
    await until(lambda: all(table.peer is not None and table.peer.asked is not None for table in tables))


def choose(table: Table) -> None:
    assert table.peer is not None
    assert table.peer.asked is not None
    table.play.choose(table.peer.asked.space.pick(Random(1)))


# -- put aside ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_game_is_put_aside_by_all_and_taken_up_by_the_same(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            playing = [asyncio.create_task(play(table, Random(n))) for n, table in enumerate(circle.tables)]
            await to_answer(circle.tables[0], 4)
            for seat, table in enumerate(circle.tables):
                table.adjournment.vote(True)
                for other in circle.tables[seat + 1 :]:
                    await until(lambda seat=seat, other=other: seat in other.adjournment.adjourn_from)  # type: ignore[misc]
            await circle.all("failed")
            await asyncio.gather(*playing)
            assert {str(table.problem).partition(".")[0] for table in circle.tables} == {"The game is saved for later"}
            assert all(
                table.ending.resumable and table.adjournment.adjourned and table.reconnection.away == {}
                for table in circle.tables
            )
            before = {table.occupants.names[table.occupants.seat]: answers(table) for table in circle.tables}
            for table in circle.tables:
                await table.close()
            names = ("cleo", "ana", "ben")
            assert [archive.list_records(tmp_path / name) for name in names] == [[], [], []]
            again = []
            for name in names:
                again.append(circle.follow(await back(tmp_path / name, CARDS), name))
            assert all(answers(table) >= before[name] for table, name in zip(again, names, strict=True))
            await asyncio.gather(*(play(table, Random(n)) for n, table in enumerate(again)))
            assert {table.ending.verdict.code for table in again if table.ending.verdict is not None} == {"fair"}

    run(story(), 90)


@pytest.mark.slow
def test_where_only_bots_still_play_nobody_has_to_meet_again(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            ana, ben, cleo = circle.tables
            await asked(*circle.tables)
            ana.headless = ben.headless = False
            ana.trust.bots.add(identity_of(ben).public)
            cleo.departures.leave()
            choose(ana)
            choose(ben)
            await until(lambda: ana.gone_seats == ben.gone_seats == (2,))
            ana.adjournment.vote(True)
            ben.adjournment.vote(True)
            await until(lambda: ana.phase == ben.phase == "failed")
            assert (ana.problem, ben.problem) == (ASIDE_ALONE, ASIDE)

    run(story())


@pytest.mark.slow
@pytest.mark.parametrize("asker", ["who leaves", "who stay"])
def test_who_has_left_the_game_is_no_longer_asked_and_asks_no_longer(tmp_path: Path, asker: str) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            ana, ben, cleo = circle.tables
            await asked(*circle.tables)
            for table in [cleo] if asker == "who leaves" else [ana, ben]:
                table.adjournment.vote(True)
            await until(lambda: ana.adjournment.adjourn_from == ben.adjournment.adjourn_from != frozenset())
            cleo.departures.leave()
            choose(ana)
            choose(ben)
            if asker == "who leaves":
                await until(lambda: ana.gone_seats == ben.gone_seats == (2,))
                assert ana.adjournment.adjourn_from == ben.adjournment.adjourn_from == frozenset()
            else:
                await until(lambda: ana.adjournment.adjourned and ben.adjournment.adjourned)

    run(story())


def test_one_no_ends_the_question_and_the_game_goes_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            tables.host.adjournment.vote(True)
            await until(lambda: tables.guest.adjournment.adjourn_from == {0})
            assert TableChanged("aside") in tables.told["ben"]
            tables.guest.adjournment.vote(False)
            await until(lambda: not tables.host.adjournment.adjourn_from)
            await asyncio.gather(*(play(table, Random(n)) for n, table in enumerate(tables.both_tables)))
            assert tables.host.phase == "done"

    run(story())


@pytest.mark.slow
def test_a_lost_connection_ends_the_question_whether_to_put_the_game_aside(tmp_path: Path) -> None:
    """Otherwise a seat that was gone could be held to what it agreed to before, and others would not know of it."""

    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            tables.host.adjournment.vote(True)
            await until(lambda: tables.guest.adjournment.adjourn_from == {0})
            cut(tables.guest)
            await until(lambda: not tables.host.adjournment.adjourn_from and not tables.guest.adjournment.adjourn_from)
            await until(lambda: not tables.host.reconnection.away and not tables.guest.reconnection.away)
            tables.guest.adjournment.vote(True)
            await until(lambda: tables.host.adjournment.adjourn_from == {1})
            assert not tables.host.adjournment.adjourned

    run(story())


def test_who_was_away_when_the_others_wanted_to_put_the_game_aside_hears_of_it_at_the_return(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            cut(tables.guest)
            await until(lambda: tables.host.reconnection.away)
            tables.host.adjournment.vote(True)
            await until(lambda: tables.guest.adjournment.adjourn_from == {0})
            tables.guest.adjournment.vote(True)
            await until(lambda: tables.host.adjournment.adjourned)

    run(story())


def test_who_wanted_to_put_the_former_game_aside_is_asked_again_in_the_next(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            tables.host.adjournment.vote(True)
            await until(lambda: tables.guest.adjournment.adjourn_from == {0})
            await asyncio.gather(*(play(table, Random(n)) for n, table in enumerate(tables.both_tables)))
            for table in tables.both_tables:
                table.rematch.want()
            await tables.both("playing")
            assert tables.host.adjournment.adjourn_from == tables.guest.adjournment.adjourn_from == set()
            tables.guest.adjournment.vote(True)
            await until(lambda: tables.host.adjournment.adjourn_from == {tables.guest.occupants.seat})
            await asyncio.gather(*(play(table, Random(n)) for n, table in enumerate(tables.both_tables)))
            assert tables.host.phase == tables.guest.phase == "done"

    run(story())


# -- given up ----------------------------------------------------------------------------------------------------------


def test_of_two_the_one_who_waits_in_vain_says_so_and_the_record_that_it_is_a_claim(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat({**QUICK, "grace": 30})
            await asked(tables.host, tables.guest)
            assert tables.host.abandonment.grace == 30
            with pytest.raises(NotAllowed, match="away for 30 seconds"):
                tables.host.abandonment.declare()
            await die(tables.guest)
            await until(lambda: tables.host.reconnection.away)
            age(tables.host)
            # One's own choice is missing as well: nobody else is to be blamed yet.
            assert tables.host.abandonment.absent == ()
            choose(tables.host)
            await until(lambda: tables.host.abandonment.absent == (1,))
            tables.host.abandonment.declare()
            await until(lambda: tables.host.phase == "failed")
            assert str(tables.host.problem).startswith("ben did not come back. The game ends without a result")
            assert tables.host.ending.record is not None
            found = verify(tables.host.ending.record.read_bytes(), lambda _: STONES)
            assert (found.code, found.absent, found.attested) == ("incomplete", (1,), ((1, ("ana",)),))
            assert "ana says that ben was silent; neither can prove it" in found.reason

    run(story())


@pytest.mark.slow
def test_those_who_remain_attest_together_whose_step_is_absent(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            await circle.seat(3)
            ana, ben, cleo = circle.tables
            await asked(*circle.tables)
            await die(cleo)
            await until(lambda: 2 in ana.reconnection.away and 2 in ben.reconnection.away)
            age(ana, ben)
            choose(ana)
            # Ben is here and has not chosen: he is not absent, and so nobody is.
            await until(lambda: ana.peer is not None and 0 not in ana.peer.waiting)
            assert ana.abandonment.absent == ()
            choose(ben)
            await until(lambda: ana.abandonment.absent == ben.abandonment.absent == (2,))
            ana.abandonment.declare()
            await until(lambda: ben.abandonment.abandon_from == {0})
            assert ana.phase == "playing"
            ben.abandonment.declare()
            await until(lambda: ana.phase == ben.phase == "failed")
            assert ana.ending.record is not None
            assert ben.ending.record is not None
            assert ana.ending.record.read_bytes() == ben.ending.record.read_bytes()
            found = verify(ana.ending.record.read_bytes(), lambda _: CARDS)
            assert (found.code, found.absent, found.attested) == ("incomplete", (2,), ((2, ("ana", "ben")),))
            assert found.reason.endswith("ana and ben attest that cleo was silent")

    run(story())


async def without_cleo(circle: Circle) -> tuple[Table, Table]:
    """Returns ana and ben at a table of three, who have chosen, and miss cleo for longer than the grace."""
    await circle.seat(3)
    ana, ben, cleo = circle.tables
    await asked(*circle.tables)
    await die(cleo)
    await until(lambda: 2 in ana.reconnection.away and 2 in ben.reconnection.away)
    age(ana, ben)
    choose(ana)
    choose(ben)
    await until(lambda: ana.abandonment.absent == (2,))
    return ana, ben


@pytest.mark.slow
def test_who_has_been_away_for_the_grace_needs_not_agree_to_stop_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            ana, ben = await without_cleo(circle)
            ana.abandonment.declare()
            await until(lambda: ben.abandonment.abandon_from == {0})
            monkeypatch.setattr(Abandonment, "grace", 0.2)
            await die(ben)
            await until(lambda: 1 in ana.reconnection.away)
            assert ana.phase == "playing", "ben may come back"
            await until(lambda: ana.phase == "failed")
            assert "cleo did not come back" in str(ana.problem)

    run(story())


@pytest.mark.slow
def test_who_attests_for_another_transcript_gives_nobody_up(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            ana, ben = await without_cleo(circle)
            assert ana.peer is not None
            own = Attestation(identity_of(ben).public, *ana.peer.slot, bytes(32), (2,))
            own = own.signed(match_of(ben).table.game_id, identity_of(ben).sign)
            links_of(ben)[identity_of(ana).public].send(("vote", "abandon", own.plain()))
            await until(lambda: match_of(ana).attestations)
            assert ana.abandonment.abandon_from == frozenset()
            ana.abandonment.declare()
            assert ana.abandonment.abandon_from == {0}
            assert ana.phase == "playing"

    run(story())


@pytest.mark.slow
def test_who_comes_back_before_all_have_given_up_is_not_blamed(tmp_path: Path) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, CARDS) as circle:
            ana, ben = await without_cleo(circle)
            ana.abandonment.declare()
            await until(lambda: ben.abandonment.abandon_from == {0})
            again = circle.follow(await back(tmp_path / "cleo", CARDS), "cleo")
            await asked(again)
            # It hears that one player has given it up.
            await until(lambda: again.abandonment.abandon_from == {0})
            await until(lambda: not ben.abandonment.absent)
            with pytest.raises(NotAllowed):
                ben.abandonment.declare()
            seats = (ana, ben, again)
            await asyncio.gather(*(play(table, Random(n)) for n, table in enumerate(seats)))
            assert {table.ending.verdict.code for table in seats if table.ending.verdict is not None} == {"fair"}
            assert ana.ending.record is not None
            assert Record.unpack(ana.ending.record.read_bytes()).attestations == ()

    run(story())


def test_an_attestation_says_no_more_than_its_witness_can_and_nothing_of_steps_that_are_there(tmp_path: Path) -> None:
    record, names = abandoned(tmp_path)
    game = record.table.game_id
    (own,) = record.attestations
    keys = dict(zip(names, (Identity.load_or_create(tmp_path / name) for name in names), strict=True))
    stranger = Identity.fresh()

    def judged(*attestations: Attestation) -> tuple[str, object]:
        found = verify(replace(record, attestations=attestations).pack(), lambda _: STONES)
        return found.code, found.attested

    def by(who: Identity, **changes: object) -> Attestation:
        return replace(own, witness=who.public, **changes).signed(game, who.sign)  # type: ignore[arg-type]

    assert judged(own) == ("incomplete", ((1, ("ana",)),))
    assert judged() == ("incomplete", ())
    # A seat whose step is there, another stage, another past, oneself: none of these counts.
    assert judged(by(keys["ana"], absent=(0,))) == ("incomplete", ())
    assert judged(by(keys["ben"])) == ("incomplete", ())
    assert judged(by(keys["ana"], step=own.step + 1)) == ("incomplete", ())
    assert judged(by(keys["ana"], head=bytes(32))) == ("incomplete", ())
    # A spectator may attest as well.
    assert judged(own, by(stranger)) == ("incomplete", ((1, ("ana", f"spectator {stranger.public.hex()[:16]}")),))
    found = verify(replace(record, attestations=(by(stranger),)).pack(), lambda _: STONES)
    assert found.reason.endswith(f"spectator {stranger.public.hex()[:16]} attests that ben was silent")
    # What nobody has signed, or what is there twice, is damage, and blames nobody.
    assert judged(replace(own, absent=(0, 1)))[0] == "damaged"
    assert judged(replace(by(stranger), witness=keys["ben"].public))[0] == "damaged"
    assert judged(own, own)[0] == "damaged"
    assert judged(*(by(Identity.fresh()) for _ in range(33)))[0] == "damaged"


@pytest.mark.parametrize(
    "change",
    [(), (1, 2), ((1,), 0), (b"short",), (None, True), (None, -1), (None, 1, 1, b"x"), (None, 1, 1, bytes(32), (2, 1))],
)
def test_what_is_no_attestation_is_refused(change: tuple[object, ...]) -> None:
    whole = Attestation(bytes(32), 3, 0, bytes(32), (1,), bytes(64)).plain()
    assert isinstance(whole, tuple)
    assert Attestation.read(whole).plain() == whole
    spoiled = tuple(new if new is not None else old for new, old in zip(change, whole, strict=False))
    with pytest.raises(Malformed):
        Attestation.read((*spoiled, *whole[len(spoiled) :]) if change else ())  # type: ignore[arg-type]


def test_a_record_without_attestations_has_no_place_for_them(tmp_path: Path) -> None:
    record, _ = abandoned(tmp_path)
    fields = unpack(replace(record, attestations=()).pack()[len(MAGIC) : -32])
    assert isinstance(fields, tuple)
    assert len(fields) == 4
    assert verify(sealed(pack((*fields, ()))), lambda _: STONES).code == "damaged"


def abandoned(folder: Path) -> tuple[Record, tuple[str, str]]:
    """Returns the record of a game of two that one player has given up."""
    found: list[Record] = []

    async def story() -> None:
        async with pair_of_tables(folder / "tables") as tables:
            await tables.seat()
            await asked(tables.host, tables.guest)
            await die(tables.guest)
            await until(lambda: tables.host.reconnection.away)
            age(tables.host)
            choose(tables.host)
            await until(lambda: tables.host.abandonment.absent)
            tables.host.abandonment.declare()
            await until(lambda: tables.host.phase == "failed")
            assert tables.host.ending.record is not None
            found.append(Record.unpack(tables.host.ending.record.read_bytes()))
            for data in (tables.ana, tables.ben):
                (data / "identity").rename(_made(folder / data.name) / "identity")

    run(story())
    return found[0], ("ana", "ben")


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


@pytest.mark.parametrize("grace", [0, 4, 100_000, True, "30"])
def test_a_grace_that_no_table_has_is_refused(tmp_path: Path, grace: object) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            with pytest.raises(UserError, match="must be 5 to 86400 seconds"):
                await tables.open({"last_look": 0, "grace": grace})  # type: ignore[dict-item]

    run(story())


def test_journals_of_a_game_given_up_are_not_offered_again(tmp_path: Path) -> None:
    async def story() -> None:
        async with pair_of_tables(tmp_path) as tables:
            await tables.seat()
            tables.host.departures.leave()
            await tables.both("failed")
            for data in (tables.ana, tables.ben):
                assert len(list_journals(data)) == 1
                with pytest.raises(UserError, match="ended"):
                    await back(data, STONES)

    run(story())
