"""A table of each game whose board is shown, for tests of what stands over and beside a board."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from kimberley.client.screens.app import App
from kimberley.client.screens.title import TitleScreen
from tests.support.angola import TrustTable
from tests.support.diamond_table import DiamondTable
from tests.support.land_table import LandTable
from tests.support.mine_table import MineTable
from tests.support.piecepack_table import PiecepackTable
from tests.support.pretend import PretendServices, PretendTable, pretend_app

TABLES: dict[str, Callable[[], PretendTable]] = {
    "diamond-trust": TrustTable, "diamond": DiamondTable, "land": LandTable, "mine": MineTable,
    "piecepack": PiecepackTable,
}  # fmt: skip

SIZES = ((80, 24), (100, 34), (120, 28), (120, 40), (200, 60))

Test = Callable[[App], Awaitable[None]]


def at(table: PretendTable, test: Test) -> None:
    """Runs a test at a table whose game is played."""

    async def main() -> None:
        app = pretend_app(PretendServices(table))
        app.push(TitleScreen(app))
        app.take_seat(table)
        # The clock of the pretended tables stands, so what moves is over at once.
        await test(app)
        app.home()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    asyncio.run(main())
