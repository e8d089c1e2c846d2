"""What a bag costs one seat on this machine: python -m tests.benchmarks.bench_bags

Medians of wall time; the share of group operations is taken in a run of its own, since counting them costs time too.
"""

import statistics
import time
from collections.abc import Callable
from typing import Final

from protocol.crypto import elgamal, shares, shuffle
from protocol.crypto.elgamal import BAG, MAILBOX, SeatKey
from protocol.crypto.group import RISTRETTO, Group
from protocol.crypto.hashing import Context
from tests.support.counted import Counted

COUNTS: Final = (10, 30, 52, 60, 120)
PARTS: Final = (1, 2)
MAILED: Final = (1, 2, 5)
SEED: Final = bytes(32)
CONTEXT: Final = Context(game=bytes(32), step=5, stage=1, seat=0)
OPERATIONS: Final = ("mul", "base", "add", "valid")


def measure(name: str, work: Callable[[Group], object], runs: int) -> None:
    """Prints the median time of one call, what it asks of the group, and how much of the time that takes."""
    counted = Counted()
    work(counted)
    counted.reset()
    start = time.perf_counter()
    work(counted)
    share = counted.seconds / (time.perf_counter() - start)
    times = list[float]()
    for _ in range(runs):
        start = time.perf_counter()
        work(RISTRETTO)
        times.append(time.perf_counter() - start)
    numbers = "".join(f"{counted.counts[operation]:7}" for operation in OPERATIONS)
    print(f"{name:32}{statistics.median(times) * 1e3:10.3f}{min(times) * 1e3:10.3f}{numbers}{share:9.0%}")


def bench_shuffles(key: bytes) -> None:
    """Shuffle, prove and verify, for all sizes."""
    for parts in PARTS:
        for count in COUNTS:
            items = [elgamal.known_item(RISTRETTO, key, [(i, p) for p in range(parts)]) for i in range(count)]
            shuffled = shuffle.shuffle(RISTRETTO, SEED, CONTEXT, "deck", key, items)
            proof = shuffle.prove(RISTRETTO, SEED, CONTEXT, "deck", key, items, shuffled)
            sent = elgamal.encode_items(shuffled.items)
            assert shuffle.verify(RISTRETTO, CONTEXT, "deck", key, items, sent, proof)

            def make(g: Group, items: list[elgamal.Item] = items) -> object:
                moved = shuffle.shuffle(g, SEED, CONTEXT, "deck", key, items)
                return shuffle.prove(g, SEED, CONTEXT, "deck", key, items, moved)

            def check(g: Group, items: list[elgamal.Item] = items, sent: bytes = sent, proof: bytes = proof) -> object:
                return shuffle.verify(g, CONTEXT, "deck", key, items, sent, proof)

            def move(g: Group, items: list[elgamal.Item] = items) -> object:
                return shuffle.shuffle(g, SEED, CONTEXT, "deck", key, items)

            name = f"{count} items, {parts} part{'s'[: parts - 1]}: "
            measure(name + "shuffle", move, 15)
            measure(name + "and prove", make, 15)
            measure(name + "verify", check, 15)


def bench_shares(bag: SeatKey, box: SeatKey) -> None:
    """Shares to all and to one, for several pairs at once."""
    key, x = bag.public, bag.secret
    for count in MAILED:
        pairs = [elgamal.remask(RISTRETTO, key, elgamal.known_item(RISTRETTO, key, (i,))[0], 9) for i in range(count)]
        sent = shares.share(RISTRETTO, SEED, CONTEXT, x, pairs)
        mailed = shares.mail(RISTRETTO, SEED, CONTEXT, x, box.public, pairs)

        def share(g: Group, pairs: list[elgamal.Pair] = pairs) -> object:
            return shares.share(g, SEED, CONTEXT, x, pairs)

        def check(g: Group, pairs: list[elgamal.Pair] = pairs, sent: bytes = sent) -> object:
            return shares.verify_share(g, CONTEXT, key, pairs, sent)

        def mail(g: Group, pairs: list[elgamal.Pair] = pairs) -> object:
            return shares.mail(g, SEED, CONTEXT, x, box.public, pairs)

        def check_mail(g: Group, pairs: list[elgamal.Pair] = pairs, mailed: bytes = mailed) -> object:
            return shares.verify_mail(g, CONTEXT, key, box.public, pairs, mailed)

        name = f"{count} pair{'s'[: count - 1]}: "
        measure(name + "shares to all", share, 200)
        measure(name + "check", check, 200)
        measure(name + "shares to one", mail, 200)
        measure(name + "check", check_mail, 200)


def main() -> None:
    """Prints one line per operation: milliseconds, then how often it asks the group for what."""
    bag, box = (SeatKey.derive(RISTRETTO, SEED, CONTEXT, purpose) for purpose in (BAG, MAILBOX))
    print(f"{'':32}{'median':>10}{'best':>10}" + "".join(f"{name:>7}" for name in OPERATIONS) + f"{'group':>9}")
    bench_shuffles(bag.public)
    bench_shares(bag, box)


if __name__ == "__main__":
    main()
