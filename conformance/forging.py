"""Forges what cases and vectors need: bodies in place of those that are due, and records with any contents.

A bend is given the seat's own play and the body due. What it does not forge is as an honest seat signs it, with proofs
that are valid wherever there can be any. It raises LookupError where there is nothing of the kind that it forges.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, TypeVar

from kimberley.conformance.errors import present, typed
from kimberley.games.table import Amounts, Plain, Space, Tell, Unreadable
from kimberley.protocol.asks.base import CryptoContext, Machine, prove_within
from kimberley.protocol.asks.decide import DecideMachine
from kimberley.protocol.asks.disclose import LABEL, DiscloseMachine
from kimberley.protocol.asks.keys import PURPOSES
from kimberley.protocol.asks.open import OpenMachine
from kimberley.protocol.asks.seal import SealMachine
from kimberley.protocol.asks.together import COMMIT, TogetherMachine
from kimberley.protocol.crypto import backend, coin, disclosure, dleq, ranges
from kimberley.protocol.crypto.commitments import pedersen
from kimberley.protocol.crypto.elgamal import SeatKey
from kimberley.protocol.crypto.hashing import Context, derive_scalar
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.encoding import pack
from kimberley.protocol.play import Play

OTHER: Final = bytes([9]) * 32
"""A seed that belongs to nobody at the table."""

Bend = Callable[[Play, Any], Plain]
"""Turns the body that is due into another one."""
Where = Callable[[Context], Context]
"""Turns the context in which a seat proves something into another one."""
Secret = Callable[[CryptoContext], int]
"""Picks the key with which a seat proves something."""

M = TypeVar("M", bound=Machine)


def context_of(play: Play) -> tuple[int, Context]:
    """Returns the seat, and its context in this stage."""
    seat = present(play.seat)
    return seat, play.context(seat)


def machine_of(play: Play, kind: type[M]) -> M:
    return typed(play.machine, kind)


def here(context: Context) -> Context:
    return context


def by_coin_key(crypto: CryptoContext) -> int:
    return crypto.coin_key.secret


def by_bag_key(crypto: CryptoContext) -> int:
    return crypto.bag_key.secret


# -- parts of bodies ---------------------------------------------------------------------------------------------------


def entries(plain: Plain) -> tuple[Plain, ...]:
    """Returns the entries of an array. Raises LookupError for anything else."""
    if not isinstance(plain, tuple):
        raise LookupError("it has no entries")
    return plain


def octets(plain: Plain) -> bytes:
    return typed(plain, bytes)


def at(plain: Plain, *path: int) -> Plain:
    """Returns the entry at a path. Raises LookupError if there is none."""
    for place in path:
        plain = entries(plain)[place]
    return plain


def put(plain: Plain, value: Plain, *path: int) -> Plain:
    """Returns the array, with the entry at a path replaced. Raises LookupError if there is none."""
    if not path:
        return value
    rows = list(entries(plain))
    rows[path[0]] = put(rows[path[0]], value, *path[1:])
    return tuple(rows)


def flipped(plain: Plain, byte: int, *path: int) -> Plain:
    """Returns the array, with one bit flipped in the bytes at a path."""
    data = bytearray(octets(at(plain, *path)))
    data[byte] ^= 1
    return put(plain, bytes(data), *path)


def high_bit(data: bytes) -> bytes:
    """Returns a second encoding of a point, which careless decoders accept."""
    return data[:31] + bytes([data[31] | 0x80]) + data[32:]


def unreduced(scalar: bytes, order: int = RISTRETTO.order) -> bytes:
    """Returns a second encoding of a scalar, which is not below the order."""
    return (int.from_bytes(scalar, "little") + order).to_bytes(32, "little")


def _near(plain: Plain, rng: Random) -> Plain:
    """Returns a choice with one thing changed."""
    if isinstance(plain, tuple) and plain and rng.random() < 0.9:
        place = rng.randrange(len(plain))
        within = () if rng.random() < 0.1 else (_near(plain[place], rng),)
        return (*plain[:place], *within, *plain[place + 1 :])
    if isinstance(plain, bytes) and plain and rng.random() < 0.8:
        place = rng.randrange(len(plain))
        return plain[:place] + bytes([plain[place] ^ 1 << rng.randrange(8)]) + plain[place + 1 :]
    if isinstance(plain, int) and rng.random() < 0.8:
        return plain + rng.choice((-1, 1, 2**32))
    return rng.choice((None, True, -1, 2**63, "", "x", b"", bytes(32), (), ((),), (b"", b"")))


def gives(body: Plain) -> Bend:
    """Replaces the body with this one."""
    return lambda play, due: body


def sets(value: Plain, *path: int) -> Bend:
    """Replaces the entry at a path with this value."""
    return lambda play, body: put(body, value, *path)


def changes(change: Callable[[Any], Plain], *path: int) -> Bend:
    """Replaces the entry at a path with what `change` makes of it."""
    return lambda play, body: put(body, change(at(body, *path)), *path)


def flips(byte: int, *path: int) -> Bend:
    """Flips one bit in the bytes at a path."""
    return lambda play, body: flipped(body, byte, *path)


def starts_with_identity(*path: int) -> Bend:
    """Puts the identity in place of the point with which the bytes at a path begin."""
    return lambda play, body: put(body, play.crypto.group.identity + octets(at(body, *path))[32:], *path)


def starts_with_high_bit(*path: int) -> Bend:
    """Spells the point with which the bytes at a path begin in a way that is not canonical."""
    return changes(high_bit, *path)


def ends_unreduced(*path: int) -> Bend:
    """Replaces the scalar with which the bytes at a path end with one that is not reduced."""

    def bend(play: Play, body: Plain) -> Plain:
        proof = octets(at(body, *path))
        return put(body, proof[:-32] + unreduced(proof[-32:], play.crypto.group.order), *path)

    return bend


def longer(by: int) -> Callable[[bytes], bytes]:
    return lambda data: data + bytes(by)


def shorter(by: int) -> Callable[[bytes], bytes]:
    return lambda data: data[:-by]


def only(bend: Bend, *path: int) -> Bend:
    """Takes only one entry of what a bend makes of the body."""
    return lambda play, body: put(body, at(bend(play, body), *path), *path)


def draw(play: Play) -> Random:
    """Returns a random generator of the seat's own for each stage."""
    return Random(play.crypto.seed + pack((play.step, play.stage)))


