"""Section 10.5, a referee's side. Targets that claim `referee`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from client.conformance.bench import Bench
from client.conformance.case import Failed, case, expect
from client.conformance.cases.bending import entries, octets
from client.conformance.cases.s10_onlookers import show
from client.conformance.codec import pack
from client.conformance.hashing import Identity, digest, verifies
from client.conformance.plain import Plain, spelled, to_json
from client.conformance.wire import Frame, Line
from client.conformance.written import ASKS, Written

OPTIONS: Final[dict[str, Plain]] = {"asks": ASKS, "last_look": 0}
NAME: Final = "Friday Cup"


@dataclass
class Enrolled:
    """Two players of the suite in a cup of the target."""

    identities: Sequence[Identity]
    lines: list[Line]
    port: int
    cup: tuple[Plain, ...]

    @property
    def cup_id(self) -> bytes:
        return digest("cup", self.cup)

    async def event(self, bench: Bench, kind: str) -> Frame:
        """The event of this kind, for the first player. Raises Failed where events are out of order."""
        line = self.lines[0]

        def told() -> list[Frame]:
            frames = [frame for frame in line.frames if frame[0] == "event"]
            if [frame[1] for frame in frames] != list(range(len(frames))):
                raise Failed(f"the events have the numbers {spelled([frame[1] for frame in frames])}")
            return [entries(frame[2]) for frame in frames if entries(frame[2])[0] == kind]

        await bench.wait(lambda: told() or line.closed, f"the event `{kind}` of the cup", 30)
        if not (found := told()):
            raise Failed(f"waiting for the event `{kind}` of the cup; the target ended the connection")
        return found[0]

    async def written(self, bench: Bench) -> Written:
        """A game of the table that the target has paired, which bears its mark."""
        paired = await self.event(bench, "paired")
        (table,) = entries(paired[3])
        by_key = {one.public: one for one in self.identities}
        people = [by_key[octets(key)] for key in entries(table)]
        mark = digest("table of a cup", self.cup_id, pack((1, 0)))
        options = tuple(sorted({**OPTIONS, "cup": mark}.items()))
        return Written(identities=people, options=options)

    async def shows(self, bench: Bench, written: Written) -> None:
        """Both seats open their doors, the target looks on, and is shown the game."""
        # One door that shows a whole game is enough for a result: both are looked at before either shows it.
        lines = {identity.public: line for identity, line in zip(self.identities, self.lines, strict=True)}
        watched = []
        for identity in written.identities:
            door = await bench.door()
            lines[identity.public].send("door", 1, 0, door.port)
            watched.append(await bench.guest(door, identity))
        for line in watched:
            expect(line.purpose == ("watch",), f"the referee comes to a door with the purpose {spelled(line.purpose)}")
            show(line, written)

    async def decided(self, bench: Bench, written: Written) -> tuple[Plain, Plain]:
        """(places, how) of the table's result, whose signature holds. Raises Failed."""
        _, at, round, table, places, how, sentence, game_id, record, signature = await self.event(bench, "decided")
        people = tuple(identity.public for identity in written.identities)
        points = _points([place for place in entries(places) if isinstance(place, int)])
        signed = (self.cup_id, at, round, table, people, places, points, how, sentence, game_id, record)
        if not verifies(self.lines[0].identity, "result", pack(signed), octets(signature)):
            raise Failed(f"the signature of the result does not hold over {spelled(signed)}")
        expect(game_id == written.game_id, f"the result is of the game {spelled(game_id)}")
        return places, how


