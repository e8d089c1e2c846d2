"""The line mode: everything that a screen shows, in sentences, over pipes."""

from __future__ import annotations

import asyncio
import contextlib
import html
import signal
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kimberley.client.audio.port import NO_AUDIO
from kimberley.client.boards.form import Reply
from kimberley.client.boards.rules_page import rules_lines
from kimberley.client.plain.console import Console
from kimberley.client.plain.table import PlainTable
from kimberley.client.plain.table_commands import UNKNOWN
from kimberley.client.plain.table_news import TableNews
from kimberley.client.plain.table_options import ADJUSTING, WAITING, change_by
from kimberley.client.session.settings import Settings
from kimberley.games import lookup
from kimberley.games.table import HIDDEN, Item, Leave
from kimberley.p2p.sentences.notices import NOTHING_TO_DO
from kimberley.p2p.table.events import ChatLine
from kimberley.protocol.events import Caught, Resigned, SeatDeparted, Waiting
from kimberley.protocol.roster import MOST_SEATS
from tests.support.asyncs import until
from tests.support.cards import CARDS
from tests.support.cards_board import installed
from tests.support.effort import spread
from tests.support.hall import free_port
from tests.support.pipe import Pipe
from tests.support.pretend import PretendServices, PretendTable

pytestmark = pytest.mark.e2e


def leave_game(seat: Pipe) -> None:
    """Leaves a running game alone for good, which has to be confirmed."""
    seat.type("leave")
    seat.wait("^If you leave, you cannot come back to this game. To save it for later, type save.")
    seat.type("leave")
    seat.wait("back at the main menu")


@contextlib.contextmanager
def two(tmp_path: Path, *host: str, environ: Mapping[str, str] | None = None) -> Iterator[tuple[Pipe, Pipe]]:
    """Yields ana, who hosts on this machine, and ben, who joins."""
    ana_says = ("host", *host, "--nickname", "ana", "--bind", "127.0.0.1")
    with Pipe(*ana_says, data=tmp_path / "ana", environ=environ) as ana:
        way = ana.wait("Others can join with: kimberley join (.*)")[1]
        port = way.rpartition(":")[2] if ":" in way else "7411"
        ben_says = ("join", f"127.0.0.1:{port}", "--nickname", "ben")
        with Pipe(*ben_says, data=tmp_path / "ben", environ=environ) as ben:
            yield ana, ben


def test_who_comes_to_a_full_table_waits_and_the_host_removes_who_blocks_it(tmp_path: Path) -> None:
    port = str(free_port())
    with two(tmp_path, "--port", port) as (ana, ben):
        ana.wait("The four words")
        way = f"127.0.0.1:{port}"
        with Pipe("join", way, "--nickname", "cleo", data=tmp_path / "cleo") as cleo:
            cleo.wait("^The table is full. You are 1st in the queue")
            cleo.wait("^Type leave to stop waiting.")
            cleo.type("dance")
            cleo.wait("^Type leave to stop waiting.")
            ana.wait("^cleo is waiting for a seat.")
            ana.type("remove zoe")
            ana.wait("^Type remove and the name of a player at your table: ben.")
            ana.type("remove ben")
            ana.wait("^Type remove ben again to confirm.")
            ana.type("remove ben")
            ben.wait("The host has removed you from this table")
            # All come from one address here.
            cleo.wait("Only players the host has verified can join")
            ana.wait("^1 of 2 seats taken.")
            ben.type(f"join {way}")
            ben.wait("The host has removed you from this table")


