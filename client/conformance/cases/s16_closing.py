"""Sections 16 and 17: closing, the audit, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from client.conformance.asks import AskedRoll
from client.conformance.bag_asks import AskedShow, AskedShuffle
from client.conformance.bags import mail, share_to_all, shuffle
from client.conformance.bench import Bench
from client.conformance.case import Failed, case, expect, typed
from client.conformance.cases.bending import Foul, at, entries, flipped, octets, put
from client.conformance.cases.scripts import DECK, Script, amounts
from client.conformance.envelope import CLOSING
from client.conformance.group import mul
from client.conformance.hashing import Secrets, digest
from client.conformance.plain import Plain, spelled
from client.conformance.proofs import prove_dleq, prove_range
from client.conformance.table import Table
from client.conformance.tally_asks import AskedDisclose, AskedSeal
from client.conformance.tells import seal, seal_bytes

GUILTY: Final = "the seat is found guilty, the target signs nothing more, and its record proves it"
FOUND: Final = "the audit finds it: the target signs, and its record says, unfair, with this seat, step and stage"
ROLL: Final[Script] = (("roll", (6,)),)
TOGETHER: Final[Script] = (("together", (0, 1), 9),)
SEAL: Final[Script] = (amounts(2),)
TELL: Final[Script] = (amounts(2), ("disclose", ((1, 0, "a", "b"),), 4), ("roll", (6,)))
SHUFFLE: Final[Script] = (("shuffle", "deck", DECK),)
SHOW: Final[Script] = (*SHUFFLE, ("show", (0,), ((0, None), (1, 0))))
AUDITED: Final = ("M-CLO-2", "M-AUD-1", "M-GEN-5")


def other(secrets: Secrets) -> Secrets:
    """The same seat with another seed: its nonces are as random, and not those due."""
    return replace(secrets, seed=digest("other", secrets.seed))


# -- what the audit finds ----------------------------------------------------------------------------------------------


def deviates(
    id: str,
    title: str,
    asks: Script,
    slot: tuple[int, int],
    bend: Foul,
    covers: Sequence[str] = (),
    chosen: Plain = None,
) -> None:
    """A case in which a seat signs what all can accept, and its seed and its choices do not give."""

    @case(id, title, covers=(*covers, *AUDITED), expect=FOUND)
    async def _(bench: Bench) -> None:
        async with bench.table(asks) as table:
            if chosen is not None:
                table.choices[slot[0], 1] = chosen
            await table.until(*slot)
            table.give(1, bend(table, 1, table.body(1)))
            table.deviations = ((*slot, 1),)
            await table.finish("unfair")
            expect(not table.job.all("guilty"), "the target blamed before the audit what only the audit can judge")


def key_nonce(table: Table, seat: int, body: Plain) -> Plain:
    own = table.play.seats[seat].secrets
    return put(body, prove_dleq(other(own), "key coin", own.context(0), 0, own.key("coin"), ()), 0, 1)


def other_key(table: Table, seat: int, body: Plain) -> Plain:
    asked = table.play.asked
    bent = asked.body(0, replace(table.play.seats[seat], secrets=other(table.play.seats[seat].secrets)))
    return put(body, at(bent, 2), 2)


def roll_nonce(table: Table, seat: int, body: Plain) -> Plain:
    asked, own = typed(table.play.asked, AskedRoll), table.play.seats[seat].secrets
    y = own.key("coin")
    return (mul(y, asked.point) + prove_dleq(other(own), "coin share", own.context(1), 0, y, (asked.point,)),)


def choice_nonce(table: Table, seat: int, body: Plain) -> Plain:
    asked, own = typed(table.play.asked, AskedSeal), table.play.seats[seat]
    return asked.body(0, replace(own, secrets=other(own.secrets)))


def range_nonce(table: Table, seat: int, body: Plain) -> Plain:
    asked, own = typed(table.play.asked, AskedSeal), table.play.seats[seat]
    space, context = asked.ask.spaces[seat], own.secrets.context(1)
    values = [value for value in entries(own.choices[-1]) if isinstance(value, int)]
    r = asked.blindings(own, space, values)[0]  # type: ignore[arg-type]
    return put(body, prove_range(other(own.secrets), "amount", context, 0, 4, values[0], r), 1, 0)


def wrong_pads(total: int) -> Foul:
    """Pads that give the key above another total than the owner's."""

    def bend(table: Table, seat: int, body: Plain) -> Plain:
        asked, own = typed(table.play.asked, AskedDisclose), table.play.seats[seat]
        _, tell = asked.owned(seat)[0]
        blinding = own.opening(tell.than)[1]
        return put(body, asked.offered(own, 0, tell, (total, blinding)), 0, 0)

    return bend


