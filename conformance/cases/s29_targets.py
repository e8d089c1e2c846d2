"""Section 29: the contract for targets."""

from __future__ import annotations

import asyncio
import hashlib

from kimberley.conformance.case import case
from kimberley.conformance.cases.hosting import expect_card, hosting
from kimberley.conformance.cases.scripts import Asks, amounts
from kimberley.conformance.errors import Failed, Noted, expect
from kimberley.conformance.harness.harness import Harness
from kimberley.conformance.harness.identity import SuiteIdentity
from kimberley.conformance.harness.profile import ROLES
from kimberley.conformance.harness.target import STOP_SECONDS
from kimberley.conformance.plain import spelled
from kimberley.conformance.table.table import open_table
from kimberley.protocol.crypto.hashing import digest


@case(
    "29-01",
    "Identity, seeds and nonces of a seed",
    covers=("M-TGT-4",),
    expect="SHA-256(S || k), in the order of section 29",
)
async def drawn(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)),), job={"games": 2}) as table:
        for first in (1, 3):
            place = table.signed.roster.seats[table.target]
            expect(
                place.identity == SuiteIdentity(table.secret(0)).public, "the identity does not follow from the seed"
            )
            expect(
                place.seed_hash == digest("seed", table.secret(first)),
                "the target's seed does not follow from the seed of the job",
            )
            expect(
                table.signed.nonces[table.target] == table.secret(first + 1), "the nonce does not follow from the seed"
            )
            await table.finish()
            if first == 1:
                await table.next_game()
                await table.begin_again()


@case("29-02", "An unknown role", covers=("M-TGT-1", "M-TGT-2"), expect="`unimplemented`, and the job is over")
async def no_role(harness: Harness) -> None:
    job = await harness.start_job("juggle")
    job.may_lack = True
    await harness.wait_until(lambda: job.over, "the end of the job", 40)
    by_kind = {event["event"]: event for event in job.events}
    expect("unimplemented" in by_kind and not by_kind["over"].get("done"), f"the target says {spelled(job.events)}")


@case(
    "29-03",
    "Jobs one after the other",
    covers=("M-TGT-1",),
    expect="each job is played and ends with `over`; or the process ends, and is started again",
)
async def one_after_other(harness: Harness) -> None:
    for seats in (2, 3):
        async with open_table(harness, (("roll", (6,)),), seats=seats) as table:
            await table.finish()
            await harness.await_event(table.job, "over")
            for connection in table.connections:
                connection.abort()


@case(
    "29-08",
    "The profile of the target",
    covers=("M-TGT-6",),
    expect="an event `profile` that names what the target has, or `unimplemented`; and `over`",
)
async def profile(harness: Harness) -> None:
    job = await harness.start_job("profile")
    job.may_lack = True
    await harness.wait_until(lambda: job.over, "the end of the job", 40)
    event = job.last("profile")
    if event is None:
        expect(job.all("unimplemented"), f"the target says {spelled(job.events)}")
        raise Noted("the target has no profile: the suite asks for all roles and games")
    has = event.get("has")
    named = {name for name in has if isinstance(name, str)} if isinstance(has, list) else set()
    expect(named & {*ROLES}, f"the target says {spelled(event)}, but names no role in `has`")


@case("29-04", "`stop`", covers=("S-TGT-5",), expect="the job is over within 3 s, without a bye")
async def stop(harness: Harness) -> None:
    async with open_table(harness, (("decide", 0, 9), ("decide", 1, 9))) as table:
        await table.until(2)
        table.job.do("stop")
        await harness.await_event(table.job, "over", STOP_SECONDS + 2)
        expect(not table.suite_seat.wire.count("bye"), "the target said bye")


@case(
    "29-05",
    "The order of events",
    covers=("M-TGT-2", "M-TGT-3"),
    expect="listening, words, began, answers, result, verdict, over",
)
async def order(harness: Harness) -> None:
    async with open_table(harness, (("roll", (6,)), ("decide", 0, 9))) as table:
        await table.finish()
        await harness.await_event(table.job, "over")
        kinds = [event["event"] for event in table.job.events]
        due = ["listening", "words", "began", "answered", "asked", "answered", "result", "verdict", "over"]
        if [event for event in kinds if event in due] != due:
            raise Failed(f"the target reports the events {spelled(kinds)}")


@case(
    "29-09",
    "A script that names seats the table does not have",
    covers=("M-TGT-3",),
    expect="they are passed over, and so is an ask for them alone",
)
async def absent_seats(harness: Harness) -> None:
    asks: Asks = (
        ("decide", 4, 9),
        ("together", (0, 1, 2), 9),
        amounts(3),
        ("disclose", ((0, 3, "a", "b"), (1, 0, "a", "b"), (5, 1, "a", "b")), 4),
        ("open", ((2, "a"), (1, "b")), 4),
        ("seal", (2, 3), 9),
        ("roll", (6,)),
    )
    async with open_table(harness, asks) as table:
        await table.finish()
        expect(table.play.step == 6, f"the closing stages have step {table.play.step}, and five asks are put")


@case(
    "29-06",
    "The identity of a folder",
    covers=("M-TGT-4", "M-SIG-4"),
    expect="the same identity in two jobs, and another one in another folder",
)
async def kept_identity(harness: Harness) -> None:
    keys = []
    for folder in ("one", "one", "other"):
        port = await hosting(harness, data=str(harness.folder / folder))
        keys.append((await expect_card(harness, port))[3])
        harness.jobs[-1].do("stop")
        await harness.await_event(harness.jobs[-1], "over")
    expect(keys[0] == keys[1] != keys[2], "the identity is not the folder's")


@case(
    "29-07",
    "Secrets do not follow from the clock or the process",
    covers=("M-TGT-4",),
    expect="a seed gives the same secrets in any process",
)
async def same_secrets(harness: Harness) -> None:
    seed = hashlib.sha256(b"a seed of a job").digest()
    cards = []
    for _ in range(2):
        port = await hosting(harness, seed=seed.hex())
        cards.append((await expect_card(harness, port))[3])
        await asyncio.sleep(0)
    expect(
        cards == [SuiteIdentity(hashlib.sha256(seed + bytes(4)).digest()).public] * 2,
        "the identity does not follow from the seed",
    )