def test_the_way_to_a_table_is_told(tmp_path: Path) -> None:
    with Pipe("--nickname", "ana", data=tmp_path) as ana:
        ana.wait("You are ana. Type help")
        ana.type("help")
        ana.wait("^alone: play the computer")
        ana.type("games")
        ana.wait("^diamond-trust: Diamond Trust of London")
        ana.type("rules")
        ana.wait("^Rules of Diamond Trust of London")
        ana.wait("^Resigning. A side that resigns loses")
        ana.type("rules diamond")
        ana.wait("^Rules of Diamond.$")
        ana.type("dance")
        ana.wait("Unknown")
        ana.type("nickname  eve ")
        ana.wait("You are eve")
        ana.type("nickname I \u2665\ufe0f NY")
        ana.wait("^You are I \u2665 NY.")
        ana.wait("^Everybody sees the name as I \u2665 NY")
        ana.type("waiting 300")
        ana.wait("Your tables wait 5 min for a player who is away.")
        ana.type("grace 4")
        ana.wait("Unknown")
        ana.type("join 127.0.0.1:1")
        ana.wait("127.0.0.1")
        ana.type("Quit")
        assert ana.end() == 0


def test_the_guide_is_offered_once_and_says_its_sentences_before_the_question(tmp_path: Path) -> None:
    with Pipe("--nickname", "ana", data=tmp_path) as ana:
        ana.wait("Type help")
        ana.type("game land")
        ana.type("alone 1")
        ana.wait(
            "^This is your first game of Blood Diamonds: Land. At the table, type guide for help with your first turns."
        )
        ana.wait("^Type look to hear the sector")
        ana.type("guide")
        ana.wait(r"^Goal\. Be first to 1000K")
        ana.wait("^Press Enter for the next note")
        ana.type("")
        ana.wait(r"^The dice\. ")
        ana.wait("^Press Enter for the next note")
        ana.type("no guide")
        ana.wait("^OK. No more notes.$")
        ana.type("no guide")
        ana.wait("^There are no more notes.$")
        leave_game(ana)
        ana.type("guide")
        ana.wait("^The game begins")
        ana.wait(r"^Goal\. Be first to 1000K")
        ana.wait("^Type look to hear the sector")
        leave_game(ana)
        ana.type("alone 1")
        assert ana.wait("^(The game begins|This is your first game)")[1] == "The game begins"
        leave_game(ana)
        ana.type("quit")
        assert ana.end() == 0


def test_alone_from_the_start_to_the_verdict(tmp_path: Path) -> None:
    with Pipe("--nickname", "ana", data=tmp_path) as ana:
        ana.wait("Type help")
        ana.type("adjust 0")
        ana.wait("Adjust time at your tables: no limit")
        ana.type("alone 1")
        ana.wait("The game begins: Diamond Trust of London")
        ana.wait("^Pay")
        ana.type("help")
        ana.wait("resign: lose the game")
        ana.type("state")
        ana.wait("Month 1 of 9")
        ana.type("wait")
        ana.wait("Waiting for .*you")
        ana.type("fly me to the moon")
        ana.type("rules")
        ana.wait("^Rules of Diamond Trust of London")
        ana.type("resign")
        ana.wait("^You would lose the game")
        ana.type("state")
        ana.wait("Month 1 of 9")
        ana.type("resign")
        ana.wait("^You would lose the game")
        ana.type("resign")
        ana.wait("The game is over: you resigned")
        ana.wait("^Fair: every move was replayed")
        record = ana.wait("Record: (.*kdt)")[1]
        assert Path(record).is_file()
        ana.type("rematch")
        ana.wait("The game begins")
        leave_game(ana)
        ana.type("quit")
        assert ana.end() == 0