def says(value: Plain) -> Foul:
    """A payload that says something else."""

    def bend(table: Table, seat: int, body: Plain) -> Plain:
        asked, own = typed(table.play.asked, AskedDisclose), table.play.seats[seat]
        index, tell = asked.owned(seat)[0]
        key, context = asked.key(own, index, tell), own.secrets.context(2)
        if isinstance(value, bytes):
            return put(body, seal_bytes(key, tell.kind, context, index, tell.size, value), 0, 1)
        return put(body, seal(key, tell.kind, context, index, tell.size, value), 0, 1)

    return bend


def other_shuffle(*, order: Sequence[int] | None) -> Foul:
    def bend(table: Table, seat: int, body: Plain) -> Plain:
        asked, own = typed(table.play.asked, AskedShuffle), table.play.seats[seat].secrets
        who = own if order is not None else other(own)
        return shuffle(who, asked.context(1, 1), asked.bag, asked.joint, asked.items, order=order)

    return bend


def not_shuffled(table: Table, seat: int, body: Plain) -> Plain:
    """The order due, turned around: never the one due."""
    asked, own = typed(table.play.asked, AskedShuffle), table.play.seats[seat].secrets
    for order in ((0, 1, 2, 3), (3, 2, 1, 0)):
        bent = shuffle(own, asked.context(1, 1), asked.bag, asked.joint, asked.items, order=order)
        if bent != body:
            return bent
    raise AssertionError("two orders cannot both be the one due")


def share_nonce(table: Table, seat: int, body: Plain) -> Plain:
    asked, own = typed(table.play.asked, AskedShow), table.play.seats[seat].secrets
    return put(body, share_to_all(other(own), own.context(2), own.key("bag"), asked.pairs(None)), 0)


def mail_masks(table: Table, seat: int, body: Plain) -> Plain:
    asked, own = typed(table.play.asked, AskedShow), table.play.seats[seat].secrets
    mailbox = table.play.desk.keys[0].mailbox
    return put(body, mail(other(own), own.context(2), own.key("bag"), mailbox, asked.pairs(0)), 1, 0, 1)


