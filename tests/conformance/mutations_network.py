"""Mutants below the game: bytes, frames, hello, seating, connections, records."""

from __future__ import annotations

import hashlib
import ssl
import unicodedata
from functools import partial
from typing import Any, Final, cast

import msgpack

from kimberley.games.table import Plain
from kimberley.p2p.base import text
from kimberley.p2p.storage import journal
from kimberley.p2p.table import (
    catch_up,
    context,
    final_adjustment,
    guest_lobby,
    lobby,
    match,
    seating,
    spectators,
    sync,
    words,
)
from kimberley.p2p.transport import channel, connection_limits, frames, handshake, link, listener, web_listener
from kimberley.p2p.transport.signed_channel import SignedChannel
from kimberley.p2p.transport.web_channel import WebChannel
from kimberley.protocol import attestation, encoding, envelope, record, roster
from kimberley.protocol.crypto import signatures
from kimberley.protocol.encoding import Malformed
from tests.conformance.mutant import Mutant
from tests.support.wrong import always


def _any_spelling(right: Any) -> Any:
    """Values are taken however they are spelled."""

    def unpack(data: bytes) -> Plain:
        try:
            return cast(Plain, msgpack.unpackb(data, use_list=False, raw=False, max_map_len=0, max_ext_len=0))
        except (ValueError, RecursionError, msgpack.UnpackException) as error:
            raise Malformed(str(error)) from error

    return unpack


def _trailing_passes(right: Any) -> Any:
    """What follows a value is ignored."""

    def unpack(data: bytes) -> Any:
        scanner = msgpack.Unpacker(max_buffer_size=len(data) + 1)
        scanner.feed(data)
        try:
            scanner.skip()
        except (ValueError, RecursionError, msgpack.UnpackException):
            return right(data)
        return right(data[: scanner.tell()])

    return unpack


def _empty_passes(right: Any) -> Any:
    """A frame of no bytes is ignored."""

    def following(self: Any) -> Any:
        while self._buffer[:4] == bytes(4):
            del self._buffer[:4]
        return right(self)

    return following


def _read_first(right: Any) -> Any:
    """The length of a frame is judged when the frame is there."""

    def following(self: Any) -> Any:
        size = int.from_bytes(self._buffer[:4], "big")
        return None if len(self._buffer) >= 4 and len(self._buffer) < 4 + size else right(self)

    return following


def _any_frame(right: Any) -> Any:
    """A body that is no frame is ignored."""

    def following(self: Any) -> Any:
        while True:
            try:
                return right(self)
            except frames.BadFrame:
                if len(self._buffer) >= 4 and int.from_bytes(self._buffer[:4], "big") > self.limit:
                    raise

    return following


def _without_certificate(right: Any) -> Any:
    """The certificate is not in what is signed."""
    return lambda peer, role, signed, signature: (
        right(peer, role, (*signed[:4], bytes(32)), signature) or right(peer, role, signed, signature)
    )


def _any_hello_signature(right: Any) -> Any:
    """Whoever says hello is believed."""
    return lambda peer, role, signed, signature: True


def _any_nonce(right: Any) -> Any:
    """The nonce of m3 is not compared with its commitment."""

    def second(self: Any, m3: Any) -> Any:
        if len(m3) == 4 and m3[0] == "prove" and isinstance(m3[1], bytes):
            self._commitment = handshake._commitment(m3[1])
        return right(self, m3)

    return second


def _prints_all(right: Any) -> Any:
    """Of what cannot be seen, only control characters are removed."""

    def visible(text: str) -> str:
        return "".join(one for one in text if unicodedata.category(one)[0] != "C")

    return visible


def _old_tls(right: Any) -> Any:
    """TLS 1.2 will do."""

    def context() -> Any:
        made, certificate = right()
        made.minimum_version = ssl.TLSVersion.TLSv1_2
        return made, certificate

    return context


def _tickets(right: Any) -> Any:
    """Sessions can be resumed."""

    def context() -> Any:
        made, certificate = right()
        made.num_tickets = 2
        return made, certificate

    return context


def _never_beats(right: Any) -> Any:
    """It sends no heartbeats."""

    def send(self: Any, frame: Any) -> Any:
        return 0 if frame[0] in ("beat", "have") else right(self, frame)

    return send


