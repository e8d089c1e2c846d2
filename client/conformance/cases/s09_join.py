"""Section 9: seating, where the target joins a host that may not be honest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from client.conformance.bench import Bench
from client.conformance.case import Failed, case, expect, present, typed
from client.conformance.cases.bending import entries, octets
from client.conformance.hashing import digest
from client.conformance.plain import Plain
from client.conformance.roster import Person, Roster, Signed
from client.conformance.seating import BendFrame, TableFrame, places
from client.conformance.table import Table
from client.conformance.wire import Frame

GIVES_UP: Final = "the target gives the table up, and signs nothing"
FREED: Final = "the connection ends, the seat is free again, and others can sit"
ROLL: Final[tuple[Plain, ...]] = (("roll", (6,)),)


# -- the target joins --------------------------------------------------------------------------------------------------


def bad_table(id: str, title: str, covers: Sequence[str], change: Callable[[TableFrame], TableFrame | Frame]) -> None:
    """A case in which the suite's host announces a table at which the target cannot sit."""

    @case(id, title, covers=(*covers, "M-SEA-1"), expect="the target does not sit down, and tells its player")
    async def _(bench: Bench) -> None:
        def bend(frame: Frame) -> Frame:
            changed = change(TableFrame.read(frame))
            return changed.frame() if isinstance(changed, TableFrame) else changed

        async with bench.table(ROLL, target="join", play=False, bends={"table": bend}) as table:
            try:
                await table.gather()
            except Failed:
                pass
            else:
                raise Failed("the target sat down")
            await bench.event(table.job, "problem")


bad_table("09-18", "A game that the target does not know", (), lambda t: replace(t, game="whist"))
bad_table("09-19", "Another revision of the rules", ("M-GEN-4",), lambda t: replace(t, rules=2))
bad_table(
    "09-20",
    "An option that the game does not have",
    ("M-GAM-3",),
    lambda t: replace(t, options=(*t.options, ("zoom", 1))),
)
bad_table(
    "09-21",
    "An option with another value",
    ("M-GAM-3",),
    lambda t: replace(t, options=(("asks", (("roll", (7,)),)), ("last_look", 0))),
)
bad_table("09-22", "An option that is missing", ("M-GAM-3",), lambda t: replace(t, options=t.options[:1]))
bad_table(
    "09-23",
    "A last look of 601 seconds",
    ("M-LIM-1",),
    lambda t: replace(t, options=(t.options[0], ("last_look", 601))),
)
bad_table(
    "09-24",
    "A grace of 4 seconds",
    ("M-LIM-1",),
    lambda t: replace(t, options=(t.options[0], ("grace", 4), t.options[1])),
)
bad_table("09-25", "Seven seats", ("M-LIM-1",), lambda t: replace(t, seats=7))
bad_table(
    "09-26", "A nickname of another form", ("M-SEA-10",), lambda t: replace(t, people=((t.people[0][0], "a\x07b"),))
)
bad_table(
    "09-59",
    "A nickname with a character that cannot be seen",
    ("M-SEA-10",),
    lambda t: replace(t, people=((t.people[0][0], "an\u3164a"),)),
)
bad_table(
    "09-27",
    "One identity at two seats",
    ("M-SEA-6", "M-SEA-10"),
    lambda t: replace(t, seats=3, people=t.people * 2, sitting=t.sitting * 2),
)
bad_table(
    "09-60",
    "A host that calls itself a bot",
    ("M-SEA-14",),
    lambda t: replace(t, sitting=((t.sitting[0][0], True, *t.sitting[0][2:]), *t.sitting[1:])),
)
bad_table("09-28", "A table of another shape", ("M-FRM-6",), lambda t: t.frame()[:6])
bad_table("09-29", "A boolean for the revision of the rules", ("M-ENC-4",), lambda t: replace(t, rules=True))


def breaks_round(
    id: str, title: str, covers: Sequence[str], bends: Mapping[str, BendFrame], never: str, **more: Any
) -> None:
    """A case in which the suite's host breaks the round: the target must never send this kind of frame."""

    @case(id, title, covers=(*covers, "M-ERR-1"), expect=f"{GIVES_UP}: no `{never}`")
    async def _(bench: Bench) -> None:
        async with bench.table(ROLL, target="join", play=False, bends=bends, **more) as table:
            with suppress(Failed):
                await table.sit()
                await table.begin()
            sent = {str(frame[0]) for line in table.lines for frame in line.frames}
            if never in sent:
                raise Failed(f"the target sent `{never}`")
            await bench.event(table.job, "problem")


