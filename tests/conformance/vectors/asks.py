"""Vectors of asks: the body that a seat owes, those that everybody refuses, and what each seat learns."""

from __future__ import annotations

from typing import Any, Final

from kimberley.conformance.forging import OTHER, commits_to, gives, says
from kimberley.games.table import Plain
from kimberley.protocol.crypto import ranges
from kimberley.protocol.crypto.hashing import Context, derive
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.encoding import pack
from tests.conformance.vectors.book import Book
from tests.conformance.vectors.functions import Past
from tests.conformance.vectors.seats import beyond
from tests.conformance.vectors.values import flipped
from tests.support.rehearsal import SALT, Rehearsal
from tests.support.tables import seed

g: Final = RISTRETTO
IDENTITY: Final = bytes(32)
SPENT: Final = "spent"
DECK: Final = (("heart", 1), ("spade", 2), ("spade", 1))
PICKING: Final = (
    ("decide", 0, 9),
    ("together", (0, 1), 9),
    ("seal", (0, 1), 9),
    ("again", (0, 1), 9),
    ("roll", (6, 2**63)),
)
PICKED: Final = ((1, 2, 3, 3), (4, 5, 5))
DECIDE, TOGETHER, SEAL, AGAIN, ROLL = 1, 2, 3, 4, 5
TELLS: Final = ((0, 1, "a", "b"), (1, 0, "a", "b"))
PAYING: Final = (
    ("amounts", (0, 1), ("a", "b"), 3, 7),
    ("disclose", TELLS, 3),
    ("amounts", (0,), ("a",), 3, 7),
    ("disclose", TELLS, 3),
    ("within", (0, 1), 3, 7),
    ("open", ((0, SPENT), (1, SPENT), (1, "a")), 3),
)
PAID: Final = (((2, 1), (1,), 3), ((2, 4), 0))
AMOUNTS, TOLD, MORE, AGAIN_TOLD, WITHIN, OPEN = 1, 2, 3, 4, 5, 6
DEALING: Final = (
    ("shuffle", "deck", DECK),
    ("show", (2, 0), ((0, None), (1, 1), (1, 0))),
    ("show", (1,), ((0, 2),)),
    ("shuffle", "rest", (1, 2, ("club", 3))),
    ("show", (4,), ((0, None), (1, None))),
)
SHUFFLE, SHOW, ALONE, AFRESH, LAST = 1, 2, 3, 4, 5
PARTING: Final = (("shuffle", "deck", DECK), ("roll", (6,)), ("show", (0, 1), ((0, None), (1, 0))), ("decide", 0, 9))
PART: Final = 2
PAIRED: Final = (("amounts", (0, 1), ("a", "b"), 3, 7), ("disclose", ((0, 1, "a", "b"), (0, 1, "a", "b")), 3))
TWICE: Final = 2
GUILT: Final = "Its seat is guilty: sign nothing more, keep what proves it."


def changed(body: Any, at: int, value: Plain) -> tuple[Plain, ...]:
    """Returns the body with another entry."""
    return (*body[:at], value, *body[at + 1 :])