def _opens_before_all_signed(right: Any) -> Any:
    """It opens its nonce without checking the signatures of the others."""
    return lambda roster, place, signature: None


def _any_roster(right: Any) -> Any:
    """It signs whatever roster the host shows."""
    return lambda self, shown: None


def _any_nonces(right: Any) -> Any:
    """The nonces that the host passes on are not opened."""
    return lambda self: None


def _never_begun(right: Any) -> Any:
    """A connection that is lost at the words ends them, whatever this seat has said."""
    return property(lambda self: False)


def _always_same(right: Any) -> Any:
    """Whoever says that the words differ is ignored."""
    return lambda self, one, game_id, yes: right(self, one, game_id, True)


def _one_seed(right: Any) -> Any:
    """One seed for all rounds."""

    def made(self: Any, *args: Any) -> None:
        right(self, *args)
        self.seed = hashlib.sha256(b"one seed").digest()

    return made


def _any_number(right: Any) -> Any:
    """Rounds of seating may have any number."""

    def begin(self: Any, number: int) -> None:
        self._number = min(self._number, number - 1)
        right(self, number)

    return begin


def _any_host(right: Any) -> Any:
    """A host may call itself a bot."""
    return lambda frame, host: right(frame, b"")


def _passes_over_heartbeats(right: Any) -> Any:
    """Heartbeats mean nothing before the hello."""

    async def receive(self: Any) -> Any:
        while (frame := await right(self)) == channel.BEAT:
            pass
        return frame

    return receive


def _all_again(right: Any) -> Any:
    """On a connection that came back it begins with its first envelope."""

    def on_have(self: Any, have: Any) -> None:
        nothing = self.theirs is None
        right(self, tuple((0, envelope.START) if nothing and seat in self._live else row for seat, row in _rows(have)))

    return on_have


def _rows(have: Any) -> list[tuple[int, tuple[int, bytes]]]:
    return list(enumerate(have))


def _any_claim(right: Any) -> Any:
    """A seat that claims more envelopes than it was sent is believed."""

    def on_have(self: Any, tie: Any, frame: Any) -> Any:
        kind, game_id, rows = frame
        own = self._have[self._seat]
        return right(
            self, tie, (kind, game_id, tuple(min(row, own) if n == self._seat else row for n, row in _rows(rows)))
        )

    return on_have


def _any_past(right: Any) -> Any:
    """A chain that differs from its own is not looked at."""

    def on_have(self: Any, have: Any) -> None:
        known = [self._peer.chain(seat, 0)[:count] for seat, (count, _) in _rows(have)]
        right(
            self, tuple((count, known[seat][-1].hash if known[seat] else last) for seat, (count, last) in _rows(have))
        )

    return on_have


def _helps_nobody(right: Any) -> Any:
    """What others have signed is left to them."""

    def on_have(self: Any, have: Any) -> None:
        counts = [chain.number for chain in self._peer.chains]
        kept = {*self._live, self._signer}
        right(self, tuple(row if seat in kept else (counts[seat] + 1, row[1]) for seat, row in _rows(have)))

    return on_have


def _sends_once(right: Any) -> Any:
    """What was sent on a connection is not sent again."""

    def on_have(self: Any, have: Any) -> None:
        before = self.theirs
        rows = _rows(have)
        right(self, have if before is None else tuple((max(row[0], before[seat]), row[1]) for seat, row in rows))

    return on_have


def _full(right: Any) -> Any:
    """Whoever comes where there is no room is turned away."""

    def add(self: Any, visitor: Any) -> Any:
        if self._of[visitor.origin] < self._each:
            return right(self, visitor)
        visitor.close()
        return visitor

    return add


def _talkative_spectators(right: Any) -> Any:
    """A spectator may send what it likes."""

    async def listen(self: Any, one: Any) -> None:
        try:
            while True:
                await one.receive()
        except channel.ChannelClosed:
            self._channels.pop(one, None)

    return listen


def _any_relayed(right: Any) -> Any:
    """What a third seat passes on is taken for the other seat's without checking the signature."""

    def signed(self: Any, frame: Any) -> Any:
        kept = signatures.verify
        signatures.verify = lambda *args: True
        try:
            return right(self, frame)
        finally:
            signatures.verify = kept

    return signed


