"""What is forged of items, leaves and closing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final

from kimberley.conformance.forgeries.choices import ELSEWHERE
from kimberley.conformance.forgeries.forgery import (
    JUDGED,
    LEFT,
    MAIL,
    MAIL_ALONE,
    RESULT,
    SHARES,
    SHOWN,
    SHUFFLE,
    Audited,
    Forgery,
)
from kimberley.conformance.forging import (
    Bend,
    by_coin_key,
    changes,
    ends_unreduced,
    entries,
    flips,
    gives,
    longer,
    near,
    only,
    put,
    reseeded,
    sets,
    shorter,
    starts_with_identity,
)
from kimberley.conformance.forging_items import (
    ChangeItems,
    leaves_behind,
    mails,
    mails_in_the_clear,
    moves_point,
    of_less,
    of_more,
    of_other_items,
    of_other_parts,
    shares_with_all,
    shows_to_all,
    shuffles,
    unshuffled,
)
from kimberley.games.table import Plain
from kimberley.protocol.crypto.elgamal import Item
from kimberley.protocol.crypto.group import Group
from kimberley.protocol.crypto.hashing import Context
from kimberley.protocol.encoding import pack
from kimberley.protocol.play import Play

# -- shuffles ----------------------------------------------------------------------------------------------------------


def _doubled(g: Group, items: list[Item]) -> None:
    items[0] = items[1]


def _exchanged(g: Group, items: list[Item]) -> None:
    items[0], items[1] = items[1], items[0]


def _parts_exchanged(g: Group, items: list[Item]) -> None:
    items[0], items[1] = (*items[0][:-1], items[1][-1]), (*items[1][:-1], items[0][-1])


def _remasked(g: Group, items: list[Item]) -> None:
    (a, b), *others = items[0]
    items[0] = ((g.add(a, g.base(3)), b), *others)


def _revalued(g: Group, items: list[Item]) -> None:
    *others, (a, b) = items[0]
    items[0] = *others, (a, g.add(b, g.base(9)))


def _turned(g: Group, items: list[Item]) -> None:
    (a, b), *others = items[0]
    items[0] = ((b, a), *others)


def _with_identity(g: Group, items: list[Item]) -> None:
    (_, b), *others = items[0]
    items[0] = ((g.identity, b), *others)


CHANGES: Final[dict[str, ChangeItems]] = {
    "an item doubled": _doubled,
    "two items exchanged": _exchanged,
    "parts of two items exchanged": _parts_exchanged,
    "another mask": _remasked,
    "another value": _revalued,
    "the halves of a part exchanged": _turned,
    "the identity in a part": _with_identity,
}
TAKES: Final[dict[str, Any]] = {
    "an item less": lambda items: items[1:],
    "an item more": lambda items: (items[0], *items),
    "an item twice in place of another": lambda items: (items[0], items[0], *items[2:]),
    "one item alone": lambda items: items[:1],
    "a part less": lambda items: tuple(item[:1] for item in items),
    "a part more": lambda items: tuple((*item, item[0]) for item in items),
}


def _first_stage(context: Context) -> Context:
    return replace(context, stage=0)


OWN_ORDER: Final = "their shuffle is not the one that their seed gives"
CASES: Final = {"parts of two items exchanged": "15-94"}

SHUFFLES: Final = (
    *(
        Forgery(f"A shuffle with {what}{after}", SHUFFLE, shuffles(change=change, proven=not after), case=case)
        for what, change in CHANGES.items()
        for after, case in {"": CASES.get(what, ""), " after it was proven": ""}.items()
    ),
    *(Forgery(f"A sound shuffle of {what}", SHUFFLE, shuffles(take=take), "M-SHF-2") for what, take in TAKES.items()),
    *(Forgery(f"A shuffle proven for {what}", SHUFFLE, shuffles(where)) for what, where in ELSEWHERE.items()),
    Forgery(
        "A shuffle of other items than the stage before left", SHUFFLE, shuffles(fresh=True), "M-SHF-2", case="15-95"
    ),
    Forgery("Items as they were before, with the proof due", SHUFFLE, unshuffled, case="15-96"),
    Forgery("A shuffle for another bag", SHUFFLE, shuffles(bag="bag"), case="15-97"),
    Forgery("A shuffle in another stage's context", SHUFFLE, shuffles(_first_stage), case="15-98"),
    Forgery("A shuffle's proof with a bit changed", SHUFFLE, flips(200, 1), case="14-10"),
    Forgery("A shuffle with an item too few", SHUFFLE, changes(shorter(128), 0), "M-BAG-1", case="14-11"),
    Forgery("A shuffled item with the identity", SHUFFLE, starts_with_identity(0), "M-GRP-1", case="14-12"),
    Forgery("A shuffle's proof that is too short", SHUFFLE, changes(shorter(32), 1), case="14-13"),
    Forgery("A shuffle's response that is not below L", SHUFFLE, ends_unreduced(1), "M-GRP-2", case="14-14"),
    Audited("A shuffle in another order than the seed gives", SHUFFLE, shuffles(turn=True), "14.9", OWN_ORDER, "17-14"),
    Audited("A shuffle with other masks", SHUFFLE, reseeded, "14.9", OWN_ORDER, "17-15"),
)

# -- shares ------------------------------------------------------------------------------------------------------------


NOT_FOR: Final = "separate shares"
OWN_SHARES: Final = "their shares of what is shown are not those that their seed gives"
SHOWS: Final = (
    Forgery("Shares by another key", SHARES, shares_with_all(by=by_coin_key), case="14-15"),
    Forgery("Shares with a bit changed", SHARES, flips(1, 0), case="14-18"),
    Forgery("Shares with another point", SHARES, moves_point(0, 0)),
    Forgery("Empty bytes for shares that are due", SHARES, sets(b"", 0), case="14-25"),
    Forgery("Zeros for shares", SHARES, changes(lambda shares: bytes(len(shares)), 0)),
    Forgery("Shares of other items", SHARES, shares_with_all(pairs=of_other_items)),
    Forgery("Shares of other parts", SHARES, shares_with_all(pairs=of_other_parts)),
    Forgery("Shares of more than is asked", SHARES, shares_with_all(pairs=of_more)),
    Forgery("Shares of less than is asked", SHARES, shares_with_all(pairs=of_less)),
    *(Forgery(f"Shares proven for {what}", SHARES, shares_with_all(where)) for what, where in ELSEWHERE.items()),
    Forgery("Shares of what is shown to nobody", MAIL_ALONE, sets(bytes(96), 0), case="14-26"),
    Forgery("Shares with all of what is for one", MAIL_ALONE, shows_to_all),
    Audited("Shares with another nonce", SHARES, only(reseeded, 0), "14.10", OWN_SHARES, "17-16"),
    Forgery("Mail by another key", MAIL, mails(by=by_coin_key), case="14-16"),
    Forgery("Mail for another mailbox", MAIL, mails(to=0), case="14-17"),
    Forgery("Mail with a bit changed", MAIL, flips(140, 1, 0, 1), case="14-19"),
    Forgery("Mail with another point", MAIL, moves_point(1, 1, 0, 1)),
    Forgery("Mail with another mask", MAIL, moves_point(0, 1, 0, 1)),
    Forgery("Mail that is too long", MAIL, changes(longer(32), 1, 0, 1), case="14-20"),
    Forgery("Empty mail", MAIL, sets(b"", 1, 0, 1)),
    Forgery("Zeros for mail", MAIL, changes(lambda mail: bytes(len(mail)), 1, 0, 1)),
    Forgery("Mail in the clear", MAIL, mails_in_the_clear),
    Forgery("Mail of other items", MAIL, mails(pairs=of_other_items)),
    Forgery("Mail of other parts", MAIL, mails(pairs=of_other_parts)),
    Forgery("Mail of more than is asked", MAIL, mails(pairs=of_more)),
    *(Forgery(f"Mail proven for {what}", MAIL, mails(where)) for what, where in ELSEWHERE.items()),
    Forgery("Mail's response that is not below L", MAIL, ends_unreduced(1, 0, 1), "M-GRP-2", case="14-27"),
    Forgery("No mail for a receiver", MAIL, changes(lambda mail: mail[:-1], 1), "", NOT_FOR, "14-21"),
    Forgery("No mail at all", MAIL, sets((), 1), "", NOT_FOR),
    Forgery("Mail twice", MAIL, changes(lambda mail: (*mail, mail[0]), 1), "", NOT_FOR),
    Forgery("Mail in another order", MAIL, changes(lambda mail: mail[::-1], 1), "", NOT_FOR, "14-22"),
    Forgery("Mail that names another seat", MAIL, changes(lambda seat: seat + 1, 1, 0, 0), "", NOT_FOR, "14-23"),
    Forgery("Mail that names no seat", MAIL, sets(-1, 1, 0, 0), "", NOT_FOR),
    Forgery("A boolean for a seat's number", MAIL, changes(bool, 1, 0, 0), "M-ENC-4", NOT_FOR, "14-24"),
    Forgery("A text for a seat's number", MAIL, changes(str, 1, 0, 0), "", NOT_FOR),
    Audited("Mail with other masks", MAIL, only(reseeded, 1, 0, 1), "14.10", OWN_SHARES, "17-17"),
)

# -- leaving -----------------------------------------------------------------------------------------------------------


Shown = Callable[[Play], Plain]


def _left(seed: Shown, *choices: Shown) -> Bend:
    """Leaves behind this for its seed, and this for its choices."""
    return leaves_behind(lambda play: pack((seed(play), *(choice(play) for choice in choices))))


def _seed(play: Play) -> bytes:
    return play.crypto.seed


def _choices(play: Play) -> Plain:
    return tuple(play.choices)


KEYS: Final = "the keys they published are not those they announced"
MALFORMED: Final = "what they left for the audit is not well formed"
NOTHING_LEFT: Final = "they left without publishing their keys"
SCALARS: Final = {
    "5": (5).to_bytes(32, "little"),
    "0": bytes(32),
    "a number beyond the order": (2**252 + 2**251).to_bytes(32, "little"),
    "the largest number": b"\xff" * 32,
    "empty bytes": b"",
    "31 bytes": bytes(31),
}
SECRETS: Final[dict[str, Plain]] = {
    "empty bytes": b"",
    "32 zeros": bytes(32),
    "zeros": bytes(4096 + 32 + 64 + 16),
    "other bytes": b"\x01" * 5000,
}
SHAPES: Final[dict[str, Plain]] = {
    "nil": None,
    "a number": 7,
    "one key": (b"",),
    "two entries": (b"", b""),
    "four entries": (b"", b"", b"", b""),
    "arrays": ((), (), ()),
    "text": "keys",
}


def _made(play: Play) -> list[Plain]:
    """Returns the choices that the seat has signed."""
    if play.chosen or not play.choices:
        raise LookupError("it has signed none, or not the last one")
    return play.choices


SEEDS: Final = "what they left behind is not what their seed gives"
NO_RIGHT: Final = "they made a choice they had no right to make"
LEFT_CHOICES: Final[dict[str, tuple[Shown, str, tuple[int, int]]]] = {
    "a choice too many": (lambda p: (*p.choices, "more"), SEEDS, LEFT.slot),
    "a choice too few": (lambda p: tuple(_made(p)[:-1]), "no choice for this step", (1, 0)),
    "another choice": (lambda p: (near(_made(p)[0], p), *p.choices[1:]), "", (1, 0)),
    "text for a choice": (lambda p: ("x",) * len(_made(p)), NO_RIGHT, (1, 0)),
    "an array for a choice": (lambda p: ((((),),),) * len(_made(p)), NO_RIGHT, (1, 0)),
}
_behind = partial(Audited, moment=LEFT, reason="does not open to their seed and choices")
LEAVES: Final = (
    Forgery("A leave with another coin key", LEFT, flips(0, 0), "", KEYS, "13-17"),
    Forgery("A leave with another bag key", LEFT, flips(0, 1), "", KEYS, "13-18"),
    Forgery("A leave with its keys exchanged", LEFT, lambda p, b: (b[1], b[0], b[2]), "", KEYS),
    Forgery("A leave whose coin key is not below L", LEFT, ends_unreduced(0), "M-GRP-2", KEYS, "13-19"),
    *(
        Forgery(f"A leave with {what} for its {key} key", LEFT, sets(scalar, at), "", KEYS)
        for at, key in enumerate(("coin", "bag"))
        for what, scalar in SCALARS.items()
    ),
    Forgery("A leave that leaves a byte too few", LEFT, changes(shorter(1), 2), "M-ESC-1", MALFORMED, "13-20"),
    Forgery("A leave whose R is the identity", LEFT, starts_with_identity(2), "M-ESC-1 M-GRP-1", MALFORMED, "13-21"),
    Forgery("A leave with its seed in the clear", LEFT, lambda p, b: put(b, p.crypto.seed, 2), "M-LEA-3", MALFORMED),
    *(
        Forgery(f"A leave that leaves {what}", LEFT, sets(secret, 2), "M-ESC-1", MALFORMED)
        for what, secret in SECRETS.items()
    ),
    Forgery("A leave with nothing in it", LEFT, gives(()), "", NOTHING_LEFT, "13-22"),
    *(Forgery(f"A leave that is {what}", LEFT, gives(body), "", NOTHING_LEFT) for what, body in SHAPES.items()),
    _behind("What a leaver left does not open", bend=flips(-1, 2), rules="14.11 M-CLO-2 M-ESC-1", case="13-16"),
    _behind("A leaver left garbage behind", bend=leaves_behind(lambda play: b"\xc1\xc1"), rules="14.11"),
    _behind("A leaver left nothing behind", bend=leaves_behind(lambda play: b""), rules="14.11"),
    _behind("A leaver left another seed behind", bend=_left(lambda play: bytes(32), _choices), rules="13.2"),
    _behind(
        "A leaver left a short seed behind", bend=_left(lambda play: play.crypto.seed[:31], _choices), rules="13.2"
    ),
    _behind("A leaver left no choices behind", bend=_left(_seed), rules="13.2"),
    *(
        Audited(f"A leaver left {what} behind", LEFT, _left(_seed, chosen), "13.2", reason, found=slot)
        for what, (chosen, reason, slot) in LEFT_CHOICES.items()
    ),
)

# -- closing -----------------------------------------------------------------------------------------------------------

NONE: Final = "they showed no choice"
MORE: Final = "more choices"
SEED: Final = "is not the one whose hash they signed"
SHOWN_SHAPES: Final[dict[str, Plain]] = {
    "nothing": (),
    "a number": 7,
    "a seed alone": (b"",),
    "a number for the seed": (7, ()),
    "a number for the choices": (bytes(32), 7),
}
VERDICT_SHAPES: Final[dict[str, Plain]] = {
    "nothing": (),
    "a number": 7,
    "fair, of a seat": ("fair", (0,)),
    "unfair, of no place": ("unfair", (7,)),
    "guilty": ("guilty",),
}


def _other(play: Play, body: Plain) -> Plain:
    """Shows something much like the first choice in its place."""
    choices = entries(entries(body)[1])
    return put(body, near(choices[0], play), 1, 0)


CLOSINGS: Final = (
    Forgery("CLOSE with other places", RESULT, changes(lambda place: 2 if place == 1 else 1, 0, 0), case="16-01"),
    Forgery("CLOSE with other scores", RESULT, sets((7,), 1, 1), case="16-02"),
    Forgery("CLOSE that says that a seat resigned", RESULT, changes(lambda seats: (*seats, 0), 2), case="16-03"),
    Forgery(
        "CLOSE with a boolean for a place", RESULT, changes(lambda place: place == 1, 0, 0), "M-ENC-4", case="16-04"
    ),
    Forgery("SHOW with another seed", SHOWN, flips(5, 0), "", SEED, "16-05"),
    Forgery("SHOW with a seed of 31 bytes", SHOWN, sets(bytes(31), 0), case="16-06"),
    Forgery("SHOW without choices", SHOWN, lambda p, b: entries(b)[:1], case="16-07"),
    *(Forgery(f"SHOW with {what}", SHOWN, gives(body)) for what, body in SHOWN_SHAPES.items()),
    Audited("SHOW with another choice", SHOWN, _other, "17", case="16-11", found=(1, 0)),
    Audited("SHOW with a choice too few", SHOWN, changes(lambda all: all[:-1], 1), "17", NONE, "16-12", found=(2, 0)),
    Audited("SHOW with a choice too many", SHOWN, changes(lambda all: (*all, 0), 1), "17", MORE, "16-13", found=(2, 0)),
    Audited("SHOW with a choice that its space forbids", SHOWN, sets(99, 1, 0), "17", case="16-14", found=(1, 0)),
    Forgery("VERDICT of another shape", JUDGED, gives(("fair",)), case="16-08"),
    Forgery("VERDICT unfair, of nobody", JUDGED, gives(("unfair", ())), case="16-09"),
    *(Forgery(f"VERDICT of {what}", JUDGED, gives(body)) for what, body in VERDICT_SHAPES.items()),
)
