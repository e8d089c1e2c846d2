"""Commitments: Pedersen's for amounts, which can be added, and a hash for simultaneous choices."""

from kimberley.games.table import Plain
from kimberley.protocol.crypto.group import Group, Point
from kimberley.protocol.crypto.hashing import Context, digest


def pedersen(g: Group, value: int, blinding: int) -> Point:
    """Returns value*H + blinding*G: hides the value perfectly, and binds as long as nobody knows log_G(H).

    The sum of commitments commits to the sum of their values under the sum of their blindings.
    (Pedersen, "Non-Interactive and Information-Theoretic Secure Verifiable Secret Sharing", CRYPTO '91.)
    """
    return g.add(g.mul(value, g.H), g.base(blinding))


def commit_choice(ctx: Context, nonce: bytes, choice: Plain) -> bytes:
    """Returns 32 bytes that commit a seat to its choice in a step. The seat opens them by showing nonce (32 bytes) and
    choice.

    The hash does not include the stage, because a later stage opens the commitment.
    """
    return digest("choice", ctx.game, ctx.step, ctx.seat, nonce, choice)
