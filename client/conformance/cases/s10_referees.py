"""Section 10.5, the referee's side. For targets that claim `referee`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kimberley.client.conformance.case import case
from kimberley.client.conformance.cases.mutations import entries, octets
from kimberley.client.conformance.cases.s10_onlookers import show
from kimberley.client.conformance.crypto.hashing import Identity, digest, verifies
from kimberley.client.conformance.encoding.codec import pack
from kimberley.client.conformance.encoding.plain import Plain, spelled, to_json
from kimberley.client.conformance.errors import Failed, expect
from kimberley.client.conformance.harness.connection import Connection, Frame
from kimberley.client.conformance.harness.harness import Harness
from kimberley.client.conformance.table.offline import ASKS, OfflineGame

OPTIONS: Final[dict[str, Plain]] = {"asks": ASKS, "last_look": 0}
NAME: Final = "Friday Cup"


@dataclass
class EnrolledPlayers:
    """Two players of the suite who have enrolled in a tournament of the target."""

    identities: list[Identity]
    connections: list[Connection]
    options: Mapping[str, Plain]
    port: int
    cup: tuple[Plain, ...]

    @property
    def cup_id(self) -> bytes:
        return digest("cup", self.cup)

    async def event(self, harness: Harness, kind: str) -> Frame:
        """Waits for an event of this kind, for the first player. Raises Failed if events are out of order."""
        connection = self.connections[0]

        def told() -> list[Frame]:
            frames = [frame for frame in connection.frames if frame[0] == "event"]
            if [frame[1] for frame in frames] != list(range(len(frames))):
                raise Failed(f"the events have the numbers {spelled([frame[1] for frame in frames])}")
            return [entries(frame[2]) for frame in frames if entries(frame[2])[0] == kind]

        await harness.wait_until(lambda: told() or connection.closed, f"the event `{kind}` of the cup", 30)
        if not (found := told()):
            raise Failed(f"waiting for the event `{kind}` of the cup; the target ended the connection")
        return found[0]

    async def written(self, harness: Harness) -> OfflineGame:
        """A game at the table that the target has paired, with the mark of that table."""
        paired = await self.event(harness, "paired")
        (table,) = entries(paired[3])
        by_key = {one.public: one for one in self.identities}
        people = [by_key[octets(key)] for key in entries(table)]
        mark = digest("table of a cup", self.cup_id, pack((1, 0)))
        options = tuple(sorted({**self.options, "cup": mark}.items()))
        return OfflineGame(identities=people, options=options)

    async def shows(self, harness: Harness, written: OfflineGame) -> list[Connection]:
        """Both seats accept the target as an onlooker, and show it the game. Returns the target's connections."""
        # One seat that shows a whole game is enough for a result: the target watches both before either shows it.
        connections = {
            identity.public: connection for identity, connection in zip(self.identities, self.connections, strict=True)
        }
        watched = []
        for identity in written.identities:
            listener = await harness.listen()
            connections[identity.public].send("door", 1, 0, listener.port)
            watched.append(await harness.accept(listener, identity))
        for connection in watched:
            expect(
                connection.purpose == ("watch",),
                f"the referee connects with the purpose {spelled(connection.purpose)}",
            )
            show(connection, written)
        return watched

    def listen_to(self, identity: Identity) -> None:
        """This player comes first from now on: what the target tells it is what counts."""
        at = self.identities.index(identity)
        self.identities.insert(0, self.identities.pop(at))
        self.connections.insert(0, self.connections.pop(at))

    async def decided(self, harness: Harness, written: OfflineGame) -> tuple[Plain, Plain]:
        """The (places, how) of the table's result, whose signature must verify. Raises Failed."""
        _, at, round, table, places, how, sentence, game_id, record, signature = await self.event(harness, "decided")
        people = tuple(identity.public for identity in written.identities)
        points = _points([place for place in entries(places) if isinstance(place, int)])
        signed = (self.cup_id, at, round, table, people, places, points, how, sentence, game_id, record)
        if not verifies(self.connections[0].identity, "result", pack(signed), octets(signature)):
            raise Failed(f"the signature of the result does not verify over {spelled(signed)}")
        expect(game_id == written.game_id, f"the result is about the game {spelled(game_id)}")
        return places, how