def _any_turn(right: Any) -> Any:
    """Signed frames may come in any order."""

    def signed(self: Any, frame: Any) -> Any:
        if frame[0] == "signed":
            self._received = frame[1]
        return right(self, frame)

    return signed


def _any_name(right: Any) -> Any:
    """Whatever name leads to the host, its page may be of that name."""

    def own(headers: Any) -> bool:
        return bool(headers["Origin"] == f"http://{headers['Host']}")

    return own


def _no_page(right: Any) -> Any:
    """Nothing is passed on between a seat in a page and another one."""
    return property(lambda self: right.fget(self) and not isinstance(self.channel, WebChannel))


def _any_checksum(right: Any) -> Any:
    """The checksum of a record is not checked."""

    def unpack(cls: Any, data: bytes) -> Any:
        return right.__func__(cls, data[:-32] + hashlib.sha256(data[:-32]).digest())

    return classmethod(unpack)


def _beats_between(right: Any) -> Any:
    """A heartbeat takes the number of the frame that is made meanwhile."""

    def keep_alive(self: Any) -> None:
        number = self._sent
        right(self)
        self._sent = number

    return keep_alive


def _at_once(right: Any) -> Any:
    """A choice of a last look leaves when it is made."""
    return lambda self, choice, *, final: self._submit(choice)


def _waits_for_a_choice(right: Any) -> Any:
    """A seat that has chosen nothing within the length is waited for."""

    def leave(self: Any) -> None:
        if self._stands:
            right(self)
        else:
            self.choose = lambda choice, *, final: self._submit(choice)

    return leave


def _knows_no_quiet_time(right: Any) -> Any:
    """A last look always lasts its whole length."""
    return lambda options: right({name: value for name, value in options.items() if name != "quiet_time"})


def _parts_for_good(right: Any) -> Any:
    """A seat that cannot go on says goodbye, whatever the reason."""
    return lambda self, error: self.end(str(error), "cannot go on")


def _holds_nothing(right: Any) -> Any:
    """A seat that is back signs before the others have said what they have."""

    def take_up(self: Any) -> Any:
        back = right(self)
        back.release_hold()
        return back

    return take_up


def _forgets(right: Any) -> Any:
    """What came from others is not kept."""

    def write(self: Any, entries: Any, *, sync: bool) -> None:
        right(self, [entry for entry in entries if entry[0] != "received"], sync=sync)

    return write


