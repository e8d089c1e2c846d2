"""Section 9: seating, where the target joins a host that may not be honest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from kimberley.conformance.case import case
from kimberley.conformance.errors import Failed, expect, present, typed
from kimberley.conformance.forging import entries, octets
from kimberley.conformance.harness.connection import Frame, kind_of
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.table.seating_frames import MutateFrame, Person, TableDescription, places
from kimberley.conformance.table.table import TargetTable, open_table
from kimberley.games.table import Plain
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.roster import Roster, SignedRoster

GIVES_UP: Final = "the target gives the table up and signs nothing"
ROLL: Final[tuple[Plain, ...]] = (("roll", (6,)),)


# -- the target joins --------------------------------------------------------------------------------------------------


def bad_table(
    id: str, title: str, covers: Sequence[str], change: Callable[[TableDescription], TableDescription | Frame]
) -> None:
    """Adds a case in which the suite's host announces a table that the target must not join."""

    @case(id, title, covers=(*covers, "M-SEA-1"), expect="the target does not sit down, and tells its player why")
    async def _(harness: Harness) -> None:
        def mutate(frame: Frame) -> Frame:
            changed = change(TableDescription.read(frame))
            return changed.frame() if isinstance(changed, TableDescription) else changed

        async with open_table(harness, ROLL, target="join", play=False, mutations={"table": mutate}) as table:
            try:
                await table.seat_everybody()
            except Failed:
                pass
            else:
                raise Failed("the target sat down")
            await harness.await_event(table.job, "problem")


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
    "09-92",
    "A quiet time as long as the last look",
    ("M-SEA-1",),
    lambda t: replace(t, options=(t.options[0], ("last_look", 9), ("quiet_time", 9))),
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
    "09-88",
    "A nickname with a character that Unicode 14.0 does not assign",
    ("M-SEA-10",),
    lambda t: replace(t, people=((t.people[0][0], "an\U0001fae8a"),)),
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
    id: str, title: str, covers: Sequence[str], mutations: Mapping[str, MutateFrame], never: str, **more: Any
) -> None:
    """Adds a case in which the suite's host breaks the round: the target must never send this kind of frame."""

    @case(id, title, covers=(*covers, "M-ERR-1"), expect=f"{GIVES_UP}: no `{never}`")
    async def _(harness: Harness) -> None:
        async with open_table(harness, ROLL, target="join", play=False, mutations=mutations, **more) as table:
            with suppress(Failed):
                await table.sit()
                await table.begin()
            sent = {kind_of(frame) for connection in table.connections for frame in connection.frames}
            if never in sent:
                raise Failed(f"the target sent `{never}`")
            await harness.await_event(table.job, "problem")


def rewritten(change: Callable[[Roster], Roster]) -> dict[str, MutateFrame]:
    """Returns the mutation that changes the roster."""

    def mutate(frame: Frame) -> Frame:
        return (*frame[:2], change(Roster.unpack(typed(frame[2], bytes))).packed)

    return {"roster": mutate}


