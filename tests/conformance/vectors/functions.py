"""What the vectors of conformance/ call: each construction of SPEC.md as a function of named values.

Those of whole tables are in `tests.conformance.vectors.table_functions`.

A function takes a group and what is given, by name, and gives values by name, or None where SPEC.md says to refuse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from kimberley.games.table import Plain
from kimberley.protocol.crypto import coin, disclosure, elgamal, escrow, ranges, shares, shuffle, signatures
from kimberley.protocol.crypto.commitments import commit_choice, pedersen
from kimberley.protocol.crypto.elgamal import SeatKey
from kimberley.protocol.crypto.group import BadPoint, BadScalar, Group
from kimberley.protocol.crypto.hashing import (
    challenge,
    derive,
    derive_scalars,
    derive_stream,
    digest,
    message,
    wide,
)
from kimberley.protocol.encoding import Malformed, pack, unpack

Values = Mapping[str, Any]
Stage = tuple[int, int, Mapping[int, Plain], Mapping[int, Plain]]
"""Step, stage, the bodies by seat, and by seat those of leaves."""
Given = dict[str, Any] | None
Run = Callable[[Group, Values], Given]


@dataclass(frozen=True)
class Played:
    """What a file has once for many tests: a table, and all its stages."""

    table: Plain
    stages: tuple[Stage, ...]


@dataclass(frozen=True)
class Past:
    """The stages of what was played under the name `of`: those before a slot, or all. (step, stage, seat, body) in
    `instead` replace the bodies there; None removes one.
    """

    of: str
    before: tuple[int, int] | None = None
    instead: tuple[tuple[int, int, int, Plain], ...] = ()

    def within(self, shared: Mapping[str, Played]) -> Played:
        """Returns the table with just these stages."""
        played = shared[self.of]
        others = {(step, stage, seat): body for step, stage, seat, body in self.instead}

        def bent(step: int, stage: int, bodies: Mapping[int, Plain]) -> dict[int, Plain]:
            bent = {seat: others.get((step, stage, seat), body) for seat, body in bodies.items()}
            return {seat: body for seat, body in bent.items() if body is not None}

        stages = tuple(
            (step, stage, bent(step, stage, bodies), bent(step, stage, left))
            for step, stage, bodies, left in played.stages
            if self.before is None or (step, stage) < self.before
        )
        return Played(played.table, stages)


@dataclass(frozen=True)
class Function:
    """`takes` and `gives` name values with the kind of each (see `tests.conformance.vectors.book`)."""

    takes: Mapping[str, str]
    gives: Mapping[str, str]
    run: Run


FUNCTIONS: Final[dict[str, Function]] = {}


def function(takes: str, gives: str) -> Callable[[Run], Run]:
    """Registers a function; "name:kind name:kind" is its signature."""

    def register(run: Run) -> Run:
        kinds = [dict(one.split(":") for one in side.split()) for side in (takes, gives)]
        FUNCTIONS[run.__name__] = Function(kinds[0], kinds[1], run)
        return run

    return register


# -- encoding and hashing ----------------------------------------------------------------------------------------------


@function("value:plain", "packed:bytes")
def encode(g: Group, v: Values) -> Given:
    return {"packed": pack(v["value"])}


@function("packed:bytes", "value:plain")
def decode(g: Group, v: Values) -> Given:
    try:
        return {"value": unpack(v["packed"])}
    except Malformed:
        return None


@function("label:text parts:plain", "message:bytes digest:bytes wide:bytes")
def hashes(g: Group, v: Values) -> Given:
    label, parts = v["label"], v["parts"]
    return {"message": message(label, *parts), "digest": digest(label, *parts), "wide": wide(label, *parts)}


@function("label:text context:context parts:plain", "challenge:scalar")
def challenged(g: Group, v: Values) -> Given:
    return {"challenge": challenge(g, v["label"], v["context"], *v["parts"])}


@function(
    "seed:bytes label:text context:context index:integer parts:plain size:integer count:integer",
    "derived:bytes stream:bytes scalars:scalars",
)
def derived(g: Group, v: Values) -> Given:
    seed, label, context, index, parts = v["seed"], v["label"], v["context"], v["index"], v["parts"]
    return {
        "derived": derive(seed, label, context, index, *parts),
        "stream": derive_stream(seed, label, context, index, v["size"], *parts),
        "scalars": derive_scalars(g, seed, label, context, index, v["count"], *parts),
    }


# -- points, scalars, signatures ---------------------------------------------------------------------------------------


@function("data:bytes", "point:bytes")
def hash_to_group(g: Group, v: Values) -> Given:
    return {"point": g.hash_to_group(v["data"])}


@function("data:bytes", "")
def point_from_wire(g: Group, v: Values) -> Given:
    try:
        g.decode_point(v["data"])
    except BadPoint:
        return None
    return {}


@function("data:bytes", "")
def scalar_from_wire(g: Group, v: Values) -> Given:
    try:
        g.decode_scalar(v["data"])
    except BadScalar:
        return None
    return {}


@function("secret:bytes purpose:text message:bytes", "public:bytes signature:bytes")
def sign(g: Group, v: Values) -> Given:
    public = signatures.public(v["secret"])
    return {"public": public, "signature": signatures.sign(v["secret"], v["purpose"], v["message"])}


@function("public:bytes purpose:text message:bytes signature:bytes", "")
def verify_signature(g: Group, v: Values) -> Given:
    return {} if signatures.verify(v["public"], v["purpose"], v["message"], v["signature"]) else None


# -- commitments, ranges, disclosures ----------------------------------------------------------------------------------


@function("value:integer blinding:scalar", "commitment:bytes")
def commit_amount(g: Group, v: Values) -> Given:
    return {"commitment": pedersen(g, v["value"], v["blinding"])}


@function("seed:bytes context:context choice:plain", "nonce:bytes commitment:bytes")
def commit_to_choice(g: Group, v: Values) -> Given:
    nonce = derive(v["seed"], "choice nonce", v["context"], 0, v["choice"])
    return {"nonce": nonce, "commitment": commit_choice(v["context"], nonce, v["choice"])}


@function("context:context nonce:bytes choice:plain commitment:bytes", "")
def open_choice(g: Group, v: Values) -> Given:
    fits = commit_choice(v["context"], v["nonce"], v["choice"]) == v["commitment"] and len(v["nonce"]) == 32
    return {} if fits else None


@function(
    "seed:bytes context:context name:text bits:integer value:integer blinding:scalar index:integer",
    "commitment:bytes proof:bytes",
)
def prove_range(g: Group, v: Values) -> Given:
    value, blinding = v["value"], v["blinding"]
    proof = ranges.prove(g, v["seed"], v["context"], v["name"], v["bits"], value, blinding, v["index"])
    return {"commitment": pedersen(g, value, blinding), "proof": proof}


@function("context:context name:text bits:integer commitment:bytes proof:bytes", "")
def verify_range(g: Group, v: Values) -> Given:
    return {} if ranges.verify(g, v["context"], v["name"], v["bits"], v["commitment"], v["proof"]) else None


@function(
    "seed:bytes context:context label:text bits:integer more:bytes than:bytes total:integer key:bytes", "offer:bytes"
)
def make_offer(g: Group, v: Values) -> Given:
    more, than, total, key = v["more"], v["than"], v["total"], v["key"]
    return {"offer": disclosure.offer(g, v["seed"], v["context"], v["label"], v["bits"], more, than, total, key)}


@function(
    "context:context label:text bits:integer more:bytes than:bytes total:integer blinding:scalar offer:bytes",
    "candidate:bytes",
)
def take_offer(g: Group, v: Values) -> Given:
    if not disclosure.well_formed(g, v["bits"], v["offer"]):
        return None
    pair = v["more"], v["than"], v["total"], v["blinding"]
    candidate = disclosure.accept(g, v["context"], v["label"], v["bits"], *pair, v["offer"])
    return {"candidate": candidate} if candidate is not None else None


@function("key:bytes kind:text context:context index:integer payload:bytes size:integer", "sealed:bytes")
def seal_payload(g: Group, v: Values) -> Given:
    sealed = disclosure.seal_payload(v["key"], v["kind"], v["context"], v["index"], v["payload"], v["size"])
    return {"sealed": sealed}


@function("key:bytes kind:text context:context index:integer sealed:bytes size:integer", "payload:bytes")
def open_payload(g: Group, v: Values) -> Given:
    payload = disclosure.open_payload(v["key"], v["kind"], v["context"], v["index"], v["sealed"], v["size"])
    return {"payload": payload} if payload is not None else None


# -- keys and rolls ----------------------------------------------------------------------------------------------------


@function("seed:bytes context:context purpose:text", "secret:scalar public:bytes proof:bytes")
def make_key(g: Group, v: Values) -> Given:
    key = SeatKey.derive(g, v["seed"], v["context"], v["purpose"])
    return {"secret": key.secret, "public": key.public, "proof": key.proof}


@function("context:context purpose:text public:bytes proof:bytes", "")
def verify_key(g: Group, v: Values) -> Given:
    return {} if coin.verify_key(g, v["context"], v["purpose"], v["public"], v["proof"]) else None


@function("public:bytes secret:bytes", "")
def publish_key(g: Group, v: Values) -> Given:
    return {} if elgamal.published_key(g, v["public"], v["secret"]) is not None else None


@function("seed:bytes context:context secret:scalar", "point:bytes share:bytes")
def share_roll(g: Group, v: Values) -> Given:
    made = coin.share(g, v["seed"], v["context"], v["secret"], 0)
    return {"point": coin.roll_point(g, v["context"], 0), "share": made}


@function("context:context public:bytes share:bytes", "")
def verify_roll_share(g: Group, v: Values) -> Given:
    return {} if coin.verify_share(g, v["context"], v["public"], 0, v["share"]) is not None else None


@function("points:list sides:plain", "material:bytes rolled:plain")
def roll(g: Group, v: Values) -> Given:
    material = coin.combine(g, v["points"])
    return {"material": material, "rolled": coin.dice(material, v["sides"])}


# -- bags --------------------------------------------------------------------------------------------------------------


@function("publics:list values:plain", "joint:bytes items:bytes")
def known_items(g: Group, v: Values) -> Given:
    joint = elgamal.joint_key(g, v["publics"])
    items = [elgamal.known_item(g, joint, values) for values in v["values"]]
    return {"joint": joint, "items": elgamal.encode_items(items)}


@function(
    "seed:bytes context:context bag:text joint:bytes count:integer parts:integer items:bytes",
    "order:plain masks:scalars shuffled:bytes proof:bytes",
)
def make_shuffle(g: Group, v: Values) -> Given:
    items = elgamal.decode_items(g, v["items"], v["count"], v["parts"])
    where = v["seed"], v["context"], v["bag"], v["joint"]
    made = shuffle.shuffle(g, *where, items)
    return {
        "order": made.order,
        "masks": [mask for row in made.masks for mask in row],
        "shuffled": elgamal.encode_items(made.items),
        "proof": shuffle.prove(g, *where, items, made),
    }


@function("context:context bag:text joint:bytes count:integer parts:integer items:bytes shuffled:bytes proof:bytes", "")
def verify_shuffle(g: Group, v: Values) -> Given:
    items = elgamal.decode_items(g, v["items"], v["count"], v["parts"])
    taken = shuffle.verify(g, v["context"], v["bag"], v["joint"], items, v["shuffled"], v["proof"])
    return {} if taken is not None else None


def _pairs(g: Group, data: bytes) -> list[elgamal.Pair]:
    return [item[0] for item in elgamal.decode_items(g, data, len(data) // elgamal.PAIR_SIZE, 1)]


@function("seed:bytes context:context secret:scalar pairs:bytes", "shares:bytes")
def share_to_all(g: Group, v: Values) -> Given:
    return {"shares": shares.share(g, v["seed"], v["context"], v["secret"], _pairs(g, v["pairs"]))}


@function("context:context public:bytes pairs:bytes shares:bytes", "")
def verify_shares(g: Group, v: Values) -> Given:
    taken = shares.verify_share(g, v["context"], v["public"], _pairs(g, v["pairs"]), v["shares"])
    return {} if taken is not None else None


@function("seed:bytes context:context secret:scalar mailbox:bytes pairs:bytes", "mail:bytes")
def mail_shares(g: Group, v: Values) -> Given:
    pairs = _pairs(g, v["pairs"])
    return {"mail": shares.mail(g, v["seed"], v["context"], v["secret"], v["mailbox"], pairs)}


@function("context:context public:bytes mailbox:bytes mailbox_secret:scalar pairs:bytes mail:bytes", "points:list")
def read_mail(g: Group, v: Values) -> Given:
    taken = shares.verify_mail(g, v["context"], v["public"], v["mailbox"], _pairs(g, v["pairs"]), v["mail"])
    return {"points": list(shares.read_mail(g, v["mailbox_secret"], taken))} if taken is not None else None


@function("pair:bytes shares:list part:integer values:plain", "value:plain")
def unmask(g: Group, v: Values) -> Given:
    point = elgamal.plaintext(g, _pairs(g, v["pair"])[0], v["shares"])
    return {"value": elgamal.value_table(g, v["part"], v["values"])[point]}


@function("seed:bytes context:context publics:seats secret:bytes", "left:bytes")
def leave_behind(g: Group, v: Values) -> Given:
    return {"left": escrow.leave_behind(g, v["seed"], v["context"], dict(v["publics"]), v["secret"])}


@function("context:context secrets:keys left:bytes", "secret:bytes")
def open_together(g: Group, v: Values) -> Given:
    secret = escrow.open_together(g, v["context"], dict(v["secrets"]), v["left"])
    return {"secret": secret} if secret is not None else None