def rewritten(change: Callable[[Roster], Roster]) -> dict[str, BendFrame]:
    """The roster with something changed in it."""

    def bend(frame: Frame) -> Frame:
        return (*frame[:2], change(Roster.read(typed(frame[2], bytes))).packed)

    return {"roster": bend}


def place_changed(seat: int, **fields: Any) -> Callable[[Roster], Roster]:
    def change(roster: Roster) -> Roster:
        places = list(roster.places)
        places[seat] = replace(places[seat], **fields)
        return replace(roster, places=tuple(places))

    return change


breaks_round(
    "09-30", "A roster of another game", ("M-SEA-3",), rewritten(lambda r: replace(r, game="land")), "signature"
)
breaks_round(
    "09-31",
    "A roster of other options",
    ("M-SEA-3",),
    rewritten(lambda r: replace(r, options=(r.options[0], ("last_look", 5)))),
    "signature",
)
breaks_round(
    "09-32",
    "A roster with an option more",
    ("M-SEA-3",),
    rewritten(lambda r: replace(r, options=(*r.options, ("zoom", 1)))),
    "signature",
)
breaks_round(
    "09-33", "A roster with another nickname", ("M-SEA-3",), rewritten(place_changed(0, nickname="eve")), "signature"
)
breaks_round(
    "09-34",
    "A roster with another identity",
    ("M-SEA-3",),
    rewritten(place_changed(0, identity=digest("somebody"))),
    "signature",
)
breaks_round(
    "09-35",
    "A roster without the target's seed hash",
    ("M-SEA-3",),
    rewritten(place_changed(1, seed_hash=bytes(32))),
    "signature",
)
breaks_round(
    "09-36",
    "A roster without the target's nonce commitment",
    ("M-SEA-3",),
    rewritten(place_changed(1, nonce_commitment=bytes(32))),
    "signature",
)
breaks_round(
    "09-37",
    "A roster with the seats exchanged",
    ("M-SEA-3",),
    rewritten(lambda r: replace(r, places=r.places[::-1])),
    "signature",
)
breaks_round(
    "09-38",
    "A roster in which the target sits twice",
    ("M-SEA-6",),
    rewritten(lambda r: replace(r, places=(r.places[1], r.places[1]))),
    "signature",
)
breaks_round(
    "09-39", "A roster that lets a seat begin", ("M-SEA-9",), rewritten(lambda r: replace(r, begins=0)), "signature"
)
breaks_round(
    "09-40",
    "A roster of another revision",
    ("M-GEN-4",),
    {"roster": lambda f: (*f[:2], octets(f[2])[:1] + b"\x03" + octets(f[2])[2:])},
    "signature",
)
breaks_round(
    "09-41",
    "A roster that is not canonical",
    ("M-ENC-1",),
    {"roster": lambda f: (*f[:2], octets(f[2]) + b"\0")},
    "signature",
)
breaks_round(
    "09-42",
    "A signature of the host that does not hold",
    ("M-SEA-4",),
    {"signatures": lambda f: (*f[:2], (bytes(64), entries(f[2])[1]))},
    "nonce",
)
breaks_round(
    "09-43", "A signature too few", ("M-SEA-4",), {"signatures": lambda f: (*f[:2], entries(f[2])[1:])}, "nonce"
)
breaks_round(
    "09-44",
    "Two signatures in each other's place",
    ("M-SEA-4",),
    {"signatures": lambda f: (*f[:2], entries(f[2])[::-1])},
    "nonce",
)
breaks_round(
    "09-45",
    "A nonce that does not open its commitment",
    ("M-SEA-5",),
    {"nonces": lambda f: (*f[:2], (bytes(32), entries(f[2])[1]))},
    "same",
)
breaks_round("09-46", "A nonce too few", ("M-SEA-5",), {"nonces": lambda f: (*f[:2], entries(f[2])[1:])}, "same")
breaks_round(
    "09-47",
    "A roster before the round is prepared",
    ("M-SEA-11",),
    {"prepare": lambda f: ("roster", f[1], b"x")},
    "place",
)
breaks_round(
    "09-48",
    "Nonces instead of the roster",
    ("M-SEA-11",),
    {"roster": lambda f: ("nonces", f[1], (bytes(32), bytes(32)))},
    "signature",
)
breaks_round(
    "09-49", "A roster of another round", ("M-SEA-11",), {"roster": lambda f: ("roster", 7, f[2])}, "signature"
)
breaks_round(
    "09-50",
    "A table that is changed before the round",
    ("M-SEA-1",),
    {"prepare": lambda f: ("table", "script", 1, (("asks", ROLL), ("last_look", 9)), 2, (), ())},
    "place",
)