def test_two_in_lines_compare_words_and_talk(tmp_path: Path) -> None:
    with two(tmp_path) as (ana, ben):
        words = "four words: (.*)\\."
        assert ana.wait(words)[1] == ben.wait(words)[1]
        ben.type("say which words do you see?")
        ana.wait("^ben says, unchecked: which words do you see\\?")
        ana.wait("^Do not compare the words here: they could be changed on the way.")
        ana.type("say I call you")
        ben.wait("^ana says, unchecked: I call you")
        ana.type("talk")
        ana.wait("^ben, unchecked: which words do you see\\?")
        ana.wait("^ana: I call you")
        ana.type("same")
        ben.type("wait")
        ben.wait("Waiting for .*you")
        ben.type("same")
        ana.wait("The game begins")
        ben.wait("The game begins")
        ben.type("say well met")
        ana.wait("ben says: well met")
        ana.type("talk")
        ana.wait("^ben: which words do you see\\?")
        ana.wait("^ben: well met")
        ana.type("resign")
        ana.type("resign")
        for seat in (ana, ben):
            seat.wait("Type rematch to play again")
        ben.type("say thanks")
        ana.wait("^ben says: thanks")
        ana.type("leave")
        ben.wait("ana left the table")
        ben.wait("back at the main menu")
        ben.type("quit")
        assert ben.end() == 0


@pytest.mark.nightly
def test_a_host_that_was_killed_before_its_guest_agreed_opens_its_table_again(tmp_path: Path) -> None:
    port = free_port()
    with two(tmp_path, "--port", str(port)) as (ana, ben):
        words = "four words: (.*)\\."
        former = ben.wait(words)[1]
        ana.wait(words)
        ana.type("same")
        ana.type("wait")
        ana.wait("Waiting for ben")
        ana.process.kill()
        ben.wait("ana lost the connection before the game began. Join again.")
        ben.wait("back at the main menu")
        with Pipe("resume", data=tmp_path / "ana") as ana:
            ana.wait("The game begins")
            ben.type(f"join 127.0.0.1:{port}")
            again = ben.wait(words)[1]
            ana.wait("Your table is open")
            assert ana.wait(words)[1] == again != former
            for seat in (ana, ben):
                seat.type("same")
            for seat in (ana, ben):
                seat.wait("The game begins")
            ben.wait("^Short notes guide you through your first turns. To stop them, type no guide.")
            ben.wait(r"^Your goal\. ")
            for seat in (ana, ben):
                seat.type("leave")
                seat.type("leave")


def end_of_input(ana: Pipe) -> None:
    assert ana.process.stdin is not None
    ana.process.stdin.close()


@pytest.mark.parametrize(
    "end",
    spread(
        1,
        [
            pytest.param(end_of_input, id="end of input"),
            pytest.param(lambda ana: ana.type("quit"), id="quit"),
            pytest.param(lambda ana: ana.process.send_signal(signal.SIGINT), id="Ctrl-C"),
        ],
    ),
)
def test_a_program_that_ends_during_a_game_keeps_it(tmp_path: Path, end: Callable[[Pipe], None]) -> None:
    with Pipe("--nickname", "ana", data=tmp_path) as ana:
        ana.type("alone diamond")
        ana.wait("The game begins: Diamond, with ana")
        end(ana)
        ana.wait("^Your game is saved. To resume it: kimberley resume --plain$")
        assert ana.end() in (0, 130)
    with Pipe(data=tmp_path) as ana:
        ana.wait(r"^1: Diamond against .*\. You made no moves\. Last played: ")
        ana.type("resume 1")
        ana.wait("The game begins: Diamond, with ana|You are back in Diamond[.]")
        leave_game(ana)
        ana.type("resume")
        ana.wait("No games to resume.")


def test_what_is_typed_wrong_is_answered_in_one_line(tmp_path: Path) -> None:
    with Pipe("--nickname", "ana", data=tmp_path) as ana:
        ana.wait("You are ana. Type help")
        for typed, answer in (
            ("dance", UNKNOWN),
            ("seats 7", f"Type seats and a number from 2 to {MOST_SEATS}."),
            ("waiting", WAITING),
            ("adjust soon", ADJUSTING),
            ("option", "Type option and NAME=VALUE. To hear what there is to choose, type options."),
            ("levels chess", f"Type levels and one of {', '.join(lookup.ids())}."),
            ("alone chess", f"Type alone and a level, or one of {', '.join(lookup.ids())}."),
            ("nickname", "Type nickname and your name."),
            ("resume 3", "No saved game has the number 3. Type resume to hear the list."),
            ("nickname eve", "You are eve."),
        ):
            ana.type(typed)
            assert ana.wait("^.+$")[0] == answer


