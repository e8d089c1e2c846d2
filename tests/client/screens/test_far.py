"""Host for a friend who is far away: the code, by a key or a click, on every terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

import pytest

from kimberley.client.screens.app import App
from kimberley.client.screens.far_servers import PLACEHOLDERS
from kimberley.client.screens.join import WHERE, JoinScreen
from kimberley.client.screens.lobby import ADVICE_FAR, IN_ROOM
from kimberley.client.screens.settings import FAR_WORDS
from kimberley.client.screens.title import TitleScreen
from kimberley.client.screens.waiting import ALL_USED, ANOTHER_CODE, FAR
from kimberley.p2p.far.codes import FarKey, FarServers
from kimberley.p2p.far.door import FarDoor
from kimberley.p2p.far.process import TROUBLES
from tests.support.asyncs import settled
from tests.support.cards import CARDS
from tests.support.pretend import PretendServices, PretendTable, noted_copies, press, pretend_app, running, shown

SIZES: Final = ((80, 24), (120, 40), (44, 80))
CODE: Final = "7-velvet-harbor"
SERVERS: Final = FarServers("ws://mailbox.example:4000/v1", "tcp:relay.example:4001")


def at(test: Callable[[App, PretendServices, PretendTable], None], **values: Any) -> None:
    """Runs a test at an open table, as its host sees it unless told otherwise."""
    given: dict[str, Any] = {
        "game": CARDS, "phase": "open", "seats": 2, "names": ("ana",), "readiness": (False,),
        "acquaintance": ("you",), "agreed": (False,),
    }  # fmt: skip

    async def main() -> None:
        seated = PretendTable(**(given | values))
        services = PretendServices(seated)
        app = pretend_app(services)
        app.push(TitleScreen(app))
        app.take_seat(seated)
        await settled()
        try:
            test(app, services, seated)
        finally:
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()

    asyncio.run(main())


def test_the_settings_take_servers_of_ones_own_and_refuse_what_is_none() -> None:
    async def test(app: App) -> None:
        press(app, "s")
        assert FAR_WORDS[False] in shown(app)
        press(app, "up", "up", "up", "up", "enter")
        assert PLACEHOLDERS[1] in shown(app)
        press(app, *"mailbox.example", "enter")
        assert "mailbox.example is not a mailbox server" in shown(app)
        assert app.settings.mailbox == ""
        press(app, "c-u", *SERVERS.mailbox, "tab", *"relay.example", "enter")
        assert "relay.example is not a relay" in shown(app)
        assert (app.settings.mailbox, app.settings.relay) == ("", ""), "both or none"
        press(app, "c-u", *SERVERS.relay, "enter")
        assert (app.settings.mailbox, app.settings.relay) == (SERVERS.mailbox, SERVERS.relay)
        assert FAR_WORDS[True] in shown(app)
        press(app, "enter", "c-u", "tab", "c-u", "enter")
        assert (app.settings.mailbox, app.settings.relay) == ("", "")
        press(app, "enter", "esc")
        assert FAR_WORDS[False] in shown(app)

    running(test)


def test_no_sentence_about_a_way_names_what_only_a_command_line_has() -> None:
    for sentence in (*TROUBLES.values(), WHERE):
        assert "--" not in sentence
        assert "HOST:PORT" not in sentence


def test_a_key_asks_for_a_code_which_is_shown_and_copied() -> None:
    def test(app: App, services: PretendServices, table: PretendTable) -> None:
        assert FAR in shown(app)
        press(app, "a")
        assert ("invite_far",) in services.asked
        table.far.used, table.far.code = True, CODE
        copies = noted_copies(app)
        for size in SIZES:
            painted = shown(app, *size)
            assert FAR in painted
            assert f"kimberley join {CODE}" in painted
            assert table.addresses[0] not in painted, "no address that a friend far away cannot reach"
            found = app.stack[-1].help()
            assert found is not None
            assert "the address shown here" not in " ".join(section.text for section in found.sections)
        press(app, "y")
        assert copies == [f"kimberley join {CODE}"]
        press(app, "a")
        assert ANOTHER_CODE.format(code=CODE)[:30] in shown(app)
        assert ("invite_far", "anew") not in services.asked
        press(app, "enter")
        assert ("invite_far", "anew") not in services.asked, "Enter keeps the code"
        press(app, "a", "x")
        assert ("invite_far", "anew") in services.asked
        table.far.code = None
        assert ALL_USED in shown(app, 120, 40)
        table.far.problem = "The relay does not answer."
        assert table.far.problem in shown(app)

    at(test)


def test_where_no_code_can_be_had_others_join_as_ever() -> None:
    def test(app: App, services: PretendServices, table: PretendTable) -> None:
        del services
        table.far.used, table.far.problem = True, TROUBLES["server"]
        copies = noted_copies(app)
        for size in SIZES:
            painted = shown(app, *size)
            assert f"kimberley join {table.addresses[0]}" in painted
            assert "The mailbox server does not" in painted
            assert "set one." in painted
            assert FAR in painted or size[0] < 80
        press(app, "y")
        assert copies == [f"kimberley join {table.addresses[0]}"]

    at(test)


def test_what_is_missing_is_said() -> None:
    def test(app: App, services: PretendServices, table: PretendTable) -> None:
        services.trouble = "Playing with a friend far away needs more packages."
        press(app, "a")
        assert services.trouble in " ".join(shown(app).split())

    at(test)


@pytest.mark.parametrize("values", [{"host": False}, {"port": 0}])
def test_only_the_host_of_a_table_that_listens_invites(values: dict[str, Any]) -> None:
    def test(app: App, services: PretendServices, table: PretendTable) -> None:
        assert FAR not in shown(app)
        press(app, "a")
        assert ("invite_far",) not in services.asked

    at(test, **values)


@pytest.mark.parametrize("host", [False, True])
def test_the_words_are_compared_by_telephone(host: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FarDoor, "_start", lambda door: None)

    def test(app: App, services: PretendServices, table: PretendTable) -> None:
        assert ADVICE_FAR[0] not in shown(app)
        table.far.used = True
        assert (ADVICE_FAR[0] in shown(app)) is not host, "the host has a code, but nobody has come by it"
        if host:
            table.far.resume([FarKey(CODE, bytes(32), SERVERS.relay)])
            assert ADVICE_FAR[0] in shown(app)
        found = app.stack[-1].help()
        assert found is not None
        assert ("In the same room" in [section.heading for section in found.sections]) is (IN_ROOM[host] in shown(app))

    at(test, phase="words", names=("ana", "ben"), acquaintance=("you", "new"), agreed=(False, False), host=host)


def test_a_code_is_typed_where_addresses_are() -> None:
    def test(app: App, services: PretendServices, table: PretendTable) -> None:
        app.push(JoinScreen(app))
        for letter in CODE:
            press(app, letter)
        assert CODE in shown(app)

    at(test)
