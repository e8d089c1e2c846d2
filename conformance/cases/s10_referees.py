"""Section 10.5, the referee's side. For targets that claim `referee`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kimberley.conformance.case import case
from kimberley.conformance.cases.s10_third import show
from kimberley.conformance.errors import Failed, expect
from kimberley.conformance.forging import entries, octets
from kimberley.conformance.harness.connection import Connection, Frame
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.harness.identity import SuiteIdentity
from kimberley.conformance.plain import spelled, to_json
from kimberley.conformance.table.offline import ASKS, OfflineGame
from kimberley.games.table import Plain
from kimberley.protocol.crypto.hashing import digest
from kimberley.protocol.crypto.signatures import verify
from kimberley.protocol.encoding import pack

OPTIONS: Final[dict[str, Plain]] = {"asks": ASKS, "last_look": 0}
NAME: Final = "Friday Cup"


@dataclass
class EnrolledPlayers:
    """Two players of the suite who have enrolled in a tournament of the target."""

    identities: list[SuiteIdentity]
    connections: list[Connection]
    options: Mapping[str, Plain]
    nicknames: Mapping[bytes, str]
    port: int
    cup: tuple[Plain, ...]

    @property
    def cup_id(self) -> bytes:
        return digest("cup", self.cup)

    async def event(self, harness: Harness, kind: str) -> Frame:
        """Waits for an event of this kind, for the first player. Raises Failed if events are out of order."""
        connection = self.connections[0]

        def bodies() -> list[Frame]:
            frames = [frame for frame in connection.frames if frame[0] == "event"]
            if [frame[1] for frame in frames] != list(range(len(frames))):
                raise Failed(f"the events have the numbers {spelled([frame[1] for frame in frames])}")
            return [entries(frame[2]) for frame in frames if entries(frame[2])[0] == kind]

        await harness.wait_until(lambda: bodies() or connection.closed, f"the event `{kind}` of the cup", 30)
        if not (happened := bodies()):
            raise Failed(f"waiting for the event `{kind}` of the cup; the target ended the connection")
        return happened[0]

    async def written(self, harness: Harness) -> OfflineGame:
        """Returns a game at the table that the target has paired, with the mark of that table."""
        paired = await self.event(harness, "paired")
        (table,) = entries(paired[3])
        by_key = {one.public: one for one in self.identities}
        people = [by_key[octets(key)] for key in entries(table)]
        mark = digest("table of a cup", self.cup_id, pack((1, 0)))
        options = tuple(sorted({**self.options, "cup": mark}.items()))
        names = [self.nicknames[identity.public] for identity in people]
        return OfflineGame(identities=people, nicknames=names, options=options)

    def connection(self, identity: SuiteIdentity) -> Connection:
        """Returns the connection of a player."""
        return self.connections[self.identities.index(identity)]

    async def come(self, harness: Harness, written: OfflineGame) -> list[Connection]:
        """Has both players come to their table, where the target watches. Returns the target's connections."""
        watched = []
        for identity in written.identities:
            listener = await harness.listen()
            self.connection(identity).send("arrive", 1, 0, listener.port)
            watched.append(await harness.accept(listener, identity))
        for connection in watched:
            expect(
                connection.purpose == ("watch",),
                f"the referee connects with the purpose {spelled(connection.purpose)}",
            )
        return watched

    async def asked(self, harness: Harness, identity: SuiteIdentity, due: Frame) -> None:
        """Waits until the target asks a player for its part in the round of seating. Raises Failed."""
        frame = await harness.receive(self.connection(identity), "seating")
        expect(frame == ("seating", 1, 0, due), f"the target says {spelled(frame)}, and should ask {spelled(due)}")

    def answer(self, identity: SuiteIdentity, *answer: Plain) -> None:
        """Answers for a player in the round of seating."""
        self.connection(identity).send("seating", 1, 0, answer)

    async def sit(self, harness: Harness, written: OfflineGame, *, doors: bool = True) -> list[Connection]:
        """Has both players come, and sit down in the first round. Returns the target's connections to their doors; with
        `doors` False they have none.
        """
        watched = await self.come(harness, written) if doors else []
        for identity in () if doors else written.identities:
            self.connection(identity).send("arrive", 1, 0, 0)
        signed = written.signed
        asks: tuple[Frame, ...] = (
            ("prepare", 1),
            ("roster", 1, signed.roster.packed),
            ("signatures", 1, signed.signatures),
            ("nonces", 1, signed.nonces),
        )
        for number, ask in enumerate(asks):
            for identity in written.identities:
                await self.asked(harness, identity, ask)
            for seat, identity in enumerate(written.identities):
                place = signed.roster.seats[seat]
                answers: tuple[Frame, ...] = (
                    ("place", 1, place.nonce_commitment, place.seed_hash),
                    ("signature", 1, signed.signatures[seat]),
                    ("nonce", 1, signed.nonces[seat]),
                )
                if number < len(answers):
                    self.answer(identity, *answers[number])
        return watched

    def confirm(self, written: OfflineGame, seat: int, signature: bytes | None = None) -> None:
        """Says for a player that the words are the same, with its own signature or another one."""
        identity, game = written.identities[seat], written.game_id
        self.connection(identity).send("words", 1, 0, game, signature or identity.sign("same", game))

    async def shows(self, harness: Harness, written: OfflineGame) -> list[Connection]:
        """Has both seats sit, confirm the words, and show the target the game. Returns the target's connections."""
        # One seat that shows a whole game is enough for a result: the target watches both before either shows it.
        watched = await self.sit(harness, written)
        for seat in range(len(written.identities)):
            self.confirm(written, seat)
        await self.event(harness, "seated")
        for connection in watched:
            await show(harness, connection, written)
        return watched

    def listen_to(self, identity: SuiteIdentity) -> None:
        """Puts this player first from now on: what the target tells it is what counts."""
        at = self.identities.index(identity)
        self.identities.insert(0, self.identities.pop(at))
        self.connections.insert(0, self.connections.pop(at))

    async def decided(self, harness: Harness, written: OfflineGame) -> tuple[Plain, Plain]:
        """Returns the (places, how) of the table's result, whose signature must verify. Raises Failed."""
        _, at, round, table, places, how, sentence, game_id, record, signature = await self.event(harness, "decided")
        people = tuple(identity.public for identity in written.identities)
        points = _points([place for place in entries(places) if isinstance(place, int)])
        signed = (self.cup_id, at, round, table, people, places, points, how, sentence, game_id, record)
        if not verify(self.connections[0].identity, "result", pack(signed), octets(signature)):
            raise Failed(f"the signature of the result does not verify over {spelled(signed)}")
        expect(game_id == written.game_id, f"the result is about the game {spelled(game_id)}")
        return places, how