def test_a_table_of_three_in_lines(tmp_path: Path) -> None:
    environ = installed(tmp_path / "packages")
    with two(tmp_path, "cards", "--seats", "3", environ=environ) as (ana, ben):
        assert ana.wait("^(ana joined|1 of 3 seats taken)")[1] == "1 of 3 seats taken", "nobody is told of themselves"
        ana.wait("^bot: add a bot")
        ana.wait("ben joined.")
        ana.wait("2 of 3 seats taken")
        ana.type("bot")
        ana.wait("3 of 3 seats taken")
        ana.type("no bot")
        ana.wait("^You removed ")
        ana.type("bot")
        ana.wait("3 of 3 seats taken")
        ben.type("ready")
        ana.wait("ben is ready")
        ben.type("not ready")
        ana.wait("ben is no longer ready")
        ben.type("ready")
        ana.type("wait")
        ana.wait("Waiting for .*you")
        ana.type("ready")
        words = "four words: (.*)\\."
        assert ana.wait(words)[1] == ben.wait(words)[1]
        ana.type("same")
        ben.type("same")
        for seat in (ana, ben):
            seat.wait("The game begins: Cards, with ana, ben and ")
            seat.wait("^Type one of: bid 0")
            seat.type("bid 1")
        ana.wait("^Type one of: .*draw")
        ben.type("resign")
        ben.type("resign")
        ana.type("draw")
        ana.wait("ben resigned; the game goes on without them")
        ben.wait("You left the game")
        ana.type("leave")
        ana.wait("^To resume later, type quit")
        ana.type("leave")
        ana.wait("back at the main menu")
        ana.type("quit")
        assert ana.end() == 0


def said(table: PretendTable, *events: object) -> list[str]:
    """Returns what is said of events at a table that is being played."""
    written = StringIO()

    async def story() -> None:
        lines = Console(StringIO(""), written)
        news = TableNews(table, lines, NO_AUDIO)
        for event in events:
            news.on_event(event)

    asyncio.run(story())
    return written.getvalue().splitlines()


def test_lines_of_the_chat_that_are_not_checked_are_told_apart_and_the_note_is_said_once() -> None:
    table = PretendTable(game=CARDS, names=("ana", "ben", "carla"), seats=3, seat=0, phase="open")
    table.put(lines=[ChatLine(1, "hello", checked=False), ChatLine(2, "hi", checked=False), ChatLine(1, "all right")])
    assert said(table, *table.chat.lines, ChatLine(0, "my own")) == [
        "ben says, unchecked: hello",
        "Unchecked: someone on the network could read and change this chat.",
        "carla says, unchecked: hi",
        "ben says: all right",
    ]


def test_each_return_is_said_even_if_the_player_was_back_a_moment_ago() -> None:
    table = PretendTable(game=CARDS, names=("ana", "ben"), seats=2, seat=0, phase="done")
    written = StringIO()

    async def story() -> None:
        news = TableNews(table, Console(StringIO(""), written), NO_AUDIO)
        for away in ({1: 0.0}, {}, {1: 0.0}, {}):
            table.change(away=away)
            news.banners.refresh()
            news.say_banners()

    asyncio.run(story())
    assert [line[: line.index(".")] for line in written.getvalue().splitlines()] == [
        "ben lost the connection",
        "ben is back",
        "ben lost the connection",
        "ben is back",
    ]


