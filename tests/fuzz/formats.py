"""Targets: everything that reads bytes or text of others, by themselves."""

from __future__ import annotations

import hashlib
import json
import logging
import tempfile
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from itertools import starmap
from pathlib import Path

from kimberley.client.session import settings
from kimberley.games import lookup
from kimberley.games.diamond.notation import TurnNotationError, read_position, read_turn, write_position
from kimberley.games.diamond.score_sheet import read_sheet as read_scores
from kimberley.games.diamond.score_sheet import write_sheet as write_scores
from kimberley.games.land.account_sheet import AccountSheetError, read_sheet, write_sheet
from kimberley.games.land.maps import MapError, read_map, shipped
from kimberley.games.land.notation import DealNotationError as NoDeals
from kimberley.games.land.notation import parse_deals
from kimberley.games.table import Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.text import clean
from kimberley.p2p.storage import identity, journal
from kimberley.p2p.storage.files import StorageError
from kimberley.p2p.storage.identity import Identity, KnownKeys, nickname_from
from kimberley.p2p.storage.journal import Entry
from kimberley.p2p.table.guest_lobby import read_table
from kimberley.p2p.table.resume import restore_seat
from kimberley.p2p.table.runner import apply
from kimberley.p2p.table.seating import SeatingCoordinator, SeatingParticipant
from kimberley.p2p.table.terms import check_options
from kimberley.p2p.transport.address import format_address, parse_address
from kimberley.p2p.transport.frames import MOST_HELLO, BadFrame, Frame, FrameDecoder, encode
from kimberley.p2p.transport.handshake import ConnectionRejected, HostHandshake, JoinerHandshake, PeerVersion
from kimberley.p2p.transport.table_card import TableCard
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.audit import verify
from kimberley.protocol.crypto import signatures
from kimberley.protocol.encoding import Malformed, pack, unpack
from kimberley.protocol.envelope import Envelope
from kimberley.protocol.events import Send
from kimberley.protocol.record import MAGIC, Record
from kimberley.protocol.roster import BadRoster, SignedRoster
from tests.fuzz.target import Target
from tests.support.cards import CARDS
from tests.support.land import table as land_table
from tests.support.stones import STONES
from tests.support.tables import identity as secret_of
from tests.support.tables import peer_of, played, seed, signed_roster

ANA = Identity(secret_of(0), signatures.public(secret_of(0)))
BEN = Identity(secret_of(1), signatures.public(secret_of(1)))


def frame_of(data: bytes) -> Frame | None:
    """Returns the frame in a body, if it is one."""
    frames = FrameDecoder()
    frames.feed(len(data).to_bytes(4, "big") + data)
    try:
        return frames.next()
    except BadFrame:
        return None


def frames_of(data: bytes) -> list[Frame]:
    """Returns the frames in an array of bodies; none where one of them is no frame."""
    try:
        bodies = unpack(data)
    except Malformed:
        return []
    found = [frame_of(pack(body)) for body in bodies] if isinstance(bodies, tuple) else []
    return [frame for frame in found if frame is not None]


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


@cache
def game_of_stones() -> tuple[bytes, ...]:
    """Returns a record, and envelopes of it."""
    record = played(STONES, salt="fuzz").peers[0].record()
    return record.pack(), *(envelope.pack() for envelope in record.envelopes)


# -- the wire ----------------------------------------------------------------------------------------------------------


def encoding(data: bytes) -> None:
    try:
        value = unpack(data)
    except Malformed:
        return
    assert pack(value) == data


def encodings() -> Sequence[bytes]:
    values: list[Plain] = [None, True, -1, 2**64 - 1, "text é", b"bytes", ((), ((1,), "a"), b""), tuple(range(40))]
    return [pack(value) for value in values]


def envelope(data: bytes) -> None:
    try:
        read = Envelope.unpack(data)
    except Malformed:
        return
    assert read.pack() == data


def roster(data: bytes) -> None:
    try:
        table = SignedRoster.read(unpack(data))
        table.check()
    except (Malformed, BadRoster):
        return
    assert pack(table.plain()) == data


def frames(data: bytes) -> None:
    cutter = FrameDecoder(MOST_HELLO)
    sent = b""
    with suppress(BadFrame):
        for start in range(0, len(data), 1000):
            cutter.feed(data[start : start + 1000])
            while (frame := cutter.next()) is not None:
                sent += encode(frame)
    assert data.startswith(sent)


def hello(data: bytes) -> None:
    """Gives a stranger's frames, one after the other, to a host and to a joiner."""
    host, joiner = HostHandshake(ANA, bytes(32)), JoinerHandshake(BEN, ("seat",), bytes(32))
    sent = frames_of(data)
    if len(sent) != 2:
        return
    with suppress(ConnectionRejected):
        host.on_hello(sent[0])
        host.on_proof(sent[1])
        raise AssertionError("a joiner is proven that knew no nonce")
    with suppress(ConnectionRejected):
        joiner.on_hello(sent[0])
        joiner.on_proof(sent[1])
        raise AssertionError("a host is proven that knew no nonce")