def place_changed(seat: int, **fields: Any) -> Callable[[Roster], Roster]:
    def change(roster: Roster) -> Roster:
        places = list(roster.seats)
        places[seat] = replace(places[seat], **fields)
        return replace(roster, seats=tuple(places))

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
    rewritten(lambda r: replace(r, seats=r.seats[::-1])),
    "signature",
)
breaks_round(
    "09-38",
    "A roster in which the target sits twice",
    ("M-SEA-6",),
    rewritten(lambda r: replace(r, seats=(r.seats[1], r.seats[1]))),
    "signature",
)
breaks_round(
    "09-39", "A roster that lets a seat begin", ("M-SEA-9",), rewritten(lambda r: replace(r, begins=0)), "signature"
)
breaks_round(
    "09-40",
    "A roster of another revision",
    ("M-GEN-4",),
    {"roster": lambda f: (*f[:2], octets(f[2])[:1] + b"\x02" + octets(f[2])[2:])},
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


class OtherPeopleTable(TargetTable):
    """A host that shows people other than those who signed the roster, before it passes the nonces on."""

    def shown(self, people: tuple[Person, ...]) -> tuple[Person, ...]:
        """Returns the people whom it shows instead of these."""
        raise NotImplementedError

    async def before_nonces(self, signed: SignedRoster) -> None:
        announced = present(self.announced)
        self.send(self.suite_seats[0], replace(announced, people=self.shown(announced.people)).frame())


class OtherIdentityTable(OtherPeopleTable):
    def shown(self, people: tuple[Person, ...]) -> tuple[Person, ...]:
        return (digest("somebody"), people[0][1]), *people[1:]


class OtherNicknameTable(OtherPeopleTable):
    def shown(self, people: tuple[Person, ...]) -> tuple[Person, ...]:
        return (people[0][0], "eve"), *people[1:]


breaks_round(
    "09-90",
    "An identity at the table that is not in the roster that all signed",
    ("M-SEA-11",),
    {},
    "same",
    kind=OtherIdentityTable,
)
breaks_round(
    "09-91",
    "A nickname at the table that is not in the roster that all signed",
    ("M-SEA-11",),
    {},
    "same",
    kind=OtherNicknameTable,
)


class OtherOptionsTable(TargetTable):
    """A host that shows options other than those in the roster, before it passes the nonces on."""

    async def before_nonces(self, signed: SignedRoster) -> None:
        announced = present(self.announced)
        changed = tuple((name, 9 if name == "last_look" else value) for name, value in announced.options)
        self.send(self.suite_seats[0], replace(announced, options=changed).frame())


breaks_round("09-94", "Options that change while a round runs", ("M-SEA-1",), {}, "same", kind=OtherOptionsTable)


@case("09-51", "A round whose number does not rise", covers=("M-SEA-11",), expect=GIVES_UP)
async def same_round(harness: Harness) -> None:
    async with open_table(harness, ROLL, target="join", play=False) as table:
        await table.seat_everybody()
        connection = table.suite_seats[0].wire
        for number in (5, 5):
            connection.send("prepare", number)
        await harness.expect_closed(connection, "for a round with the number of the last one")
        expect(connection.count("place") == 1, "the target took part in both")


@case(
    "09-52",
    "Rounds that end again and again after the nonces are open",
    covers=("M-SEA-12",),
    expect="the target leaves after the third",
    seconds=60,
)
async def many_rounds(harness: Harness) -> None:
    async with open_table(harness, ROLL, target="join", play=False) as table:
        await table.seat_everybody()
        for _ in range(4):
            try:
                await opened(harness, table)
            except Failed:
                break
        opened_in = table.suite_seats[0].wire.count("nonce")
        expect(opened_in == 3, f"the target opened its nonce in {opened_in} rounds that did not end in a game")
        await harness.expect_closed(table.suite_seats[0].wire, "for starting over again and again")


async def opened(harness: Harness, table: TargetTable) -> None:
    """Runs a round up to the target's nonce, and no further."""
    host, number = table.suite_seats[0], int(str(table.round)) + 1
    table.round = number
    host.wire.send("prepare", number)
    place = await harness.receive(host.wire, "place", "bye")
    if place[0] == "bye":
        raise Failed("the target left")
    given: dict[bytes, Frame] = {host.identity.public: host.place, table.target_person[0]: place[2:]}
    announced = present(table.announced)
    roster = Roster("script", 1, announced.options, places(announced.people, given))
    host.wire.send("roster", number, roster.packed)
    own = (await harness.receive(host.wire, "signature"))[2]
    host.wire.send("signatures", number, (host.identity.sign("roster", roster.packed), own))
    await harness.receive(host.wire, "nonce")


@case(
    "09-53", "The host starts over while the words are on the screens", covers=("M-SEA-11", "M-WRD-4"), expect=GIVES_UP
)
async def over_words(harness: Harness) -> None:
    async with open_table(harness, ROLL, target="join", play=False) as table:
        await table.sit()
        await harness.await_event(table.job, "words")
        table.suite_seats[0].wire.send("prepare", 2)
        await harness.expect_closed(table.suite_seats[0].wire, "for starting over")
        expect(not table.job.all("began"), "the target began the game nevertheless")
