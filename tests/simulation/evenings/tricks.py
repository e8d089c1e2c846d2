"""What hostile players do, each by name.

A trick is about frames that the player's own program sends or takes, or it is something else that the player does.
Nobody can forge what others have signed; a player may say anything else to anybody, at any time, or not at all.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.table.paired_lobby import AGAIN
from kimberley.p2p.table.seating import ANSWERING
from kimberley.p2p.table.spectators import WATCH
from kimberley.p2p.tournament.messages import ENROL
from kimberley.p2p.transport.channel import ChannelClosed
from kimberley.p2p.transport.frames import Frame
from kimberley.p2p.transport.mesh import SEAT
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.envelope import Envelope

if TYPE_CHECKING:
    from tests.simulation.evenings.hostile import HostilePlayer
    from tests.simulation.evenings.wires import Wire

Sent: TypeAlias = Sequence[tuple[float, Frame]]
"""Frames to send in place of one, each after that many seconds."""
Sends: TypeAlias = "Callable[[HostilePlayer, Wire, Frame], Sent | None]"
"""What is sent in place of a frame; None for the frame itself."""
Acts: TypeAlias = "Callable[[HostilePlayer], Awaitable[None]]"

NEVER: Final[Sent] = ()
FOR_GOOD: Final = 1e4
"""Seconds."""
STRANGERS: Final = 150
"""The most players that a hostile one enrolls in addition."""
KINDS: Final = ("arrive", "seating", "words", "event", "clocks", "junk")
OUT_OF_TURN: Final[tuple[Frame, ...]] = (
    ("bye", "left the table"), ("refused", "No."), ("vote", "same", (b"", True)), ("vote", "same", (b"", False)),
    ("vote", "again", True), ("vote", "aside", True), ("vote", "same", True), ("vote", "tea", True), ("vote",),
    ("prepare", 9), ("have", 0), ("have", bytes(32), ((99, bytes(32)),)), ("envelope", b"x"), ("door", 9),
    ("say", "hello"), ("table", "stones"), ("lost", b""), ("vote", "ready", True), ("leave",),
)  # fmt: skip
"""What a seat may send to another one, at some time."""
JUNK: Final = (0, 7, -1, b"", None, ("prepare", 1))


@dataclass(frozen=True)
class Trick:
    """One way to be hostile."""

    name: str
    sends: Sends | None = None
    acts: Acts | None = None


# -- what is sent ------------------------------------------------------------------------------------------------------


def _drops(*kinds: str) -> Sends:
    return lambda player, wire, frame: NEVER if wire.purpose[0] == ENROL and frame[0] in kinds else None


def _late(*kinds: str) -> Sends:
    """The later the frames, the nearer to the deadline."""

    def sends(player: HostilePlayer, wire: Wire, frame: Frame) -> Sent | None:
        if wire.purpose[0] != ENROL or frame[0] not in kinds:
            return None
        return [(player.about(player.plan.come), frame)]

    return sends


def _late_answer(player: HostilePlayer, wire: Wire, frame: Frame) -> Sent | None:
    """One answer of the seating comes at the last moment."""
    match frame:
        case ("seating", _, _, (str() as kind, *_)) if kind == player.pick("kind", ANSWERING):
            return [(player.about(player.plan.come), frame)]
    return None


def _starts_over(player: HostilePlayer, wire: Wire, frame: Frame) -> Sent | None:
    match frame:
        case ("seating", round, table, (str() as kind, int() as number, *_)) if kind == player.pick(
            "kind", ANSWERING
        ) and player.count("again") < player.pick("most", (1, 2, 3, 50)):
            seconds = player.rng.choice((0.0, 1.0, player.about(player.plan.come)))
            return [(seconds, ("seating", round, table, (AGAIN, number)))]
    return None


def _changes_its_mind(player: HostilePlayer, wire: Wire, frame: Frame) -> Sent | None:
    """The words match, and are gone, again and again."""
    match frame:
        case ("words", round, table, bytes(), _):
            none: Frame = ("words", round, table, None, None)
            return [(float(n), frame if n % 2 == 0 else none) for n in range(player.pick("many", (2, 3, 17)))]
    return None


def _false_answers(player: HostilePlayer, wire: Wire, frame: Frame) -> Sent | None:
    """Parts of the seating, and signatures, that do not fit."""
    match frame:
        case ("seating", round, table, tuple() as answer):
            false: Frame = ("seating", round, table, player.changed(answer))
        case ("words", round, table, bytes() as game, bytes() as signature):
            false = ("words", round, table, game, player.changed(signature))
        case _:
            return None
    return [(0.0, false), (0.5, frame)] if player.chance(0.5) else [(0.0, false)]


def _false_port(player: HostilePlayer, wire: Wire, frame: Frame) -> Sent | None:
    match frame:
        case ("arrive", round, table, int() as port):
            return [(0.0, ("arrive", round, table, player.rng.choice((0, 9, port + 1, *player.ports_of_others()))))]
    return None


def _of_own_envelopes(does: Sends, *, to: str) -> Sends:
    """Something about the player's own envelopes: to its "opponents", to its "watchers", or to "all"."""

    def sends(player: HostilePlayer, wire: Wire, frame: Frame) -> Sent | None:
        purpose = wire.purpose[0]
        here = purpose in {"opponents": (SEAT,), "watchers": (WATCH,), "all": (SEAT, WATCH)}[to]
        if not here or frame[0] != "envelope" or player.envelopes < player.pick("from", (0, 0, 1, 2, 3, 5)):
            return None
        return does(player, wire, frame) if purpose == SEAT or player.is_own(frame) else None

    return sends