def _points(places: Sequence[int]) -> tuple[Plain, ...]:
    """By seat, in 120ths: the share of the others that it has beaten. A place of 0, a loss by ruling, comes last."""
    ranks = [place or len(places) + 1 for place in places]
    beaten = [sum(2 * (own < other) + (own == other) for other in ranks) - 1 for own in ranks]
    return tuple(60 * count // (len(ranks) - 1) for count in beaten)


async def enrolled(harness: Harness, **more: Plain) -> EnrolledPlayers:
    """Two players enrol in a tournament for two, whose tables may have `more` options."""
    options = {**OPTIONS, **more}
    spoken = {name: to_json(value) for name, value in options.items()}
    port = await harness.listening_port(await harness.start_job("referee", nickname=NAME, players=2, options=spoken))
    identities = [harness.identity(), harness.identity()]
    connections: list[Connection] = []
    cups = []
    for identity, name in zip(identities, ("ana", "ben"), strict=True):
        connection = await harness.connect_seat(port, identity, ("enrol",), name)
        connection.send("enrol", name, 0, False)
        cups.append((await harness.receive(connection, "cup"))[1])
        connections.append(connection)
    expect(cups[0] == cups[1], "the target tells the two players of different cups")
    return EnrolledPlayers(identities, connections, options, port, entries(cups[0]))


@case(
    "10-86",
    "A cup, its card, and its lots",
    covers=("M-REF-17", "M-LOO-3"),
    expect="the card and `cup` as in section 10.5; events in order; the seed drawn is the one committed to",
)
async def lots(harness: Harness) -> None:
    cup = await enrolled(harness)
    referee = cup.connections[0].identity
    due = (referee, NAME, "script", 1, tuple(sorted(OPTIONS.items())), "round-robin")
    expect(cup.cup[:6] == due, f"the cup is {spelled(cup.cup)}, and should begin with {spelled(due)}")
    drawn = await cup.event(harness, "drawn")
    expect(
        digest("lots", octets(drawn[2])) == cup.cup[10], "the seed drawn is not the one that the target committed to"
    )
    paired = await cup.event(harness, "paired")
    people = {octets(key) for table in entries(paired[3]) for key in entries(table)}
    expect(people == {one.public for one in cup.identities}, f"the target pairs {spelled(paired)}")
    connection = await harness.connect(cup.port, "looker")
    connection.send("look")
    card = await harness.receive(connection, "card")
    expect(len(card) > 11 and card[7] == card[8], f"the card is {spelled(card)}")
    shown = entries(card[11])
    expect(shown[:3] == (NAME, "round-robin", 2), f"the card says {spelled(shown)} of the cup")


@case(
    "10-87",
    "A table whose game is fair",
    covers=("M-REF-6", "M-REF-8", "M-REF-9"),
    expect="the referee watches at both seats, and signs `played` with the places of the result",
)
async def played(harness: Harness) -> None:
    cup = await enrolled(harness)
    written = (await cup.written(harness)).closed()
    await cup.shows(harness, written)
    places, how = await cup.decided(harness, written)
    due = written.play.result.places if written.play.result else ()
    expect(
        (places, how) == (due, "played"), f"the result is {spelled((places, how))}, but the places are {spelled(due)}"
    )


@case(
    "10-88",
    "A table with a seat that is guilty",
    covers=("M-REF-9", "M-REF-16"),
    expect="the referee signs `cheating`, with place 0 for this seat alone",
)
async def cheating(harness: Harness) -> None:
    cup = await enrolled(harness)
    written = (await cup.written(harness)).until(1)
    written.sign(1, 0, (b"short",), (1, 0))
    await cup.shows(harness, written)
    places, how = await cup.decided(harness, written)
    expect((places, how) == ((1, 0), "cheating"), f"the result is {spelled((places, how))}, but seat 1 is guilty")


@case(
    "10-89",
    "A player who says something that no player says",
    covers=("S-REF-14",),
    expect="its connection ends, and the others play on",
)
async def not_a_player(harness: Harness) -> None:
    cup = await enrolled(harness)
    await cup.event(harness, "paired")
    cup.connections[1].send("decided", 1, 0, (2, 1))
    await harness.expect_closed(cup.connections[1], "for a frame that no player sends")
    cup.connections[1] = await harness.connect_seat(cup.port, cup.identities[1], ("enrol",), "ben, back")
    cup.connections[1].send("enrol", "ben", 0, False)
    written = (await cup.written(harness)).closed()
    await cup.shows(harness, written)
    _, how = await cup.decided(harness, written)
    expect(how == "played", f"the result is {spelled(how)}, but the game was played")


@case(
    "10-90",
    "A player who is gone on the turn of another",
    covers=("M-REF-10", "M-REF-16"),
    expect="the referee tells the other player that it is away, and signs `away` after the grace, with place 0 for it",
)
async def away(harness: Harness) -> None:
    cup = await enrolled(harness, grace=5)
    written = (await cup.written(harness)).until(3)
    goes, stays = written.identities
    cup.listen_to(stays)
    watched = await cup.shows(harness, written)
    await cup.event(harness, "seated")
    watched[0].abort()
    cup.connections[1].abort()
    places, how = await cup.decided(harness, written)
    expect(
        (places, how) == ((0, 1), "away"),
        f"the result is {spelled((places, how))}, but {goes.public.hex()[:8]} is gone, and the other one has to choose",
    )


@case(
    "10-91",
    "A player who is ready",
    covers=("M-REF-19",),
    expect="the referee tells the other player of the first signature that verifies, and of no other",
)
async def ready(harness: Harness) -> None:
    cup = await enrolled(harness)
    await cup.event(harness, "paired")
    identity, game = cup.identities[1], digest("some game", NAME)
    for signature in (None, bytes(64), cup.identities[0].sign("ready", game), identity.sign("ready", game)):
        cup.connections[1].send("ready", 1, 0, game, signature)
    said = await harness.receive(cup.connections[0], "ready")
    due = ("ready", 1, 0, identity.public, game, identity.sign("ready", game))
    expect(said == due, f"the target says {spelled(said)}, and should say {spelled(due)}")
