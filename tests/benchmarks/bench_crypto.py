"""What the cryptography costs on this machine: python -m tests.benchmarks.bench_crypto"""

import statistics
import time
from collections.abc import Callable

from protocol.crypto import coin, disclosure, ranges, signatures
from protocol.crypto.commitments import pedersen
from protocol.crypto.group import RISTRETTO as g
from protocol.crypto.hashing import Context, digest
from protocol.encoding import pack, unpack

BITS = 8
SEED = bytes(32)
CONTEXT = Context(game=bytes(32), step=5, stage=1, seat=0)


def measure(name: str, work: Callable[[], object], seconds: float = 0.3) -> None:
    """Prints the median time of one call, over as many calls as fit in the time."""
    times = list[float]()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    print(f"{name:34} {statistics.median(times) * 1e6:10.1f} us   ({len(times)} calls)")


def main() -> None:
    """Prints one line per operation."""
    R, S = pedersen(g, 77, 12345), pedersen(g, 20, 54321)
    proof = ranges.prove(g, SEED, CONTEXT, "pay", BITS, 77, 12345, 0)
    offer = disclosure.offer(g, SEED, CONTEXT, "tell", BITS, R, S, 20, SEED)
    sealed = disclosure.seal_payload(SEED, "tell", CONTEXT, 0, b"Luanda", 32)
    key = coin.CoinKey.derive(g, SEED, CONTEXT)
    share = coin.share(g, SEED, CONTEXT, key.secret, 0)
    signature = signatures.sign(SEED, "envelope", proof)
    public = signatures.public(SEED)
    envelope = (1, bytes(32), 0, 17, bytes(32), 5, 1, bytes(32), "seal", (proof, proof, (R, S)))
    packed = pack(envelope)
    print(
        f"range proof {len(proof)} bytes, offer {len(offer)}, sealed payload {len(sealed)}, coin share {len(share)}\n"
    )

    measure("multiplication", lambda: g.mul(g.order - 3, R))
    measure("multiplication of the generator", lambda: g.base(g.order - 3))
    measure("addition", lambda: g.add(R, S))
    measure("validation of a point", lambda: g.is_point(R))
    measure("hash to the group", lambda: g.hash_to_group(b"label"))
    measure("digest of ten parts", lambda: digest("label", *envelope))
    measure("Pedersen commitment", lambda: pedersen(g, 77, 12345))
    measure(f"range proof, {BITS} bits: prove", lambda: ranges.prove(g, SEED, CONTEXT, "pay", BITS, 77, 12345, 0))
    measure(f"range proof, {BITS} bits: verify", lambda: ranges.verify(g, CONTEXT, "pay", BITS, R, proof))
    measure(f"disclosure, {BITS} bits: offer", lambda: disclosure.offer(g, SEED, CONTEXT, "tell", BITS, R, S, 20, SEED))
    measure(
        f"disclosure, {BITS} bits: accept",
        lambda: disclosure.accept(g, CONTEXT, "tell", BITS, R, S, 77, 12345, offer),
    )
    measure("payload: seal", lambda: disclosure.seal_payload(SEED, "tell", CONTEXT, 0, b"Luanda", 32))
    measure("payload: open", lambda: disclosure.open_payload(SEED, "tell", CONTEXT, 0, sealed, 32))
    measure("coin key: verify", lambda: coin.verify_key(g, CONTEXT, coin.COIN, key.public, key.proof))
    measure("coin share: make", lambda: coin.share(g, SEED, CONTEXT, key.secret, 0))
    measure("coin share: verify", lambda: coin.verify_share(g, CONTEXT, key.public, 0, share))
    measure("dice: 52 of 52", lambda: coin.dice(SEED, range(52, 0, -1)))
    measure("signature: sign", lambda: signatures.sign(SEED, "envelope", proof))
    measure("signature: verify", lambda: signatures.verify(public, "envelope", proof, signature))
    measure("envelope: pack", lambda: pack(envelope))
    measure("envelope: unpack", lambda: unpack(packed))


if __name__ == "__main__":
    main()
