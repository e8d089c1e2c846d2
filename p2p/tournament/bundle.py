r"""The bundle of a cup: one file with its events, its results and its games, signed by its referee (docs/referee.md).

    "kimberley bundle\n" || size of the head, 4 bytes, big-endian || head || signature of the head, 64 bytes || records

The head is the canonical packing of (revision, cup, events, sizes, standings): each event packed by itself, the size of
the record of each result that has one, in the order of the results, and (identity, 120ths of a point) of all, the best
first. The records follow in that order; the results, which the head holds, name them by their SHA-256.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Final

from games.table import Plain
from p2p.files import StorageTrouble, replace_by_parts
from p2p.identity import Identity
from p2p.referee import events
from p2p.referee.cup import Cup
from p2p.referee.events import Decided, Event
from p2p.referee.points import plain_points
from p2p.referee.tournament import Tournament
from protocol.crypto import signatures
from protocol.encoding import Malformed, pack, unpack
from protocol.envelope import OtherRevision
from protocol.record import MOST_BYTES

MAGIC: Final = b"kimberley bundle\n"
SUFFIX: Final = ".cup"
REVISION: Final = 1
PURPOSE: Final = "bundle"
MOST_HEAD: Final = 64 << 20

_SIZE: Final = struct.Struct(">I")

Ranked = tuple[tuple[bytes, int], ...]


@dataclass(frozen=True)
class Bundle:
    """The head of a bundle, as its referee signed it, and where in the file its records begin."""

    cup: Cup
    events: tuple[Event, ...]
    sizes: tuple[int, ...]
    standings: Ranked
    start: int


def ranked(tournament: Tournament) -> Ranked:
    """The standings as a bundle states them."""
    return tuple((one.player.identity, plain_points((one.points,))[0]) for one in tournament.standings())


def write(
    path: Path, identity: Identity, cup: Cup, happened: Sequence[Event], record: Callable[[bytes], bytes | None]
) -> None:
    """Writes the bundle of a cup; `record` gives the packed record of a SHA-256. Raises StorageTrouble."""
    digests = [event.record for event in happened if isinstance(event, Decided) and event.record is not None]

    def fetch(digest: bytes) -> bytes:
        if (found := record(digest)) is None:
            raise StorageTrouble(f"The record {digest.hex()[:16]} of a game of {cup.name} is missing.")
        return found

    sizes = tuple(len(fetch(digest)) for digest in digests)
    begin = signed_head(identity, cup, happened, sizes, ranked(Tournament.fold(cup, happened)))
    replace_by_parts(path, chain((begin,), map(fetch, digests)), 0o644)


def signed_head(
    identity: Identity, cup: Cup, happened: Sequence[Event], sizes: tuple[int, ...], standings: Ranked
) -> bytes:
    """All of a bundle but its records, with whatever it says signed."""
    packed = tuple(pack(events.plain(event)) for event in happened)
    head = pack((REVISION, cup.plain(), packed, sizes, standings))
    return MAGIC + _SIZE.pack(len(head)) + head + identity.sign(PURPOSE, head)


def read(file: BinaryIO) -> Bundle:
    """The signed head of a bundle. Raises Malformed, OtherRevision, and OSError."""
    if file.read(len(MAGIC)) != MAGIC:
        raise Malformed("this is no bundle of a cup")
    length = file.read(_SIZE.size)
    if len(length) < _SIZE.size or (size := _SIZE.unpack(length)[0]) > MOST_HEAD:
        raise Malformed(f"its head has {MOST_HEAD} bytes at most")
    head, signature = file.read(size), file.read(signatures.SIGNATURE_SIZE)
    if len(head) < size or len(signature) < signatures.SIGNATURE_SIZE:
        raise Malformed("it was cut off")
    bundle = _understand(unpack(head), len(MAGIC) + _SIZE.size + size + signatures.SIGNATURE_SIZE)
    if not signatures.verify(bundle.cup.referee, PURPOSE, head, signature):
        raise Malformed("the referee of the cup has not signed it")
    return bundle


def records(bundle: Bundle, file: BinaryIO) -> Iterator[bytes]:
    """The records, one after another, from where they begin. Raises Malformed, and OSError."""
    for number, size in enumerate(bundle.sizes, 1):
        data = file.read(size)
        if len(data) < size:
            raise Malformed(f"it was cut off in record {number} of {len(bundle.sizes)}")
        yield data
    if file.read(1):
        raise Malformed("there is more behind the last record")


def _understand(head: Plain, start: int) -> Bundle:
    """Raises Malformed, or OtherRevision."""
    match head:
        case (int() as revision, *_) if type(revision) is int and revision != REVISION:
            raise OtherRevision(f"the bundle is of revision {revision}, this program knows {REVISION}")
        case (int() as number, cup, tuple() as packed, tuple() as sizes, tuple() as standings) if number is not True:
            pass
        case _:
            raise Malformed("its head is none")
    happened = []
    for number, item in enumerate(packed, 1):
        try:
            if not isinstance(item, bytes):
                raise Malformed("it is not packed")
            happened.append(events.read(unpack(item)))
        except Malformed as error:
            raise Malformed(f"event {number}: {error}") from None
    lengths = tuple(size for size in sizes if type(size) is int and 0 <= size <= MOST_BYTES)
    if len(lengths) < len(sizes):
        raise Malformed(f"a record has {MOST_BYTES} bytes at most")
    ranks: list[tuple[bytes, int]] = []
    for item in standings:
        match item:
            case (bytes() as identity, int() as value) if type(value) is int:
                ranks.append((identity, value))
            case _:
                raise Malformed("its standings are none")
    return Bundle(Cup.read(cup), tuple(happened), lengths, tuple(ranks), start)