def _points(places: Sequence[int]) -> tuple[Plain, ...]:
    """Returns, by seat, the share of others it has beaten, in 120ths. A place of 0, a loss by ruling, comes last."""
    ranks = [place or len(places) + 1 for place in places]
    beaten = [sum(2 * (own < other) + (own == other) for other in ranks) - 1 for own in ranks]
    return tuple(60 * count // (len(ranks) - 1) for count in beaten)


async def enrolled(harness: Harness, **more: Plain) -> EnrolledPlayers:
    """Enrolls two players in a tournament for two, whose tables may have `more` options."""
    options = {**OPTIONS, **more}
    spoken = {name: to_json(value) for name, value in options.items()}
    port = await harness.listening_port(await harness.start_job("referee", nickname=NAME, players=2, options=spoken))
    identities = [harness.identity(), harness.identity()]
    connections: list[Connection] = []
    cups = []
    nicknames = dict(zip((one.public for one in identities), ("ana", "ben"), strict=True))
    for identity in identities:
        name = nicknames[identity.public]
        connection = await harness.connect_seat(port, identity, ("enrol",), name)
        connection.send("enrol", name, 0, False)
        cups.append((await harness.receive(connection, "cup"))[1])
        connections.append(connection)
    expect(cups[0] == cups[1], "the target tells the two players of different cups")
    return EnrolledPlayers(identities, connections, options, nicknames, port, entries(cups[0]))


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
    fields = entries(card[11])
    expect(fields[:3] == (NAME, "round-robin", 2), f"the card says {spelled(fields)} of the cup")


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
    gone, staying = written.identities
    cup.listen_to(staying)
    watched = await cup.shows(harness, written)
    watched[0].abort()
    cup.connections[1].abort()
    places, how = await cup.decided(harness, written)
    expect(
        (places, how) == ((0, 1), "away"),
        f"the result is {spelled((places, how))}, but {gone.public.hex()[:8]} is gone, and the other one has to choose",
    )


@case(
    "10-91",
    "A game that one seat shows, and whose words the other has not confirmed",
    covers=("M-REF-8", "M-REF-19"),
    expect="it has not begun: `seated` comes with the signature of every seat, and not before",
)
async def not_begun(harness: Harness) -> None:
    cup = await enrolled(harness)
    written = (await cup.written(harness)).until(1)
    watched = await cup.sit(harness, written)
    first, second = written.identities
    cup.confirm(written, 1)
    # What the second seat shows at its door: the roster that both have signed, and its own envelope.
    watched[1].send("watching")
    watched[1].send("game", *entries(written.signed.plain()))
    watched[1].send("envelope", written.envelopes[1].pack())
    for signature in (bytes(64), second.sign("same", written.game_id), first.sign("same", digest("another game"))):
        cup.confirm(written, 0, signature)
    await harness.pause(1.0)
    events = [frame for frame in cup.connections[0].frames if frame[0] == "event" and entries(frame[2])[0] == "seated"]
    expect(not events, f"the target says {spelled(events)}, but one seat has not signed that the words match")
    cup.confirm(written, 0)
    seated = await cup.event(harness, "seated")
    due = (1, 0, written.game_id, tuple(one.sign("same", written.game_id) for one in written.identities))
    expect(seated[2:] == due, f"the target says {spelled(seated)}, and should end with {spelled(due)}")


@case(
    "10-77",
    "A player who comes and goes",
    covers=("S-REF-22",),
    expect="it comes back once, and is refused the next time: before the first round, a minute later at the earliest",
)
async def comes_and_goes(harness: Harness) -> None:
    spoken = {name: to_json(value) for name, value in OPTIONS.items()}
    port = await harness.listening_port(await harness.start_job("referee", nickname=NAME, players=3, options=spoken))
    staying, leaving = harness.identity(), harness.identity()
    watch = await harness.connect_seat(port, staying, ("enrol",), "ana")
    watch.send("enrol", "ana", 0, False)

    def count(kind: str) -> int:
        return sum(frame[0] == "event" and entries(frame[2])[0] == kind for frame in watch.frames)

    for times in range(1, 4):
        connection = await harness.connect_seat(port, leaving, ("enrol",), "ben")
        connection.send("enrol", "ben", 0, False)
        connection.send("withdraw")
        if times < 3:
            await harness.wait_until(lambda due=times: count("withdrew") == due, "that the player withdraws", 10)  # type: ignore[misc]
            connection.abort()
        else:
            await harness.expect_closed(connection, "that comes back a second time within a minute")
    expect(count("returned") == 1, f"the player comes back {count('returned')} times")


@case(
    "10-67",
    "A player who withdraws once its game has its result",
    covers=("M-REF-26", "M-REF-6"),
    expect="the game is `played` as if it had said nothing, and `withdrew` is the next event after its `decided`",
)
async def withdraws_after(harness: Harness) -> None:
    cup = await enrolled(harness)
    written = (await cup.written(harness)).closed()
    watched = await cup.sit(harness, written)
    for seat in range(2):
        cup.confirm(written, seat)
    await cup.event(harness, "seated")
    goes = written.identities[1]
    cup.connection(goes).send("withdraw", 1, 0)
    await harness.pause(0.3)
    for connection in watched:
        await show(harness, connection, written)
    places, how = await cup.decided(harness, written)
    expect(how == "played", f"the result is {spelled((places, how))}, but the game was played")
    withdrew = await cup.event(harness, "withdrew")
    events = [entries(frame[2]) for frame in cup.connections[0].frames if frame[0] == "event"]
    at = [event[0] for event in events].index("decided")
    expect(
        events[at + 1] == withdrew and withdrew[2] == goes.public,
        f"the target tells {spelled(events[at + 1])} after `decided`, and `withdrew` of the seat 1 is due",
    )


@case(
    "10-78",
    "Players who show their game by themselves",
    covers=("M-REF-8",),
    expect="what a player shows on its channel counts as if its door had shown it: the result is `played`",
)
async def shown(harness: Harness) -> None:
    cup = await enrolled(harness)
    written = (await cup.written(harness)).closed()
    await cup.sit(harness, written, doors=False)
    for seat in range(2):
        cup.confirm(written, seat)
    await cup.event(harness, "seated")
    first, second = map(cup.connection, written.identities)
    first.send("shows", 1, 0, (("game", *entries(written.signed.plain())),))
    await harness.wait_until(lambda: first.haves, "`have` of the referee")
    for envelope in written.envelopes:
        first.send("shows", 1, 0, (("envelope", envelope.pack()),))
        await harness.pause(0.05)
    second.send("shows", 1, 0, (("nonsense",), b""))
    places, how = await cup.decided(harness, written)
    expect(how == "played", f"the result is {spelled((places, how))}, but one player has shown the whole game")


@case(
    "10-79",
    "A player that comes back while all sit down",
    covers=("M-REF-20",),
    expect="it is asked the same again; and all are asked for a new round if it knows nothing of this one",
)
async def back_while_seated(harness: Harness) -> None:
    cup = await enrolled(harness)
    written = await cup.written(harness)
    await cup.come(harness, written)
    for seat, identity in enumerate(written.identities):
        await cup.asked(harness, identity, ("prepare", 1))
        place = written.signed.roster.seats[seat]
        cup.answer(identity, "place", 1, place.nonce_commitment, place.seed_hash)
    staying, leaving = written.identities
    await cup.asked(harness, leaving, ("roster", 1, written.signed.roster.packed))
    await cup.asked(harness, staying, ("roster", 1, written.signed.roster.packed))
    at = cup.identities.index(leaving)
    cup.connections[at].abort()
    cup.connections[at] = await harness.connect_seat(cup.port, leaving, ("enrol",), "back")
    cup.connections[at].send("enrol", cup.nicknames[leaving.public], 0, False)
    cup.connections[at].send("arrive", 1, 0, 0)
    await cup.asked(harness, leaving, ("roster", 1, written.signed.roster.packed))
    cup.answer(leaving, "again", 1)
    for identity in written.identities:
        await cup.asked(harness, identity, ("prepare", 2))