# -- all asks ----------------------------------------------------------------------------------------------------------


def reseeded(play: Play, body: Plain) -> Plain:
    """Signs with the nonces, blindings and masks of another seed. The keys stay."""
    del body
    kept, play.crypto.seed = play.crypto.seed, OTHER
    try:
        return play.body()
    finally:
        play.crypto.seed = kept


# -- keys --------------------------------------------------------------------------------------------------------------


def other_proofs(play: Play, body: Plain) -> Plain:
    """Proves the keys with other nonces."""
    crypto, (_, context) = play.crypto, context_of(play)
    keys = crypto.coin_key, crypto.bag_key, crypto.mailbox_key
    return tuple(
        (key.public, coin.prove_key(crypto.group, OTHER, context, purpose, key.secret))
        for key, purpose in zip(keys, PURPOSES, strict=True)
    )


def other_key(purpose: str) -> Bend:
    """Announces a key of another seed, and goes on with it."""

    def bend(play: Play, body: Any) -> Plain:
        _, context = context_of(play)
        key = SeatKey.derive(play.crypto.group, OTHER, context, purpose)
        vars(play.crypto)[f"{purpose}_key"] = key
        return put(body, (key.public, key.proof), PURPOSES.index(purpose))

    return bend


def proves_key_elsewhere(play: Play, body: Plain) -> Plain:
    """Proves the coin key in the name of another seat."""
    crypto = play.crypto
    context = crypto.context(0, 0, (present(play.seat) + 1) % crypto.seats)
    return put(body, coin.prove_key(crypto.group, crypto.seed, context, coin.COIN, crypto.coin_key.secret), 0, 1)


def announces(secret: int, place: int) -> Bend:
    """Announces a key with this secret, and the proof of the one due."""
    return lambda play, body: put(body, play.crypto.group.base(secret), place, 0)


def negate_keys(play: Play, other: Play) -> None:
    """Gives a seat the negatives of all keys of another seat, from now on."""
    crypto, (_, context) = play.crypto, context_of(play)
    for purpose, kind in zip(PURPOSES, (coin.CoinKey, SeatKey, SeatKey), strict=True):
        secret = crypto.group.order - getattr(other.crypto, f"{purpose}_key").secret
        proof = coin.prove_key(crypto.group, crypto.seed, context, purpose, secret)
        vars(crypto)[f"{purpose}_key"] = kind(secret, crypto.group.base(secret), proof)


# -- choices -----------------------------------------------------------------------------------------------------------


def forbidden(space: Space, choice: Plain) -> bool:
    """Returns whether a space forbids a choice."""
    try:
        return space.violation(space.read(choice)) is not None
    except Unreadable:
        return True


