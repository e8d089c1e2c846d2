"""Diamond Trust's forms at a table, for tests that press keys and click without a terminal."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from kimberley.client.boards.diamond_trust.board import DiamondTrustUI
from kimberley.client.boards.diamond_trust.form import Selection, TrustForm
from kimberley.client.boards.diamond_trust.form_last_look import LastLookForm
from kimberley.client.boards.diamond_trust.form_move import MoveForm
from kimberley.client.boards.diamond_trust.form_pay import PayForm
from kimberley.client.boards.diamond_trust.form_sale import SaleForm
from kimberley.client.boards.form import FormContext
from kimberley.games.diamond_trust.angola import HOME
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.table import HIDDEN, evolve
from tests.support.angola import (
    HUILA,
    LOOK,
    MOXICO,
    TOLD,
    Script,
    TrustTable,
    table,
)

F = TypeVar("F", bound=TrustForm)
STAY = ((HOME, 0, 0),) * 3
SENT = ((MOXICO, 4, 1), (HOME, 0, 0), (HUILA, 0, 0))


def nothing(*_: object, **__: object) -> None:
    """Does nothing, in place of what a form asks of its screen, where a test does not look at it."""


def form_at(seat: TrustTable, kind: type[F]) -> F:
    """Returns the form of what is asked at a table."""
    asked, game = seat.arena_peer.asked, DiamondTrustUI()
    assert asked is not None
    context = FormContext(
        seat.state,
        asked.ask,
        asked.space,
        seat.occupants.seat,
        ("ana", "ben"),
        seat.occupants.options,
        nothing,
        nothing,
        nothing,
        nothing,
    )
    form = game.form(context, game.view(("ana", "ben"), seat.occupants.seat))
    assert isinstance(form, kind)
    return form


def paying() -> PayForm:
    return form_at(table(), PayForm)


def looking(theirs: Script = TOLD, mine: Script | None = None) -> LastLookForm:
    return form_at(table({**LOOK, **(mine or {})}, theirs), LastLookForm)


def selling(plan: bool = True, right: bool = True) -> SaleForm:
    """Returns the form of a sale, with two diamonds at home: of the plan, or of a last look at a plan of one."""
    seat = TrustTable(0, {}, {(1, RoundStep.PAY): (0, 0, 0), (1, RoundStep.PLAN): STAY, (1, RoundStep.MOVE): STAY})
    form = form_at(seat, SaleForm)
    if plan:
        return form
    state = evolve(form.state, step=RoundStep.SALE, sale_plan=(1, HIDDEN), right=(right, HIDDEN))
    context = replace(form.context, state=state)
    return SaleForm(context, Selection())


def press(form: TrustForm, keys: str) -> None:
    for name in keys.split():
        assert form.key(name), f"the key {name} meant nothing"


def moving() -> MoveForm:
    return form_at(table({(2, RoundStep.PAY): (0, 0)}), MoveForm)


def paying_at_first() -> PayForm:
    """Returns the pay form of the first month, with all agents at home."""
    return form_at(TrustTable(0, {}, {}), PayForm)


def leaving_home() -> MoveForm:
    """Returns the form of the first plan, with all agents at home."""
    return form_at(TrustTable(0, {}, {(1, RoundStep.PAY): (0, 0, 0)}), MoveForm)