def test_a_lost_connection_is_said_again_once_the_game_waits_for_that_player() -> None:
    table = PretendTable(game=CARDS, names=("ana", "ben"), seats=2, seat=0, phase="playing")
    peer: Any = SimpleNamespace(waiting=(0,), story=(), asked=None, result=None, state=None)
    table.put(peer=peer)
    written = StringIO()

    async def story() -> None:
        news = TableNews(table, Console(StringIO(""), written), NO_AUDIO)
        now = asyncio.get_running_loop().time()
        table.change(away={1: now})
        for waiting in ((0,), (0,), (1,), (1,)):
            peer.waiting = waiting
            news.banners.refresh()
            news.say_banners()

    asyncio.run(story())
    assert [line.partition(" In ")[0] for line in written.getvalue().splitlines()] == [
        "ben lost the connection. The game goes on until it is ben’s turn. Everyone keeps their seat.",
        "ben lost the connection. Everyone keeps their seat.",
    ]


@pytest.mark.parametrize(
    ("phases", "counts", "told"),
    [
        (("closing",), True, ["You have left the table.", "The record of the game so far is saved in game.kdt."]),
        (("closing", "done"), False, ["You have left the table."]),
        (("closing", "done"), True, []),
    ],
    ids=["in a game", "after a game", "after a game of a tournament"],
)
def test_only_of_a_game_in_progress_the_end_of_a_table_says_that_it_is_saved_so_far(
    phases: tuple[str, ...], counts: bool, told: list[str]
) -> None:
    table = PretendTable(game=CARDS, names=("ana", "ben", "carla"), seats=3, seat=0, phase="open")
    written = StringIO()

    async def story() -> None:
        news = TableNews(table, Console(StringIO(""), written), NO_AUDIO, counts=counts)
        for phase in phases:
            table.change(phase=phase)
            await news.follow()
        written.truncate(0)
        table.change(phase="failed", problem="You have left the table.", record=Path("game.kdt"))
        await news.follow()

    asyncio.run(story())
    assert written.getvalue().replace("\0", "").splitlines() == told


def test_the_line_mode_says_why_nobody_can_be_talked_to() -> None:
    table = PretendTable(game=CARDS, names=("ana",), seats=3, seat=0, phase="open")
    written = StringIO()

    async def story() -> None:
        commands = PlainTable(table, PretendServices(table), Console(StringIO(""), written), Settings()).commands
        commands.obey("say hello")
        table.put(names=("ana", "ben"))
        commands.obey("say hello again")

    asyncio.run(story())
    assert written.getvalue() == "Nobody else is here yet.\n"
    assert table.chat.lines == (ChatLine(0, "hello again"),)


def test_who_asks_for_whom_a_table_waits_hears_what_comes_next() -> None:
    table = PretendTable(game=CARDS, names=("ana",), seats=2, seat=0, phase="open", asks_ready=False)
    written = StringIO()

    async def story() -> None:
        commands = PlainTable(table, PretendServices(table), Console(StringIO(""), written), Settings()).commands
        commands.obey("wait")
        table.put(names=("ana", "ben"))
        commands.obey("wait")

    asyncio.run(story())
    assert written.getvalue().splitlines() == ["Waiting for others to join.", "The game begins next."]


def test_while_programs_begin_a_game_by_themselves_nothing_is_to_do_and_no_more_is_said() -> None:
    table = PretendTable(game=CARDS, names=("ana", "ben"), seats=2, seat=0, phase="playing")
    peer: Any = SimpleNamespace(waiting=(), story=(), asked=None, result=None, state=SimpleNamespace(ask=lambda: None))
    written = StringIO()

    async def story() -> None:
        plain = PlainTable(table, PretendServices(table), Console(StringIO(""), written), Settings())
        table.put(peer=peer)
        seat: Any = SimpleNamespace(submit=lambda _: Reply((NOTHING_TO_DO,)), is_done=False)
        plain.news.seat = seat
        plain.commands.obey("dance")
        peer.waiting = (1,)
        plain.news.waits.refresh()
        plain.commands.obey("dance")

    asyncio.run(story())
    assert written.getvalue().splitlines() == [
        "Nothing for you to do now.",
        "Nothing for you to do now. Waiting for ben (0 s so far).",
    ]


