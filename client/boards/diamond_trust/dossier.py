"""The dossier: who bribed whom, when, with how much, and what it gave away."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from kimberley.client.boards.diamond_trust.events import GameEvent, PlayedStep, played_steps
from kimberley.client.boards.diamond_trust.map_background import LIGHTS, NAMES
from kimberley.client.boards.diamond_trust.payments import Payment, months, payments
from kimberley.client.boards.diamond_trust.phrases import agent_mark, agent_name, counted, soft, spoken
from kimberley.client.boards.diamond_trust.scene import SIDE_TEXTS, SIDES, badge
from kimberley.client.boards.report import Dossier, DossierRow
from kimberley.client.boards.subject import reason_told
from kimberley.client.boards.view import Shown
from kimberley.client.session.participants import own_name, short_name
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.columns import Column, TableColumns
from kimberley.client.ui.glyphs import cell_width, truncate, wrap
from kimberley.client.ui.spans import Span, Spans
from kimberley.games.diamond_trust.angola import SEATS, START_MONEY, other
from kimberley.games.diamond_trust.game import DiamondTrust
from kimberley.games.diamond_trust.position import RoundStep
from kimberley.games.diamond_trust.rules import State
from kimberley.games.phrases import count_of
from kimberley.games.table import Result
from kimberley.p2p.sentences.notices import as_sentence

MIDDLE: Final = 20
NARROW_MIDDLE: Final = 16
"""The columns that say who won, and those on a portrait screen."""
NAME_ROOM: Final = 9
"""The columns of the names of both homes."""
_DARK: Final = ("london_dark", "antwerp_dark")
ONLY_SALARY: Final = "nothing but its salary"
EQUAL: Final = "equal diamonds and money"
EQUAL_IN_SIGNS: Final = "equal ◆ and $"
"""Why nobody has won, and the same where there is little room."""
NO_BRIBES: Final = "No agent was bribed in this game."


def dossier(shown: Shown[State, GameEvent]) -> Dossier:
    """Returns the dossier of a game from its last position, with everything known."""
    steps = played_steps(shown.events)
    paid = payments(steps)
    head = partial(_draw_head, shown=shown, had=incomes(steps))
    lines = (*headline(shown), *(in_words(payment, shown.names, shown.you) for payment in paid))
    return Dossier(DiamondTrust.title, head, partial(rows, paid, shown.names, shown.you), lines, empty=NO_BRIBES)


def incomes(game: Sequence[PlayedStep]) -> tuple[int, ...]:
    """Returns all the dollars that each side ever had."""
    sales = [played.after.sold for played in game if played.step is RoundStep.SALE]
    return tuple(START_MONEY + sum(sold.income[seat] for sold in sales if sold is not None) for seat in range(SEATS))


def headline(shown: Shown[State, GameEvent]) -> tuple[str, ...]:
    """Says who won and by what, in sentences."""
    if shown.result is None:
        return ("Unfinished.",)
    final, names = shown.state, shown.names
    who, by = outcome(shown.result, names, shown.you)
    vaults = "; ".join(
        f"{names[side]} has {counted(final.vault[side])} and {_dollars(final, side)}" for side in range(SEATS)
    )
    return (f"{who}{' ' if by.startswith('by ') else ': '}{by}.", f"{vaults}.")


def _dollars(final: State, side: int) -> str:
    cash = final.cash(side)
    return f"${cash}" if isinstance(cash, int) else "unknown cash"


def outcome(result: Result, names: Sequence[str], seat: int | None) -> tuple[str, str]:
    """Returns the winner and the margin: ("You win", "by 3 diamonds")."""
    if len(result.winners) != 1:
        return "A draw", result.reason if len(result.scores[0]) < 2 else EQUAL
    winner = result.winners[0]
    who = "You win" if winner == seat else f"{names[winner]} wins"
    mine, theirs = result.scores[winner], result.scores[other(winner)]
    if len(mine) < 2:
        return who, reason_told(result, names, seat)
    if mine[0] != theirs[0]:
        lead = mine[0] - theirs[0]
        return who, f"by {count_of(lead, 'diamond')}"
    return who, f"by ${mine[1] - theirs[1]}"


def _draw_head(canvas: Canvas, shown: Shown[State, GameEvent], had: Sequence[int]) -> None:
    """Draws rows 1 to 3: each side's vault and money, out of all that it `had`, and between them, on paper, who won."""
    final, names, seat, result = shown.state, shown.names, shown.you, shown.result
    middle = NARROW_MIDDLE if canvas.portrait else MIDDLE
    half = (canvas.width - middle) // 2
    for side in range(SEATS):
        canvas.fill(*((0, 0, half) if side == 0 else (half + middle, 0, canvas.width - half - middle)), 3, _DARK[side])
    brief = [short_name(names, side, middle - cell_width(" resigned")) for side in range(SEATS)]
    who, by = outcome(result, brief, seat) if result else ("Unfinished", "")
    canvas.fill(half, 0, middle, 3, "paper")
    canvas.center(half, 0, middle, truncate(who, middle), "ink", "paper", bold=True)
    by = EQUAL_IN_SIGNS if by == EQUAL else by
    canvas.center(half, 1, middle, truncate(by, middle), "faded", "paper")
    canvas.center(half, 2, middle, f"month {final.round()} of 9", "faded", "paper")
    if canvas.portrait:
        _draw_sides(canvas, half, final, names)
        return
    room = half - NAME_ROOM - cell_width(badge(0, None)) - 3
    label = [own_name(name, room) if side == seat else short_name(names, side, room) for side, name in enumerate(names)]
    end = canvas.put(0, 0, f" {NAMES[0]} ".ljust(NAME_ROOM), SIDE_TEXTS[0], SIDES[0], bold=True)
    canvas.put(end + 1, 0, f"{badge(0, None)} {label[0]}", "text")
    end = canvas.put(1, 1, f"◆ {final.vault[0]}", "ice", bold=True)
    canvas.put(end + 3, 1, _money(final, 0), "money", bold=True)
    canvas.put(1, 2, _paid_out(final, had, 0), "soft")
    start = canvas.right(canvas.width, 0, f" {NAMES[1]} ", SIDE_TEXTS[1], SIDES[1], bold=True)
    canvas.right(start - 1, 0, f"{label[1]} {badge(1, None)}", "text")
    start = canvas.right(canvas.width - 1, 1, _money(final, 1), "money", bold=True)
    canvas.right(start - 3, 1, f"◆ {final.vault[1]}", "ice", bold=True)
    canvas.right(canvas.width - 1, 2, _paid_out(final, had, 1), "soft")


