"""Sections 21 and 22: the five games, and what envelopes hide."""

from __future__ import annotations

from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.scripts import Asks, amounts
from kimberley.conformance.errors import Failed, expect
from kimberley.conformance.forging import says
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.table import TargetTable, open_table
from kimberley.games import lookup
from kimberley.games.table import Plain
from kimberley.protocol.envelope import CLOSING, RESIGN

BY_THE_BOOK: Final = "every ask is the one due, every envelope of the target is right, and the verdict is fair"


def some_game(
    id: str, game: str, seats: int, steps: int, *, target: str = "host", covers: tuple[str, ...] = ()
) -> None:
    """Adds a case that plays some steps at a table of a game."""

    @case(
        id,
        f"Some steps of `{game}` with {seats} seats, the target's as {target}",
        covers=("M-GAM-1", "M-GAM-4", *covers),
        expect=BY_THE_BOOK,
    )
    async def _(harness: Harness) -> None:
        installed = lookup.find(game)
        async with open_table(
            harness, game=installed, options=dict(installed.quick), seats=seats, target=target
        ) as table:
            while table.closing is None and (table.slot[0] <= steps or table.play.stage):
                await table.complete()
            if table.closing is None and not table.play.leavable:
                await resigns(table)
            await table.finish() if table.closing is not None else await leaves(table)


async def resigns(table: TargetTable) -> None:
    """Resigns for a seat of the suite, where nobody can leave, in a stage to which the target is not the only one that
    owes.
    """
    while table.owing == (table.target,):
        await table.complete()
    if table.closing is not None:
        return
    seat = next(seat for seat in table.suite_seats if seat in table.play.crypto.present)
    resignation = table.sign(seat, RESIGN, None)
    table.loose[seat].append(resignation)
    table.send_envelope(resignation)
    table.close((seat,))


async def leaves(table: TargetTable) -> None:
    """Has seats of the suite leave until two are present; then one resigns."""
    while table.closing is None and table.play.leavable:
        going = [seat for seat in table.suite_seats if seat in table.owing and seat not in table.given]
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
    expect="the target refuses them to its player, and signs nothing",
)
async def forbidden(harness: Harness) -> None:
    game = lookup.find("diamond-trust")
    async with open_table(harness, game=game, options=dict(game.quick)) as table:
        await table.until(2)
        for wrong in ([1, 2], [True, 0, 0], [-1, 0, 0], [99, 0, 0], "x"):
            table.job.do("choose", choice=wrong)
        await harness.wait_until(lambda: len(table.job.all("forbidden")) == 5, "five events `forbidden`")
        await table.until(3)


@case(
    "21-09",
    "A table of a game with an option that it does not have",
    covers=("M-GAM-3",),
    expect="the target does not open it",
)
async def other_option(harness: Harness) -> None:
    for options in ({"zoom": 1, "last_look": 0}, {"last_look": 601}, {"last_look": True}):
        job = await harness.start_job("host", game="diamond-trust", seats=2, options=options)
        await harness.await_event(job, "problem", 40)
        expect(not job.all("listening"), f"the target opened a table with the options {spelled(options)}")


# -- what is hidden ----------------------------------------------------------------------------------------------------

HIDING: Final[Asks] = (
    amounts(2),
    ("seal", (0, 1), 200),
    ("disclose", ((0, 1, "a", "b"), (1, 0, "a", "b")), 4),
    ("roll", (6,)),
)


async def shape(harness: Harness, choices: dict[tuple[int, int], Plain]) -> list[tuple[int, int, int]]:
    """Plays a game with these choices. Returns (step, stage, size) of the target's envelopes before closing."""
    async with open_table(harness, HIDING) as table:
        table.choices |= choices
        await table.finish()
        sizes = [(one.step, one.stage, len(one.pack())) for one in table.chain if one.kind != CLOSING]
        for connection in table.connections:
            connection.abort()
        return sizes


@case(
    "22-01",
    "Sizes and slots do not tell what is hidden",
    covers=("M-HID-1", "M-DIS-3", "M-TEL-3"),
    expect="sizes and slots are the same, whatever was sealed, told or read",
)
async def sizes(harness: Harness) -> None:
    low: dict[tuple[int, int], Plain] = {(1, 0): (0, 0), (1, 1): (0, 9), (2, 0): 0, (2, 1): 1}
    high: dict[tuple[int, int], Plain] = {(1, 0): (9, 1), (1, 1): (0, 0), (2, 0): 199, (2, 1): 1}
    one, other = await shape(harness, low), await shape(harness, high)
    if one != other:
        raise Failed(f"the slots or sizes of the envelopes differ: {spelled(one)} and {spelled(other)}")


@case(
    "22-02",
    "The seed cannot be seen before SHOW",
    covers=("M-LEA-3", "M-CLO-1", "M-KEY-2"),
    expect="no envelope before SHOW holds the seed, or a secret key",
)
async def nothing_in_the_clear(harness: Harness) -> None:
    async with open_table(
        harness, (*HIDING, ("shuffle", "deck", (("x",), ("y",))), ("show", (0,), ((0, 1),)))
    ) as table:
        await table.finish()
        own = table.play.seats[0].crypto
        keys = [key.secret.to_bytes(32, "little") for key in (own.coin_key, own.bag_key, own.mailbox_key)]
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
async def contradiction(harness: Harness) -> None:
    async with open_table(
        harness, (amounts(2), ("disclose", ((1, 0, "a", "b"),), 4), ("again", (0,), 9), ("roll", (6,)))
    ) as table:
        table.choices |= {(1, 0): (8, 0), (1, 1): (0, 2), (3, 0): 1}
        await table.until(2)
        table.give(1, says(0)(table.play.seats[1], table.body(1)))
        table.deviations = ((2, 0, 1),)
        await table.finish("unfair")


@case(
    "21-10",
    "A move that is not the plan, without a right to adjust it",
    covers=("M-GAM-5", "M-AUD-1"),
    expect="the audit finds it: unfair, with this seat and step",
)
async def no_right(harness: Harness) -> None:
    game = lookup.find("diamond-trust")
    home = (6, 0, 0)
    async with open_table(harness, game=game, options=dict(game.quick)) as table:
        table.choices |= {(2, 1): (0, 0, 0), (3, 1): ((0, 0, 0), home, home), (4, 1): ((1, 0, 0), home, home)}
        table.deviations = ((4, 0, 1),)
        await table.until(5)
        await resigns(table)
        await table.finish("unfair")