@pytest.mark.parametrize(("ascii_only", "said"), [(False, "ana’s key: 7 · 3"), (True, "ana's key: 7 . 3")])
def test_a_console_can_be_limited_to_ascii(ascii_only: bool, said: str) -> None:
    written = StringIO()

    async def story() -> None:
        Console(StringIO(""), written, ascii_only=ascii_only).say("ana’s key: 7 · 3")

    asyncio.run(story())
    assert written.getvalue() == f"{said}\n"


def test_why_there_is_no_code_is_said_once_and_not_again_after_the_game() -> None:
    table, written = PretendTable(game=CARDS, names=("ana",), seats=2, seat=0, phase="open"), StringIO()

    async def story() -> None:
        news = PlainTable(table, PretendServices(table), Console(StringIO(""), written), Settings()).news
        table.far.problem = "The relay does not answer."
        for phase in ("open", "playing", "failed"):
            table.put(phase=phase)
            news.say_far()

    asyncio.run(story())
    assert written.getvalue().splitlines() == ["The relay does not answer."]


def test_a_friend_far_away_gets_a_code() -> None:
    table = PretendTable(game=CARDS, names=("ana",), seats=2, seat=0, phase="open")
    services, written = PretendServices(table), StringIO()

    async def story() -> None:
        commands = PlainTable(table, services, Console(StringIO(""), written), Settings()).commands
        commands.obey("far")
        assert ("invite_far",) in services.asked
        table.far.code = "7-velvet-harbor"
        commands.obey("far")
        commands.obey("far new")
        assert ("invite_far", "anew") in services.asked
        table.far.problem = "The relay does not answer."
        commands.obey("far")
        services.trouble = "Playing with a friend far away needs more packages."
        commands.obey("far")

    asyncio.run(story())
    assert written.getvalue().splitlines() == [
        "Asking for a code.",
        "Tell one friend far away: kimberley join 7-velvet-harbor",
        "Tell one friend far away: kimberley join 7-velvet-harbor",
        "The relay does not answer.",
        services.trouble,
    ]


def test_a_friend_without_a_copy_gets_the_line_its_words_and_the_page_until_the_host_stops_it(tmp_path: Path) -> None:
    with Pipe("host", "--nickname", "ana", "--bind", "127.0.0.1", data=tmp_path) as ana:
        ana.wait("^share: give this program to a friend who does not have it.")
        ana.type("share")
        ana.wait("^Building a copy")
        ana.wait("^Your friend needs Python 3.11 or newer")
        line = ana.wait('^python3 -Ic ".*" join .*127.0.0.1.*$')[0]
        words = ana.wait("^To check the hash of the line, read these words to your friend: (.*)[.]$")[1]
        assert len(words.split(", ")) == 8
        site = ana.wait("^The line and the words are on this page: (http://127.0.0.1:.*)$")[1]
        assert f"'{site}/k'" in line
        ana.wait("^Firewall: allow TCP [0-9]+ and [0-9]+[.]$")
        ana.wait("^Guests run the program from your computer, so they must trust you.$")
        with urllib.request.urlopen(site) as page:
            assert line in html.unescape(page.read().decode())
        ana.type("no share")
        ana.wait("^Sharing has stopped.")
        with pytest.raises(urllib.error.URLError, match="refused"):
            urllib.request.urlopen(site)


def test_the_line_mode_serves_the_page_of_a_resumed_table_again_as_soon_as_it_can() -> None:
    trouble, said = "Port 7480 is taken.", "The page is back at http://192.168.1.7:7480"
    table = PretendTable(game=CARDS, names=("ana", "ben"), seats=3, seat=0, phase="open")
    table.page_seats.port = 7480
    services, written = PretendServices(table), StringIO()
    services.trouble = trouble

    async def story() -> None:
        playing = asyncio.create_task(PlainTable(table, services, Silence(), Settings()).play())
        await until(lambda: trouble in written.getvalue().splitlines())
        services.trouble = ""
        await until(lambda: said in written.getvalue().splitlines())
        assert written.getvalue().count(trouble) == 1
        playing.cancel()

    class Silence(Console):
        """Nobody types."""

        def __init__(self) -> None:
            super().__init__(StringIO(""), written)

        async def read(self) -> str:
            await asyncio.get_running_loop().create_future()
            return ""

    asyncio.run(story())


