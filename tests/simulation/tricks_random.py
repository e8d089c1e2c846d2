"""Random tricks: whatever the outcome, nobody but the cheat is ever named."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from kimberley.games.table import Plain
from kimberley.protocol.closing import Closing
from kimberley.protocol.envelope import CLOSING, LEAVE, RESIGN, STAGE, Envelope
from tests.fuzz.target import mangled
from tests.simulation.cheating import ANY, Bent, Cheater, Trick
from tests.simulation.tricks_envelopes import Sent, after, again, sign


def any_body(peer: Cheater, body: Any) -> Bent:
    return mangled(body, peer.rng)


def any_body_at_the_end(peer: Cheater, closing: Closing, body: Any) -> Bent:
    return mangled(body, peer.rng)


def any_choice(peer: Cheater, choice: Plain) -> Plain:
    return mangled(choice, peer.rng)


def any_envelope(peer: Cheater, receiver: int, envelope: Envelope) -> Sent:
    """Sometimes sends an envelope with random fields instead of the right one, before it or after it."""
    made = peer.kept.setdefault("made", {})
    if envelope.number not in made:
        made[envelope.number] = _strange(peer, envelope) if peer.rng.random() < 0.1 else [envelope]
        if made[envelope.number] != [envelope]:
            peer.done.append(envelope.slot)
    return made[envelope.number]  # type: ignore[no-any-return]


def _strange(peer: Cheater, envelope: Envelope) -> Sent:
    rng = peer.rng
    heads = [bytes(32), envelope.head, *peer.heads.values()]
    fields: dict[str, Any] = {
        "number": max(0, envelope.number + rng.choice((-1, 1, 2, 40))),
        "previous": rng.choice(heads),
        "step": max(0, envelope.step + rng.choice((-1, 1, 2))),
        "stage": rng.randrange(4),
        "head": rng.choice(heads),
        "kind": rng.choice((STAGE, 1, RESIGN, CLOSING, LEAVE)),
        "body": mangled(envelope.body, rng),
    }
    chosen = dict(rng.sample(sorted(fields.items(), key=lambda item: item[0]), rng.randint(1, 3)))
    kind = chosen.get("kind", envelope.kind)
    if kind == RESIGN:
        chosen["body"] = None
    strange = again(peer, envelope, **chosen)
    following = after(
        peer, envelope, kind, strange.body, **{key: chosen[key] for key in chosen if key in ("step", "head")}
    )
    return rng.choice(([strange], [envelope, strange], [strange, envelope], [envelope, following]))


def any_wire(peer: Cheater, receiver: int, envelope: Envelope) -> Sent:
    """Sends different data to each seat: nothing, duplicates, another body, another signature, old envelopes."""
    rng = peer.rng
    if rng.random() < 0.9:
        return [envelope]
    peer.done.append(envelope.slot)
    old = [one for one in peer.transcript if one.seat == peer.seat]
    match rng.randrange(6):
        case 0:
            return []
        case 1:
            return [envelope, envelope]
        case 2:
            return [again(peer, envelope, body=mangled(envelope.body, rng))] if envelope.kind == STAGE else [envelope]
        case 3:
            return [replace(envelope, signature=rng.randbytes(64)), envelope]
        case 4:
            return [rng.choice(old), envelope] if old else [envelope]
    return [replace(envelope, head=bytes(32), signature=b"").signed(sign(peer))]


RANDOM: Final = (
    Trick("anything in a body", "M-GEN-2", ANY, body=any_body),
    Trick("anything at the end", "M-GEN-2", ANY, closing=any_body_at_the_end),
    Trick("any choice", "M-DEC-1", ANY, choose=any_choice),
    Trick("anything in an envelope", "M-ENV-1", ANY, wire=any_envelope),
    Trick("anything for anyone", "M-LNK-1", ANY, wire=any_wire),
)