def hellos() -> Sequence[bytes]:
    joiner, host = JoinerHandshake(BEN, ("seat",), bytes(32)), HostHandshake(ANA, bytes(32))
    m1 = joiner.hello()
    m2 = host.on_hello(m1)
    m3 = joiner.on_hello(m2)
    return [pack((m1, m3)), pack((m2, host.on_proof(m3))), pack((("hello", (7,), "9"), ("refused", "no")))]


def card(data: bytes) -> None:
    if (frame := frame_of(data)) is not None:
        with suppress(UserError):
            read = TableCard.read(frame)
            assert TableCard.read(read.frame()) == read
            assert all(nickname_from(name) == name for name in (read.nickname, *read.names))


def cards() -> Sequence[bytes]:
    shown = TableCard(
        ANA.public, "ana", "land", 1, 1, 6, PeerVersion((2,), "1"), (("map", "small"), ("turns", 25)), ("ana",)
    )
    return [pack(shown.frame()), pack(shown.frame()[:9])]


def table(data: bytes) -> None:
    """Reads what a host says of its table."""
    if (frame := frame_of(data)) is not None:
        with suppress(UserError):
            terms, people, sitting = read_table(frame, ANA.public)
            assert 0 < len(people) == len(sitting) <= terms.seats
            assert not any(one.bot for (key, _), one in zip(people, sitting, strict=True) if key == ANA.public)
            check_options(lookup.find("land"), terms)


def tables() -> Sequence[bytes]:
    people = ((ANA.public, "ana"), (BEN.public, "ben"))
    sitting = ((True, False, "", 7411), (False, True, "10.77.0.2", 0))
    options = (("last_look", 0), ("map", "small"), ("turns", 25))
    return [pack(("table", "land", 1, options, 3, people, sitting)), pack(("refused", "no"))]


TERMS: tuple[str, int, tuple[tuple[str, Plain], ...]] = ("stones", 1, (("last_look", 0),))
PEOPLE = ((ANA.public, "ana"), (BEN.public, "ben"))


def seating(data: bytes) -> None:
    """Plays a round of seating with hostile frames: to a seat from its host, and to a host from a seat."""
    seat, host = SeatingParticipant(BEN, TERMS, PEOPLE, 1), SeatingCoordinator(TERMS, PEOPLE, 1)
    for frame in frames_of(data):
        with suppress(BadRoster, Malformed):
            seat.answer(frame)
        with suppress(BadRoster):
            host.on_answer(BEN.public, frame)
    assert seat.signed is None


def seatings() -> Sequence[bytes]:
    ana, ben, host = (
        SeatingParticipant(ANA, TERMS, PEOPLE, 1),
        SeatingParticipant(BEN, TERMS, PEOPLE, 1),
        SeatingCoordinator(TERMS, PEOPLE, 1),
    )
    asked, answered = [host.ask()], []
    for _ in range(3):
        for seat, key in ((ana, ANA), (ben, BEN)):
            answer = seat.answer(asked[-1])
            assert answer is not None
            answered.append(answer)
            following = host.on_answer(key.public, answer)
        assert following is not None
        asked.append(following)
    return [pack(asked), pack(answered)]


def options(data: bytes) -> None:
    """Starts every game with whatever a signed roster names, or hears that it cannot start."""
    try:
        named = unpack(data)
    except Malformed:
        return
    match named:
        case (int() as seats, begins, tuple() as pairs) if all(isinstance(p, tuple) and len(p) == 2 for p in pairs):
            chosen = {str(p[0]): p[1] for p in pairs if isinstance(p, tuple)}
            for id in lookup.ids():
                with suppress(ValueError):
                    lookup.find(id).start(seats, chosen, begins if isinstance(begins, int) else None)


def option_sets() -> Sequence[bytes]:
    found = []
    for id in lookup.ids():
        game = lookup.find(id)
        for seats in (*game.seats, 1, 7):
            pairs = tuple((option.name, option.values[0][0]) for option in game.options)
            found.append(pack((seats, 0, pairs)))
    return found


def address(data: bytes) -> None:
    with suppress(UserError):
        where = parse_address(text_of(data))
        assert parse_address(format_address(*where)) == where


def shown(data: bytes) -> None:
    """Shows text of others on a screen."""
    text = clean(text_of(data), 80)
    assert len(text) <= 80
    assert not any(unicodedata.category(character)[0] == "C" for character in text)
    assert nickname_from(nickname_from(text)) == nickname_from(text)


# -- files -------------------------------------------------------------------------------------------------------------