deviates("17-01", "A proof of possession with another nonce", ROLL, (0, 0), key_nonce)
deviates("17-02", "A mailbox key that is not its seed's", ROLL, (0, 0), other_key)
deviates("17-03", "A share of a roll with another nonce", ROLL, (1, 0), roll_nonce)
deviates("17-04", "A sealed choice under another nonce", (("seal", (0, 1), 9),), (1, 0), choice_nonce)
deviates(
    "17-05",
    "A sealed choice that is not the one shown",
    (("seal", (0, 1), 9),),
    (1, 0),
    lambda t, s, b: flipped(b, 0, 0),
)
deviates("17-06", "A range proof with other nonces", SEAL, (1, 0), range_nonce)
deviates(
    "17-07",
    "Pads that open at the threshold",
    TELL,
    (2, 0),
    wrong_pads(1),
    ("M-TEL-3", "M-DIS-1", "M-HID-2"),
    chosen=None,
)
deviates(
    "17-08",
    "Pads that nobody can open",
    TELL,
    (2, 0),
    lambda t, s, b: put(b, octets(at(b, 0, 0))[:32] + bytes(512), 0, 0),
    ("M-DIS-1", "M-HID-2"),
)
deviates("17-09", "A payload that lies", TELL, (2, 0), says(15), ("M-DIS-2", "M-HID-4"))
deviates("17-10", "A payload that its space forbids", TELL, (2, 0), says(99), ("M-DIS-2", "M-HID-2"))
deviates("17-11", "A payload that is not canonical", TELL, (2, 0), says(b"\xcc\x01"), ("M-DIS-2", "M-HID-2"))
deviates(
    "17-12", "A payload with bytes behind its value", TELL, (2, 0), says(b"\x01\x00\x00\x01"), ("M-DIS-2", "M-HID-2")
)
deviates(
    "17-13",
    "A payload that does not authenticate",
    TELL,
    (2, 0),
    lambda t, s, b: flipped(b, 0, 0, 1),
    ("M-DIS-2", "M-HID-2"),
)
deviates("17-14", "A shuffle in another order than the seed gives", SHUFFLE, (1, 1), not_shuffled)
deviates("17-15", "A shuffle with other masks", SHUFFLE, (1, 1), other_shuffle(order=None))
deviates("17-16", "Shares with another nonce", SHOW, (2, 0), share_nonce)
deviates("17-17", "Mail with other masks", SHOW, (2, 0), mail_masks)


@case("17-18", "A choice that only the own state can judge", covers=AUDITED, expect=FOUND)
async def no_right(bench: Bench) -> None:
    async with bench.table((("seal", (0, 1), 9), ("again", (0, 1), 9), ("roll", (6,)))) as table:
        table.choices |= {(1, 1): 3, (2, 1): 4}
        table.deviations = ((2, 0, 1),)
        await table.finish("unfair")


@case(
    "17-19",
    "The earliest deviation decides",
    covers=("M-CLO-2", "M-AUD-4"),
    expect="the verdict names the first of two slots",
)
async def earliest(bench: Bench) -> None:
    async with bench.table((("seal", (0, 1), 9), ("seal", (0, 1), 9))) as table:
        for step in (1, 2):
            await table.until(step)
            table.give(1, flipped(table.body(1), 0, 0))
        table.deviations = ((1, 0, 1),)
        await table.finish("unfair")


@case(
    "17-20", "Two seats deviate in one stage", covers=("M-CLO-2", "M-AUD-4"), expect="the verdict names both, by seat"
)
async def both_deviate(bench: Bench) -> None:
    async with bench.table((("seal", (0, 1, 2), 9),), seats=3) as table:
        await table.until(1)
        for seat in (2, 1):
            table.give(seat, flipped(table.body(seat), 0, 0))
        table.deviations = ((1, 0, 1), (1, 0, 2))
        await table.finish("unfair")


# -- closing -----------------------------------------------------------------------------------------------------------


def closes(id: str, title: str, stage: int, bend: Callable[[Plain], Plain], covers: Sequence[str]) -> None:
    """A case in which a seat signs in closing what must not be."""

    @case(id, title, covers=(*covers, "M-CLO-3"), expect=GUILTY)
    async def _(bench: Bench) -> None:
        async with bench.table(TOGETHER) as table:
            await table.until(2)
            while table.closing is None or table.closing < stage:
                await table.complete()
            await table.catches(1, bend(table.body(1)))


