"""Vectors of the hello, and of what goes through a third seat."""

from __future__ import annotations

from typing import Any, Final

from kimberley.p2p.storage.identity import Identity
from kimberley.protocol.crypto.signatures import ORDER_EIGHT
from kimberley.protocol.encoding import pack, unpack
from kimberley.protocol.envelope import REVISION
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.values import GAME
from tests.support.tables import identity

REFUSE: Final = 'Say ("refused", sentence), and end the connection.'
JOINER: Final = identity(0)
HOST: Final = identity(1)
NONCES: Final = (bytes([3]) * 32, bytes([4]) * 32)
CERTIFICATE: Final = bytes(range(32))


def hellos() -> Book:
    book = Book(
        "hello",
        "8, 10.1",
        "The hello. Frames are packed arrays, identities and the secrets of signatures 32 bytes.",
        {
            "NoHello": ("It is no frame of a hello: a shape or a length is wrong.", REFUSE),
            "OtherRevision": ("No revision in common.", "The host ends m2 after `software`; then as a refusal."),
            "OwnIdentity": ("The identity is the own one.", REFUSE),
            "BadIdentity": ("The identity is of small order, or not canonical.", REFUSE),
            "OtherNonce": ("The nonce does not open the commitment of m1.", REFUSE),
            "NotSigned": ("The signature is not over what this side saw: certificate, frame or role differ.", REFUSE),
        },
    )
    for purpose in (("seat",), ("seat", GAME), ("watch",)):
        given = {"joiner": JOINER, "host": HOST, "nonce": NONCES[0], "host_nonce": NONCES[1], "software": "vectors"}
        made = book.add("greet", "", {**given, "purpose": purpose, "certificate": CERTIFICATE})["frames"]
    m1, m2, m3, m4 = made
    _firsts(book, m1)
    hosts: dict[str, Any] = {"host": HOST, "certificate": CERTIFICATE}
    book.add("check_m3", "", {**hosts, "frames": [m1, m2, m3]})
    kind, nonce, purpose, signature = _entries(m3)
    signer, seen = Identity.of(JOINER), (unpack(m1), unpack(m2))

    def proves(comment: str, flag: str, *entries: Any) -> None:
        book.add("check_m3", comment, {**hosts, "frames": [m1, m2, pack(entries)]}, flag)

    def says(comment: str, *, role: str = "joiner", frames: Any = seen, certificate: bytes = CERTIFICATE) -> None:
        signed = signer.sign("hello", pack((role, *frames, nonce, purpose, certificate)))
        proves(comment, "NotSigned", kind, nonce, purpose, signed)

    chosen = signer.sign("hello", pack(("joiner", *seen, NONCES[1], purpose, CERTIFICATE)))
    proves("another nonce, and a signature that holds", "OtherNonce", kind, NONCES[1], purpose, chosen)
    says("another certificate", certificate=bytes(32))
    says("the other role", role="host")
    says("another m2", frames=(seen[0], ("hello", (REVISION,), "vectors", bytes(32), NONCES[1])))
    proves("another purpose", "NotSigned", kind, nonce, ("seat",), signature)
    proves("signed by another", "NotSigned", kind, nonce, purpose, _entries(m4)[1])
    proves("a purpose that is no array", "NoHello", kind, nonce, "watch", signature)
    proves("a field too few", "NoHello", kind, nonce, purpose)
    joiners: dict[str, Any] = {"joiner": JOINER, "nonce": NONCES[0], "purpose": purpose, "software": "vectors"}
    joiners["certificate"] = CERTIFICATE
    book.add("check_m4", "", {**joiners, "frames": [m2, m4]})
    middle = {**joiners, "certificate": bytes(32)}
    book.add("check_m4", "somebody in the middle: another certificate", {**middle, "frames": [m2, m4]}, "NotSigned")
    own_signature = {**joiners, "frames": [m2, pack(("proven", signature))]}
    book.add("check_m4", "the signature of the joiner", own_signature, "NotSigned")
    own = pack((*_entries(m2)[:3], signer.public, NONCES[1]))
    book.add("check_m4", "", {**joiners, "frames": [own, m4]}, "OwnIdentity")
    book.add("check_m4", "no m4", {**joiners, "frames": [m2, m3]}, "NoHello")
    for number in (0, 300):
        book.add("pass_on", "", {"secret": JOINER, "m1": m1, "m2": m2, "number": number, "frame": pack(("beat",))})
    return book


def _firsts(book: Book, m1: bytes) -> None:
    """m1 alone."""
    kind, revisions, software, public, commitment = _entries(m1)

    def first(comment: str, *entries: Any, flag: str | None = None) -> None:
        book.add("check_m1", comment, {"host": HOST, "frame": pack(entries)}, *([flag] if flag else []))

    first("", *_entries(m1))
    first("a later revision, too", kind, (REVISION + 1, REVISION), software, public, commitment)
    first("a commitment of 31 bytes", kind, revisions, software, public, commitment[:31], flag="NoHello")
    first("no commitment", kind, revisions, software, public, flag="NoHello")
    first("an identity that is text", kind, revisions, software, "x" * 32, commitment, flag="NoHello")
    first("another frame", "sit", "nickname", 0, flag="NoHello")
    for comment, spoken in {
        "a later one alone": (REVISION + 1,),
        "none": (),
        "the common one in the seventeenth place": (*range(100, 116), REVISION),
        "a truth value": (True,),
    }.items():
        first(comment, kind, spoken, software, public, commitment, flag="OtherRevision")
    first("", kind, revisions, software, Identity.of(HOST).public, commitment, flag="OwnIdentity")
    for point in ((1).to_bytes(32, "little"), ORDER_EIGHT.to_bytes(32, "little"), b"\xff" * 32):
        first("", kind, revisions, software, point, commitment, flag="BadIdentity")


def _entries(packed: bytes) -> Any:
    return unpack(packed)