def _games(id: str) -> object:
    return {STONES.id: STONES, CARDS.id: CARDS}[id]


def record(data: bytes) -> None:
    """Judges a file under the magic and a checksum that fits; with a first byte of 0, the file as it is."""
    if data[:1] != b"\0":
        data = MAGIC + data
        data += hashlib.sha256(data).digest()
    verdict = verify(data, _games)  # type: ignore[arg-type]
    assert verdict.code in ("fair", "unfair", "damaged", "incomplete", "unknown")
    if verdict.code == "fair":
        # Within a stage envelopes may stand in any order; they must be those of the game, all of them.
        true, read = Record.unpack(game_of_stones()[0]), Record.unpack(data)
        assert read.table == true.table
        assert {one.hash for one in (*read.envelopes, *read.evidence)} == {one.hash for one in true.envelopes}


def records() -> Sequence[bytes]:
    whole = game_of_stones()[0]
    kept = Record.unpack(whole)
    said = Attestation(ANA.public, 1, 0, bytes(32), (1,)).signed(kept.table.game_id, ANA.sign)
    attested = replace(kept, envelopes=kept.envelopes[:3], attestations=(said,)).pack()
    return [whole[len(MAGIC) : -32], b"\0" + whole, attested[len(MAGIC) : -32]]


PATH = Path("a game.journal")


def journals(data: bytes) -> None:
    """Reads a journal of frames whose checks fit, cut by the input's own lengths, and the input as it is."""
    bodies, rest = [], data
    while rest:
        size = int.from_bytes(rest[:2], "big")
        bodies.append(rest[2 : 2 + size])
        rest = rest[2 + size :]
    framed = journal.MAGIC + b"".join(starmap(journal.framed, enumerate(bodies)))
    for content in (framed, journal.MAGIC + data, data):
        with suppress(StorageError):
            read = journal.understand(journal.split_frames(content, PATH)[0], PATH)
            assert type(read.seat) is int
            assert len(read.seed) == 32


def journal_bodies() -> Sequence[bytes]:
    header: Plain = ("header", signed_roster(STONES).plain(), 1, bytes(32))
    batches = [(header,), (("started",), ("sent", game_of_stones()[1])), (("chose", 1, 3),), (("closed", "why"),)]
    return [b"".join(len(body).to_bytes(2, "big") + body for body in map(pack, batches))]


def resumed(data: bytes) -> None:
    """Resumes a journal that begins as it should, and goes on with entries of the input's own."""
    table = played_on().table
    bodies = [pack((("header", table.plain(), 1, seed(1, "fuzz")),)), data]
    path = _folder() / "a game.journal"
    path.write_bytes(journal.MAGIC + b"".join(starmap(journal.framed, enumerate(bodies))))
    logging.disable()
    try:
        with suppress(UserError):
            back = restore_seat(path, lambda _: STONES, BEN)
            assert back.journal is not None
            back.journal.close()
    finally:
        logging.disable(logging.NOTSET)


def resumable() -> Sequence[bytes]:
    """Returns what ben's journal of the game would hold, and what else may be in one."""
    wire = played_on()
    peer = peer_of(STONES, wire.table, 1, "fuzz")
    entries: list[Entry] = [("places", ANA.public, 2, 1, 7411, ((ANA.public, "10.0.0.1", 7411),), ())]
    for entry in (("started",), *(("received", envelope.pack()) for envelope in wire.envelopes if not envelope.seat)):
        apply(peer, entry)
        sent = [("sent", event.envelope) for event in peer.take() if isinstance(event, Send)]
        entries += [entry, *sent]
        if peer.asked is not None:
            break
    more: list[Entry] = [
        ("chose", peer.slot[0], 3),
        ("heard", bytes(32), "well"),
        ("resigned",),
        ("concluded",),
        ("bot", bytes(32), 1),
    ]
    return [pack(tuple(entries)), pack((*entries, *more)), pack(tuple(more))]


@cache
def played_on() -> Record:
    return Record.unpack(game_of_stones()[0])


@cache
def _folder() -> Path:
    holder = tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None)
    _KEPT.append(holder)
    return Path(holder.name)


_KEPT: list[tempfile.TemporaryDirectory[str]] = []


def in_file(name: str, read: Callable[[Path], None], data: bytes) -> None:
    """Reads a file of this name with this content, in a folder of its own."""
    (_folder() / name).write_bytes(data)
    read(_folder())


def load_identity(folder: Path) -> None:
    with suppress(StorageError):
        found = Identity.load_or_create(folder)
        assert signatures.public(found.secret) == found.public


def identities() -> Sequence[bytes]:
    return [f"kimberley identity 1\nsecret {ANA.secret.hex()}\npublic {ANA.public.hex()}\n".encode()]