def chooses(*candidates: Plain) -> Bend:
    """Decides on the first of these choices that the rules forbid."""

    def bend(play: Play, body: Plain) -> Plain:
        space = machine_of(play, DecideMachine).ask.space
        return (next(choice for choice in (*candidates, None) if choice is not None and forbidden(space, choice)),)

    return bend


def near(choice: Plain, play: Play, space: Space | None = None) -> Plain:
    """Returns a choice much like another one: the next number, which its space mostly allows; or one that `space`
    forbids, if it is given.
    """
    if space is None and type(choice) is int:
        return abs(choice - 1)
    rng = draw(play)
    for _ in range(60):
        other = _near(choice, rng)
        if pack(other) != pack(choice) and (space is None or forbidden(space, other)):
            return other
    raise LookupError("there is no such choice")


def chooses_near(play: Play, body: Plain) -> Plain:
    """Decides on something forbidden that is much like what was chosen."""
    return (near(at(body, 0), play, machine_of(play, DecideMachine).ask.space),)


def commits_to(choice: Plain) -> Bend:
    """Returns a bend that makes the body of a seat that chose this."""

    def bend(play: Play, body: Plain) -> Plain:
        del body
        kept, play.choices[-1] = play.choices[-1], choice
        try:
            return play.body()
        finally:
            play.choices[-1] = kept

    return bend


def commits_near(play: Play, body: Plain) -> Plain:
    """Returns the body of a seat that chose something much like what was chosen."""
    return commits_to(near(play.choices[-1], play))(play, body)


# -- rolls and amounts -------------------------------------------------------------------------------------------------


def rolls(where: Where = here, *, by: Secret = by_coin_key) -> Bend:
    """Rolls in another context, or with another key, with a proof that is valid there."""

    def bend(play: Play, body: Plain) -> Plain:
        crypto, (_, context) = play.crypto, context_of(play)
        return (coin.share(crypto.group, crypto.seed, where(context), by(crypto), 0),)

    return bend


def share_of_other_point(play: Play, body: Plain) -> Plain:
    """Rolls with a share of another point, and a proof that is valid for that point."""
    crypto, (_, context) = play.crypto, context_of(play)
    g = crypto.group
    base = g.mul(3, coin.roll_point(g, context, 0))
    (image,), proof = dleq.prove(g, crypto.seed, context, "coin share", 0, crypto.coin_key.secret, (base,))
    return (image + proof,)


def _blinding(play: Play, space: Amounts, index: int, amount: int) -> int:
    _, context = context_of(play)
    slot = space.slots[index]
    return derive_scalar(play.crypto.group, play.crypto.seed, "blinding", context, index, slot.name, slot.bits, amount)


def _space(play: Play) -> Amounts:
    return typed(machine_of(play, SealMachine).ask.spaces[present(play.seat)], Amounts)


