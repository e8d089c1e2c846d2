"""The worked exchange of SPEC.md, made from the code: a short game of two seats, from fixed secrets to its record.

    python -m tests.support.exchange            prints the exchange as it stands in docs/spec-exchange.md
    python -m tests.support.exchange --write    writes it there

Peers make what the seats sign. What SPEC.md derives by a formula is derived here by the same formula, and must equal
what the seats signed.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import sys
import textwrap
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final, cast

from kimberley.games.diamond_trust import GAME
from kimberley.games.table import Plain
from kimberley.protocol.asks.keys import PURPOSES
from kimberley.protocol.audit import verify
from kimberley.protocol.crypto import coin, disclosure, dleq, ranges, signatures
from kimberley.protocol.crypto.commitments import commit_choice, pedersen
from kimberley.protocol.crypto.hashing import Context, derive, derive_scalar, digest, message
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import CLOSING, RESIGN, STAGE, Envelope, first_head, next_head
from kimberley.protocol.events import Send
from kimberley.protocol.peer import Peer
from kimberley.protocol.roster import Roster, RosterSeat, SignedRoster, nonce_commitment, seed_hash
from tests.support.spec import BESIDE

BEGIN: Final = "<!-- exchange begins -->"
END: Final = "<!-- exchange ends -->"
WHOLE: Final = 480
"""Values of up to this many bytes are shown in full; of longer ones, the SHA-256 and the length."""
COLUMNS: Final = 110

g: Final = RISTRETTO
OWED: Final = (STAGE, CLOSING)
SEATS: Final = (0, 1)
NAMES: Final = ("ana", "ben")
SECRETS: Final = tuple(bytes([0x11 + 0x11 * seat]) * 32 for seat in SEATS)
SEEDS: Final = tuple(bytes([0x33 + 0x11 * seat]) * 32 for seat in SEATS)
NONCES: Final = tuple(bytes([0x55 + 0x11 * seat]) * 32 for seat in SEATS)

HOME: Final = (6, 0, 0)
PAY, PLAN, MOVE, SALE_PLAN, SALE, PAY_AGAIN, TOLD, LAST = 2, 3, 4, 5, 6, 7, 8, 9
CHOICES: Final[Mapping[int, tuple[Plain, Plain]]] = {
    PAY: ((2, 0, 1), (1, 0, 0)),
    PLAN: (((0, 1, 0), HOME, HOME), ((0, 0, 0), HOME, HOME)),
    MOVE: (((0, 1, 0), HOME, HOME), ((0, 0, 0), HOME, HOME)),
    SALE_PLAN: (1, 0),
    SALE: (1, 0),
    PAY_AGAIN: ((3, 0, 0), (0, 2, 0)),
}
"""By step, then by seat. In step 9, ana writes "well played" and ben resigns."""

Lines = list[tuple[str, str]]
Section = tuple[str, str, Lines]
"""The title, an introductory sentence, and the computed values by name."""


def shown(value: Plain) -> str:
    """Returns a value as the exchange writes it: bytes in hex, everything else as a plain value."""
    if isinstance(value, bytes):
        return value.hex() if len(value) <= WHOLE else f"sha256 {hashlib.sha256(value).hexdigest()}, {len(value)} bytes"
    if isinstance(value, tuple):
        return f"({', '.join(map(shown, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, str):
        return f'"{value}"'
    if value is None:
        return "nil"
    return str(value)


def sat_down() -> SignedRoster:
    """Returns the table of ana and ben."""
    places = tuple(
        RosterSeat(signatures.public(secret), name, nonce_commitment(nonce), seed_hash(seed))
        for secret, name, nonce, seed in zip(SECRETS, NAMES, NONCES, SEEDS, strict=True)
    )
    roster = Roster(GAME.id, GAME.revision, (("last_look", 0),), places)
    signed = tuple(roster.signature(partial(signatures.sign, secret)) for secret in SECRETS)
    table = SignedRoster(roster, signed, NONCES)
    table.check()
    return table


def played(table: SignedRoster) -> tuple[tuple[Peer, Peer], list[Envelope]]:
    """Returns both seats after the game, and its envelopes in the order of the transcript."""
    ana, ben = peers = tuple(
        Peer(GAME, table, seat, SEEDS[seat], partial(signatures.sign, SECRETS[seat])) for seat in SEATS
    )
    for peer in peers:
        peer.start()
    resigned = False
    while True:
        lines = [
            (other, event.envelope)
            for peer, other in ((ana, ben), (ben, ana))
            for event in peer.take()
            if isinstance(event, Send)
        ]
        for other, data in lines:
            other.receive(data)
        waiting = [peer for peer in peers if peer.asked is not None and peer.play.step in CHOICES]
        for peer in waiting:
            peer.choose(CHOICES[peer.play.step][cast(int, peer.seat)])
        if all(peer.play.step == LAST for peer in peers) and not resigned:
            resigned = True
            ben.resign()
            continue
        due = [peer for peer in peers if len(peer.shown) == len(SEATS) and not peer.verdicts]
        if lines or waiting:
            continue
        if all(peer.finished for peer in peers):
            assert ana.caught is ben.caught is None
            assert ana.record().pack() == ben.record().pack()
            return (ana, ben), ana.transcript
        for peer in due:
            peer.audit()


class Exchange:
    """Everything that SPEC.md shows of the game."""

    def __init__(self) -> None:
        self.table = sat_down()
        self.game = self.table.game_id
        self.peers, self.envelopes = played(self.table)
        self.heads = self._heads()

    def at(self, step: int, stage: int, seat: int, *kinds: int) -> Envelope:
        """Returns a seat's envelope in a stage: of the given kinds, or the one it owed."""
        slot = step, stage, seat
        return next(e for e in self.envelopes if (e.step, e.stage, e.seat) == slot and e.kind in (kinds or OWED))

    def body(self, step: int, stage: int, seat: int) -> tuple[Plain, ...]:
        body = self.at(step, stage, seat).body
        assert isinstance(body, tuple)
        return body

    def context(self, step: int, stage: int, seat: int) -> Context:
        return Context(self.game, step, stage, seat)

    def sections(self) -> list[Section]:
        return [
            self._seating(),
            self._keys(),
            self._roll(),
            self._pay(),
            self._plan(),
            self._move(),
            self._told(),
            self._resignation(),
            self._closing(),
        ]

    def _heads(self) -> dict[tuple[int, int], bytes]:
        """Returns the head before each stage. The one after the last stage is under the slot that would follow."""
        heads, head = dict[tuple[int, int], bytes](), first_head(self.game)
        stages = list(dict.fromkeys((e.step, e.stage) for e in self.envelopes if e.kind in OWED))
        rest = list(self.envelopes)
        for step, stage in stages:
            heads[step, stage] = head
            last = max(n for n, e in enumerate(rest) if (e.step, e.stage) == (step, stage) and e.kind in OWED)
            taken, rest = rest[: last + 1], rest[last + 1 :]
            assert all(e.head == head for e in taken if e.kind in OWED)
            head = next_head(head, step, stage, tuple(e.hash for e in taken))
        heads[stages[-1][0], stages[-1][1] + 1] = head
        assert head == self.peers[0].head
        return heads

    def _seating(self) -> Section:
        table, lines = self.table, Lines()
        for seat, place in enumerate(table.roster.seats):
            lines += [
                (f"seat {seat} identity secret", shown(SECRETS[seat])),
                (f"seat {seat} identity", shown(place.identity)),
                (f"seat {seat} seed", shown(SEEDS[seat])),
                (f"seat {seat} seed hash", shown(place.seed_hash)),
                (f"seat {seat} nonce", shown(NONCES[seat])),
                (f"seat {seat} nonce commitment", shown(place.nonce_commitment)),
            ]
        lines += [("message for the seed hash of seat 0", shown(message("seed", SEEDS[0])))]
        lines += [("roster", shown(table.roster.packed))]
        lines += [("signature prefix, purpose roster", shown(message("signature", "roster")))]
        lines += [(f"seat {seat} roster signature", shown(table.signatures[seat])) for seat in SEATS]
        lines += [
            ("game id", shown(self.game)),
            ("phrase digest", shown(digest("phrase", table.roster.packed, table.nonces))),
            ("words", " ".join(table.phrase)),
            ("head before step 0 stage 0", shown(first_head(self.game))),
        ]
        return "Seating", "Nicknames are `ana` and `ben`; the only option is `last_look`, 0; `begins` is nil.", lines

    def _envelope(self, envelope: Envelope, name: str) -> Lines:
        return [
            (f"{name} unsigned", shown(envelope.unsigned)),
            (f"{name} hash", shown(envelope.hash)),
            (f"{name} signature", shown(envelope.signature)),
        ]

    def _head(self, step: int, stage: int) -> Lines:
        return [(f"head before step {step} stage {stage}", shown(self.heads[step, stage]))]

    def _keys(self) -> Section:
        lines = Lines()
        for seat in SEATS:
            context = self.context(0, 0, seat)
            for purpose, announced in zip(PURPOSES, self.body(0, 0, seat), strict=True):
                public, proof = cast(tuple[bytes, bytes], announced)
                x = derive_scalar(g, SEEDS[seat], f"key {purpose}", context, 0)
                assert public == g.base(x)
                statement = g.encode_scalar(x), public, (), ()
                w = derive_scalar(g, SEEDS[seat], f"dleq key {purpose}", context, 0, *statement)
                assert g.decode_scalar(proof[32:]) == (w + g.decode_scalar(proof[:32]) * x) % g.order
                lines += [
                    (f"seat {seat} {purpose} secret", shown(g.encode_scalar(x))),
                    (f"seat {seat} {purpose} key", shown(public)),
                    (f"seat {seat} {purpose} proof nonce w", shown(g.encode_scalar(w))),
                    (f"seat {seat} {purpose} proof of possession", shown(proof)),
                ]
            lines += self._envelope(self.at(0, 0, seat), f"seat {seat} envelope")
        lines += [("seat 0 envelope as sent", shown(self.at(0, 0, 0).pack())), *self._head(1, 0)]
        intro = "Each body is ((key, proof of possession) for the coin, the bag and the mailbox)."
        return "Step 0, Keys", intro, lines

    def _roll(self) -> Section:
        point = coin.roll_point(g, self.context(1, 0, 0), 0)
        lines: Lines = [("point B", shown(point))]
        shares = []
        for seat in SEATS:
            (share,) = self.body(1, 0, seat)
            y = derive_scalar(g, SEEDS[seat], "key coin", self.context(0, 0, seat), 0)
            assert isinstance(share, bytes)
            assert share[:32] == g.mul(y, point)
            assert dleq.verify(
                g, self.context(1, 0, seat), "coin share", g.base(y), (point,), (share[:32],), share[32:]
            )
            shares.append(share[:32])
            lines += [(f"seat {seat} share and proof", shown(share))]
        material = coin.combine(g, shares)
        lines += [
            ("sum of the shares", shown(g.add(*shares))),
            ("material", shown(material)),
            ("first block of words", shown(hashlib.sha256(message("dice", material, 0)).digest())),
            ("rolled", shown(coin.dice(material, (6,)))),
            ("seat 1 envelope hash", shown(self.at(1, 0, 1).hash)),
            *self._head(2, 0),
        ]
        return "Step 1, Roll (6)", "The Inspector's first region. Each body is (share and proof,).", lines

    def _sealed(self, step: int, seat: int, slots: Sequence[str]) -> Lines:
        """Returns what a seat sealed into slots that were empty before, as SPEC.md derives it."""
        context = self.context(step, 0, seat)
        commitments, proofs, within = self.body(step, 0, seat)
        lines: Lines = [(f"seat {seat} choice", shown(CHOICES[step][seat]))]
        amounts = CHOICES[step][seat]
        assert isinstance(amounts, tuple)
        assert isinstance(commitments, tuple)
        assert isinstance(proofs, tuple)
        for index, (name, amount) in enumerate(zip(slots, amounts, strict=True)):
            assert isinstance(amount, int)
            r = derive_scalar(g, SEEDS[seat], "blinding", context, index, name, 8, amount)
            assert commitments[index] == pedersen(g, amount, r)
            assert proofs[index] == ranges.prove(g, SEEDS[seat], context, "amount", 8, amount, r, index)
            lines += [
                (f"seat {seat} {name} blinding", shown(g.encode_scalar(r))),
                (f"seat {seat} {name} commitment", shown(commitments[index])),
                (f"seat {seat} {name} range proof", shown(proofs[index])),
            ]
        packed = pack((commitments, proofs, within))
        return [*lines, (f"seat {seat} within proof", shown(within)), (f"seat {seat} body", shown(packed))]

    def _pay(self) -> Section:
        slots = [f"salary {agent}" for agent in range(3)]
        lines: Lines = [("H", shown(g.H))]
        for seat in SEATS:
            lines += self._sealed(PAY, seat, slots)
        first = self.body(PAY, 0, 0)[1]
        assert isinstance(first, tuple)
        assert isinstance(first[0], bytes)
        parts = [first[0][at : at + 32] for at in range(0, len(first[0]), 32)]
        lines += [
            ("seat 0 salary 0 range proof: C_1", shown(parts[0])),
            ("seat 0 salary 0 range proof: c", shown(parts[7])),
            ("seat 0 salary 0 range proof: c_0, z_0, z_1 of bit 0", shown(b"".join(parts[8:11]))),
            ("seat 0 envelope hash", shown(self.at(PAY, 0, 0).hash)),
            ("seat 1 envelope hash", shown(self.at(PAY, 0, 1).hash)),
            *self._head(PLAN, 0),
        ]
        return (
            "Step 2, Seal (pay)",
            "All agents are at home, so each seat has three salary slots; each limit is 18.",
            lines,
        )

    def _committed(self, step: int, seat: int) -> Lines:
        context = self.context(step, 0, seat)
        choice = CHOICES[step][seat]
        nonce = derive(SEEDS[seat], "choice nonce", context, 0, choice)
        (commitment,) = self.body(step, 0, seat)
        assert commitment == commit_choice(context, nonce, choice)
        return [
            (f"seat {seat} choice", shown(choice)),
            (f"seat {seat} choice packed", shown(pack(choice))),
            (f"seat {seat} nonce", shown(nonce)),
            (f"seat {seat} commitment", shown(commitment)),
        ]

    def _plan(self) -> Section:
        lines = [line for seat in SEATS for line in self._committed(PLAN, seat)]
        lines += self._envelope(self.at(PLAN, 0, 0), "seat 0 envelope")
        lines += [("seat 1 envelope hash", shown(self.at(PLAN, 0, 1).hash)), *self._head(MOVE, 0)]
        return "Step 3, Seal (plan)", "The space is not one of amounts, so each body is a hash commitment.", lines

    def _move(self) -> Section:
        lines = [line for seat in SEATS for line in self._committed(MOVE, seat)]
        lines += self._head(MOVE, 1)
        for seat in SEATS:
            nonce, choice, proof = self.body(MOVE, 1, seat)
            assert choice == CHOICES[MOVE][seat]
            lines += [
                (f"seat {seat} opening", shown((nonce, choice, proof))),
                (f"seat {seat} opening envelope hash", shown(self.at(MOVE, 1, seat).hash)),
            ]
        lines += self._head(SALE_PLAN, 0)
        return (
            "Step 4, Together (move)",
            "Stage 0 commits, stage 1 opens. Each limit is 18, `spent` holds 3 and 1, the costs are 3 and 2.",
            lines,
        )

    def _told(self) -> Section:
        owner, receiver, index = 1, 0, 1
        context = self.context(TOLD, 0, owner)
        salary = derive_scalar(g, SEEDS[1], "blinding", self.context(PAY, 0, 1), 0, "salary 0", 8, 1)
        bribe = derive_scalar(g, SEEDS[0], "blinding", self.context(PAY_AGAIN, 0, 0), 0, "bribe 0", 8, 3)
        S, R = pedersen(g, 1, salary), pedersen(g, 3, bribe)
        key = derive(SEEDS[owner], "tell key", context, index, R, S)
        offer, sealed = cast(tuple[bytes, bytes], self.body(TOLD, 0, owner)[0])
        label = f"tell {index}"
        a = derive_scalar(g, SEEDS[owner], f"disclosure exponent {label}", context, 0, 8, R, S, 1, key)
        assert offer[:32] == g.base(a)
        assert disclosure.accept(g, context, label, 8, R, S, 3, bribe, offer) == key
        bound = digest(f"disclosure {label}", g.name, *context.parts(), 8, R, S, offer[:32])
        shared = g.mul(bribe, offer[:32])
        mask = hashlib.sha256(b"kimberley/1 pad" + bound + (3).to_bytes(4, "big") + shared).digest()
        payload = disclosure.open_payload(key, "pay", context, index, sealed, 12)
        associated = message("payload pay", *context.parts(), index, 12)
        said: Plain = (1, (None, None, None), None)
        assert payload == pack(said)
        other = disclosure.accept(g, self.context(TOLD, 0, 0), "tell 0", 8, *self._other(), self._told_offer(0))
        assert other is not None
        lines: Lines = [
            ("R, bribes of seat 0 on agent 0 of seat 1 (3)", shown(R)),
            ("r, its blinding", shown(g.encode_scalar(bribe))),
            ("S, salary of agent 0 of seat 1 (1)", shown(S)),
            ("tell 1 key", shown(key)),
            ("tell 1 exponent a", shown(g.encode_scalar(a))),
            ("tell 1 A", shown(offer[:32])),
            ("tell 1 bound", shown(bound)),
            ("tell 1 mask K(3)", shown(mask)),
            ("tell 1 pad(3)", shown(offer[32 + 96 : 32 + 128])),
            ("tell 1 pads (A and all)", shown(offer)),
            ("tell 1 says", shown(said)),
            ("tell 1 says, packed", shown(pack(said))),
            ("tell 1 associated data", shown(associated)),
            ("tell 1 subkey", shown(hmac.digest(key, associated, "sha256"))),
            ("tell 1 sealed payload", shown(sealed)),
            ("tell 0 sealed payload", shown(cast(tuple[bytes, bytes], self.body(TOLD, 0, receiver)[0])[1])),
            ("tell 0 candidate of seat 1, which opens nothing", shown(other)),
            ("seat 0 envelope hash", shown(self.at(TOLD, 0, 0).hash)),
            ("seat 1 envelope hash", shown(self.at(TOLD, 0, 1).hash)),
            ("head before step 9 stage 0, and before CLOSE", shown(self.heads[self.envelopes[-1].step, 0])),
        ]
        return (
            "Step 8, Disclose (pay)",
            "Steps 5 to 7: both plan and make sales of 1 and 0. In the second round agent 0 of both stands in Uige: ana"
            " pays ben's a bribe of 3, ben pays nothing there and a salary of 2 to his agent 1. Tell 0 is of ana's"
            " agent 0, tell 1 of ben's, now a double agent: 3 > 1.",
            lines,
        )

    def _told_offer(self, seat: int) -> bytes:
        return cast(tuple[bytes, bytes], self.body(TOLD, 0, seat)[0])[0]

    def _other(self) -> tuple[bytes, bytes, int, int]:
        """Returns R, S, b and r of tell 0: ben sealed 0 on ana's agent 0, who had 2."""
        paid = derive_scalar(g, SEEDS[1], "blinding", self.context(PAY_AGAIN, 0, 1), 0, "bribe 0", 8, 0)
        salary = derive_scalar(g, SEEDS[0], "blinding", self.context(PAY, 0, 0), 0, "salary 0", 8, 2)
        return pedersen(g, 0, paid), pedersen(g, 2, salary), 0, paid

    def _resignation(self) -> Section:
        lines = self._envelope(self.at(LAST, 0, 1, RESIGN), "seat 1 resignation")
        return "Step 9, a resignation", "Nobody has planned yet: ben resigns.", lines

    def _closing(self) -> Section:
        step = self.envelopes[-1].step
        record = self.peers[0].record().pack()
        verdict = verify(record, lambda _: GAME)
        lines: Lines = [
            ("closing step", str(step)),
            ("body of CLOSE", shown(self.body(step, 0, 0))),
            *self._envelope(self.at(step, 0, 0), "seat 0 CLOSE"),
            *self._head(step, 1),
            ("seat 0 body of SHOW", shown(self.body(step, 1, 0))),
            ("seat 1 body of SHOW", shown(self.body(step, 1, 1))),
            *self._head(step, 2),
            ("body of VERDICT", shown(self.body(step, 2, 0))),
            *self._head(step, 3),
            ("envelopes", str(len(self.envelopes))),
            ("record", shown(record)),
            ("verdict", verdict.code),
        ]
        return "Closing and record", "Ben has resigned, so ana is first; the scores are the vaults.", lines