closes("16-01", "CLOSE with other places", 0, lambda body: put(body, 2, 0, 0), ("M-CLO-1",))
closes("16-02", "CLOSE with other scores", 0, lambda body: put(body, (7,), 1, 1), ("M-CLO-1",))
closes("16-03", "CLOSE that says that a seat resigned", 0, lambda body: put(body, (0,), 2), ("M-CLO-1",))
closes("16-04", "CLOSE with a boolean for a place", 0, lambda body: put(body, True, 0, 0), ("M-CLO-1", "M-ENC-4"))
closes("16-05", "SHOW with another seed", 1, lambda body: flipped(body, 5, 0), ("M-CLO-2",))
closes("16-06", "SHOW with a seed of 31 bytes", 1, lambda body: put(body, bytes(31), 0), ("M-CLO-2",))
closes("16-07", "SHOW without choices", 1, lambda body: entries(body)[:1], ("M-CLO-2",))
closes("16-08", "VERDICT of another shape", 2, lambda body: ("fair",), ("M-CLO-2",))
closes("16-09", "VERDICT unfair, of nobody", 2, lambda body: ("unfair", ()), ("M-CLO-2",))


@case("16-10", "The seed is not shown before all have signed CLOSE", covers=("M-CLO-1",), expect="no SHOW comes before")
async def shows_late(bench: Bench) -> None:
    async with bench.table(TOGETHER) as table:
        await table.until(2)
        await table.hear()
        await table.sync()
        expect([one.stage for one in table.chain if one.kind == CLOSING] == [0], "the target showed its seed too early")
        await table.finish()


def shown(id: str, title: str, bend: Callable[[Plain], Plain], slot: tuple[int, int]) -> None:
    """A case in which the choices that a seat shows are not those that it made."""

    @case(id, title, covers=AUDITED, expect=FOUND)
    async def _(bench: Bench) -> None:
        async with bench.table((("seal", (0, 1), 9), ("decide", 1, 9))) as table:
            await table.until(3)
            await table.complete()
            table.give(1, bend(table.body(1)))
            table.deviations = ((*slot, 1),)
            await table.finish("unfair")


shown("16-11", "SHOW with another choice", lambda body: put(body, 8 if at(body, 1, 0) != 8 else 7, 1, 0), (1, 0))
shown("16-12", "SHOW with a choice too few", lambda body: put(body, entries(at(body, 1))[:1], 1), (2, 0))
shown("16-13", "SHOW with a choice too many", lambda body: put(body, (*entries(at(body, 1)), 0), 1), (2, 0))
shown("16-14", "SHOW with a choice that its space forbids", lambda body: put(body, 99, 1, 0), (1, 0))


@case(
    "16-15",
    "Another seat signs a false verdict",
    covers=("M-CLO-3", "M-AUD-1"),
    expect="the record says unfair: who signed it is named",
)
async def false_verdict(bench: Bench) -> None:
    async with bench.table(TOGETHER) as table:
        await table.until(2)
        while table.closing is None or table.closing < 2:
            await table.complete()
        table.give(1, ("unfair", ((1, 0, 0),)))
        await table.complete()
        verdict = await bench.event(table.job, "verdict")
        if verdict["code"] != "unfair" or verdict["seats"] != [1]:
            raise Failed(f"the target's verdict is {spelled(verdict)}, and seat 1 signed a false one")


@case(
    "16-16",
    "A seat does not show its seed",
    covers=("M-AUD-2", "M-ERR-2"),
    expect="incomplete: it names the seat that is absent",
)
async def shows_nothing(bench: Bench) -> None:
    async with bench.table(TOGETHER) as table:
        await table.until(2)
        await table.complete()
        await table.hear()
        table.chair.wire.send("bye", "had enough")
        await table.judged("incomplete", [1])


@case("16-17", "The result and the places", covers=("M-CLO-1",), expect="the target prints the result that all sign")
async def result(bench: Bench) -> None:
    async with bench.table((("roll", (6,)), ("roll", (6,))), seats=3) as table:
        await table.until(1)
        table.leave(2)
        await table.finish()
        told = await bench.event(table.job, "result")
        expect((told["places"], told["scores"]) == ([1, 1, 2], [[1], [1], [2]]), f"the target prints {spelled(told)}")