NETWORK: Final[dict[str, Mutant]] = {
    "frames: bytes behind a value": Mutant(frames, "unpack", _trailing_passes, "03-04"),
    "encoding: arrays of any depth": Mutant(encoding, "MAX_DEPTH", lambda right: 200, "03-07"),
    "envelopes: integers of any width": Mutant(envelope, "unpack", _any_spelling, "11-19"),
    "envelopes: of any size": Mutant(envelope, "MOST_BYTES", lambda right: 1 << 20, "11-28"),
    "frames: integers of any width": Mutant(frames, "unpack", _any_spelling, "03-60"),
    "frames: of no bytes": Mutant(frames.FrameDecoder, "next", _empty_passes, "03-05"),
    "frames: bodies that are none": Mutant(frames.FrameDecoder, "next", _any_frame, "03-03"),
    "frames: lengths are judged late": Mutant(frames.FrameDecoder, "next", _read_first, "07-06"),
    "frames: large ones before the hello": Mutant(channel, "MOST_HELLO", lambda right: 1 << 20, "07-04"),
    "transport: TLS 1.2": Mutant(listener, "server_context", _old_tls, "07-01"),
    "transport: session tickets": Mutant(listener, "server_context", _tickets, "07-02"),
    "transport: no heartbeats": Mutant(channel.FrameProtocol, "send", _never_beats, "07-10"),
    "hello: oneself": Mutant(handshake, "_refuse_own", always(None), "08-12"),
    "hello: any signature": Mutant(handshake, "_verify", _any_hello_signature, "08-07"),
    "hello: bound to no certificate": Mutant(handshake, "_verify", _without_certificate, "08-03"),
    "hello: heartbeats are passed over": Mutant(channel.FrameProtocol, "receive", _passes_over_heartbeats, "08-15"),
    "hello: any nonce": Mutant(handshake.HostHandshake, "on_proof", _any_nonce, "08-60"),
    "seating: any signatures of others": Mutant(seating, "check_signature", _opens_before_all_signed, "09-42"),
    "seating: any roster is signed": Mutant(seating.SeatingParticipant, "_check", _any_roster, "09-35"),
    "seating: any nonces of others": Mutant(roster.SignedRoster, "check", _any_nonces, "09-45"),
    "seating: rounds of any number": Mutant(lobby.Lobby, "_begin", _any_number, "09-51"),
    "seating: a host may be a bot": Mutant(guest_lobby, "read_table", _any_host, "09-60"),
    "seating: one seed for all rounds": Mutant(seating.SeatingParticipant, "__init__", _one_seed, "09-15"),
    "seating: nicknames with invisible characters": Mutant(text, "visible", _prints_all, "09-02"),
    "words: who says that they differ is not heard": Mutant(
        words.WordsVerification, "_on_answer", _always_same, "09-54"
    ),
    "words: a lost connection ends them": Mutant(words.WordsVerification, "may_have_begun", _never_begun, "09-61"),
    "links: all from the first envelope on": Mutant(sync.Sync, "on_have", _all_again, "10-02"),
    "links: any claim of envelopes": Mutant(catch_up.CatchUp, "on_have", _any_claim, "10-04"),
    "links: nothing is sent again": Mutant(sync.Sync, "on_have", _sends_once, "10-05"),
    "links: nobody who is behind is helped": Mutant(sync.Sync, "on_have", _helps_nobody, "10-14"),
    "links: a chain that differs is not shown": Mutant(sync.Sync, "on_have", _any_past, "07-12"),
    "links: gone before its leave is sent": Mutant(
        catch_up.CatchUp, "has_all", lambda right: lambda self, tie: tie.connected, "10-23"
    ),
    "relays: any signature": Mutant(SignedChannel, "_signed", _any_relayed, "10-35"),
    "relays: heartbeats out of turn": Mutant(SignedChannel, "keep_alive", _beats_between, "10-66"),
    "pages: of any site": Mutant(web_listener, "comes_from_own_page", always(value=True), "10-95"),
    "pages: of any name": Mutant(web_listener, "comes_from_own_page", _any_name, "10-95"),
    "pages: large messages before the hello": Mutant(web_listener, "MOST_HELLO", lambda right: 1 << 20, "10-96"),
    "pages: any hello": Mutant(handshake, "_verify", _any_hello_signature, "10-97"),
    "pages: frames in any order": Mutant(SignedChannel, "_signed", _any_turn, "10-98"),
    "pages: any signature": Mutant(SignedChannel, "_signed", _any_relayed, "10-99"),
    "pages: their seats reach nobody else": Mutant(link.Link, "direct", _no_page, "10-93"),
    "door: a newcomer is turned away": Mutant(connection_limits.ConnectionLimiter, "add", _full, "08-19"),
    "door: another looker is turned away": Mutant(connection_limits.ConnectionLimiter, "add", _full, "08-31"),
    "spectators: may talk": Mutant(spectators.Spectators, "_listen", _talkative_spectators, "10-39"),
    "last look: a choice leaves at once": Mutant(final_adjustment.FinalAdjustment, "choose", _at_once, "20-01"),
    "last look: a player who says nothing is waited for": Mutant(
        final_adjustment.FinalAdjustment, "_leave", _waits_for_a_choice, "20-02"
    ),
    "last look: a quiet time ends nothing": Mutant(match, "adjust_times", _knows_no_quiet_time, "20-07"),
    "coming back: signs before it hears of all": Mutant(match.Match, "resume", _holds_nothing, "10-54"),
    "coming back: an old copy says goodbye": Mutant(context.TableContext, "on_failure", _parts_for_good, "10-55"),
    "coming back: is shown what it has signed at every word": Mutant(
        sync, "RESEND_SECONDS", lambda right: 0.0, "10-64"
    ),
    "coming back: what came is not kept": Mutant(journal.Journal, "write", _forgets, "10-51"),
    "coming back: a journal that all can read": Mutant(
        journal, "open_file", lambda right: partial(right, mode=0o644), "10-57"
    ),
    "records: any number of values": Mutant(record, "MOST_VALUES", lambda right: right << 20, "18-41"),
    "records: any checksum": Mutant(record.Record, "unpack", _any_checksum, "18-05"),
    "records: any attestation": Mutant(attestation.Attestation, "holds", always(value=True), "18-31"),
}
