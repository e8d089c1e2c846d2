"""The lobby of a table for more than two, as it looks on every terminal, by keys alone and by the mouse alone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from kimberley.client.screens.app import App
from kimberley.client.screens.dialogs import CLOSING, Question
from kimberley.client.screens.lobby import STANDARD
from kimberley.client.screens.title import TitleScreen
from kimberley.client.screens.waiting import ALL_SEATED, CODE, WHEN_FULL, WaitingScreen
from kimberley.client.session.participants import OTHER_OWNER, compared_with, key_status, short_name
from kimberley.client.ui.palette import Depth, Palette
from kimberley.client.ui.qr_code import code_lines
from kimberley.games import lookup
from tests.support.asyncs import settled, until
from tests.support.cards import CARDS
from tests.support.pretend import (
    PretendServices,
    PretendTable,
    noted_copies,
    open_table,
    press,
    pretend_app,
    set_up,
    shown,
    touch,
)

SIZES = ((80, 24), (100, 34), (120, 28), (120, 40), (200, 60))
NAMES = ("ana", "farid", "carla of a very long name", "日本の友達 4f2a", "gita", "zoe")


def table(flow: int = 1, seats: int = 6, **values: Any) -> PretendTable:
    """Returns an open table of the cards, as its host sees it unless told otherwise."""
    given: dict[str, Any] = {
        "game": CARDS, "phase": "open", "seats": seats, "names": NAMES[:flow], "readiness": (False,) * flow,
        "acquaintance": ("you", *("new",) * (flow - 1)), "agreed": (False,) * flow,
        "asks_ready": seats > 2,
    }  # fmt: skip
    return PretendTable(**(given | values))


def said(app: App) -> str:
    """Returns what the open question says."""
    question = app.stack[-1]
    assert isinstance(question, Question)
    return question.text


def at(seated: PretendTable, test: Callable[[App, PretendServices], Awaitable[None]]) -> None:
    """Runs a test at a table."""

    async def main() -> None:
        services = PretendServices(seated)
        app = pretend_app(services)
        app.push(TitleScreen(app))
        app.take_seat(seated)
        await test(app, services)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    asyncio.run(main())


def everywhere(app: App, *texts: str) -> None:
    """Asserts that the texts are shown whole at every size, depth and set of glyphs, and nothing runs into them."""
    for ascii_only in (False, True):
        for depth in Depth:
            app.palette, app.ascii_only = Palette(depth), ascii_only
            for columns, rows in SIZES:
                painted = shown(app, columns, rows)
                for text in texts:
                    assert text in painted, f"{text!r} at {columns} x {rows}:\n{painted}"
                assert painted.isascii() or not ascii_only
    app.palette, app.ascii_only = Palette(Depth.TRUE), False


def test_the_lobby_says_whose_plans_can_be_changed_when_and_for_how_long() -> None:
    options = {"last_look": 40, "quiet_time": 5}
    for seated in (PretendTable(options=options), PretendTable(options=options, phase="open", host=False)):

        async def test(app: App, services: PretendServices) -> None:
            del services
            everywhere(app, "Adjust time", "5 to 40 s for both, once plans", "are made")

        at(seated, test)


STATES: dict[str, tuple[PretendTable, tuple[str, ...]]] = {
    "the host alone": (
        table(),
        ("1 of 6 seats taken", "add a bot", "Ready r", "Waiting for you and 1 more", "kimberley join"),
    ),
    "the host and a guest": (
        table(2, readiness=(False, True)),
        ("2 of 6 seats taken", "Press Ready when you are", "Waiting for you.", "You can leave", "ready", "not ready"),
    ),
    "a bot sits": (
        table(3, acquaintance=("you", "new", "bot"), called_bots=(False, False, True), readiness=(True, False, True)),
        ("You are ready", "bot", "Waiting for farid", "Not ready r", "- remove bot", "x remove player", "Close Esc"),
    ),
    "all are ready": (
        table(6, readiness=(True,) * 6),
        ("6 of 6 seats taken", "Everyone is ready", "gita", "zoe"),
    ),
    "a guest": (
        table(3, seat=1, host=False, addresses=(), acquaintance=("new", "you", "new")),
        ("ana", "table", "3 of 6 seats taken", "What happens next", "host", "Ready r", "Leave Esc"),
    ),
    "three seats, all of them": (
        table(2, seats=3, asks_ready=False, game=replace(CARDS, seats=(3,))),
        ("2 of 3 seats taken", "add a bot", "Close the table Esc"),
    ),
    "two seats": (
        table(1, seats=2),
        ("waiting for someone to join", "1 of 2 seats taken", "Close the table Esc"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("state", STATES)
def test_an_open_table_on_every_terminal(state: str) -> None:
    seated, texts = STATES[state]

    async def test(app: App, services: PretendServices) -> None:
        everywhere(app, *texts)

    at(seated, test)


def test_two_seats_ask_for_nothing_but_patience() -> None:
    async def test(app: App, services: PretendServices) -> None:
        text = shown(app)
        assert "Ready r" not in text
        assert "add a bot" not in text
        press(app, "r", "b", "-")
        await settled()
        assert not services.asked
        assert not seated.done

    seated = table(1, seats=2)
    at(seated, test)


def test_the_host_seats_bots_and_takes_them_back_by_keys() -> None:
    seated = table()

    async def test(app: App, services: PretendServices) -> None:
        for _ in range(2):
            press(app, "b")
            await settled()
        assert services.asked == [("bot", app.settings.level)] * 2
        assert "3 of 6 seats taken" in shown(app)
        press(app, "-")
        assert seated.done == [("away", 2)]
        assert "2 of 6 seats taken" in shown(app)
        press(app, "r")
        assert seated.done[-1] == ("ready", True)
        assert "Everyone is ready" in shown(app)
        press(app, "r")
        assert seated.done[-1] == ("ready", False)
        seated.change(acquaintance=("you", "new"))
        press(app, "esc")
        assert "Nobody can join once it is closed" in shown(app)
        # y copies what others type there, and Enter keeps the table open.
        press(app, "y", "enter")
        assert ("leave",) not in seated.done
        press(app, "esc", "x")
        assert ("leave",) in seated.done

    at(seated, test)


def test_the_host_seats_bots_and_takes_them_back_by_the_mouse() -> None:
    seated = table()

    async def test(app: App, services: PretendServices) -> None:
        touch(app, "add a bot")
        await settled()
        touch(app, "add a bot")
        await settled()
        assert "3 of 6 seats taken" in shown(app)
        touch(app, " ×")
        assert seated.done == [("away", 1)]
        touch(app, "Ready r")
        assert seated.done[-1] == ("ready", True)
        touch(app, "Not ready r")
        assert seated.done[-1] == ("ready", False)
        touch(app, "Close Esc")
        assert ("leave",) in seated.done, "nobody asks who closes a table without people"

    at(seated, test)


def test_the_host_shows_a_code_of_what_others_type_and_copies_it() -> None:
    async def test(app: App, services: PretendServices) -> None:
        del services
        copied = noted_copies(app)
        code = [line.strip() for line in code_lines("kimberley join 192.168.1.7")]
        for columns, rows in SIZES:
            painted = shown(app, columns, rows).splitlines()
            assert [line for line in code if line and not any(line in row for row in painted)] == []
        press(app, "y")
        assert copied == ["kimberley join 192.168.1.7"]
        app.ascii_only = True
        assert "kimberley join 192.168.1.7" in shown(app)
        assert code[4] not in shown(app)

    at(table(1, seats=2), test)


@pytest.mark.parametrize("host", [True, False])
def test_a_table_that_is_full_waits_for_nobody_to_join(host: bool) -> None:
    seated = table(2, 2, queue=("zoe",), host=host)

    async def test(app: App, services: PretendServices) -> None:
        everywhere(app, "2 of 2 seats, 1 in the queue", ALL_SEATED)
        assert "more player" not in shown(app)
        assert WHEN_FULL not in shown(app)
        # A guest does not know whether there was a game before: then the table waits for the host.
        assert ("The host starts" in shown(app)) != host
        assert ("The game begins next." in shown(app)) == host

    at(seated, test)


@pytest.mark.parametrize("host", [True, False])
def test_only_the_host_is_told_what_helps_others_to_find_the_table(host: bool) -> None:
    async def test(app: App, services: PretendServices) -> None:
        screen = app.stack[-1]
        assert isinstance(screen, WaitingScreen)
        assert ("Not found?" in {section.heading for section in screen.help().sections}) == host

    at(table(2, 4, host=host, port=7411 if host else 0), test)


@pytest.mark.parametrize("phase", ["open", "words"])
def test_the_host_removes_a_person_by_keys(phase: str) -> None:
    seated = table(2, 2, phase=phase)

    async def test(app: App, services: PretendServices) -> None:
        everywhere(app, "x remove")
        press(app, "x")
        assert "farid would lose the seat" in shown(app)
        press(app, "enter")
        assert not seated.done
        press(app, "x", "x")
        assert seated.done == [("away", 1)]

    at(seated, test)


@pytest.mark.parametrize("columns", [80, 40])
def test_who_has_said_that_the_words_are_the_same_is_not_asked_any_more(columns: int) -> None:
    seated = table(2, 2, phase="words", agreed=(False, False))

    async def test(app: App, services: PretendServices) -> None:
        size = (columns, 24 if columns == 80 else 40)
        assert "Same words on every screen?" in shown(app, *size)
        seated.change(agreed=(True, False))
        assert "Same words on every screen?" not in shown(app, *size)
        assert "The four words" in shown(app, *size)
        assert "Compare the four words with" not in shown(app, *size)

    at(seated, test)


def test_at_a_full_table_between_games_nobody_is_told_how_to_join() -> None:
    for seats in (3, 4):
        seated = table(3, seats)
        seated.put(begins=True)

        async def test(app: App, services: PretendServices, free: bool = seats > 3) -> None:
            for size in SIZES:
                assert ("kimberley join" in shown(app, *size)) == free
            everywhere(app, *([] if free else ["The game begins when you press Start."]))

        at(seated, test)


def test_of_several_people_the_host_chooses_whom_to_remove() -> None:
    seated = table(4, 6, acquaintance=("you", "new", "bot", "new"))

    async def test(app: App, services: PretendServices) -> None:
        press(app, "x")
        assert "Remove a player" in shown(app)
        press(app, "4")
        # Meanwhile a bot has gone, and the one that is meant has moved up.
        seated.hosting.send_away(2)
        press(app, "x")
        assert seated.done == [("away", 2), ("away", 2)]
        assert NAMES[3] not in seated.occupants.names

    at(seated, test)


def test_the_host_removes_a_person_by_the_mouse() -> None:
    seated = table(3)

    async def test(app: App, services: PretendServices) -> None:
        touch(app, "×")
        assert "farid would lose the seat" in shown(app)
        press(app, "x")
        assert seated.done == [("away", 1)]

    at(seated, test)


def test_who_is_no_host_or_plays_for_a_referee_removes_nobody() -> None:
    seated = table(3, host=False, host_seat=1)

    async def test(app: App, services: PretendServices) -> None:
        assert "remove" not in shown(app)
        press(app, "x")
        assert not seated.done

    at(seated, test)


def test_an_address_too_long_for_a_code_is_shown_alone() -> None:
    async def test(app: App, services: PretendServices) -> None:
        del services
        assert "▀▀▀▀▀▀▀" not in shown(app).split("Close")[0].split("How to join")[0]

    at(table(1, seats=2, addresses=("a" * 60,)), test)


LONG = "2001:db8:1234:5678:9abc:def0:1234:5678"


def joined_rows(painted: str, start: str) -> str:
    """Returns the text that begins with `start`, and continues in the rows below as long as each row is full."""
    rows = painted.split("\n")
    first = next(y for y, row in enumerate(rows) if start in row)
    column = rows[first].index(start)
    return "".join(row[column:].rstrip() for row in rows[first : first + 3]).split("  ")[0]


@pytest.mark.parametrize("address", [LONG, f"[{LONG}]:65535", "fe80::5054:ff:fe12:3456%wlx00c0caae1234"])
@pytest.mark.parametrize("seats", [2, 6])
@pytest.mark.parametrize("unannounced", [None, "no multicast"])
def test_a_long_address_is_shown_whole(address: str, seats: int, unannounced: str | None) -> None:
    command = f"kimberley join {address.replace('wlx00c0caae1234', 'INTERFACE')}"

    async def test(app: App, services: PretendServices) -> None:
        del services
        for columns, rows in (*SIZES, (45, 40)):
            painted = shown(app, columns, rows)
            assert joined_rows(painted, "kimberley join").startswith(command), painted
            assert ("others type their own" in " ".join(painted.split())) == ("%" in address)
            assert "Close" in painted or columns == 45

    at(table(1, seats=seats, addresses=(address,), unannounced=unannounced), test)


@pytest.mark.parametrize(
    ("values", "listed"), [({}, True), ({"announces": False}, False), ({"unannounced": "no multicast"}, False)]
)
def test_a_table_that_no_list_shows_is_joined_by_its_address(values: dict[str, Any], listed: bool) -> None:
    async def test(app: App, services: PretendServices) -> None:
        del services
        text = shown(app)
        assert ("Join, then pick your table." in text) is listed
        assert ("Join, then type the address." in text) is not listed

    at(table(1, seats=2, addresses=("192.168.1.7",), **values), test)


def test_link_local_addresses_are_offered_only_alone() -> None:
    async def test(app: App, services: PretendServices) -> None:
        del services
        assert "fe80" not in shown(app)

    at(table(1, seats=2, addresses=("192.168.1.7", "fe80::1%eth0")), test)


def test_a_guest_seats_nobody() -> None:
    seated = table(2, seat=1, host=False, addresses=(), acquaintance=("new", "you"))

    async def test(app: App, services: PretendServices) -> None:
        assert "add a bot" not in shown(app)
        press(app, "b", "-")
        await settled()
        assert not services.asked
        touch(app, "Ready r")
        assert seated.done == [("ready", True)]
        touch(app, "Leave Esc")
        assert ("leave",) in seated.done

    at(seated, test)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_one_phrase_for_the_whole_table(players: int) -> None:
    agreed = (False, *(True,) * (players - 2), False)
    seated = table(players, phase="words", agreed=agreed)

    async def test(app: App, services: PretendServices) -> None:
        everywhere(app, "amber", "canyon", "piano", "velvet", "comparing", "same", "Same y", "Waiting for you and")
        assert shown(app).count("✓ same") == players - 2
        assert STANDARD in shown(app)
        touch(app, "Same y")
        assert seated.done == [("same", True)]
        assert shown(app).count("✓ same") == players - 1

    at(seated, test)


def test_of_six_one_with_another_key_is_told_where_it_sits() -> None:
    known = ("you", "new", "changed", "met", "new", "new")
    seated = table(6, phase="words", acquaintance=known)

    async def test(app: App, services: PretendServices) -> None:
        everywhere(app, "! key changed", "! Key changed", "s key has changed.")

    at(seated, test)


@pytest.mark.parametrize("owner", ["met", "new"])
def test_a_known_name_with_another_key_has_not_changed_while_its_owner_sits_there(owner: str) -> None:
    names, known = ("ben", "ana", "ana", "cleo"), ("you", owner, "changed", "new")
    seated = table(4, 4, names=names, phase="words", acquaintance=known)
    told = OTHER_OWNER.format("ana 3")

    async def test(app: App, services: PretendServices) -> None:
        for width, height in ((80, 24), (40, 60)):
            painted = " ".join(word for line in shown(app, width, height).splitlines() for word in line[:44].split())
            assert "! Key changed" in painted
            assert (told in painted) == (owner == "met")
            assert ("ana 3’s key has changed." in painted) == (owner == "new")
        press(app, "y")
        assert ("ana 3 has the name of" in shown(app)) == (owner == "met")

    at(seated, test)


def test_a_bot_of_a_strange_host_is_a_first_meeting_like_any_other() -> None:
    bots = (False, False, True)
    seated = table(3, seat=1, host=False, phase="words", acquaintance=("new", "you", "new"), called_bots=bots)

    async def test(app: App, services: PretendServices) -> None:
        everywhere(app, "not verified", "a bot, says the host", "Same y")

    at(seated, test)


@pytest.mark.parametrize(
    ("known", "others"),
    [
        (("you", "new"), "cid"),
        (("you", "new", "met"), "everyone at the table"),
        (("new", "named bot", "named bot", "you"), "ben"),
        (("you", "new", "new", "host bot"), "everyone but the bot"),
        (("you", "new", "new", "bot", "bot"), "everyone but the bots"),
    ],
)
def test_nobody_is_asked_to_compare_the_words_with_a_bot(known: tuple[str, ...], others: str) -> None:
    names = ("ben", "cid", "dora", "eve", "fay")[: len(known)]
    table = PretendTable(phase="words", names=names, acquaintance=known, seat=known.index("you"), seats=len(known))
    assert compared_with(table) == others


def test_nobody_is_asked_to_compare_the_words_with_what_the_host_calls_a_bot() -> None:
    given = {"names": ("ana", "ben", "Sancy"), "seat": 1, "seats": 3, "acquaintance": ("new", "you", "new")}
    table = PretendTable(phase="words", **given, called_bots=(False, False, True))
    assert compared_with(table) == "ana"


def test_whose_bot_it_is_that_needs_no_words_is_told() -> None:
    known = ("met", "you", "host bot")
    seated = table(3, seat=1, host=False, acquaintance=known, called_bots=(False, False, True))
    assert key_status(seated, 2) == ("the host’s bot", "soft")


def test_a_seat_that_the_host_calls_a_bot_is_told_before_the_game() -> None:
    seated = table(3, seat=1, host=False, acquaintance=("new", "you", "new"), called_bots=(False, False, True))

    async def test(app: App, services: PretendServices) -> None:
        everywhere(app, "bot")
        assert "no bot" not in shown(app)

    at(seated, test)


def test_two_of_one_long_name_stay_apart_where_names_are_cut() -> None:
    names = ("ana of a very long name", "ana of a very long name 4f2a", "ben")
    for room in range(8, 30):
        short = [short_name(names, seat, room) for seat in range(3)]
        assert len(set(short)) == 3, room
        assert all(len(name) <= room for name in short)


# -- before and after --------------------------------------------------------------------------------------------------


def test_the_number_of_seats_is_chosen_and_kept() -> None:
    async def test(app: App, services: PretendServices) -> None:
        app.home()
        at_table = open_table(CARDS)
        for kind in (at_table, "alone"):
            app.push(set_up(app, CARDS, kind))
            everywhere(app, "Seats", "players", "Level" if kind == "alone" else "Time to return", "Enter")
            press(app, "right", "right", "down", "enter")
            await settled()
            app.home()
        assert at_table.occupants.seats == 4
        assert services.asked == [("alone", "cards", {}, 6, 1)]
        assert (app.settings.seats, app.settings.level) == (6, 1)

    at(table(), test)


@pytest.mark.parametrize("phase", ["open", "words"])
def test_against_bots_alone_there_is_nobody_to_wait_for_or_to_compare_words_with(phase: str) -> None:
    async def test(app: App, services: PretendServices) -> None:
        await settled()
        assert isinstance(app.stack[-1], TitleScreen)

    at(table(2, seats=2, phase=phase, acquaintance=("you", "bot")), test)


def test_once_the_words_are_the_same_the_keys_for_them_are_gone() -> None:
    async def test(app: App, services: PretendServices) -> None:
        assert "y same" in shown(app)
        press(app, "y")
        assert "y same" not in shown(app)

    at(table(2, phase="words", agreed=(False, False)), test)


LOSES_SEAT = "You lose your seat at ana’s table. The table opens again"


@pytest.mark.parametrize(
    ("host", "people", "lost"),
    [(True, 3, "Your table closes."), (False, 3, f"{LOSES_SEAT} for the others."), (False, 2, f"{LOSES_SEAT}.")],
)
@pytest.mark.parametrize("keys", [("esc",), ("f10", "q")], ids=["esc", "menu"])
def test_who_leaves_while_words_are_compared_reads_what_that_means(
    host: bool, people: int, lost: str, keys: tuple[str, ...]
) -> None:
    seated = table(people, phase="words", host=host, seat=0 if host else 1, acquaintance=("new",) * people)

    async def test(app: App, services: PretendServices) -> None:
        press(app, *keys)
        assert lost in said(app)
        assert seated.done == []
        press(app, "x")
        await until(lambda: seated.done == [("leave",), ("close",)])

    at(seated, test)


@pytest.mark.parametrize("keys", [("esc",), ("f10", "q")], ids=["esc", "menu"])
def test_a_table_where_others_sit_is_closed_once_that_is_confirmed(keys: tuple[str, ...]) -> None:
    seated = table(3)

    async def test(app: App, services: PretendServices) -> None:
        press(app, *keys)
        assert CLOSING in said(app)
        assert seated.done == []
        press(app, "esc", "f10")
        assert "q Close the table" in shown(app)

    at(seated, test)


def test_who_removes_a_player_does_not_read_that_the_player_left() -> None:
    seated = table(3, phase="words", acquaintance=("you", "new", "new"))

    async def test(app: App, services: PretendServices) -> None:
        press(app, "x", "enter", "x")
        assert seated.done == [("away", 1)]
        assert "You removed farid. The table is open again." in shown(app)

    at(seated, test)


def test_who_is_waited_for_covers_no_option(monkeypatch: pytest.MonkeyPatch) -> None:
    # The code of a link leaves one row below it.
    monkeypatch.setattr(PretendServices, "serves_pages", True)
    options = {"shape": "square", "length": 3, "grace": 60}
    for names in (1, 2):

        async def test(app: App, services: PretendServices) -> None:
            rows = shown(app).splitlines()[-3:-1]
            assert "Waiting for you" in rows[0][47:]
            assert rows[1][47:], "two rows say who is waited for"
            assert "Map" in rows[1]
            assert not rows[1][45:47].strip(), rows[1]

        at(table(names, seats=4, options=options, game=lookup.find("land")), test)


def test_help_names_a_code_only_where_one_is_shown() -> None:
    for there, blocks, shows in ((2, True, True), (2, False, False), (6, True, False)):

        async def test(app: App, services: PretendServices, blocks: bool = blocks, shows: bool = shows) -> None:
            await until(lambda: isinstance(app.stack[-1], WaitingScreen))
            app.ascii_only = not blocks
            assert (CODE in shown(app)) == shows
            found = app.stack[-1].help()
            assert found is not None
            assert ("The QR code" in [section.heading for section in found.sections]) == shows

        at(table(there), test)


@pytest.mark.parametrize("addresses", [("192.0.2.7",), ()])
def test_a_command_is_announced_only_where_there_is_one(addresses: tuple[str, ...]) -> None:
    async def test(app: App, services: PretendServices) -> None:
        assert ("Or in a terminal:" in shown(app)) is bool(addresses)
        assert ("No network: only someone on" in shown(app)) is not bool(addresses)

    at(table(addresses=addresses, port=7411), test)


@pytest.mark.parametrize("host", [True, False])
def test_help_speaks_to_the_host_as_you(host: bool) -> None:
    async def test(app: App, services: PretendServices) -> None:
        await until(lambda: isinstance(app.stack[-1], WaitingScreen))
        found = app.stack[-1].help()
        assert found is not None
        helped = " ".join(section.text for section in found.sections)
        assert ("when you press Start" in helped) is host
        assert ("It runs in your program, so the others must trust you." in helped) is host
        assert ("the host" in helped.casefold()) is not host

    seat = 0 if host else 1
    at(table(3, seats=4, host=host, seat=seat, begins=True, port=7411, acquaintance=("you", "met", "met")), test)


@pytest.mark.parametrize("taken", [1, 2])
def test_a_full_table_that_is_open_again_offers_no_way_to_it(taken: int) -> None:
    async def test(app: App, services: PretendServices) -> None:
        assert ("far away" in shown(app).splitlines()[-1]) is (taken < 2)
        assert ("copy command" in shown(app).splitlines()[-1]) is (taken < 2)
        press(app, "a")
        assert (("invite_far",) in services.asked) is (taken < 2)

    at(table(taken, seats=2, begins=True, port=7411, addresses=("192.0.2.7",)), test)


@pytest.mark.parametrize("how", ["key", "click"])
def test_a_removed_bot_has_not_left_by_itself(how: str) -> None:
    async def test(app: App, services: PretendServices) -> None:
        if how == "key":
            press(app, "-")
        else:
            touch(app, "×")
        assert f"You removed {NAMES[1]}." in shown(app)
        assert f"{NAMES[1]} left." not in shown(app)

    at(table(2, seats=3, acquaintance=("you", "bot")), test)
