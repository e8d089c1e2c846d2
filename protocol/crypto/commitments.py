"""Commitments: Pedersen's for amounts, which add up, and a hash for choices made at the same time."""

from games.table import Plain
from protocol.crypto.group import Group, Point
from protocol.crypto.hashing import Context, digest


def pedersen(g: Group, value: int, blinding: int) -> Point:
    """value*H + blinding*G: hides the value perfectly, binds while nobody knows log_G(H).

    The sum of commitments commits to the sum of their values under the sum of their blindings.
    (Pedersen, "Non-Interactive and Information-Theoretic Secure Verifiable Secret Sharing", CRYPTO '91.)
    """
    return g.add(g.mul(value, g.H), g.base(blinding))


def commit_choice(ctx: Context, nonce: bytes, choice: Plain) -> bytes:
    """32 bytes that commit a seat to its choice in a step; opened by showing nonce (32 bytes) and choice.

    The stage is left out of the hash: the commitment is made in one stage and opened in a later one.
    """
    return digest("choice", ctx.game, ctx.step, ctx.seat, nonce, choice)