class Asks:
    """Fills the book."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.picking = self._played("choices", Rehearsal(2, PICKING, PICKED))
        self.paying = self._played("amounts", Rehearsal(2, PAYING, PAID))
        self.dealing = self._played("items", Rehearsal(3, DEALING))
        self.paired = self._played("pairs", Rehearsal(2, PAIRED, (((2, 1),), ((2, 4),))))
        self.parting = self._played("leaving", Rehearsal(3, PARTING, ((7,), (), ()), {PART: (2,)}))

    def _played(self, name: str, played: Rehearsal) -> Rehearsal:
        self.book.shared[name] = played.played
        return played

    def past(self, played: Rehearsal, slot: tuple[int, int]) -> Past:
        """Returns the stages before a slot."""
        scripts = {"choices": self.picking, "amounts": self.paying, "items": self.dealing, "pairs": self.paired}
        for name, honest in scripts.items():
            if played.table == honest.table:
                instead = tuple(other for other in played.instead_of(honest) if other[:2] < slot)
                return Past(name, slot, instead)
        return Past("leaving", slot)

    def given(self, played: Rehearsal, slot: tuple[int, int], seat: int | None) -> dict[str, Any]:
        """Returns what `give` and `learn` are given."""
        past = {"past": self.past(played, slot)}
        if seat is None:
            return {**past, "seat": None, "seed": b"", "choices": ()}
        return {**past, "seat": seat, "seed": seed(seat, SALT), "choices": tuple(played.plays[seat].choices)}

    def give(self, played: Rehearsal, comment: str, step: int, stage: int, *seats: int) -> None:
        """Adds what seats owe, and that everybody takes it."""
        for seat in seats:
            due = self.book.add("give", comment, self.given(played, (step, stage), seat))["body"]
            assert due == pack(played.body(step, stage, seat))
            self.book.add("accept", comment, {"past": self.past(played, (step, stage)), "seat": seat, "body": due})

    def learn(self, played: Rehearsal, comment: str, step: int, *seats: int | None) -> None:
        """Adds what seats know of the answer to the ask of a step."""
        for seat in seats:
            self.book.add("learn", comment, self.given(played, (step + 1, 0), seat))

    def refuse(self, played: Rehearsal, slot: tuple[int, int], seat: int, flag: str, **bodies: Plain) -> None:
        """Adds bodies that everybody refuses, by what is wrong with them."""
        for comment, body in bodies.items():
            given = {"past": self.past(played, slot), "seat": seat, "body": pack(body)}
            self.book.add("accept", comment.replace("_", " "), given, flag)

    def keys(self) -> None:
        played, body = self.picking, self.picking.body(0, 0, 1)
        self.give(played, "Keys", 0, 0, 0)
        coin, bag, mailbox = body
        self.refuse(
            played, (0, 0), 1, "Shape", two_keys=(coin, bag), a_key_without_its_proof=((coin[0],), bag, mailbox)
        )
        self.refuse(played, (0, 0), 1, "BadPoint", the_identity=((IDENTITY, coin[1]), bag, mailbox))
        self.refuse(
            played,
            (0, 0),
            1,
            "Proof",
            the_keys_of_another_seat=played.body(0, 0, 0),
            keys_in_another_order=(bag, coin, mailbox),
        )

    def choices(self) -> None:
        played = self.picking
        self.give(played, "Decide", DECIDE, 0, 0)
        self.learn(played, "Decide", DECIDE, 1)
        forbidden = {**self.given(played, (DECIDE, 0), 0), "choices": (9,)}
        self.book.add("give", "a choice that the rules forbid", forbidden, "ForbiddenToOneself")
        self.refuse(played, (DECIDE, 0), 0, "Shape", two_choices=(1, 1), no_array=1, nothing=())
        self.refuse(played, (DECIDE, 0), 0, "Forbidden", beyond_its_space=(9,), a_truth_value=(True,), text=("1",))
        self.give(played, "Together: a commitment", TOGETHER, 0, 0)
        self.give(played, "Together: an opening", TOGETHER, 1, 1)
        self.learn(played, "Together", TOGETHER, None)
        self.refuse(played, (TOGETHER, 0), 0, "Shape", of_31_bytes=(bytes(31),), text=("x" * 32,), nothing=())
        nonce, choice, _ = played.body(TOGETHER, 1, 1)
        self.refuse(
            played,
            (TOGETHER, 1),
            1,
            "Opening",
            another_choice=(nonce, 5, None),
            another_nonce=(flipped(nonce), choice, None),
        )
        self.refuse(
            played,
            (TOGETHER, 1),
            1,
            "Shape",
            without_its_proof=(nonce, choice),
            a_short_nonce=(nonce[:31], choice, None),
        )
        self.refuse(played, (TOGETHER, 1), 1, "Unasked", a_proof=(nonce, choice, b""))
        bound = {(TOGETHER, 0, 1): commits_to(9)}
        beyond_space = Rehearsal(2, PICKING, PICKED, bends=bound)
        nonce = self._nonce(beyond_space, 1, 9)
        self.refuse(beyond_space, (TOGETHER, 1), 1, "Forbidden", committed_beyond_its_space=(nonce, 9, None))
        self.give(played, "Seal", SEAL, 0, 0)
        self.learn(played, "Seal", SEAL, 0, None)
        self.refuse(played, (SEAL, 0), 1, "Shape", of_33_bytes=(bytes(33),), the_choice_itself=(5,))
        self.give(played, "Together, what was sealed", AGAIN, 0, 1)
        unjustified = {**self.given(played, (AGAIN, 0), 0), "choices": (1, 2, 3, 4)}
        self.book.add("give", "another choice than was sealed, and nothing was told", unjustified, "ForbiddenToOneself")

    def roll(self) -> None:
        played = self.picking
        self.give(played, "Roll", ROLL, 0, 0, 1)
        self.learn(played, "Roll", ROLL, None)
        (share,) = played.body(ROLL, 0, 1)
        self.refuse(
            played,
            (ROLL, 0),
            1,
            "Proof",
            a_share_of_another_seat=played.body(ROLL, 0, 0),
            another_point=(g.base(2) + share[32:],),
            the_identity=(IDENTITY + share[32:],),
            a_scalar_beyond_the_order=(share[:32] + beyond(share[32:64]) + share[64:],),
        )
        self.refuse(played, (ROLL, 0), 1, "Shape", two_shares=(share, share))

    def amounts(self) -> None:
        played, slot = self.paying, (AMOUNTS, 0)
        self.give(played, "Seal of amounts", *slot, 0, 1)
        self.learn(played, "Seal of amounts", AMOUNTS, 1, None)
        too_much = {**self.given(played, slot, 0), "choices": ((4, 4),)}
        self.book.add("give", "more than there is", too_much, "ForbiddenToOneself")
        sealed, proofs, within = body = played.body(*slot, 0)
        self.refuse(
            played,
            slot,
            0,
            "Shape",
            one_commitment=(sealed[:1], proofs, within),
            three_proofs=(sealed, (*proofs, b""), within),
        )
        self.refuse(played, slot, 0, "BadPoint", the_identity=changed(body, 0, (IDENTITY, sealed[1])))
        shifted = (g.add(sealed[0], g.H), sealed[1])
        self.refuse(
            played,
            slot,
            0,
            "Proof",
            one_more_than_proven=(shifted, proofs, within),
            proofs_in_another_order=(sealed, proofs[::-1], within),
            no_proof_of_the_limit=(sealed, proofs, None),
            a_proof_of_the_limit_that_is_a_proof_of_an_amount=(sealed, proofs, proofs[0]),
            what_another_seat_sealed=played.body(*slot, 1),
        )
        self.give(played, "Seal of amounts, again", MORE, 0, 0)
        old = played.body(AMOUNTS, 0, 0)
        self.refuse(played, (MORE, 0), 0, "Proof", an_amount_of_another_step=(old[0][:1], old[1][:1], old[2]))

    def tells(self) -> None:
        played, slot = self.paying, (TOLD, 0)
        self.give(played, "Disclose", *slot, 0, 1)
        self.learn(played, "Disclose: seat 1 has 2 > 1, seat 0 has 2 <= 4", TOLD, 0, 1, None)
        ((offer, sealed),) = played.body(*slot, 0)
        self.refuse(
            played,
            slot,
            0,
            "Shape",
            no_tell=(),
            a_payload_one_byte_longer=((offer, sealed + b"\0"),),
            a_payload_one_byte_shorter=((offer, sealed[:-1]),),
            no_pads=((b"", sealed),),
            a_pad_less=((offer[:-32], sealed),),
        )
        self.refuse(played, slot, 0, "BadPoint", the_identity=((IDENTITY + offer[32:], sealed),))
        self.give(played, "Disclose: only seat 1's pads are new", AGAIN_TOLD, 0, 0, 1)
        self.learn(played, "Disclose again: seat 0 has 3 <= 4", AGAIN_TOLD, 0, 1)
        ((_, anew),) = played.body(AGAIN_TOLD, 0, 0)
        self.refuse(played, (AGAIN_TOLD, 0), 0, "Unasked", pads_although_the_old_ones_stand=((offer, anew),))
        for comment, payload in {
            "a payload that does not authenticate": flipped(sealed),
            "a payload of another width, were it shorter": bytes(len(sealed)),
        }.items():
            told = Rehearsal(2, PAYING, PAID, bends={(TOLD, 0, 0): gives(((offer, payload),))})
            self.learn(told, f"{comment}: nothing, in silence", TOLD, 1)
        lies: dict[str, Plain] = {
            "beyond its space": 8,
            "no number": "1",
            "another number, which only the audit finds": 0,
        }
        for comment, words in lies.items():
            told = Rehearsal(2, PAYING, PAID, bends={(TOLD, 0, 0): says(words)})
            self.learn(told, f"it says what is {comment}", TOLD, 1)

    def pairs(self) -> None:
        played = self.paired
        self.give(played, "Disclose: two tells of one pair, of which the first carries pads", TWICE, 0, 0)
        self.learn(played, "Disclose: two tells of one pair", TWICE, 1)
        first, (_, sealed) = played.body(TWICE, 0, 0)
        self.refuse(played, (TWICE, 0), 0, "Unasked", pads_for_each=(first, (first[0], sealed)))

    def limits(self) -> None:
        played = self.paying
        self.give(played, "Together within a limit: a commitment", WITHIN, 0, 0)
        self.give(played, "Together within a limit: an opening", WITHIN, 1, 0)
        self.refuse(played, (WITHIN, 1), 0, "Proof", no_proof=changed(played.body(WITHIN, 1, 0), 2, None))
        nonce, choice, proof = played.body(WITHIN, 1, 0)
        self.refuse(played, (WITHIN, 1), 0, "Proof", a_bit_of_the_proof=(nonce, choice, flipped(proof, 40)))
        dear = Rehearsal(2, PAYING, PAID, bends={(WITHIN, 0, 1): commits_to(5)})
        where = Context(dear.table.game_id, WITHIN, 1, 1)
        false = ranges.prove(g, OTHER, where, "within", 3, 1, 5, 0)
        spends = (self._nonce(dear, 1, 5, WITHIN), 5, false)
        self.refuse(dear, (WITHIN, 1), 1, "Proof", more_than_is_left=spends)
        self.give(played, "Open", OPEN, 0, 0, 1)
        self.learn(played, "Open", OPEN, None)
        (total, blinding), other = played.body(OPEN, 0, 1)
        self.refuse(
            played,
            (OPEN, 0),
            1,
            "Opening",
            another_total=((total - 1, blinding), other),
            in_another_order=(other, (total, blinding)),
        )
        self.refuse(
            played,
            (OPEN, 0),
            1,
            "Shape",
            one_of_two=((total, blinding),),
            a_total_beyond_its_bits=((total + 8, blinding), other),
            a_truth_value=((True, blinding), other),
        )
        self.refuse(played, (OPEN, 0), 1, "BadScalar", a_blinding_beyond_the_order=((total, beyond(blinding)), other))

    def bags(self) -> None:
        played = self.dealing
        self.give(played, "Shuffle of new items", SHUFFLE, 0, 0)
        self.give(played, "Shuffle of what another seat left", SHUFFLE, 2, 2)
        self.learn(played, "Shuffle", SHUFFLE, 1)
        items, proof = played.body(SHUFFLE, 1, 1)
        self.refuse(
            played,
            (SHUFFLE, 1),
            1,
            "Proof",
            one_item_twice=(items[:128] * 2 + items[256:], proof),
            items_swapped_after_the_proof=(items[128:256] + items[:128] + items[256:], proof),
            an_item_less=(items[128:], proof),
            the_shuffle_of_another_seat=played.body(SHUFFLE, 0, 0),
            what_it_found_unchanged=(played.body(SHUFFLE, 0, 0)[0], proof),
            a_short_proof=(items, proof[:-32]),
        )
        self.refuse(played, (SHUFFLE, 1), 1, "Shape", no_proof=(items,))
        self.give(played, "Show to all and to two seats alone", SHOW, 0, 0, 2)
        self.learn(played, "Show to all and to two seats alone", SHOW, 0, 1, 2, None)
        shares, mail = body = played.body(SHOW, 0, 2)
        (_, first), second = mail
        self.refuse(
            played,
            (SHOW, 0),
            2,
            "Proof",
            no_shares=(b"", mail),
            a_wrong_share=(flipped(shares, 0), mail),
            a_wrong_share_to_one_seat=(shares, ((0, flipped(first)), second)),
            mail_of_another_receiver=(shares, ((0, second[1]), second)),
        )
        self.refuse(
            played,
            (SHOW, 0),
            2,
            "Shape",
            no_mail=(shares, ()),
            mail_in_descending_order=(shares, mail[::-1]),
            a_truth_value_for_a_seat=(shares, ((False, first), second)),
            no_array=shares,
        )
        self.refuse(played, (SHOW, 0), 2, "Unasked", mail_to_itself=changed(body, 1, (*mail, (2, first))))
        self.give(played, "Show to one seat alone, which owes nothing", ALONE, 0, 1)
        self.learn(played, "Show to one seat alone", ALONE, 1, 2)
        to_all = played.body(SHOW, 0, 0)[0]
        self.refuse(played, (ALONE, 0), 0, "Unasked", shares_to_all=changed(played.body(ALONE, 0, 0), 0, to_all))
        self.give(played, "Shuffle of old items and a new one", AFRESH, 0, 0)
        self.learn(played, "Show of an item that was in two bags", LAST, None)

    def leaves(self) -> None:
        played, slot = self.parting, (PART, 0)
        left = {"past": self.past(played, slot), "seat": 2}
        due = self.book.add("leave", "in place of a share", self.given(played, slot, 2))["body"]
        assert due == pack(played.body(*slot, 2))
        self.book.add("accept_leave", "in place of a share", {**left, "body": due})
        self.learn(played, "Roll, in which a seat leaves: its share is computed", PART, 0)
        self.learn(played, "Show after a seat has left", PART + 1, 0, 1)
        coin, bag, secret = played.body(*slot, 2)
        for comment, flag, body in (
            ("another coin key", "OtherKey", (g.encode_scalar(5), bag, secret)),
            ("its keys in another order", "OtherKey", (bag, coin, secret)),
            ("a key beyond the order", "BadScalar", (coin, beyond(bag), secret)),
            ("a byte less left behind", "Shape", (coin, bag, secret[:-1])),
            ("nothing left behind", "Shape", (coin, bag)),
            ("the identity", "BadPoint", (coin, bag, IDENTITY + secret[32:])),
        ):
            self.book.add("accept_leave", comment, {**left, "body": pack(body)}, flag)
        before = {"past": self.past(played, (0, 0)), "seat": 2, "body": due}
        self.book.add("accept_leave", "in step 0", before, "NotNow")
        two = {"past": self.past(self.picking, (ROLL, 0)), "seat": 1, "body": due}
        self.book.add("accept_leave", "of two seats", two, "NotNow")

    def _nonce(self, played: Rehearsal, seat: int, choice: Plain, step: int = TOGETHER) -> bytes:
        where = Context(played.table.game_id, step, 0, seat)
        return derive(seed(seat, SALT), "choice nonce", where, 0, choice)


def asks() -> Book:
    book = Book(
        "asks",
        "13.2, 15",
        "Scripts, stage by stage: the body of a seat, what everybody must refuse, and what each seat learns.",
        {
            "Shape": ("The body is not of the shape, or not of the lengths, that the ask demands.", GUILT),
            "Forbidden": ("The choice cannot be read, or a rule that all can judge forbids it.", GUILT),
            "ForbiddenToOneself": (
                "The seat's own state forbids the choice.",
                "Sign nothing; the player chooses anew.",
            ),
            "Opening": ("It does not open what was committed, or sealed.", GUILT),
            "Unasked": ("Something is there that nobody asked for.", GUILT),
            "Proof": ("A proof does not verify, is missing, or is of something else.", GUILT),
            "BadPoint": ("A point is the identity, or no canonical encoding.", GUILT),
            "BadScalar": ("A scalar is not below the order.", GUILT),
            "OtherKey": ("It publishes other keys than those that it announced.", GUILT),
            "NotNow": ("Nobody can leave there: in step 0, or where fewer than three are present.", GUILT),
        },
    )
    made = Asks(book)
    for part in (
        made.keys,
        made.choices,
        made.roll,
        made.amounts,
        made.tells,
        made.limits,
        made.bags,
        made.leaves,
        made.pairs,
    ):
        part()
    return book