def _never(player: HostilePlayer, wire: Wire, frame: Frame) -> Sent | None:
    return NEVER


def _as_late_as_can_be(player: HostilePlayer, wire: Wire, frame: Frame) -> Sent | None:
    return [(player.about(player.plan.grace), frame)]


def _others_hidden(player: HostilePlayer, wire: Wire, frame: Frame) -> Sent | None:
    """Watchers at the player's own door do not see what the others sign."""
    return NEVER if wire.purpose[0] == WATCH and frame[0] == "envelope" and not player.is_own(frame) else None


def _two_faced(player: HostilePlayer, wire: Wire, frame: Frame) -> Sent | None:
    """Some see another envelope than others."""
    match frame:
        case ("envelope", bytes() as data):
            with contextlib.suppress(Malformed):
                envelope = Envelope.unpack(data)
                other = replace(envelope, body=player.changed(envelope.body)).signed(player.identity.sign)
                return [(0.0, ("envelope", other.pack()))]
    return None


def _shows_nothing(player: HostilePlayer, wire: Wire, frame: Frame) -> Sent | None:
    return NEVER if wire.purpose[0] == WATCH else None


def _relays_nothing(player: HostilePlayer, wire: Wire, frame: Frame) -> Sent | None:
    match frame:
        case ("pass" | "passed", *_):
            return NEVER
        case ("envelope", bytes() as data):
            with contextlib.suppress(Malformed):
                if not Envelope.unpack(data).signed_by(player.identity.public):
                    return NEVER
    return None


# -- what is done besides ----------------------------------------------------------------------------------------------


async def _shows_a_game_alone(player: HostilePlayer) -> None:
    """Begins the game at the player's own seat, without saying that the words match."""
    while True:
        await player.until(lambda: player.table is not None and player.table.phase == "words")
        table = player.table
        if table is not None and (match := table.compared) is not None:
            table.play.begin(match)
        await asyncio.sleep(1.0)


async def _goes_away(player: HostilePlayer) -> None:
    """Out of everybody's reach for a while, or for good."""
    while True:
        await asyncio.sleep(player.rng.uniform(1, 40))
        deadlines = player.about(player.plan.grace), player.about(player.plan.clock.main)
        seconds = player.rng.choice((2.0, 8.0, 12.0, *deadlines, FOR_GOOD))
        player.wires.down.add(player.host)
        player.wires.cut(player.host)
        await asyncio.sleep(seconds)
        player.wires.down.discard(player.host)


async def _loses_its_connections(player: HostilePlayer) -> None:
    pause = player.rng.choice((0.5, 2.0, 9.0))
    while True:
        await asyncio.sleep(player.rng.uniform(0, 2 * pause))
        player.wires.cut(player.host)


async def _withdraws_and_returns(player: HostilePlayer) -> None:
    pause = player.rng.choice((0.1, 0.5, 2.0))
    while True:
        channel = await player.knock()
        if channel is not None:
            channel.send(("withdraw",))
            await asyncio.sleep(pause)
            await channel.close()
        await asyncio.sleep(pause)


async def _withdraws(player: HostilePlayer) -> None:
    await asyncio.sleep(player.rng.uniform(0, 60))
    if player.client is not None:
        player.client.withdraw()


async def _leaves(player: HostilePlayer) -> None:
    """Says that it leaves its table, and plays on or not."""
    await player.until(lambda: player.table is not None)
    await asyncio.sleep(player.rng.uniform(0, 20))
    if player.chance(0.5) and player.table is not None:
        player.table.departures.leave()
    else:
        player.say("leave")


async def _asks_for_all_again(player: HostilePlayer) -> None:
    pause = player.rng.choice((0.05, 0.5, 2.0))
    while True:
        if (channel := await player.knock()) is not None and player.chance(0.5):
            await channel.close()
        await asyncio.sleep(pause)


async def _does_not_read(player: HostilePlayer) -> None:
    while True:
        channel = await player.knock()
        if channel is not None:
            channel.protocol.transport.pause_reading()
        await asyncio.sleep(30.0)