def load_keys(folder: Path) -> None:
    with suppress(StorageError):
        known = KnownKeys(folder)
        assert type(known.aborted) is int
        known.status_of("ana", ANA.public)
        known.remember({ANA.public: "ana"}, verified=True)
        assert KnownKeys(folder).status_of("ana", ANA.public) == "met"


def key_files() -> Sequence[bytes]:
    keys = {ANA.public.hex(): {"nickname": "ana", "verified": True}, BEN.public.hex(): {"nickname": "é", "verified": 0}}
    return [json.dumps({"format": 1, "aborted": 2, "keys": kept}).encode() for kept in (keys, {})] + [b"[" * 3000]


def load_settings(folder: Path) -> None:
    kept = settings.load(folder)
    assert kept.name.isprintable()
    assert settings.nickname_form(kept.nickname) == kept.nickname
    kept.save()
    again = settings.load(folder)
    assert again == kept


def setting_files() -> Sequence[bytes]:
    kept = settings.Settings(nickname="ana", options={"land": {"map": "small"}})
    values = {name: value for name, value in vars(kept).items() if name not in ("path", "overridden")}
    return [json.dumps(values).encode(), b'{"nickname": "\\ud800", "level": 1e9}', b"[" * 3000]


def land_sheet(data: bytes) -> None:
    try:
        read = read_sheet(text_of(data))
    except AccountSheetError:
        return
    assert read_sheet(write_sheet(read)) == read


def land_sheets() -> Sequence[bytes]:
    return [
        b"seats 2\nmap kimberley\nturns 50\nrolled B\n1 B 3-4 buy k9 l9 5.00\n1 A 6-1 pass\nA resigns\n",
        b"seats 3\nmap small\nbegins A\n1 A 3-4 pass\n1 C leaves\n1 B 1-1 buy a1; sell a1; price a1 0.5\nB leaves\n",
        b"seats 2\nmap rolled-small\nturns 25\nbegins A\n# nothing\n",
    ]


def land_map(data: bytes) -> None:
    with suppress(MapError):
        read_map(text_of(data))


def land_maps() -> Sequence[bytes]:
    rows = [" ".join(shipped("small").kinds[row * 12 : row * 12 + 12]) for row in range(12)]
    return [("title: Small\n" + "\n".join(rows) + "\n").encode()]


def deals(data: bytes) -> None:
    state = land_table({"a1": (0, "5"), "c1": (1, "1.50")})
    ask = state.apply((0, 0)).ask()
    with suppress(NoDeals):
        parse_deals(ask.space.draft(), text_of(data))  # type: ignore[union-attr]


def diamond_sheet(data: bytes) -> None:
    try:
        read = read_scores(text_of(data))
    except TurnNotationError:
        return
    assert read_scores(write_scores(read)) == read


def diamond_line(data: bytes) -> None:
    """Reads a turn, and a position."""
    text = text_of(data)
    with suppress(TurnNotationError):
        read_turn(text)
    with suppress(TurnNotationError):
        assert read_position(write_position(read_position(text))) == read_position(text)


def made(*seeds: bytes) -> Callable[[], Sequence[bytes]]:
    return lambda: seeds


FORMATS = (
    Target("encoding", encoding, encodings),
    Target("envelope", envelope, lambda: game_of_stones()[1:6]),
    Target("roster", roster, lambda: [pack(signed_roster(STONES).plain()), pack(signed_roster(CARDS, 6).plain())]),
    Target("frames", frames, lambda: [encode(("beat",)) * 3 + encode(("hello", (3,), "1", bytes(64)))]),
    Target("hello", hello, hellos),
    Target("card", card, cards),
    Target("table", table, tables),
    Target("seating", seating, seatings),
    Target("options", options, option_sets),
    Target("address", address, made(b"192.168.1.7:7412", b"[fe80::1%eth0]:7411", b"ana.local", b"fe80::1%eth0")),
    Target("text", shown, made("a\u0301\u0301\u0301 \u202eb\x1b[2J\ud55c\n".encode())),
    Target("record", record, records),
    Target("journal", journals, journal_bodies),
    Target("resume", resumed, resumable),
    Target("identity", partial(in_file, identity.IDENTITY_FILE, load_identity), identities),
    Target("known-keys", partial(in_file, identity.KNOWN_FILE, load_keys), key_files),
    Target("settings", partial(in_file, settings.FILE, load_settings), setting_files),
    Target("land-sheet", land_sheet, land_sheets),
    Target("land-map", land_map, land_maps),
    Target("land-deals", deals, made(b"buy a2 a3 5.00; sell a1; price a1 30", b"pass")),
    Target("diamond-sheet", diamond_sheet, made(b"1  d4  swap\n2  e5  c3 =\n3  b2  =\n", b"1 d4 black resigns")),
    Target("diamond-line", diamond_line, made(b"7/8/8/8/8/8/8/7 b 24", b"b1-b2* =", b"(b3)", b"swap")),
)