class Columns(StringIO):
    """What is written to a terminal."""

    def isatty(self) -> bool:
        return True


def test_what_is_copied_from_a_terminal_has_no_line_end_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    written, text = Columns(), " ".join(["python3"] * 20)

    async def story() -> None:
        Console(StringIO(""), written).show(text)

    asyncio.run(story())
    assert written.getvalue() == f"{text}\n"


@pytest.mark.parametrize("game", lookup.ids())
def test_a_terminal_of_80_columns_gets_whole_words_in_every_row(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines, written = rules_lines(game), Columns()

    async def story() -> None:
        Console(StringIO(""), written).say(*lines)

    asyncio.run(story())
    rows = written.getvalue().splitlines()
    assert max(map(len, rows)) > 70
    assert all(len(row) < 80 for row in rows)
    assert [word for row in rows for word in row.split()] == [word for line in lines for word in line.split()]


def test_who_is_waited_for_is_said_once_and_only_where_somebody_chooses() -> None:
    state = CARDS.start(4, {})
    bidding = state.apply(tuple(Item(n, (HIDDEN, HIDDEN), (0, 0)) for n in range(len(state.deck))))
    table = PretendTable(game=CARDS, names=("ana", "ben", "carla", "dan"), seats=4, seat=0, phase="playing")
    for known, told in (
        # Nobody chooses how cards are shuffled, however long it takes.
        (state, []),
        (bidding, ["Waiting for ben, carla and dan.", "Waiting for dan.", "Waiting for ben and carla."]),
    ):
        table.put(peer=SimpleNamespace(state=known, story=(), waiting=()))
        seats = ((1, 2, 3), (1, 2, 3), (3,), (0, 3), (), (1, 2))
        assert said(table, *map(Waiting, seats)) == told


def test_who_has_resigned_is_not_warned_again() -> None:
    table = PretendTable(game=CARDS, names=("ana", "ben", "carla"), seats=3, seat=0, phase="playing", resigning=True)
    table.put(peer=SimpleNamespace(state=CARDS.start(3, {}), story=(), waiting=(1,), asked=None, result=None))
    written = StringIO()

    async def story() -> None:
        commands = PlainTable(table, PretendServices(table), Console(StringIO(""), written), Settings()).commands
        assert commands.obey("resign")
        # All bid at once: the resignation waits only for the others.
        bidding = CARDS.start(3, {}).apply(tuple(Item(n, (HIDDEN, HIDDEN), (0, 0)) for n in range(6)))
        table.put(peer=SimpleNamespace(state=bidding, story=(), waiting=(0, 1), asked=None, result=None))
        assert commands.obey("resign")
        left = SimpleNamespace(
            state=CARDS.start(3, {}), story=((Leave(0), None),), waiting=(1,), asked=None, result=None
        )
        table.put(resigning=False, peer=left)
        assert commands.obey("resign")

    asyncio.run(story())
    assert written.getvalue().splitlines() == [
        "You resign when it is your turn.",
        "You resigned.",
        "You left the game.",
    ]


def test_what_becomes_of_a_seat_is_said_the_same_way_in_every_game() -> None:
    table = PretendTable(game=CARDS, names=("ana", "ben", "carla"), seats=3, seat=0, phase="playing")
    assert said(
        table, Resigned(0), Resigned(1), Caught(2, 1, 0, "it lied"), SeatDeparted(3, 1, CARDS.start(3, {}))
    ) == [
        "ben resigns.",
        "carla was caught cheating: it lied.",
        "ben resigned; the game goes on without them.",
    ]


@pytest.mark.nightly
def test_after_a_game_the_host_chooses_another_one_with_its_options_for_the_same_people(tmp_path: Path) -> None:
    with two(tmp_path, "diamond") as (ana, ben):
        for seat in (ana, ben):
            seat.wait("^The four words")
            seat.type("same")
        ana.wait("^The game begins: Diamond")
        ana.type("resign")
        ana.wait("Type resign again")
        ana.type("resign")
        ben.wait("^Type rematch to play again, or leave to go")
        ana.wait("^Type rematch to play again, open to choose another game, or leave to go")
        ana.type("open")
        ben.wait("^ana has opened the table again to choose the next game")
        ana.type("options")
        ana.wait("^Game: Diamond. Type game and one of")
        ana.type("game mine")
        ben.wait("^ana chose Diamond Mine")
        ana.type("option flawless=yes")
        ana.wait("a fifth color is only for four players")
        ana.type("waiting 300")
        ben.wait("^ana changed the options. Time to return: 5 min")
        ben.type("options")
        ben.wait("^Game: Diamond Mine.$")
        ana.type("seats 3")
        ana.wait("^Type seats and one of 2, 4.")
        ana.type("ready")
        for seat in (ana, ben):
            seat.wait("^The game begins: Diamond Mine, with ben and ana")


def test_the_options_of_an_open_table_are_changed_in_lines_and_what_is_wrong_is_answered() -> None:
    table = PretendTable(game=lookup.find("diamond-trust"), phase="open", names=("ana",), acquaintance=("you",),
                         options={"last_look": 40, "quiet_time": 5})  # fmt: skip
    settings = Settings(options={"land": {"turns": "25"}})
    changed = "20 s for both, once plans are made"
    for word, typed, answer, options in (
        ("adjust", "20", f"You changed the options. Adjust time: {changed}.", {"last_look": 20}),
        (
            "adjust",
            "x",
            "Type adjust and a number of seconds up to 600, such as 20, or a range, such as 5-40; 0 is no limit.",
            {"last_look": 20},
        ),
        ("waiting", "300", "You changed the options. Time to return: 5 min.", {"last_look": 20, "grace": 300}),
        ("waiting", "86401", "Type waiting and a number of seconds, 5 to 86400.", {"last_look": 20, "grace": 300}),
        ("waiting", "120", "Nothing has changed.", {"last_look": 20}),
        ("seats", "3", "Diamond Trust of London is for 2 players.", {"last_look": 20}),
        ("game", "chess", "Type game and one of", {"last_look": 20}),
        ("option", "map=small", 'Diamond Trust of London has no option "map"', {"last_look": 20}),
        ("game", "land", "You chose Blood Diamonds: Land.", {"map": "kimberley", "turns": 25}),
        ("seats", "6", "You changed the options. Seats: up to 6 players.", None),
        ("seats", "2", "You changed the options. Seats: 2 players.", None),
    ):
        said = change_by(table, settings, word, typed)
        assert said is not None
        assert said[0].startswith(answer), word
        assert options is None or table.occupants.options == options
    assert change_by(table, settings, "ready", "") is None
    assert change_by(table, settings, "adjust", "20") is None, "Land has none"
    table.change(names=("ana", "ben", "cleo"))
    (said,) = change_by(table, settings, "game", "diamond") or ()
    assert said == "3 players are seated, and Diamond is for 2. Type remove and a name first."
    table.change(names=("ana", "ben", "cleo", "dan", "eva"))
    (said,) = change_by(table, settings, "game", "mine") or ()
    assert said == "5 players are seated, and Diamond Mine is for 2 or 4. Type remove and a name first."
    table.change(names=("ana", "ben", "cleo"), acquaintance=("you", "new", "bot"))
    (said,) = change_by(table, settings, "seats", "2") or ()
    assert said == "3 players are seated. Type no bot first."
