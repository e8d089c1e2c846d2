"""Codes in place of hosts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from kimberley.p2p.base.errors import NotRetryable, UserError
from kimberley.p2p.far import ways
from kimberley.p2p.far.codes import FarKey, FarServers, keep_key, load_keys
from kimberley.p2p.far.ways import IN_VAIN, FarWays, port_of, problem_of, set_ways
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.dial import CardProbe, Unreachable, dial
from tests.support.asyncs import run
from tests.support.far import PretendFarProcess
from tests.support.hall import hall

CODE = "7-velvet-harbor"
KEY = FarKey(CODE, b"k" * 32, "tcp:relay.example:4001")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[PretendFarProcess]]:
    found: list[PretendFarProcess] = []
    monkeypatch.setattr(PretendFarProcess, "made", found, raising=False)
    monkeypatch.setattr(ways, "FarProcess", PretendFarProcess)
    set_ways(FarWays(tmp_path, FarServers))
    yield found
    set_ways(None)


def test_a_code_leads_to_a_port_of_this_computer(made: list[PretendFarProcess], tmp_path: Path) -> None:
    async def main() -> None:
        asking = asyncio.create_task(port_of(CODE))
        await asyncio.sleep(0)
        assert made[0].orders[0]["key"] is None
        made[0].say(key=KEY.plain())
        made[0].say(port=4711)
        assert await asking == await port_of(CODE) == 4711
        assert len(made) == 1
        assert load_keys(tmp_path) == [KEY]

    run(main())


def test_a_code_that_was_used_here_before_is_known(made: list[PretendFarProcess], tmp_path: Path) -> None:
    keep_key(tmp_path, KEY)

    async def main() -> None:
        asking = asyncio.create_task(port_of(CODE))
        await asyncio.sleep(0)
        assert made[0].orders[0]["key"] == KEY.plain()
        made[0].say(port=4711)
        await asking

    run(main())


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        ("nobody", "Nobody is waiting at 7-velvet-harbor."),
        ("code", "7-velvet-harbor is not the host’s code"),
        ("spelling", "7-velvet-harbor has a word that no code uses."),
        ("server", "The mailbox server does not answer."),
    ],
)
def test_what_fails_is_a_sentence_and_can_be_tried_again(
    made: list[PretendFarProcess], trouble: str, said: str
) -> None:
    async def main() -> None:
        asking = asyncio.create_task(port_of(CODE))
        await asyncio.sleep(0)
        made[0].say(trouble=trouble, why="")
        with pytest.raises(UserError, match=said) as refused:
            await asking
        assert isinstance(refused.value, NotRetryable) == (trouble in IN_VAIN)
        again = asyncio.create_task(port_of(CODE))
        await asyncio.sleep(0)
        assert made[0].closed
        made[1].say(port=4711)
        assert await again == 4711

    run(main())


def test_tables_are_dialed_and_looked_at_by_their_codes(made: list[PretendFarProcess]) -> None:
    async def main() -> None:
        async with hall() as host:
            asking = asyncio.create_task(CardProbe.connect(CODE, 1))
            await asyncio.sleep(0)
            made[0].say(port=host.door.port)
            probe = await asking
            assert probe.card == host.card
            await probe.close()
            channel = await dial(CODE, 7411, Identity.fresh(), ("seat",), expected=host.identity.public)
            assert channel.address == CODE
            await channel.close()
        made[0].say(trouble="nobody", why="")
        with pytest.raises(Unreachable, match="Nobody is waiting at 7-velvet-harbor"):
            await dial(CODE, 7411, Identity.fresh(), ("seat",))
        assert problem_of(CODE) is not None

    run(main())


def test_without_ways_a_code_leads_nowhere() -> None:
    with pytest.raises(Unreachable, match="cannot reach tables far away"):
        run(dial(CODE, 7411, Identity.fresh(), ("seat",)))
