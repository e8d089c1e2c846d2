"""What is forged of keys, rolls, choices, amounts and tells."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from kimberley.conformance.forgeries.forgery import (
    AMOUNTS,
    COMMITMENT,
    DECIDE,
    KEYS,
    OPEN_TOTALS,
    OPENING,
    ROLL,
    SEAL,
    SHARES,
    SHUFFLE,
    STANDING,
    TELL,
    WITHIN,
    Audited,
    Forgery,
)
from kimberley.conformance.forging import (
    Where,
    announces,
    by_bag_key,
    changes,
    chooses,
    chooses_near,
    commits_near,
    ends_unreduced,
    entries,
    flips,
    gives,
    key_moved,
    lies,
    longer,
    near,
    no_pads,
    only,
    other_key,
    other_proofs,
    other_range,
    proof_for_commitment,
    proves_key_elsewhere,
    put,
    reseeded,
    rolls,
    says,
    says_bytes,
    sealing,
    sets,
    share_of_other_point,
    shorter,
    starts_with_high_bit,
    starts_with_identity,
    too_much,
    total_beyond_its_bits,
    unasked_pads,
    unasked_proof,
)
from kimberley.protocol.asks.keys import PURPOSES
from kimberley.protocol.crypto.coin import COIN
from kimberley.protocol.crypto.elgamal import MAILBOX
from kimberley.protocol.crypto.hashing import Context

NOT_CANONICAL: Final = bytes([0xED, *[0xFF] * 30, 0x7F])
"""2^255 - 19: not the encoding of a field element."""
IDENTITY: Final = "the identity must not travel"
POINT: Final = "encoding of a point"
OF_ITS_SEED: Final = "is not what their seed and choices give"
OTHER: Final = "a different choice"
ELSEWHERE: Final[dict[str, Where]] = {
    "another game": lambda context: replace(context, game=bytes(32)),
    "another step": lambda context: replace(context, step=context.step + 1),
    "another stage": lambda context: replace(context, stage=context.stage + 1),
    "another seat": lambda context: replace(context, seat=context.seat + 1),
}
"""Contexts in which a proof says nothing."""


def before(context: Context) -> Context:
    """Returns the context of the step before."""
    return replace(context, step=context.step - 1)


KEYS_AND_ROLLS: Final = (
    Forgery("A coin key that is the identity", KEYS, starts_with_identity(0, 0), "M-GRP-1", IDENTITY, "14-01"),
    Forgery("A bag key that is not canonical", KEYS, sets(NOT_CANONICAL, 1, 0), "M-GRP-1", POINT, "14-02"),
    Forgery("A mailbox key with its top bit set", KEYS, starts_with_high_bit(2, 0), "M-GRP-1", POINT, "14-03"),
    Forgery("A key with another one's proof", KEYS, lambda p, b: put(b, b[1][1], 0, 1), case="14-04"),
    Forgery("A proof of possession with a bit changed", KEYS, flips(40, 2, 1), case="14-05"),
    Forgery("A proof of possession in another seat's context", KEYS, proves_key_elsewhere, case="14-06"),
    Forgery("A response that is not below L", KEYS, ends_unreduced(1, 1), "M-GRP-2", case="14-07"),
    Forgery("Two keys instead of three", KEYS, lambda p, b: b[:2], "", "it does not announce", "14-08"),
    Forgery("The bag key in place of the coin key", KEYS, lambda p, b: (b[1], b[0], b[2])),
    *(Forgery(f"A {key} key whose secret it does not know", KEYS, announces(5, at)) for at, key in enumerate(PURPOSES)),
    Audited("A proof of possession with another nonce", KEYS, only(other_proofs, 0, 1), "14.7", OF_ITS_SEED, "17-01"),
    Audited("A mailbox key that is not its seed's", KEYS, other_key(MAILBOX), "14.7", OF_ITS_SEED, "17-02"),
    Audited("A coin key that is not its seed's", KEYS, other_key(COIN), "14.7", OF_ITS_SEED),
    Forgery("A share of another point", ROLL, share_of_other_point, case="15-88"),
    Forgery("A share by another key", ROLL, rolls(by=by_bag_key), case="15-89"),
    Forgery("A share that is the identity", ROLL, starts_with_identity(0), "M-GRP-1", case="15-90"),
    Forgery("A share with its top bit set", ROLL, starts_with_high_bit(0), "M-GRP-1", case="15-91"),
    Forgery("A share with a bit changed", ROLL, flips(0, 0)),
    Forgery("A share that is too long", ROLL, changes(lambda share: share + b"\0", 0), case="15-92"),
    Forgery("The share of an earlier roll", ROLL, rolls(before), "M-ROL-2", case="15-93"),
    Forgery("A share whose response is not below L", ROLL, ends_unreduced(0), "M-GRP-2"),
    *(Forgery(f"A share proven for {where}", ROLL, rolls(moved)) for where, moved in ELSEWHERE.items()),
    Audited("A share of a roll with another nonce", ROLL, reseeded, "14.4", OF_ITS_SEED, "17-03"),
)

CHOICES: Final = (
    Forgery("A choice beyond its space", DECIDE, chooses(9, 1 << 40), case="15-51"),
    Forgery("A boolean for a number", DECIDE, chooses(True), "M-ENC-4 M-GAM-2", case="15-52"),
    Forgery("A negative choice", DECIDE, chooses(-1), case="15-53"),
    Forgery("A choice much like one that is allowed", DECIDE, chooses_near),
    Forgery("Two choices for one", DECIDE, lambda p, b: b + b, "M-ASK-1", "it is not one choice"),
    Forgery("A commitment of 31 bytes", COMMITMENT, changes(lambda it: it[:31], 0), case="15-54"),
    Forgery("An opening of another choice", OPENING, lambda p, b: put(b, near(b[1], p), 1), "M-TOG-1", case="15-55"),
    Forgery("An opening with another nonce", OPENING, flips(0, 0), "M-TOG-1", case="15-56"),
    Forgery("A proof where none is asked for", OPENING, unasked_proof, "M-TOG-2", "nobody asked for", "15-58"),
    Forgery("No proof where one is asked for", WITHIN, sets(None, 2), case="15-59"),
    Forgery("A proof of a limit with a bit changed", WITHIN, flips(200, 2), "M-RNG-1", case="15-60"),
    Forgery("A proof in the context of the commitment", WITHIN, proof_for_commitment, case="15-62"),
    Audited("A sealed choice under another nonce", SEAL, reseeded, "14.3", OTHER, "17-04"),
    Audited("A sealed choice that is not the one shown", SEAL, flips(0, 0), "15.9", OTHER, "17-05"),
    Audited("Another choice sealed than shown", SEAL, commits_near, "15.9", OTHER),
)

SHORT: Final = "sealed amounts with their proofs"
WIDTH: Final = "does not consist of pads and a payload"
PADS: Final = "the pads of tell"
_unequal = partial(Audited, moment=TELL, rules="M-DIS-2 M-HID-2", reason="is not what they sealed and chose")
AMOUNTS_AND_TELLS: Final = (
    Forgery("A sealed amount that is negative", AMOUNTS, sealing(lambda space: (-1, 3)), case="15-63"),
    Forgery("A sealed amount beyond its bits", AMOUNTS, sealing(lambda s: (1 << s.slots[0].bits,)), case="15-64"),
    Forgery("Amounts beyond the limit", AMOUNTS, sealing(too_much), "", "within its limit", "15-65"),
    Forgery("Amounts that are all negative", AMOUNTS, sealing(lambda space: (-5,) * len(space.slots))),
    Forgery("A commitment that is the identity", AMOUNTS, starts_with_identity(0, 0), "M-GRP-1", IDENTITY, "15-66"),
    Forgery("One commitment too few", AMOUNTS, changes(lambda all: all[:1], 0), "", SHORT, "15-67"),
    Forgery("One range proof too few", AMOUNTS, changes(lambda all: all[:1], 1), "", SHORT, "15-68"),
    Forgery("Two commitments in each other's place", AMOUNTS, changes(lambda all: all[::-1], 0), case="15-69"),
    Forgery("Range proofs in each other's place", AMOUNTS, changes(lambda all: all[::-1], 1)),
    Forgery("A range proof that is too long", AMOUNTS, changes(longer(32), 1, 0), "M-RNG-1", case="15-70"),
    Forgery("A range proof with the identity for a bit", AMOUNTS, starts_with_identity(1, 0), "M-RNG-1", case="15-71"),
    Forgery(
        "A range proof whose response is not below L", AMOUNTS, ends_unreduced(1, 1), "M-RNG-1 M-GRP-2", case="15-72"
    ),
    Forgery("A range proof with a bit changed", AMOUNTS, flips(300, 1, 1), case="15-73"),
    Forgery("A proof of the limit with a bit changed", AMOUNTS, flips(100, 2), "", "within its limit", "15-74"),
    Forgery("A slot that is passed over", AMOUNTS, lambda p, b: (b[0][:1], b[1][:1], b[2]), "M-SEL-2", SHORT, "15-75"),
    Audited("A range proof with other nonces", AMOUNTS, other_range, "14.5", OTHER, "17-06"),
    Forgery("No pads where they are due", TELL, sets(b"", 0, 0), case="15-76"),
    Forgery("Pads where others stand", STANDING, unasked_pads, case="15-77"),
    Forgery("Pads for one total too few", TELL, changes(shorter(32), 0, 0), "M-DIS-1", case="15-78"),
    Forgery("Pads whose A is the identity", TELL, starts_with_identity(0, 0), "M-DIS-1 M-GRP-1", case="15-79"),
    Forgery("Pads whose A has its top bit set", TELL, starts_with_high_bit(0, 0), "M-DIS-1 M-GRP-1", case="14-60"),
    Forgery("A payload that is too short", TELL, changes(shorter(1), 0, 1), "", WIDTH, "15-80"),
    Forgery("A payload that is too long", TELL, changes(longer(1), 0, 1), "", WIDTH),
    Forgery("A tell that is passed over", TELL, gives(()), "", "it does not disclose", "15-81"),
    Audited("Pads that open at the threshold", TELL, key_moved(-1), "M-TEL-3 M-DIS-1 M-HID-2", PADS, "17-07"),
    Audited("Pads that open above a higher threshold", TELL, key_moved(1), "14.6", PADS),
    Audited("Pads that nobody can open", TELL, changes(no_pads, 0, 0), "M-DIS-1 M-HID-2", PADS, "17-08"),
    _unequal("A payload that lies", bend=lies, rules="15.9 M-DIS-2 M-HID-4", case="17-09"),
    _unequal("A payload that its space forbids", bend=says(99), case="17-10"),
    _unequal("A payload that is not canonical", bend=says_bytes(b"\xcc\x01"), case="17-11"),
    _unequal("A payload with bytes behind its value", bend=says_bytes(b"\x01\x00\x00\x01"), case="17-12"),
    _unequal("A payload of nothing at all", bend=says_bytes(b"")),
    _unequal("A payload of what is no value", bend=says_bytes(b"\xc1")),
    _unequal("A payload of nil", bend=says(None)),
    _unequal("A payload of two numbers", bend=says((1, 2))),
    _unequal("A payload of text", bend=says("x")),
    _unequal("A payload that does not authenticate", bend=flips(0, 0, 1), case="17-13"),
)

UNLIKE: Final = "does not match what was sealed"
TOTALS: Final = (
    Forgery("A total that was not sealed", OPEN_TOTALS, changes(lambda n: n + 1, 0, 0), "", UNLIKE, "15-82"),
    Forgery("A total with another blinding", OPEN_TOTALS, flips(3, 0, 1), "", UNLIKE, "15-83"),
    Forgery("A blinding that is not below L", OPEN_TOTALS, ends_unreduced(0, 1), "M-GRP-2", "scalar", "15-84"),
    Forgery("A total beyond its bits, that fits as a point", OPEN_TOTALS, total_beyond_its_bits, case="15-85"),
    Forgery("A boolean for a total", OPEN_TOTALS, sets(True, 0, 0), "M-ENC-4", case="15-86"),
    Forgery("A negative total", OPEN_TOTALS, sets(-1, 0, 0)),
    Forgery("A text for a total", OPEN_TOTALS, sets("1", 0, 0)),
    Forgery("A total without its blinding", OPEN_TOTALS, changes(lambda opened: opened[:1], 0)),
    Forgery("A blinding of 31 bytes", OPEN_TOTALS, changes(shorter(1), 0, 1), "", "scalar"),
    Forgery("One total too few", OPEN_TOTALS, lambda p, b: entries(b)[:-1], "", "it does not open", "15-87"),
)

OWED: Final = {
    "Decide": DECIDE,
    "Together, commitment": COMMITMENT,
    "Together, opening": OPENING,
    "Seal of choices": SEAL,
    "Seal of amounts": AMOUNTS,
    "Disclose": TELL,
    "Open": OPEN_TOTALS,
    "Roll": ROLL,
    "Shuffle": SHUFFLE,
    "Show": SHARES,
}
WRONG: Final = {
    "an empty body": gives(()),
    "a body with one entry too many": lambda play, body: (*body, None),
    "a body with text for its first entry": sets("x", 0),
}
SHAPES: Final = (
    *(
        Forgery(f"{owed}: {what}", moment, bend, "M-ASK-1", "", f"15-{21 + 3 * number + more}")
        for number, (owed, moment) in enumerate(OWED.items())
        for more, (what, bend) in enumerate(WRONG.items())
    ),
)
