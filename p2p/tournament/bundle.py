r"""The bundle of a tournament: one file with its events, results and games, signed by its referee (docs/checking.md).

    "kimberley bundle\n" || size of the head, 4 bytes, big-endian || head || signature of the head, 64 bytes || records

The head is the canonical packing of (revision, settings, events, sizes, standings). `settings` has the settings of the
tournament. Each event is packed separately. `sizes` has the size of each record, in the order of the results.
`standings` has (identity, 120ths of a point) for each player, the best first. The records follow in the order of the
results, which name them by their SHA-256.

One message holds a bounded number of values. Where that is too few, the revision is 2, and `events` and `sizes` are
arrays of packed arrays, their parts in order.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO, Final

from kimberley.games.table import Plain
from kimberley.p2p.storage.files import StorageError
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.tournament import events
from kimberley.p2p.tournament.events import TournamentEvent
from kimberley.p2p.tournament.points import plain_points
from kimberley.p2p.tournament.settings import TournamentSettings
from kimberley.p2p.tournament.tournament import Tournament
from kimberley.protocol.crypto import signatures
from kimberley.protocol.encoding import MAX_ITEMS, Malformed, pack, unpack
from kimberley.protocol.envelope import OtherRevision
from kimberley.protocol.record import MOST_BYTES

MAGIC: Final = b"kimberley bundle\n"
SUFFIX: Final = ".cup"
REVISION, IN_PARTS = 1, 2
"""The revisions of a bundle whose events fit into one message, and of one whose events do not."""
PART: Final = 1 << 15
"""Events, or sizes, in each part but the last."""
PURPOSE: Final = "bundle"
MOST_HEAD: Final = 64 << 20
MOST_FILE: Final = 64 << 30
"""The most bytes of a bundle with all records, which are read one by one."""

_SIZE: Final = struct.Struct(">I")

Ranked = tuple[tuple[bytes, int], ...]


@dataclass(frozen=True)
class Bundle:
    """The head of a bundle, as its referee signed it, and the position in the file where its records begin."""

    settings: TournamentSettings
    events: tuple[TournamentEvent, ...]
    sizes: tuple[int, ...]
    standings: Ranked
    start: int


def ranked(tournament: Tournament) -> Ranked:
    """Returns the standings in the form that a bundle uses."""
    return tuple((one.player.identity, plain_points((one.points,))[0]) for one in tournament.standings())


def signed_head(
    identity: Identity,
    settings: TournamentSettings,
    happened: Sequence[TournamentEvent],
    sizes: tuple[int, ...],
    standings: Ranked,
) -> bytes:
    """Returns the head of a bundle with its signature, without the records. Raises StorageError if it would be too
    long.
    """
    packed = tuple(pack(events.plain(event)) for event in happened)
    if len(packed) + len(sizes) + 3 * len(standings) < MAX_ITEMS // 2:
        head = pack((REVISION, settings.plain(), packed, sizes, standings))
    else:
        head = pack((IN_PARTS, settings.plain(), _in_parts(packed), _in_parts(sizes), standings))
    if len(head) > MOST_HEAD:
        raise StorageError(
            f"{settings.name} has {len(happened)} events: more than a tournament file can list in "
            f"{MOST_HEAD >> 20} MiB. The tournament itself is saved. Copy its folder instead."
        )
    return MAGIC + _SIZE.pack(len(head)) + head + identity.sign(PURPOSE, head)


def read_bundle(file: BinaryIO) -> Bundle:
    """Returns the signed head of a bundle. Raises Malformed, OtherRevision, OSError."""
    if file.read(len(MAGIC)) != MAGIC:
        raise Malformed("this is not a tournament file")
    length = file.read(_SIZE.size)
    if len(length) < _SIZE.size or (size := _SIZE.unpack(length)[0]) > MOST_HEAD:
        raise Malformed(f"its head has {MOST_HEAD} bytes at most")
    head, signature = file.read(size), file.read(signatures.SIGNATURE_SIZE)
    if len(head) < size or len(signature) < signatures.SIGNATURE_SIZE:
        raise Malformed("it was cut off")
    bundle = _understand(unpack(head), len(MAGIC) + _SIZE.size + size + signatures.SIGNATURE_SIZE)
    if not signatures.verify(bundle.settings.referee, PURPOSE, head, signature):
        raise Malformed("the tournament’s referee has not signed it")
    return bundle


def read_records(bundle: Bundle, file: BinaryIO) -> Iterator[bytes]:
    """Yields the records in order, from the file's current position. Raises Malformed, OSError."""
    for number, size in enumerate(bundle.sizes, 1):
        data = file.read(size)
        if len(data) < size:
            raise Malformed(f"it was cut off in record {number} of {len(bundle.sizes)}")
        yield data
    if file.read(1):
        raise Malformed("there is more after the last record")


def _in_parts(values: Sequence[Plain]) -> tuple[bytes, ...]:
    return tuple(pack(tuple(values[at : at + PART])) for at in range(0, len(values), PART))


def _joined(parts: tuple[Plain, ...]) -> tuple[Plain, ...]:
    """Returns the values of all parts, in order. Raises Malformed."""
    values: list[Plain] = []
    for part in parts:
        entries = unpack(part) if isinstance(part, bytes) else None
        if not isinstance(entries, tuple) or not 0 < len(entries) <= PART:
            raise Malformed("a part of its head is malformed")
        values += entries
    return tuple(values)


def _understand(head: Plain, start: int) -> Bundle:
    """Raises Malformed, or OtherRevision."""
    match head:
        case (int() as revision, *_) if type(revision) is int and revision not in (REVISION, IN_PARTS):
            raise OtherRevision(f"the file has revision {revision}, this program knows {IN_PARTS}")
        case (int() as number, settings, tuple() as packed, tuple() as sizes, tuple() as standings) if (
            number is not True
        ):
            if number == IN_PARTS:
                packed, sizes = _joined(packed), _joined(sizes)
        case _:
            raise Malformed("its head is malformed")
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
                raise Malformed("its standings are malformed")
    return Bundle(TournamentSettings.read(settings), tuple(happened), lengths, tuple(ranks), start)
