"""Sections 21 and 22: the five games, and what their envelopes hide."""

from __future__ import annotations

from typing import Final

from client.conformance.bench import Bench
from client.conformance.case import Failed, case, expect
from client.conformance.cases.s16_closing import says
from client.conformance.cases.scripts import Script, amounts
from client.conformance.envelope import CLOSING, RESIGN
from client.conformance.plain import Plain, spelled
from client.conformance.table import Table
from games import lookup

BY_THE_BOOK: Final = "every ask is the one due, every envelope of the target is right, and the verdict is fair"


def some_game(
    id: str, game: str, seats: int, steps: int, *, target: str = "host", covers: tuple[str, ...] = ()
) -> None:
    """A case that plays a while at a table of a game."""

    @case(
        id,
        f"Some steps of `{game}` with {seats} seats, the target's as {target}",
        covers=("M-GAM-1", "M-GAM-4", *covers),
        expect=BY_THE_BOOK,
    )
    async def _(bench: Bench) -> None:
        found = lookup.find(game)
        async with bench.table(game=found, options=dict(found.quick), seats=seats, target=target) as table:
            while table.closing is None and (table.slot[0] <= steps or table.play.stage):
                await table.complete()
            if table.closing is None and not table.play.leavable:
                await resigns(table)
            await table.finish() if table.closing is not None else await leaves(table)


async def resigns(table: Table) -> None:
    """A seat of the suite resigns, at a stage that is not the target's alone to complete: nobody can leave."""
    while table.owing == (table.target,):
        await table.complete()
    if table.closing is not None:
        return
    seat = next(seat for seat in table.chairs if seat in table.play.desk.present)
    resignation = table.sign(seat, RESIGN, None)
    table.loose[seat].append(resignation)
    table.send_envelope(resignation)
    table.close((seat,))


async def leaves(table: Table) -> None:
    """Seats of the suite leave until two are present, and then one resigns."""
    while table.closing is None and table.play.leavable:
        going = [seat for seat in table.chairs if seat in table.owing and seat not in table.given]
        if going and table.play.stage == 0:
            table.leave(going[-1])
        await table.complete()
    if table.closing is None:
        await resigns(table)
    await table.finish()


some_game("21-01", "diamond-trust", 2, 14)
some_game("21-02", "diamond-trust", 2, 8, target="join")
some_game("21-03", "diamond", 2, 24)
some_game("21-04", "land", 3, 30)
some_game("21-05", "mine", 2, 16)
some_game("21-06", "piecepack", 3, 18)
some_game("21-07", "mine", 2, 12, target="join")


@case(
    "21-08",
    "Choices that a game's own rules forbid",
    covers=("M-GAM-2", "M-ERR-1"),
    expect="refused to the player, nothing is signed",
)
async def forbidden(bench: Bench) -> None:
    found = lookup.find("diamond-trust")
    async with bench.table(game=found, options=dict(found.quick)) as table:
        await table.until(2)
        for wrong in ([1, 2], [True, 0, 0], [-1, 0, 0], [99, 0, 0], "x"):
            table.job.do("choose", choice=wrong)
        await bench.wait(lambda: len(table.job.all("forbidden")) == 5, "the word that a choice is forbidden")
        await table.until(3)


@case(
    "21-09",
    "A table of a game with an option that it does not have",
    covers=("M-GAM-3",),
    expect="the target does not open it",
)
async def other_option(bench: Bench) -> None:
    for options in ({"zoom": 1, "last_look": 0}, {"last_look": 601}, {"last_look": True}):
        job = await bench.job("host", game="diamond-trust", seats=2, options=options)
        await bench.event(job, "problem", 40)
        expect(not job.all("listening"), f"the target opens a table with the options {spelled(options)}")


# -- what is hidden ----------------------------------------------------------------------------------------------------

HIDING: Final[Script] = (
    amounts(2),
    ("seal", (0, 1), 200),
    ("disclose", ((0, 1, "a", "b"), (1, 0, "a", "b")), 4),
    ("roll", (6,)),
)


async def shape(bench: Bench, choices: dict[tuple[int, int], Plain]) -> list[tuple[int, int, int]]:
    """(step, stage, size) of the target's envelopes before closing."""
    async with bench.table(HIDING) as table:
        table.choices |= choices
        await table.finish()
        shown = [(one.step, one.stage, len(one.packed)) for one in table.chain if one.kind != CLOSING]
        for line in table.lines:
            line.cut()
        return shown


@case(
    "22-01",
    "Sizes and slots do not tell what is hidden",
    covers=("M-HID-1", "M-DIS-3", "M-TEL-3"),
    expect="the same, whatever was sealed, told or read",
)
async def sizes(bench: Bench) -> None:
    low: dict[tuple[int, int], Plain] = {(1, 0): (0, 0), (1, 1): (0, 9), (2, 0): 0, (2, 1): 1}
    high: dict[tuple[int, int], Plain] = {(1, 0): (9, 1), (1, 1): (0, 0), (2, 0): 199, (2, 1): 1}
    one, other = await shape(bench, low), await shape(bench, high)
    if one != other:
        raise Failed(f"the envelopes differ in shape: {spelled(one)} and {spelled(other)}")


@case(
    "22-02",
    "The seed is not to be seen before SHOW",
    covers=("M-LEA-3", "M-CLO-1", "M-KEY-2"),
    expect="no envelope before SHOW holds the seed, or a secret key",
)
async def nothing_in_the_clear(bench: Bench) -> None:
    async with bench.table((*HIDING, ("shuffle", "deck", (("x",), ("y",))), ("show", (0,), ((0, 1),)))) as table:
        await table.finish()
        own = table.play.seats[0].secrets
        keys = [own.key(purpose).to_bytes(32, "little") for purpose in ("coin", "bag", "mailbox")]
        for envelope in table.chain:
            shows = envelope.kind == CLOSING and envelope.stage == 1
            for secret in (own.seed, *keys):
                if secret in envelope.unsigned and not (shows and secret == own.seed):
                    raise Failed(f"the envelope for {envelope.slot} holds a secret of the target")


@case(
    "22-03",
    "A told value that contradicts what is known",
    covers=("M-HID-4", "M-TEL-3"),
    expect="the target goes on to its verdict",
)
async def contradiction(bench: Bench) -> None:
    async with bench.table(
        (amounts(2), ("disclose", ((1, 0, "a", "b"),), 4), ("again", (0,), 9), ("roll", (6,)))
    ) as table:
        table.choices |= {(1, 0): (8, 0), (1, 1): (0, 2), (3, 0): 1}
        await table.until(2)
        table.give(1, says(0)(table, 1, table.body(1)))
        table.deviations = ((2, 0, 1),)
        await table.finish("unfair")


@case(
    "21-10",
    "A move that is not the plan, without a right to adjust it",
    covers=("M-GAM-5", "M-AUD-1"),
    expect="the audit finds it: unfair, with this seat and step",
)
async def no_right(bench: Bench) -> None:
    found = lookup.find("diamond-trust")
    home = (6, 0, 0)
    async with bench.table(game=found, options=dict(found.quick)) as table:
        table.choices |= {(2, 1): (0, 0, 0), (3, 1): ((0, 0, 0), home, home), (4, 1): ((1, 0, 0), home, home)}
        table.deviations = ((4, 0, 1),)
        await table.until(5)
        await resigns(table)
        await table.finish("unfair")