def _draw_sides(canvas: Canvas, room: int, final: State, names: Sequence[str]) -> None:
    """Draws both sides' names, vaults and money, each in `room` columns at an edge."""
    for side in range(SEATS):
        canvas.beside(side == 1, 0, 0, f" {NAMES[side]} ", SIDE_TEXTS[side], SIDES[side], bold=True)
        canvas.beside(side == 1, 1, 1, truncate(names[side], room - 2), "text")
        vault, money = (f"◆{final.vault[side]}", "ice"), (_money(final, side).replace(" ", ""), "money")
        x = 1
        for text, fg in (vault, money) if side == 0 else (money, vault):
            x = canvas.beside(side == 1, x, 2, text, fg, bold=True) + 1


def _money(final: State, side: int) -> str:
    cash = final.cash(side)
    return f"$ {cash}" if isinstance(cash, int) else "$ ?"


def _paid_out(final: State, had: Sequence[int], side: int) -> str:
    cash = final.cash(side)
    return f"spent ${had[side] - cash} of ${had[side]}" if isinstance(cash, int) else ""


# -- rows --------------------------------------------------------------------------------------------------------------


def rows(
    paid: Sequence[Payment], names: Sequence[str], seat: int | None, width: int
) -> tuple[TableColumns, tuple[DossierRow, ...]]:
    """Returns the table of payments for a width in columns; what was given away may take several lines."""
    last = 48 if width < 96 else width * 5 // 9
    columns = (
        Column("Month", 5, right=True), Column("Who paid whom", last - 25, gap=3), Column("Bribe : salary", 15),
        Column("What it revealed", fills=True),
    )  # fmt: skip
    table = TableColumns(columns, width, margin=1)
    made: list[DossierRow] = []
    for payment in paid:
        phrases = given_away(payment, names, seat)
        lines = [line for text in phrases for line in wrap(text, table.places[3].room)] or [""]
        live = payment.turned
        first = (
            (Span(str(payment.month), "text", True),),
            _who(payment, names, table.places[1].room - 12),
            (Span(f"$ {payment.bribes} : {payment.salary}", "money", True),),
            (Span(lines[0], "text" if live else "soft"),),
        )
        made.append(DossierRow(first, payment.number))
        made += [
            DossierRow(((), (), (), (Span(line, "text" if live else "soft"),)), payment.number) for line in lines[1:]
        ]
    return table, tuple(made)