def block(lines: Lines) -> str:
    """Returns the name and value on one line if they fit, else the value below, indented and broken at spaces."""
    out = []
    for name, value in lines:
        assert " = " not in name
        if len(name) + 3 + len(value) <= COLUMNS:
            out.append(f"{name} = {value}")
        else:
            out += [name, *(f"    {line}" for line in textwrap.wrap(value, COLUMNS - 14))]
    return "\n".join(out)


def render() -> str:
    """Returns the exchange as it stands in docs/spec-exchange.md."""
    parts = [
        f"## 28.{number} {title}\n\n{intro}\n\n```exchange\n{block(lines)}\n```\n"
        for number, (title, intro, lines) in enumerate(Exchange().sections(), 1)
    ]
    return "\n".join(parts)


def parse(text: str) -> list[Lines]:
    """Returns the marked blocks of a text, each a list of names with their values."""
    blocks = []
    for block in re.findall(r"^```exchange\n(.*?)\n```$", text, re.DOTALL | re.MULTILINE):
        lines = Lines()
        for line in block.splitlines():
            if line.startswith("    "):
                name, value = lines.pop()
                joint = " " if value.endswith(",") else ""
                lines.append((name, value + joint + line[4:]))
            elif " = " in line:
                name, _, value = line.partition(" = ")
                lines.append((name, value))
            else:
                lines.append((line, ""))
        blocks.append(lines)
    return blocks


def main() -> None:
    if "--write" not in sys.argv[1:]:
        sys.stdout.write(render())
        return
    page = BESIDE["28"]
    text = page.read_text("utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    page.write_text(f"{before}{BEGIN}\n\n{render()}\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
