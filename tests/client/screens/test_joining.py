"""Tables that are listed, joined, set up and left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from kimberley.client.screens.app import App
from kimberley.client.screens.connecting import IN_QUEUE
from kimberley.client.screens.dossier import DossierScreen
from kimberley.client.screens.join import JoinScreen
from kimberley.client.screens.network_advice import ADVICE_SECONDS, SILENT_SECONDS
from kimberley.client.session.services import ListedTable
from kimberley.client.session.settings import load
from kimberley.p2p.table.events import ChatLine
from kimberley.p2p.table.guest_lobby import queue_sentence
from kimberley.p2p.table.table import Table
from tests.support.asyncs import settled, until
from tests.support.at_the_title import SIZES, check
from tests.support.cards import CARDS
from tests.support.pretend import PretendServices, PretendTable, listed, open_table, press, running, shown, touch

TABLES = (
    listed("ben", key="met"),
    listed("carla", title="Diamond Mine", game="mine", total=4, taken=3),
    listed("ben · 4f2a", key="changed", versions="They use protocol 9, you use 1: update the older one."),
    listed("日本の友達", title="Blood Diamonds, the land game of a very long name"),
)


def test_two_tables_of_one_nickname_are_both_listed_and_each_can_be_joined() -> None:
    twins = (listed("ben", address="192.168.1.23"), listed("ben", name="ben 2", address="192.168.1.24"))
    services = PretendServices(tables=twins)

    async def test(app: App) -> None:
        press(app, "j")
        await until(lambda: services.watchers)
        text = shown(app)
        assert "2 tables" in text
        assert text.count("ben  ") == 2
        assert "192.168.1.23" in text
        press(app, "down")
        assert "192.168.1.24" in shown(app)
        press(app, "enter")
        await until(lambda: services.asked)
        assert services.asked == [("join", "ben 2")]

    running(test, services)


def test_an_open_table_is_chosen_rather_than_a_full_one_until_somebody_uses_the_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kimberley.client.session.table_list.SORTING_SECONDS", -1.0)
    full = listed("carla", taken=2)
    services = PretendServices(tables=(full,))

    def tell(*tables: ListedTable) -> None:
        services.tables = tables
        for watcher in services.watchers:
            watcher()

    async def test(app: App) -> None:
        press(app, "j")
        await until(lambda: services.watchers)
        screen = app.stack[-1]
        assert isinstance(screen, JoinScreen)
        assert screen.scroll.focus == 0
        tell(full, listed("ben"), listed("dan"))
        assert [table.host for table in screen.tables] == ["carla", "ben", "dan"]
        assert screen.scroll.focus == 1
        press(app, "up")
        tell(full, listed("ben"))
        assert screen.scroll.focus == 0

    running(test, services)


def test_a_table_that_appears_moves_no_button() -> None:
    """Otherwise a click that was meant for Back would join it."""
    services = PretendServices()

    async def test(app: App) -> None:
        press(app, "j")
        await until(lambda: services.watchers)
        row = next(line for line in shown(app).split("\n") if "Back" in line)
        services.tables = (listed("ben"),)
        for watcher in services.watchers:
            watcher()
        assert "1 table" in shown(app)
        assert row in shown(app)

    running(test, services)


@pytest.mark.parametrize("host", [True, False])
@pytest.mark.parametrize("early", [True, False])
def test_a_table_that_somebody_left_before_the_game_is_open_again_and_says_so(host: bool, early: bool) -> None:
    """The name is gone before the table is open, or after that."""
    table = PretendTable(host=host)

    async def test(app: App) -> None:
        app.take_seat(table)
        assert "four words" in shown(app)
        if early:
            table.change(names=("ana",), acquaintance=("you",), agreed=(False,))
        else:
            table.change(phase="open")
        assert "left the table" not in shown(app)
        table.change(phase="open", names=("ana",), acquaintance=("you",), agreed=(False,))
        text = shown(app)
        assert "ben left. The table is open again." in text
        assert "1 of 2 seats taken" in text
        assert ("waiting for someone to join" in text) is host
        table.change(names=("ana", "ben"), acquaintance=("you", "met"), agreed=(False, False))
        assert "left" not in shown(app)
        # What has been said since then stays.
        table.change(names=("ana",), acquaintance=("you",), agreed=(False,))
        app.toast("Copied.")
        table.change(names=("ana", "ben"), acquaintance=("you", "met"), agreed=(False, False))
        assert "Copied." in shown(app)

    running(test)


@pytest.mark.parametrize("host", [True, False])
@pytest.mark.parametrize(("three", "left"), [(("ana", "ben", "carla"), "ben"), (("ana", "ben", "ana"), "ben")])
def test_at_an_open_table_of_three_it_is_said_who_left_and_nobody_else(
    host: bool, three: tuple[str, str, str], left: str
) -> None:
    table = PretendTable(
        host=host, seats=3, phase="open", names=("ana",), acquaintance=("you",), agreed=(False,), phrase=None
    )

    async def test(app: App) -> None:
        app.take_seat(table)
        assert "1 of 3 seats taken" in shown(app)
        table.change(names=three, acquaintance=("you", "new", "new"), agreed=(False,) * 3)
        assert "left the table" not in shown(app)
        rest = tuple(name for name in three if name != left)
        table.change(names=rest, acquaintance=("you", "new"), agreed=(False,) * 2)
        text = shown(app)
        assert f"{left} left." in text
        assert "2 of 3 seats taken" in text

    running(test)


def test_the_list_follows_what_comes_and_goes_and_keeps_the_focus() -> None:
    services = PretendServices(tables=TABLES)

    async def test(app: App) -> None:
        press(app, "j")
        await settled()
        text = shown(app)
        for part in ("! key changed", "3 of 4", "for a name you know: ask first"):
            assert part in text
        for part in ("Ping", " ms", "verified", "version "):
            assert part not in text
        press(app, "down")
        row = next(number for number, line in enumerate(shown(app).split("\n")) if "▸ " in line)
        services.tables = TABLES[1:]
        services.watchers[-1]()
        assert "▸ Diamond Mine" in shown(app).split("\n")[row], "it has not moved"
        assert "carla’s table" in shown(app)
        assert "3 tables" in shown(app)
        press(app, "up", "enter")
        assert "ben’s table is closed." in shown(app)
        assert not services.asked
        services.tables = ()
        services.silent = 2
        services.watchers[0]()
        assert "Tables on this network appear here." in shown(app)
        late = app.paint(80, 24, app.now() + SILENT_SECONDS)
        assert "2 tables are announced but do not answer" in "\n".join(late.lines())

    running(test, services)


@pytest.mark.parametrize("silent", [0, 1])
def test_the_network_is_spoken_of_only_after_a_while_or_when_something_has_failed(silent: int) -> None:
    async def test(app: App) -> None:
        screen = JoinScreen(app)
        app.push(screen)
        screen.on_tables_changed()
        began = app.now()
        check(app, "Tables on this network appear here.")
        assert not {"Firewall", "doctor", "guest"} & set(shown(app).split())
        app.now = lambda: began + (SILENT_SECONDS if silent else ADVICE_SECONDS)  # type: ignore[method-assign]
        check(app, "A table is announced but does not answer." if silent else "Still looking")
        check(app, "kimberley doctor 192.168.1.7   finds the problem.")

    services = PretendServices()
    services.silent = silent
    running(test, services)


def test_what_cannot_be_joined_says_why() -> None:
    services = PretendServices(tables=(listed("zoe", taken=2), TABLES[2], listed("me", key="you")))

    async def test(app: App) -> None:
        press(app, "j")
        await settled()
        press(app, "down")
        assert "They use protocol 9, you use 1" in shown(app)
        press(app, "enter")
        assert "You know a player of this name by" in shown(app)
        press(app, "esc", "down", "enter")
        assert "--data" in shown(app)
        assert not services.asked

    running(test, services)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 40)])
def test_who_finds_the_table_full_sees_the_place_in_the_queue_and_can_stop_waiting(size: tuple[int, int]) -> None:
    class Full(PretendServices):
        async def join(self, where: ListedTable | str, queued: Callable[[str], None] = lambda sentence: None) -> Table:
            queued(queue_sentence(2, full=True))
            await asyncio.Event().wait()
            raise AssertionError

    async def test(app: App) -> None:
        press(app, "j")
        await settled()
        press(app, "enter")
        await settled()
        began = app.now()
        app.now = lambda: began + 5  # type: ignore[method-assign]
        text = " ".join(shown(app, *size).replace("│", " ").split())
        assert IN_QUEUE in text
        assert queue_sentence(2, full=True) in text
        assert "top waiting" in text
        press(app, "esc")
        await settled()
        assert IN_QUEUE not in shown(app, *size)

    running(test, Full(tables=(listed("zoe", taken=2),)))


def test_a_table_of_another_version_says_where_to_get_that() -> None:
    services = PretendServices(
        tables=(listed("dan", versions="They use protocol 9, you use 1: update the older one."),)
    )
    services.trouble = (
        "The host has Kimberley 9.0.0 (protocol revision 9), the guest Kimberley 0.1.0 (protocol revision 1): update "
        "the older one. Or get it from dan: http://192.168.1.23:7480 says how. Type only the line that you see on "
        "dan’s screen."
    )

    async def test(app: App) -> None:
        press(app, "j")
        await settled()
        press(app, "enter")
        await until(lambda: "That did not work." in shown(app))
        assert services.asked == [("join", "dan")]
        for columns, rows in SIZES:
            said = " ".join(shown(app, columns, rows).replace("│", " ").split())
            assert services.trouble in said

    running(test, services)


def test_a_known_name_with_another_key_asks_back_before_it_is_joined() -> None:
    services = PretendServices(tables=(listed("ben", key="changed"),))

    async def test(app: App) -> None:
        press(app, "j")
        await settled()
        press(app, "enter")
        assert "You know a player of this name by" in shown(app)
        press(app, "esc")
        assert not services.asked
        press(app, "enter", "enter")
        assert not services.asked
        press(app, "enter", "x")
        await settled()
        assert services.asked == [("join", "ben")]

    running(test, services)


def test_an_address_is_typed_pasted_and_joined() -> None:
    services = PretendServices(trouble="Nobody answers at 10.0.0.1.")

    async def test(app: App) -> None:
        press(app, "j", *"10.0.0.1", "enter")
        await settled()
        assert services.asked == [("join", "10.0.0.1")]
        assert "Nobody answers at 10.0.0.1." in shown(app)
        assert "That did not work." in shown(app)
        press(app, "enter")
        await until(lambda: len(services.asked) == 2 and "That did not work." in shown(app))
        assert services.asked.pop() == ("join", "10.0.0.1")
        press(app, "esc")
        assert isinstance(screen := app.stack[-1], JoinScreen), "back to where it was typed"
        assert screen.field.text == "10.0.0.1"
        press(app, "backspace", "2", "enter")
        await settled()
        assert services.asked.pop() == ("join", "10.0.0.2")
        press(app, "esc", "c-u")
        app.paste("kimberley join 192.168.1.7\n")
        press(app, "enter")
        await settled()
        assert services.asked[1:] == [("join", "192.168.1.7")]

    running(test, services)


def test_a_table_is_set_up_as_chosen_and_remembered(tmp_path: Path) -> None:
    table = open_table(options={"last_look": 40, "quiet_time": 5})
    services = PretendServices(table)

    async def test(app: App) -> None:
        app.settings.path = tmp_path / "settings.json"
        press(app, "a", "right", "right", "down", "right", "enter")
        await settled()
        assert services.asked == [("alone", "diamond-trust", {"last_look": 40, "quiet_time": 5}, 2, 3)]
        app.home()
        press(app, "h")
        await settled()
        assert services.asked[1:] == [("host", "diamond-trust", {"last_look": 40, "quiet_time": 5}, 2)], "it is open"
        touch(app, "Options o")
        press(app, "right")
        assert table.occupants.options == {"last_look": 6}
        press(app, "enter")
        assert "Your table is open" in shown(app)
        assert load(tmp_path).level == 3
        assert (load(tmp_path).adjust_alone, load(tmp_path).adjust) == ("5-40", "6"), "people and bots have their own"

    running(test, services)


def test_the_lobby_says_who_is_waited_for() -> None:
    table = PretendTable()

    async def test(app: App) -> None:
        app.take_seat(table)
        assert "Waiting for you and ben." in shown(app)
        touch(app, "Same y")
        assert table.done == [("same", True)]
        assert "Waiting for ben." in shown(app)
        assert "Same y" not in shown(app)
        table.change(agreed=(True, True))
        assert "Starting…" in shown(app)

    running(test)


def test_another_key_must_be_accepted_twice() -> None:
    table = PretendTable(acquaintance=("you", "changed"))

    async def test(app: App) -> None:
        app.take_seat(table)
        assert "! key changed" in shown(app)
        assert "y same" in shown(app)
        press(app, "y")
        assert not table.done
        press(app, "y", "enter")
        assert not table.done
        press(app, "y", "x")
        assert table.done == [("same", True)]
        assert "y same" not in shown(app)

    running(test)


def test_leaving_tells_the_table_and_goes_home() -> None:
    table = PretendTable()

    async def test(app: App) -> None:
        app.take_seat(table)
        press(app, "esc")
        assert "Leave the table" in shown(app)
        press(app, "y")
        assert table.done == []
        press(app, "x")
        await settled()
        assert table.done == [("leave",), ("close",)]
        assert "Play alone" in shown(app)
        table.change(phase="failed", problem="late")
        assert "late" not in shown(app)

    running(test)


def test_what_others_say_and_do_is_told() -> None:
    table = PretendTable(phase="open")

    async def test(app: App) -> None:
        app.take_seat(table)
        table.change(ChatLine(1, "well\x1b met"))
        assert "ben: well met" in shown(app)
        table.change(phase="failed", problem="ben left the table.")
        text = shown(app)
        assert "What happened" in text
        assert "The table is closed." in text
        assert "ben left the table." in text

    running(test)


@pytest.mark.parametrize("key", ["enter", "esc"])
def test_a_table_that_failed_is_closed_once_one_has_read_why(key: str) -> None:
    """Until then its door answers whoever comes back, and its announcement stays."""
    table = PretendTable(phase="open")

    async def test(app: App) -> None:
        app.take_seat(table)
        table.change(phase="failed", problem="ben left the table.")
        await settled()
        assert table.done == []
        press(app, key)
        await settled()
        assert table.done == [("leave",), ("close",)]
        assert "Play alone" in shown(app)
        assert app.table_flow is None

    running(test)


@pytest.mark.parametrize(
    ("wanting", "said"),
    [
        ({1}, "ben wants a rematch."),
        ({2}, "carla of a long name wants a rematch."),
        ({1, 3}, "2 of the 3 others want a rematch."),
        ({1, 2, 3}, "The others want a rematch."),
    ],
)
def test_who_would_like_another_game_is_told_to_the_host(wanting: set[int], said: str) -> None:
    names = ("ana", "ben", "carla of a long name", "dan of another one")
    table = PretendTable(game=CARDS, names=names, seats=4, phase="done", again_from=frozenset(wanting))

    async def test(app: App) -> None:
        app.push(DossierScreen(app, table, SimpleNamespace(counts=False, leave=lambda: None), None))
        told = " ".join(line.split("Rematch")[0][:30].strip() for line in shown(app).splitlines()[-3:-1])
        assert said in told

    running(test)


def test_a_guest_who_has_asked_for_another_game_is_not_asked_again() -> None:
    table = PretendTable(game=CARDS, host=False, seat=1, phase="done")

    async def test(app: App) -> None:
        app.push(DossierScreen(app, table, SimpleNamespace(counts=False, leave=lambda: None), None))
        assert "Do you want a rematch? ana can also choose" in shown(app)
        assert "Rematch p" in shown(app)
        table.change(again_from=frozenset({1}))
        assert "Waiting for ana to decide." in shown(app)
        assert "Rematch p" not in shown(app)

    running(test)


@pytest.mark.parametrize("host", [True, False])
def test_who_has_joined_is_told_what_the_host_changes(host: bool) -> None:
    table = open_table(seats=3, host=host, seat=1 - host, names=("ana", "ben"), acquaintance=("you", "new"))
    table.put(options={"last_look": 20, "grace": 60})

    async def test(app: App) -> None:
        app.take_seat(table)
        table.hosting.change_options({"last_look": 20, "grace": 300}, 4)
        told = "ana changed the options. Seats: up to 4 players. Time to return: 5 min."
        assert (told[:60] in shown(app)) != host
        table.change()
        assert table.occupants.seats == 4

    running(test)


def test_who_has_the_name_of_everybody_is_asked_for_another_before_meeting_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "root")
    services = PretendServices(open_table())

    async def test(app: App) -> None:
        app.settings.nickname, app.settings.path = "", tmp_path / "settings.json"
        press(app, "h")
        assert "What do your friends call you?" in shown(app)
        press(app, "esc")
        assert services.asked == [], "not hosted"
        press(app, "h", *"ana", "enter")
        await settled()
        assert services.asked[0][0] == "host"
        assert load(tmp_path).nickname == "ana"
        app.home()
        press(app, "h")
        await settled()
        assert len(services.asked) == 2, "asked once"

    running(test, services)