def _who(payment: Payment, names: Sequence[str], room: int) -> Spans:
    target = agent_mark(payment.owner, payment.agent)
    if payment.by is None:
        payer: Span = Span(short_name(names, payment.payer, room), LIGHTS[payment.payer], True)
    else:
        payer = agent_mark(payment.payer, payment.by)
    heart = Span("♥ ", "heart", True) if payment.turned else Span("  ")
    state = soft("paid") if payment.by is None else Span("double agent") if payment.turned else soft("loyal")
    return (payer, soft(" → "), target, heart, state)


def _whose(payment: Payment, names: Sequence[str], seat: int | None) -> str:
    return "your" if payment.owner == seat else f"{names[payment.owner]}’s"


def given_away(payment: Payment, names: Sequence[str], seat: int | None) -> list[str]:
    """Says what an agent gave away after a payment, and what was made of it, in short phrases."""
    mark = badge(payment.owner, payment.agent)
    if not payment.turned:
        if payment.by is not None and payment.bribes == payment.salary:
            return ["nothing: bribes equal to its salary leave it loyal"]
        return [f"nothing: {mark} is loyal"]
    changed = _changed(payment, names, seat)
    phrases = [*_revealed(payment, names, seat), *([changed] if changed else [])]
    return phrases or [ONLY_SALARY]


def _revealed(payment: Payment, names: Sequence[str], seat: int | None) -> list[str]:
    """Returns what a double agent revealed besides its salary, in short phrases."""
    whose = _whose(payment, names, seat)
    briber = other(payment.owner)
    phrases = [f"bribe to {badge(briber, agent)}, ${total}" for agent, total in payment.bribed]
    if payment.plans:
        phrases.append(f"its orders, {months(payment.plans)}")
    last = [f"cash ${payment.cash}"] if payment.cash is not None else []
    last += [f"plan to sell {counted(payment.sale) if payment.sale else 'nothing'}"] if payment.sale is not None else []
    return [*phrases, *([f"{whose} {', '.join(last)}"] if last else [])]


def _changed(payment: Payment, names: Sequence[str], seat: int | None) -> str:
    """Returns what the briber changed after a report, in a short phrase; empty if nothing."""
    briber = other(payment.owner)
    who = "you" if briber == seat else names[briber]
    if len(payment.changes) == 1 and len(payment.changes[0]) < 40:
        return f"{who} changed {payment.changes[0]}"
    return f"{who} then changed {count_of(len(payment.changes), 'plan')}" if payment.changes else ""


def in_words(payment: Payment, names: Sequence[str], seat: int | None) -> str:
    """Returns a payment in sentences, without badges."""
    target = agent_name(payment.owner, payment.agent, seat)
    payer, own = names[payment.payer], payment.payer == seat
    if payment.by is None:
        what = f"{'You pay' if own else f'{payer} pays'} {target} a salary of ${payment.amount}."
    else:
        what = as_sentence(f"{agent_name(payment.payer, payment.by, seat)} bribes {target} with ${payment.amount}")
    totals = f"Month {payment.month}. {what} Total bribes ${payment.bribes}, total salary ${payment.salary}"
    if not payment.turned:
        return f"{totals}: it is loyal."
    employer = other(payment.owner)
    whom = "you" if employer == seat else names[employer]
    secrets = "; ".join(_revealed(payment, names, seat))
    revealed = spoken(f"It revealed: {secrets}." if secrets else f"It revealed {ONLY_SALARY}.", seat)
    told = payment.changes_in_words
    changed = spoken(told[0], seat) if len(told) == 1 else count_of(len(told), "plan")
    after = f" {'You' if employer == seat else whom} then changed {changed}." if told else ""
    return f"{totals}: it is a double agent for {whom}. {revealed}{after}"
