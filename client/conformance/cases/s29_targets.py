"""Section 29: the contract that targets keep."""

from __future__ import annotations

import asyncio
import hashlib

from client.conformance.bench import Bench
from client.conformance.case import Failed, Noted, case, expect
from client.conformance.cases.hosting import hosting, looks
from client.conformance.hashing import Identity, digest
from client.conformance.plain import spelled
from client.conformance.profile import ROLES
from client.conformance.target import STOP_SECONDS


@case(
    "29-01",
    "Identity, seeds and nonces of a seed",
    covers=("M-TGT-4",),
    expect="SHA-256(S || k), in the order of section 29",
)
async def drawn(bench: Bench) -> None:
    async with bench.table((("roll", (6,)),), job={"games": 2}) as table:
        for first in (1, 3):
            place = table.signed.roster.places[table.target]
            expect(place.identity == Identity(table.secret(0)).public, "the identity is another one")
            expect(place.seed_hash == digest("seed", table.secret(first)), "the seed is another one")
            expect(table.signed.nonces[table.target] == table.secret(first + 1), "the nonce is another one")
            await table.finish()
            if first == 1:
                await table.next_game()
                await table.begin_again()


@case("29-02", "A role that there is not", covers=("M-TGT-1", "M-TGT-2"), expect="`unimplemented`, and the job is over")
async def no_role(bench: Bench) -> None:
    job = await bench.job("juggle")
    job.may_lack = True
    await bench.wait(lambda: job.over, "the end of the job", 40)
    told = {event["event"]: event for event in job.events}
    expect("unimplemented" in told and not told["over"].get("done"), f"the target says {spelled(job.events)}")


@case(
    "29-03",
    "Jobs one after the other",
    covers=("M-TGT-1",),
    expect="each is played and ended with `over`; or the process ends, and is started anew",
)
async def one_after_other(bench: Bench) -> None:
    for seats in (2, 3):
        async with bench.table((("roll", (6,)),), seats=seats) as table:
            await table.finish()
            await bench.event(table.job, "over")
            for line in table.lines:
                line.cut()


@case(
    "29-08",
    "The profile of the target",
    covers=("M-TGT-6",),
    expect="an event `profile` that names what the target has, or `unimplemented`; and `over`",
)
async def profile(bench: Bench) -> None:
    job = await bench.job("profile")
    job.may_lack = True
    await bench.wait(lambda: job.over, "the end of the job", 40)
    told = job.last("profile")
    if told is None:
        expect(job.all("unimplemented"), f"the target says {spelled(job.events)}")
        raise Noted("the target has no profile: it is asked for all roles and games")
    has = told.get("has")
    named = {name for name in has if isinstance(name, str)} if isinstance(has, list) else set()
    expect(named & {*ROLES}, f"the target says {spelled(told)}, and names no role in `has`")


@case("29-04", "`stop`", covers=("S-TGT-5",), expect="the job is over within 3 s, without a bye")
async def stop(bench: Bench) -> None:
    async with bench.table((("decide", 0, 9), ("decide", 1, 9))) as table:
        await table.until(2)
        table.job.do("stop")
        await bench.event(table.job, "over", STOP_SECONDS + 2)
        expect(not table.chair.wire.count("bye"), "the target says bye")


@case(
    "29-05",
    "The order of events",
    covers=("M-TGT-2", "M-TGT-3"),
    expect="listening, words, began, answers, result, verdict, over",
)
async def order(bench: Bench) -> None:
    async with bench.table((("roll", (6,)), ("decide", 0, 9))) as table:
        await table.finish()
        await bench.event(table.job, "over")
        told = [event["event"] for event in table.job.events]
        due = ["listening", "words", "began", "answered", "asked", "answered", "result", "verdict", "over"]
        if [event for event in told if event in due] != due:
            raise Failed(f"the target tells {spelled(told)}")


@case(
    "29-06",
    "The identity of a folder",
    covers=("M-TGT-4", "M-SIG-4"),
    expect="the same one in two jobs, another one in another folder",
)
async def kept_identity(bench: Bench) -> None:
    keys = []
    for folder in ("one", "one", "other"):
        port = await hosting(bench, data=str(bench.folder / folder))
        keys.append((await looks(bench, port))[3])
        bench.jobs[-1].do("stop")
        await bench.event(bench.jobs[-1], "over")
    expect(keys[0] == keys[1] != keys[2], "the identity does not follow from the folder")


@case(
    "29-07",
    "Secrets do not follow from the clock or the process",
    covers=("M-TGT-4",),
    expect="a seed gives the same secrets in any process",
)
async def same_secrets(bench: Bench) -> None:
    seed = hashlib.sha256(b"a seed of a job").digest()
    cards = []
    for _ in range(2):
        port = await hosting(bench, seed=seed.hex())
        cards.append((await looks(bench, port))[3])
        await asyncio.sleep(0)
    expect(cards == [Identity(hashlib.sha256(seed + bytes(4)).digest()).public] * 2, "the identity is another one")