async def _floods(player: HostilePlayer) -> None:
    """More frames than a player may send, of any kind."""
    pause = player.rng.choice((0.02, 0.15, 0.3))
    while True:
        await asyncio.sleep(pause)
        player.say(player.rng.choice(KINDS), player.rng.choice(JUNK))


async def _moves_about(player: HostilePlayer) -> None:
    """Says every moment that it listens elsewhere."""
    while True:
        await asyncio.sleep(0.3)
        player.say("arrive", player.rng.choice((0, 9, player.rng.randrange(1, 1 << 16), *player.ports_of_others())))


async def _takes_names(player: HostilePlayer) -> None:
    """Enrolls more players from its host, under the names of others."""
    for number in range(player.rng.choice((1, 3, 12))):
        await asyncio.sleep(player.rng.uniform(0, 6))
        here = player.client.tournament.players if player.client is not None else ()
        others = [one.nickname for one in here if one.nickname != player.guest.name]
        name = player.rng.choice(others or [guest.name for guest in player.plan.guests])
        await player.enroll_puppet(number, player.rng.choice((name, name, name.upper(), f"{name} ", f"{name}\u200b")))


async def _brings_strangers(player: HostilePlayer) -> None:
    """Enrolls strangers one after the other, as often as it is let in, and none of them plays."""
    pause = player.rng.choice((0.05, 1.0, 8.0))
    for number in range(STRANGERS):
        await asyncio.sleep(pause)
        await player.enroll_puppet(STRANGERS + number, f"z{number}")


async def _crowds_doors(player: HostilePlayer) -> None:
    """Many connections to the others' doors, which watch, attest falsehoods, and say what nobody says."""
    while True:
        await asyncio.sleep(1.0)
        for host, port in player.doors_of_others():
            seat: Frame = (SEAT, player.game_id or b"")
            purpose: Frame = player.rng.choice(((WATCH,), (WATCH,), (SEAT,), seat, (ENROL,), ("pass",)))
            attest: Frame = ("vote", "abandon", player.false_attestation())
            with contextlib.suppress(UserError, ChannelClosed):
                channel = await player.wires.dial(host, port, player.identity, purpose)
                channel.send(player.rng.choice((attest, ("envelope", b""), ("have", b"", ()), ("bye", "left"))))
                player.keep(channel)


async def _speaks_out_of_turn(player: HostilePlayer) -> None:
    """Says to its opponents what does not belong there."""
    while True:
        await asyncio.sleep(player.rng.choice((0.2, 1.0, 5.0)))
        table = player.table
        for link in tuple(table.links.values()) if table is not None else ():
            link.send(player.rng.choice((*OUT_OF_TURN, ("vote", "abandon", player.false_attestation()))))


TRICKS: Final = {
    trick.name: trick
    for trick in (
        Trick("never comes to its table", _drops("arrive")),
        Trick("comes at the last moment", _late("arrive")),
        Trick("never sits down", _drops("seating")),
        Trick("sits down at the last moment", _late_answer),
        Trick("never says that it is ready", _drops("words")),
        Trick("is ready at the last moment", _late("words")),
        Trick("is ready and is not", _changes_its_mind),
        Trick("starts over", _starts_over),
        Trick("says what does not fit", _false_answers),
        Trick("listens elsewhere", _false_port),
        Trick("shows a game alone", _drops("words"), acts=_shows_a_game_alone),
        Trick("falls silent", _of_own_envelopes(_never, to="all")),
        Trick("signs at the last moment", _of_own_envelopes(_as_late_as_can_be, to="all")),
        Trick("hides from its opponents", _of_own_envelopes(_never, to="opponents")),
        Trick("hides from the watchers", _of_own_envelopes(_never, to="watchers")),
        Trick("hides the others from the watchers", _others_hidden),
        Trick("shows nothing", _shows_nothing),
        Trick("passes nothing on", _relays_nothing),
        Trick("shows the watchers another game", _of_own_envelopes(_two_faced, to="watchers")),
        Trick("shows its opponents another game", _of_own_envelopes(_two_faced, to="opponents")),
        Trick("goes away", acts=_goes_away),
        Trick("loses its connections", acts=_loses_its_connections),
        Trick("withdraws and returns", acts=_withdraws_and_returns),
        Trick("withdraws", acts=_withdraws),
        Trick("leaves its table", acts=_leaves),
        Trick("asks for all again", acts=_asks_for_all_again),
        Trick("does not read", acts=_does_not_read),
        Trick("floods the referee", acts=_floods),
        Trick("moves about", acts=_moves_about),
        Trick("takes names", acts=_takes_names),
        Trick("brings strangers", acts=_brings_strangers),
        Trick("crowds the others' doors", acts=_crowds_doors),
        Trick("speaks out of turn", acts=_speaks_out_of_turn),
    )
}
