"""The main menu of the text mode."""

from __future__ import annotations

import asyncio
from io import StringIO
from pathlib import Path
from random import Random

import pytest

from kimberley.client.boards.guide import STOPS
from kimberley.client.plain import main
from kimberley.client.plain.console import Console
from kimberley.client.plain.main import PlainClient
from kimberley.client.plain.table_commands import NOT_NOW, UNKNOWN
from kimberley.client.plain.table_options import ADJUSTING
from kimberley.client.session.leaving import LEAVE_SECONDS
from kimberley.client.session.options import level_lines
from kimberley.client.session.participants import BOT_NEEDS_YOU, STILL_NEEDED
from kimberley.client.session.seat_session import LocalBot, session_of
from kimberley.client.session.settings import Settings
from kimberley.client.session.start_requests import JoinTable
from kimberley.games import lookup
from kimberley.p2p.sentences.options import adjust_label
from kimberley.p2p.table.common_options import UNTIL_DONE
from kimberley.p2p.transport.table_card import TournamentCard
from tests.support.asyncs import run, until
from tests.support.pretend import PretendPeer, PretendServices, PretendTable, listed
from tests.support.seated import circle_of_tables, play
from tests.support.typed import Typed


def listings(services: PretendServices, times: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Returns what is said of the tables on the network when asked so often."""
    monkeypatch.setattr(main, "LISTEN_SECONDS", 0)

    async def story() -> list[str]:
        lines = Typed()
        for line in [*["list"] * times, "quit"]:
            lines.type(line)
        await PlainClient(Settings(nickname="ana"), services, lines).main(None)
        return [line for line in lines.said[1:] if line != "Looking for tables."]

    return asyncio.run(story())


def test_tables_are_listed_first_and_no_tournament_that_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    running, over = (
        listed(name, tournament=TournamentCard(name, "swiss", 6, 5, 5, ended))
        for name, ended in (("Friday Cup", False), ("Monday Cup", True))
    )
    said = listings(PretendServices(tables=(over, running, listed("ben"))), 1, monkeypatch)
    assert [line.split(" at ")[0] for line in said] == ["ben", "Friday Cup"]


@pytest.mark.parametrize(("silent", "times"), [(0, 2), (1, 1)])
def test_the_network_is_spoken_of_only_when_something_has_failed(
    silent: int, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = PretendServices()
    assert listings(services, 1, monkeypatch) == ["No tables found yet. Type list to look again."]
    services.silent = silent
    assert any("firewalls must allow" in line for line in listings(services, times, monkeypatch))


def answers(*typed: str) -> list[str]:
    """Returns what is said once these lines are typed in the main menu."""

    async def story() -> list[str]:
        lines = Typed()
        for line in (*typed, "quit"):
            lines.type(line)
        await PlainClient(Settings(nickname="ana"), PretendServices(), lines).main(None)
        return lines.said[1:]

    return asyncio.run(story())


def test_the_levels_are_those_of_the_game_that_was_asked_for() -> None:
    mine, land = level_lines(lookup.find("mine")), level_lines(lookup.find("land"))
    said = answers("game land", "levels mine", "levels", "options mine")[1:]
    assert said == [*mine, *land, "Type just options. To choose another game, type game and its name."]


def test_only_a_word_that_help_never_names_is_unknown() -> None:
    guide = "Type just guide. To choose another game, type game and its name."
    assert answers("save", "STATE", "guide x", "dance") == [NOT_NOW, NOT_NOW, guide, UNKNOWN]


def test_the_end_of_the_input_is_no_departure_where_there_is_no_table() -> None:
    written = StringIO()

    async def story() -> None:
        lines = Console(StringIO(""), written)
        await main.run(Settings(nickname="ana"), PretendServices(), None, lines)

    asyncio.run(story())
    assert written.getvalue().splitlines()[-1] == "Input ended."


def in_a_game_of_three() -> PretendTable:
    game = lookup.find("land")
    table = PretendTable(game=game, names=("ana", "ben", "carla"), seats=3, options={}, phase="playing")
    table.put(peer=PretendPeer(0, game.start(3, {})))
    return table


def test_who_leaves_a_game_that_goes_on_stays_connected_until_the_others_can_play_on() -> None:
    table = in_a_game_of_three()

    async def story() -> None:
        lines = Typed()
        client = PlainClient(Settings(nickname="ana"), PretendServices(table), lines)
        for line in ("leave", "leave"):
            lines.type(line)
        running = asyncio.create_task(client.main(JoinTable("127.0.0.1")))
        await until(lambda: lines.has("You are back at the main menu."))
        assert lines.said[-1] == STILL_NEEDED
        assert ("leave",) in table.done
        assert ("close",) not in table.done
        table.change(phase="failed")
        await until(lambda: ("close",) in table.done)
        lines.type("quit")
        await running
        await client.close()

    asyncio.run(story())


def test_the_program_waits_to_leave_until_the_player_quits_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main, "LEAVE_SECONDS", 0.0)
    table = in_a_game_of_three()

    async def story() -> None:
        lines = Typed()
        client = PlainClient(Settings(nickname="ana"), PretendServices(table), lines)
        for line in ("leave", "leave", "quit"):
            lines.type(line)
        running = asyncio.create_task(client.main(JoinTable("127.0.0.1")))
        await until(lambda: lines.has(main.ENDS_LATER))
        assert not running.done()
        lines.type("quit")
        await running
        await client.close()
        assert ("close",) in table.done

    asyncio.run(story())


def test_who_left_bots_to_play_with_people_reads_so_before_the_program_ends() -> None:
    table, bot = in_a_game_of_three(), in_a_game_of_three()
    session_of(table).bots.append(LocalBot(bot, 1, 1))

    async def story() -> None:
        lines = Typed()
        client = PlainClient(Settings(nickname="ana"), PretendServices(table), lines)
        for line in ("leave", "leave"):
            lines.type(line)
        running = asyncio.create_task(client.main(JoinTable("127.0.0.1")))
        await until(lambda: ("leave",) in table.done)
        table.change(phase="failed")
        await until(lambda: ("close",) in table.done)
        await until(lambda: lines.has("You are back at the main menu."))
        assert lines.said[-1] == BOT_NEEDS_YOU
        lines.type("quit")
        await until(lambda: lines.has(main.QUIT_AGAIN))
        assert lines.said[-2:] == [BOT_NEEDS_YOU, main.QUIT_AGAIN]
        assert not running.done()
        lines.type("quit")
        await running
        await client.close()

    asyncio.run(story())


def test_an_interrupted_program_waits_until_the_others_can_play_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main, "LEAVE_SECONDS", 0.0)
    table = in_a_game_of_three()

    async def story() -> None:
        lines = Typed()
        for line in ("leave", "leave"):
            lines.type(line)
        running = asyncio.create_task(
            main.run(Settings(nickname="ana"), PretendServices(table), JoinTable("127.0.0.1"), lines)
        )
        await until(lambda: ("leave",) in table.done)
        running.cancel()
        await until(lambda: lines.has(main.INTERRUPTED))
        assert not running.done()
        assert ("close",) not in table.done
        table.change(phase="failed")
        with pytest.raises(asyncio.CancelledError):
            await running
        assert ("close",) in table.done

    asyncio.run(story())


def test_the_guide_is_that_of_the_game_that_begins_and_is_offered_once() -> None:
    settings = Settings(nickname="ana", guided=["diamond"])
    table = PretendTable(game=lookup.find("diamond"), names=("ana", "ben"), options={}, phase="open")

    async def story() -> list[bool]:
        lines, guided = Typed(), []
        client = PlainClient(settings, PretendServices(table), lines)
        running = asyncio.create_task(client.main(JoinTable("127.0.0.1")))
        await until(lambda: lines.has("ana"))
        for game in map(lookup.find, ("land", "land", "diamond")):
            lines.said.clear()
            table.change(game=game, phase="playing", peer=PretendPeer(0, game.start(2, {})))
            await until(lambda: lines.has("The game begins"))
            await asyncio.sleep(0)
            guided.append(STOPS in lines.said)
            table.change(phase="open", peer=None)
            await until(lambda: lines.has("ben"))
        lines.type("leave")
        lines.type("quit")
        await running
        await client.close()
        return guided

    assert asyncio.run(story()) == [True, False, False]
    assert settings.guided == ["diamond", "land"]


class Ending(Typed):
    """Lines that a test types, after which the input has ended."""

    async def read(self) -> str:
        if self.all_read:
            raise EOFError
        return await super().read()


@pytest.mark.slow
@pytest.mark.parametrize("end", ["quit", "end of input"])
def test_who_leaves_in_anothers_turn_and_ends_the_program_is_not_missed(tmp_path: Path, end: str) -> None:
    async def story() -> None:
        async with circle_of_tables(tmp_path, lookup.find("piecepack")) as circle:
            await circle.seat(3)
            await until(lambda: any(table.peer is not None and table.peer.asked for table in circle.tables))
            leaver = next(table for table in circle.tables if table.peer is not None and not table.peer.asked)
            others = [table for table in circle.tables if table is not leaver]
            lines = Ending() if end != "quit" else Typed()
            for line in ("leave", "leave", *(["quit"] if end == "quit" else [])):
                lines.type(line)
            running = asyncio.create_task(
                main.run(Settings(nickname="ana"), PretendServices(leaver), JoinTable("127.0.0.1"), lines)
            )
            await until(lambda: lines.has(main.ENDS_LATER if end == "quit" else "Input ended."))
            await asyncio.sleep(LEAVE_SECONDS + 0.5)
            assert not running.done()
            playing = [asyncio.create_task(play(table, Random(n))) for n, table in enumerate(others)]
            assert await asyncio.wait_for(running, 60) == 0
            seat = leaver.occupants.seat
            await until(lambda: all(table.peer is not None and table.peer.left == (seat,) for table in others))
            assert {table.phase for table in others} == {"playing"}
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)

    run(story(), 120)


def test_a_game_whose_only_option_is_the_time_to_adjust_says_so() -> None:
    async def story(game: str) -> list[str]:
        lines = Typed()
        for line in (f"game {game}", "options", "quit"):
            lines.type(line)
        await PlainClient(Settings(nickname="ana"), PretendServices(), lines).main(None)
        return [line for line in lines.said if "djust" in line or "option" in line]

    assert asyncio.run(story("diamond-trust")) == [f"Adjust time: {adjust_label(UNTIL_DONE)}. {ADJUSTING}"]
    assert asyncio.run(story("diamond")) == ["Diamond has no options."]