class Showing(Table):
    """A host that shows other people before it passes the nonces on than those who signed the roster."""

    def shown(self, people: tuple[Person, ...]) -> tuple[Person, ...]:
        """Whom it shows instead of these."""
        raise NotImplementedError

    async def before_nonces(self, signed: Signed) -> None:
        announced = present(self.announced)
        self.send(self.chairs[0], replace(announced, people=self.shown(announced.people)).frame())


class ShowingAnotherIdentity(Showing):
    def shown(self, people: tuple[Person, ...]) -> tuple[Person, ...]:
        return (digest("somebody"), people[0][1]), *people[1:]


class ShowingAnotherNickname(Showing):
    def shown(self, people: tuple[Person, ...]) -> tuple[Person, ...]:
        return (people[0][0], "eve"), *people[1:]


breaks_round(
    "09-90",
    "Another identity at the table than in the roster that all signed",
    ("M-SEA-11",),
    {},
    "same",
    kind=ShowingAnotherIdentity,
)
breaks_round(
    "09-91",
    "Another nickname at the table than in the roster that all signed",
    ("M-SEA-11",),
    {},
    "same",
    kind=ShowingAnotherNickname,
)


@case("09-51", "A round whose number does not rise", covers=("M-SEA-11",), expect=GIVES_UP)
async def same_round(bench: Bench) -> None:
    async with bench.table(ROLL, target="join", play=False) as table:
        await table.gather()
        line = table.chairs[0].wire
        for number in (5, 5):
            line.send("prepare", number)
        await bench.closed(line, "for a round with the number of the last one")
        expect(line.count("place") == 1, "the target took part in both")


@case(
    "09-52",
    "Rounds that end again and again after the nonces are open",
    covers=("M-SEA-12",),
    expect="the target leaves after the third",
    seconds=60,
)
async def many_rounds(bench: Bench) -> None:
    async with bench.table(ROLL, target="join", play=False) as table:
        await table.gather()
        for _ in range(4):
            try:
                await opened(bench, table)
            except Failed:
                break
        opened_in = table.chairs[0].wire.count("nonce")
        expect(opened_in == 3, f"the target opened its nonce in {opened_in} rounds that came to nothing")
        await bench.closed(table.chairs[0].wire, "for starting over again and again")


async def opened(bench: Bench, table: Table) -> None:
    """A round up to the target's nonce, and no further."""
    host, number = table.chairs[0], int(str(table.round)) + 1
    table.round = number
    host.wire.send("prepare", number)
    place = await bench.receive(host.wire, "place", "bye")
    if place[0] == "bye":
        raise Failed("the target left")
    given: dict[bytes, Frame] = {host.identity.public: host.place, table.target_person[0]: place[2:]}
    announced = present(table.announced)
    roster = Roster("script", 1, announced.options, places(announced.people, given))
    host.wire.send("roster", number, roster.packed)
    own = (await bench.receive(host.wire, "signature"))[2]
    host.wire.send("signatures", number, (host.identity.sign("roster", roster.packed), own))
    await bench.receive(host.wire, "nonce")


@case(
    "09-53", "The host starts over while the words are on the screens", covers=("M-SEA-11", "M-WRD-4"), expect=GIVES_UP
)
async def over_words(bench: Bench) -> None:
    async with bench.table(ROLL, target="join", play=False) as table:
        await table.sit()
        await bench.event(table.job, "words")
        table.chairs[0].wire.send("prepare", 2)
        await bench.closed(table.chairs[0].wire, "for starting over")
        expect(not table.job.all("began"), "the target began the game all the same")
