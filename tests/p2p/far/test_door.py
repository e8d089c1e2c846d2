"""A table's door for friends far away: what it asks its process for, and what it makes of the answers."""

from __future__ import annotations

import pytest

from kimberley.p2p.far import door
from kimberley.p2p.far.codes import FarKey, FarServers
from kimberley.p2p.far.door import FarDoor
from tests.support.asyncs import run, settled, until
from tests.support.far import PretendFarProcess

SERVERS = FarServers("ws://mailbox.example:4000/v1", "tcp:relay.example:4001")
KEY = FarKey("7-velvet-harbor", b"k" * 32, SERVERS.relay)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[PretendFarProcess]:
    found: list[PretendFarProcess] = []
    monkeypatch.setattr(PretendFarProcess, "made", found, raising=False)
    monkeypatch.setattr(door, "FarProcess", PretendFarProcess)
    return found


def opened() -> FarDoor:
    return FarDoor(lambda: ("127.0.0.1", 7411), lambda: None)


def test_each_friend_gets_a_code_and_the_keys_are_kept(made: list[PretendFarProcess]) -> None:
    far = opened()
    assert not far.used
    far.invite(SERVERS)
    far.invite(SERVERS)
    (process,) = made
    assert process.orders[0] == {"keys": [], "bind": "127.0.0.1", "port": 7411}
    invitation = {"invite": {"mailbox": SERVERS.mailbox, "relay": SERVERS.relay}}
    assert process.orders[1:] == [invitation], "a code that is on its way is asked for once"
    process.say(code="7-velvet-harbor")
    assert far.code == "7-velvet-harbor"
    process.say(key=KEY.plain())
    assert far.code is None
    assert far.keys == (KEY,)
    far.invite(SERVERS)
    process.say(code="8-amber-canyon")
    assert far.code == "8-amber-canyon"
    far.close()
    assert far.code is None
    assert process.closed


def test_a_code_that_somebody_mistyped_is_gone(made: list[PretendFarProcess]) -> None:
    far = opened()
    far.invite(SERVERS)
    made[0].say(code="7-velvet-harbor")
    made[0].say(trouble="code", why="")
    assert far.code is None
    assert far.problem == "Someone mistyped 7-velvet-harbor, so the code is used up. Get a new code."
    far.invite(SERVERS)
    assert far.problem is None


def test_trouble_with_the_relay_leaves_the_code_and_passes(made: list[PretendFarProcess]) -> None:
    far = opened()
    far.invite(SERVERS)
    made[0].say(code="7-velvet-harbor")
    made[0].say(trouble="relay", why="gone")
    assert far.code == "7-velvet-harbor"
    assert far.problem is not None
    assert "relay" in far.problem
    assert not far.cut_off, "nobody has come"
    made[0].say(key=KEY.plain())
    assert far.cut_off
    made[0].say(well=True)
    assert far.problem is None
    assert not far.cut_off


def test_after_its_end_another_process_is_started(made: list[PretendFarProcess]) -> None:
    far = opened()
    far.invite(SERVERS)
    made[0].say(trouble="ended", why="")
    assert far.problem is not None
    far.invite(SERVERS)
    assert len(made) == 2


def test_those_who_came_can_come_back_after_the_process_was_killed(
    made: list[PretendFarProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "AGAIN_SECONDS", (0.0,))

    async def main() -> None:
        far = opened()
        far.invite(SERVERS)
        made[0].say(key=KEY.plain())
        made[0].say(trouble="ended", why="")
        assert far.problem is not None
        assert far.cut_off
        await until(lambda: len(made) == 2)
        assert not far.cut_off
        assert made[1].orders == [{"keys": [KEY.plain()], "bind": "127.0.0.1", "port": 7411}]
        assert far.problem is None
        made[1].say(trouble="ended", why="")
        far.close()
        await settled()
        assert len(made) == 2, "a closed table needs none"

    run(main())


def test_a_code_that_a_stranger_keeps_busy_is_replaced(made: list[PretendFarProcess]) -> None:
    far = opened()
    far.invite(SERVERS)
    far.invite(SERVERS, anew=True)
    assert len(made[0].orders) == 2, "it is on its way"
    made[0].say(code="7-velvet-harbor")
    far.invite(SERVERS)
    assert far.code == "7-velvet-harbor"
    far.invite(SERVERS, anew=True)
    assert far.code is None
    assert far.asked
    assert len(made[0].orders) == 3
    made[0].say(code="8-amber-canyon")
    assert far.code == "8-amber-canyon"


def test_a_resumed_table_waits_for_those_who_came_before(made: list[PretendFarProcess]) -> None:
    far = opened()
    far.resume(())
    assert made == [], "nobody came from far away"
    far.resume([KEY])
    assert made[0].orders[0]["keys"] == [KEY.plain()]
    assert far.used