def too_much(space: Amounts) -> tuple[int, ...]:
    """Returns two amounts, each within the limit, but not both together."""
    return (space.within.limit // 2 + 1,) * 2


def other_range(play: Play, body: Plain) -> Plain:
    """Proves the first amount with other nonces."""
    (_, context), space = context_of(play), _space(play)
    amount, *_ = typed(play.choices[-1], tuple)
    blinding = _blinding(play, space, 0, amount)
    proof = ranges.prove(play.crypto.group, OTHER, context, "amount", space.slots[0].bits, amount, blinding, 0)
    return put(body, proof, 1, 0)


def sealing(amounts: Callable[[Amounts], Sequence[int]]) -> Bend:
    """Seals amounts for which no valid proofs exist, with proofs of what they are modulo the range. Any slot for which
    no amount is given has 0.
    """

    def bend(play: Play, body: Plain) -> Plain:
        crypto, (_, context), space = play.crypto, context_of(play), _space(play)
        g, spent = crypto.group, crypto.opening(space.within.tally)
        first = amounts(space)
        values = *first, *(0 for _ in space.slots[len(first) :])
        drawn = [_blinding(play, space, index, value) for index, value in enumerate(values)]
        proofs = tuple(
            ranges.prove(g, crypto.seed, context, "amount", slot.bits, value % (1 << slot.bits), blinding, index)
            for index, (slot, value, blinding) in enumerate(zip(space.slots, values, drawn, strict=True))
        )
        bits, left = space.within.tally.bits, space.within.limit - spent[0] - sum(values)
        hiding = -(spent[1] + sum(drawn)) % g.order
        within = ranges.prove(g, crypto.seed, context, "within", bits, left % (1 << bits), hiding, 0)
        return tuple(pedersen(g, value, hiding) for value, hiding in zip(values, drawn, strict=True)), proofs, within

    return bend


def total_beyond_its_bits(play: Play, body: Plain) -> Plain:
    """Opens a total that is too large by as much as its bits hold."""
    seat, tallies = present(play.seat), machine_of(play, OpenMachine).ask.tallies
    bits = next(tally.bits for tally in tallies if tally.seat == seat)
    return put(body, typed(at(body, 0, 0), int) + (1 << bits), 0, 0)


def unasked_proof(play: Play, body: Plain) -> Plain:
    """Opens a choice with a proof of a limit, where there is no limit."""
    if at(body, 2) is not None:
        raise LookupError("a proof is asked for")
    return put(body, b"", 2)


def proof_for_commitment(play: Play, body: Any) -> Plain:
    """Opens a choice with a proof of its limit that is made for the stage of the commitment."""
    machine, seat = machine_of(play, TogetherMachine), present(play.seat)
    within, space = present(machine.ask.within[seat]), present(machine.ask.spaces[seat])
    context = machine.context(COMMIT, seat)
    return put(body, prove_within(play.crypto, context, within, (0, 0), space.cost(body[1])), 2)


def forget_spending(play: Play) -> None:
    """Makes a seat prove its limits as if it had sealed nothing, from now on."""
    openings = play.crypto.openings
    openings.update({tally: (0, blinding) for tally, (_, blinding) in openings.items()})


# -- tells -------------------------------------------------------------------------------------------------------------


def _first_tell(play: Play) -> tuple[DiscloseMachine, int, Tell, bytes]:
    """Returns the machine, the seat's first tell with its place in the ask, which carries pads, and their key."""
    machine = machine_of(play, DiscloseMachine)
    index, tell = machine.tells_of(present(play.seat))[0]
    return machine, index, tell, machine.key(index, tell)


def no_pads(pads: bytes) -> bytes:
    """Returns the pads, with zeros for all keys."""
    return pads[:32] + bytes(len(pads) - 32)


def unasked_pads(play: Play, body: Plain) -> Plain:
    """Gives pads though earlier ones stand."""
    return put(body, play.crypto.group.base(5) + bytes(512), 0, 0)


def key_above(total: int) -> Bend:
    """Gives the key above another total."""

    def bend(play: Play, body: Plain) -> Plain:
        crypto, (_, context) = play.crypto, context_of(play)
        _, index, tell, key = _first_tell(play)
        more, than = crypto.commitment(tell.more), crypto.commitment(tell.than)
        label, bits = f"{LABEL} {index}", tell.more.bits
        offer = disclosure.offer(crypto.group, crypto.seed, context, label, bits, more, than, total, key)
        return put(body, offer, 0, 0)

    return bend


def key_moved(by: int) -> Bend:
    """Gives the key above more or less than the total above which it is due."""

    def bend(play: Play, body: Plain) -> Plain:
        _, _, tell, _ = _first_tell(play)
        total, _ = play.crypto.opening(tell.than)
        if not 0 <= total + by < 1 << tell.more.bits:
            raise LookupError("there is no such total")
        return key_above(total + by)(play, body)

    return bend


def payload(plain: bytes, place: int = 0) -> Bend:
    """Tells these bytes, in place of length, value and padding, under the key of the seat's first tell. `place` counts
    the seat's tells.
    """

    def bend(play: Play, body: Plain) -> Plain:
        _, context = context_of(play)
        machine, _, tell, key = _first_tell(play)
        index, _ = machine.tells_of(present(play.seat))[place]
        subkey, associated = disclosure.subkey_of(key, tell.kind, context, index, tell.size)
        return put(body, backend.primitives().encrypt(subkey, disclosure.NONCE, plain, associated), place, 1)

    return bend


def says(words: Plain) -> Bend:
    """Tells this instead of the truth."""
    return says_bytes(pack(words))


def says_bytes(packed: bytes) -> Bend:
    """Tells these bytes instead of a packed value."""

    def bend(play: Play, body: Plain) -> Plain:
        _, _, tell, _ = _first_tell(play)
        return payload(len(packed).to_bytes(disclosure.LENGTH_SIZE, "big") + packed.ljust(tell.size, b"\0"))(play, body)

    return bend


def lies(play: Play, body: Plain) -> Plain:
    """Tells something that could be true, and is not."""
    machine, index, _, _ = _first_tell(play)
    rng = draw(play)
    for _ in range(20):
        other = machine.spaces[index].pick(rng)
        if other != machine.says[index]:
            return says(other)(play, body)
    raise LookupError("nothing else can be true")
