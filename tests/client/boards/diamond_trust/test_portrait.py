"""Diamond Trust on a portrait screen: every choice is made by touch alone, and the table gets what was touched."""

from __future__ import annotations

import re
from itertools import product

from kimberley.client.boards.diamond_trust.agent_card import agent_card
from kimberley.client.boards.diamond_trust.form_move import MoveForm
from kimberley.client.boards.diamond_trust.form_pay import PayForm
from kimberley.client.boards.diamond_trust.form_sale import SaleForm
from kimberley.client.boards.diamond_trust.upright_screen import draw_card
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.games.diamond_trust.angola import REGIONS
from kimberley.games.diamond_trust.knowledge import AtLeast, Knowledge
from kimberley.games.table import HIDDEN, Plain, evolve
from tests.client.boards.diamond_trust.test_snapshots import SCENARIO
from tests.support.asyncs import run
from tests.support.board_snapshots import PORTRAIT_SIZE
from tests.support.pretend import touch
from tests.support.touching import Toucher
from tests.support.trust import ABROAD, Trust

UIGE = REGIONS.index("Uige")


def tap(player: Toucher, action: Action) -> None:
    """Touches the middle of the largest area of an action."""
    areas = [area for area in player.app.draw(*PORTRAIT_SIZE).hits if area.action == action]
    area = max(areas, key=lambda each: each.width * each.height)
    player.app.touch(area.x + area.width // 2, area.y + area.height // 2, "left")


def asked(kind: type, player: Toucher | None = None) -> Toucher:
    """Returns a game at the next choice of a kind, or at the first one of a new game."""
    player = player or Toucher(SCENARIO)
    while True:
        player.clock.time += 4.0
        player.table.offer()
        player.app.draw(*PORTRAIT_SIZE)
        while player.screen.busy(player.clock.time):
            player.app.key("enter")
            player.clock.time += 1.0
        if isinstance(player.screen.form(player.clock.time), kind):
            return player
        player.table.answer()


def test_long_values_shorten_the_label_beside_them_by_a_word() -> None:
    spent = Knowledge((True,) * 3, (AtLeast(12),) * 3, (AtLeast(12),) * 3, (0, None, None))
    trust = Trust().move(ABROAD, ABROAD).sell()
    met = evolve(
        trust.view(0),
        known=(spent, HIDDEN),
        bribes=((HIDDEN,) * 3, (28, 0, 0)),
        last_briber=((HIDDEN,) * 3, (None,) * 3),
    )
    for seat, agent, now in product((0, 1), range(3), (0, 10)):
        canvas = Canvas(40, 12)
        draw_card(canvas, agent_card(met, 0, ("ana", "Anastasia the Ma"), seat, agent, now), None, ("ana", "ben"))
        text = "\n".join(canvas.lines())
        assert "…" not in text, text
        assert seat == 0 or now or re.search(r"\bbribed by +(nobody|\[)", text), text


def choice(player: Toucher) -> Plain:
    """Returns the choice that the table got last."""
    chosen: list[Plain] = player.table.chosen
    return chosen[-1]


def test_agents_are_paid_on_the_map_and_by_chips() -> None:
    async def test() -> None:
        player = asked(PayForm)
        tap(player, ("agent", 0, 0))
        for _ in range(3):
            tap(player, ("more",))
        tap(player, ("less",))
        assert "$ 2" in "\n".join(player.app.draw(*PORTRAIT_SIZE).lines())
        touch(player.app, "[3] salary", *PORTRAIT_SIZE)
        tap(player, ("more",))
        tap(player, "key:d")
        touch(player.app, "Finish", *PORTRAIT_SIZE)
        assert choice(player) == (2, 0, 1)

    run(test())


def test_orders_are_given_by_agent_region_and_amount() -> None:
    async def test() -> None:
        player = asked(PayForm)
        tap(player, "key:d")
        touch(player.app, "Finish", *PORTRAIT_SIZE)
        player.table.answer()
        asked(MoveForm, player)
        tap(player, ("agent", 0, 1))
        tap(player, ("region", UIGE))
        tap(player, ("more",))
        touch(player.app, "Set", *PORTRAIT_SIZE)
        assert "London → Uige" in "\n".join(player.app.draw(*PORTRAIT_SIZE).lines())
        tap(player, "key:d")
        touch(player.app, "Finish", *PORTRAIT_SIZE)
        orders = choice(player)
        assert isinstance(orders, tuple)
        assert orders[1] == (UIGE, 1, 0)

    run(test())


def test_diamonds_are_sold_by_large_arrows() -> None:
    async def test() -> None:
        player = asked(SaleForm)
        tap(player, ("more",))
        tap(player, ("more",))
        tap(player, ("less",))
        tap(player, "key:d")
        assert choice(player) == 1

    run(test())


def test_a_second_touch_on_an_agent_or_the_inspector_closes_the_card() -> None:
    async def test() -> None:
        for form, whose in ((SaleForm, ("agent", 0, 0)), (SaleForm, ("agent", 1, 0)), (PayForm, ("inspector",))):
            player = asked(form)
            before = player.app.draw(*PORTRAIT_SIZE).lines()
            tap(player, whose)
            assert player.app.draw(*PORTRAIT_SIZE).lines() != before, whose
            tap(player, whose)
            assert player.app.draw(*PORTRAIT_SIZE).lines() == before, whose

    run(test())