def _points(places: Sequence[int]) -> tuple[Plain, ...]:
    """By seat, in 120ths: the share of the others that it has beaten. Who lost by ruling, 0, comes last."""
    ranks = [place or len(places) + 1 for place in places]
    beaten = [sum(2 * (own < other) + (own == other) for other in ranks) - 1 for own in ranks]
    return tuple(60 * count // (len(ranks) - 1) for count in beaten)


async def enrolled(bench: Bench) -> Enrolled:
    """Two players enrol in a cup of two."""
    options = {name: to_json(value) for name, value in OPTIONS.items()}
    port = await bench.listening(await bench.job("referee", nickname=NAME, players=2, options=options))
    identities = [bench.identity(), bench.identity()]
    lines: list[Line] = []
    cups = []
    for identity, name in zip(identities, ("ana", "ben"), strict=True):
        line = await bench.seat_line(port, identity, ("enrol",), name)
        line.send("enrol", name, 0)
        cups.append((await bench.receive(line, "cup"))[1])
        lines.append(line)
    expect(cups[0] == cups[1], "the target does not tell both players of the same cup")
    return Enrolled(identities, lines, port, entries(cups[0]))


@case(
    "10-86",
    "A cup, its card, and its lots",
    covers=("M-REF-17", "M-LOO-3"),
    expect="the card and `cup` as in section 10.5; the events in their order; the seed drawn is the one committed to",
)
async def lots(bench: Bench) -> None:
    cup = await enrolled(bench)
    referee = cup.lines[0].identity
    due = (referee, NAME, "script", 1, tuple(sorted(OPTIONS.items())), "round-robin")
    expect(cup.cup[:6] == due, f"the cup is {spelled(cup.cup)}, and begins with {spelled(due)}")
    drawn = await cup.event(bench, "drawn")
    expect(digest("lots", octets(drawn[2])) == cup.cup[10], "the seed that is drawn is not the one committed to")
    paired = await cup.event(bench, "paired")
    people = {octets(key) for table in entries(paired[3]) for key in entries(table)}
    expect(people == {one.public for one in cup.identities}, f"the target pairs {spelled(paired)}")
    line = await bench.connect(cup.port, "looker")
    line.send("look")
    card = await bench.receive(line, "card")
    expect(len(card) > 11 and card[7] == card[8], f"the card is {spelled(card)}")
    shown = entries(card[11])
    expect(shown[:3] == (NAME, "round-robin", 2), f"the card says {spelled(shown)} of the cup")


@case(
    "10-87",
    "A table whose game is fair",
    covers=("M-REF-6", "M-REF-8", "M-REF-9"),
    expect="the referee looks on at the doors, and signs `played` with the places of the result",
)
async def played(bench: Bench) -> None:
    cup = await enrolled(bench)
    written = (await cup.written(bench)).closed()
    await cup.shows(bench, written)
    places, how = await cup.decided(bench, written)
    due = written.play.result.places if written.play.result else ()
    expect((places, how) == (due, "played"), f"the result is {spelled((places, how))}, and {spelled(due)} were played")


@case(
    "10-88",
    "A table with a seat that is guilty",
    covers=("M-REF-9", "M-REF-16"),
    expect="the referee signs `cheating`, with place 0 for this seat alone",
)
async def cheating(bench: Bench) -> None:
    cup = await enrolled(bench)
    written = (await cup.written(bench)).until(1)
    written.sign(1, 0, (b"short",), (1, 0))
    await cup.shows(bench, written)
    places, how = await cup.decided(bench, written)
    expect((places, how) == ((1, 0), "cheating"), f"the result is {spelled((places, how))}, and seat 1 is guilty")


@case(
    "10-89",
    "A player who says what no player says",
    covers=("S-REF-14",),
    expect="its channel ends, and the others play on",
)
async def not_a_player(bench: Bench) -> None:
    cup = await enrolled(bench)
    await cup.event(bench, "paired")
    cup.lines[1].send("decided", 1, 0, (2, 1))
    await bench.closed(cup.lines[1], "for a frame that no player sends")
    cup.lines[1] = await bench.seat_line(cup.port, cup.identities[1], ("enrol",), "ben, back")
    cup.lines[1].send("enrol", "ben", 0)
    written = (await cup.written(bench)).closed()
    await cup.shows(bench, written)
    _, how = await cup.decided(bench, written)
    expect(how == "played", f"the result is {spelled(how)}, and the table was played")
