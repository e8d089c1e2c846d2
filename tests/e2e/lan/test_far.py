"""Two homes behind routers, with the real mailbox server and transit relay of magic-wormhole between them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.asyncs import run
from tests.support.far_lan import HOMES, RELAY, FarLan

pytestmark = [pytest.mark.slow, pytest.mark.e2e]

HERE, THERE = HOMES
PATIENCE = 300.0
HOST = ("host", "diamond-trust", "--adjust", "0", "--far", "--relay", RELAY, "--level", "1", "--seed", "1")


@pytest.fixture(scope="module")
def lan() -> Iterator[FarLan]:
    with FarLan() as made:
        yield made


def test_two_who_are_far_away_play_to_a_fair_end_by_a_code(lan: FarLan, tmp_path: Path) -> None:
    async def main() -> None:
        async with lan.mailbox(tmp_path), lan.relay(), lan.bot(HERE, tmp_path / "ana", *HOST) as ana:
            code = (await ana.says(event="code"))["code"]
            async with lan.bot(THERE, tmp_path / "ben", "join", code, "--level", "1", "--seed", "2") as ben:
                here, there = await ana.says(event="words"), await ben.says(event="words")
                assert here["words"] == there["words"]
                for one in (ana, ben):
                    assert (await one.says(event="done", seconds=PATIENCE))["verdict"] == "fair"

    run(main())
