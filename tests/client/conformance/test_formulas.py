"""The suite's own formulas give what the shipped vectors say, and refuse what these say is to be refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

import kimberley.client.conformance
from kimberley.client.conformance.asks.roll import roll_dice
from kimberley.client.conformance.crypto import bags, escrow, group, proofs
from kimberley.client.conformance.crypto.hashing import Context, Identity, Secrets, challenge, digest, message, wide
from kimberley.client.conformance.documents.envelope import first_head, next_head
from kimberley.client.conformance.documents.record import all_bytes, attest
from kimberley.client.conformance.documents.roster import Roster, SignedRoster
from kimberley.client.conformance.encoding.codec import Malformed, pack, unpack
from kimberley.client.conformance.encoding.plain import from_json, to_json

FOLDER: Final = Path(kimberley.client.conformance.__file__).parent / "vectors"


def data(spelled: str) -> bytes:
    return bytes.fromhex(spelled)


def scalar(spelled: str) -> int:
    return int.from_bytes(data(spelled), "little")


def context(given: dict[str, Any]) -> Context:
    named = given["context"]
    return data(named["game"]), named["step"], named["stage"], named["seat"]


def secrets(given: dict[str, Any]) -> Secrets:
    game, _, _, seat = context(given)
    return Secrets(game, seat, data(given["seed"]))


def pairs(spelled: str) -> list[bags.MaskedPair]:
    points = group.cut(data(spelled))
    return list(zip(points[::2], points[1::2], strict=True))


def parts(given: dict[str, Any]) -> tuple[Any, ...]:
    plain = from_json(given["parts"])
    assert isinstance(plain, tuple)
    return plain


def accepted(yes: bool) -> Any:
    return {} if yes else None


def decode(g: dict[str, Any]) -> Any:
    try:
        return {"value": to_json(unpack(data(g["packed"])))}
    except Malformed:
        return None


def hashes(g: dict[str, Any]) -> Any:
    label, more = g["label"], parts(g)
    return {
        "message": message(label, *more).hex(),
        "digest": digest(label, *more).hex(),
        "wide": wide(label, *more).hex(),
    }


def derived(g: dict[str, Any]) -> Any:
    who, where, statement = secrets(g), (g["label"], context(g), g["index"]), parts(g)
    return {
        "derived": who.derive(*where, *statement).hex(),
        "stream": who.stream(*where, g["size"], *statement).hex(),
        "scalars": [group.scalar_bytes(one).hex() for one in who.scalars(*where, g["count"], *statement)],
    }


def element(read: Callable[[bytes], object]) -> Callable[[dict[str, Any]], Any]:
    def function(g: dict[str, Any]) -> Any:
        try:
            read(data(g["data"]))
        except group.BadElement:
            return None
        return {}

    return function


def sign(g: dict[str, Any]) -> Any:
    identity = Identity(data(g["secret"]))
    return {"public": identity.public.hex(), "signature": identity.sign(g["purpose"], data(g["message"])).hex()}


def commit_to_choice(g: dict[str, Any]) -> Any:
    where, choice = context(g), from_json(g["choice"])
    nonce = secrets(g).derive("choice nonce", (where[0], where[1], 0, where[3]), 0, choice)
    return {"nonce": nonce.hex(), "commitment": digest("choice", where[0], where[1], where[3], nonce, choice).hex()}


def prove_range(g: dict[str, Any]) -> Any:
    if not 0 <= g["value"] < 1 << g["bits"]:
        return None
    blinding = scalar(g["blinding"])
    proof = proofs.prove_range(secrets(g), g["name"], context(g), g["index"], g["bits"], g["value"], blinding)
    return {"commitment": group.pedersen(g["value"], blinding).hex(), "proof": proof.hex()}


def make_key(g: dict[str, Any]) -> Any:
    where, who = context(g), secrets(g)
    x = who.scalar(f"key {g['purpose']}", where, 0)
    proof = proofs.prove_dleq(who, f"key {g['purpose']}", where, 0, x, ())
    return {"secret": group.scalar_bytes(x).hex(), "public": group.base(x).hex(), "proof": proof.hex()}


def share_roll(g: dict[str, Any]) -> Any:
    where, y = context(g), scalar(g["secret"])
    point = group.hash_to_group(message("coin point", where[0], where[1], 0))
    share = group.mul(y, point) + proofs.prove_dleq(secrets(g), "coin share", where, 0, y, (point,))
    return {"point": point.hex(), "share": share.hex()}


def verify_roll_share(g: dict[str, Any]) -> Any:
    where, share = context(g), data(g["share"])
    point = group.hash_to_group(message("coin point", where[0], where[1], 0))
    fits = len(share) == 96
    return accepted(
        fits and proofs.check_dleq("coin share", where, data(g["public"]), (point,), (share[:32],), share[32:])
    )


def rows(spelled: Any) -> Any:
    """An array of plain values."""
    return from_json(spelled)


def roll(g: dict[str, Any]) -> Any:
    return {"rolled": to_json(roll_dice(list(map(data, g["points"])), rows(g["sides"])))}


def known_items(g: dict[str, Any]) -> Any:
    joint = group.total(map(data, g["publics"]))
    items = [bags.known_item(joint, row) for row in rows(g["values"])]
    return {"joint": joint.hex(), "items": bags.join_items(items).hex()}


def make_shuffle(g: dict[str, Any]) -> Any:
    items = bags.split_items(data(g["items"]), g["parts"])
    moved, proof = bags.shuffle(secrets(g), context(g), g["bag"], data(g["joint"]), items)
    return {"shuffled": moved.hex(), "proof": proof.hex()}


def verify_shuffle(g: dict[str, Any]) -> Any:
    items = bags.split_items(data(g["items"]), g["parts"])
    given = context(g), g["bag"], data(g["joint"]), items, data(g["shuffled"]), data(g["proof"])
    return accepted(bags.check_shuffle(*given) is not None)


def read_mail(g: dict[str, Any]) -> Any:
    mailed = bags.check_mail(context(g), data(g["public"]), data(g["mailbox"]), pairs(g["pairs"]), data(g["mail"]))
    if mailed is None:
        return None
    return {"points": [point.hex() for point in bags.read_mail(scalar(g["mailbox_secret"]), mailed)]}


def leave_behind(g: dict[str, Any]) -> Any:
    keys = [(seat, data(public)) for seat, public in g["publics"]]
    return {"left": escrow.leave_behind(secrets(g), context(g), keys, data(g["secret"])).hex()}


def open_together(g: dict[str, Any]) -> Any:
    keys, left = {seat: scalar(x) for seat, x in g["secrets"]}, data(g["left"])
    opened = escrow.open_together(context(g), keys, left) if escrow.well_formed(len(keys), left) else None
    return None if opened is None else {"secret": opened.hex()}


def seat_table(g: dict[str, Any]) -> Any:
    packed = data(g["roster"])
    try:
        signed = SignedRoster(
            Roster.read(packed), packed, all_bytes(tuple(map(data, g["signatures"]))), tuple(map(data, g["nonces"]))
        )
    except ValueError:
        return None
    return {"game": signed.game_id.hex(), "words": " ".join(signed.words)} if signed.holds else None


def heads(g: dict[str, Any]) -> Any:
    found = [first_head(data(g["game"]))]
    for step, stage, hashed in rows(g["stages"]):
        found.append(next_head(found[-1], (step, stage), hashed))
    return {"heads": [head.hex() for head in found]}


def attested(g: dict[str, Any]) -> Any:
    identity, slot = Identity(data(g["secret"])), (g["step"], g["stage"])
    return {"attestation": to_json(attest(identity, data(g["game"]), slot, data(g["head"]), tuple(g["absent"])))}


FUNCTIONS: Final[dict[str, Callable[[dict[str, Any]], Any]]] = {
    "encode": lambda g: {"packed": pack(from_json(g["value"])).hex()},
    "decode": decode,
    "hashes": hashes,
    "challenged": lambda g: {"challenge": group.scalar_bytes(challenge(g["label"], context(g), *parts(g))).hex()},
    "derived": derived,
    "hash_to_group": lambda g: {"point": group.hash_to_group(data(g["data"])).hex()},
    "point_from_wire": element(group.read_point),
    "scalar_from_wire": element(group.read_scalar),
    "sign": sign,
    "commit_amount": lambda g: {"commitment": group.pedersen(g["value"], scalar(g["blinding"])).hex()},
    "commit_to_choice": commit_to_choice,
    "prove_range": prove_range,
    "verify_range": lambda g: accepted(
        proofs.check_range(g["name"], context(g), g["bits"], data(g["commitment"]), data(g["proof"]))
    ),
    "make_key": make_key,
    "share_roll": share_roll,
    "verify_roll_share": verify_roll_share,
    "roll": roll,
    "known_items": known_items,
    "make_shuffle": make_shuffle,
    "verify_shuffle": verify_shuffle,
    "share_to_all": lambda g: {
        "shares": bags.share_to_all(secrets(g), context(g), scalar(g["secret"]), pairs(g["pairs"])).hex()
    },
    "verify_shares": lambda g: accepted(
        bags.check_shares(context(g), data(g["public"]), pairs(g["pairs"]), data(g["shares"]))
    ),
    "mail_shares": lambda g: {
        "mail": bags.mail(secrets(g), context(g), scalar(g["secret"]), data(g["mailbox"]), pairs(g["pairs"])).hex()
    },
    "read_mail": read_mail,
    "leave_behind": leave_behind,
    "open_together": open_together,
    "seat_table": seat_table,
    "heads": heads,
    "attest": attested,
}


def vectors() -> list[tuple[str, dict[str, Any]]]:
    books = [json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json")) if path.stem != "schema"]
    named = [(test["id"], test) for book in books for test in book["tests"] if test["function"] in FUNCTIONS]
    return [(f"{test['function']} {name}", test) for name, test in named]


@pytest.mark.parametrize("test", [test for _, test in vectors()], ids=[name for name, _ in vectors()])
def test_the_suite_agrees_with_the_vectors(test: dict[str, Any]) -> None:
    found = FUNCTIONS[test["function"]](test["given"])
    if found is None or test["gives"] is None:
        assert found == test["gives"]
    else:
        assert found == {name: test["gives"][name] for name in found}


def test_there_are_vectors_of_every_construction() -> None:
    assert {test["function"] for _, test in vectors()} == set(FUNCTIONS)
