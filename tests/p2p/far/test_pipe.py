"""Streams through a relay that both sides do not trust."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace

import pytest

from kimberley.p2p.far import pipe
from kimberley.p2p.far.codes import FarKey
from kimberley.p2p.far.pipe import NobodyThere, NoRelay, Pipe, Side
from tests.support.asyncs import run, settled
from tests.support.far import LittleRelay

SECRET = b"four words: amber canyon piano velvet"


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(1 << 16):
        writer.write(data)
    writer.close()


async def host(relay: LittleRelay, key: bytes = b"k") -> None:
    """Waits for one guest, who gets everything back."""
    one = await Pipe.meet(relay.key(key), Side.HOST)
    await one.greet()
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    async with server:
        await one.carry(*await asyncio.open_connection(*server.sockets[0].getsockname()))


def test_all_that_one_side_sends_comes_to_the_other_and_the_relay_reads_nothing() -> None:
    sent = SECRET * 5000

    async def main() -> None:
        async with LittleRelay().serve() as relay, asyncio.TaskGroup() as tasks:
            tasks.create_task(host(relay))
            guest = await Pipe.meet(relay.key(), Side.GUEST)
            await guest.greet()
            got = asyncio.Queue[bytes]()

            async def keep(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                writer.write(sent)
                got.put_nowait(await reader.readexactly(len(sent)))
                writer.close()

            async with await asyncio.start_server(keep, "127.0.0.1", 0) as server:
                await guest.carry(*await asyncio.open_connection(*server.sockets[0].getsockname()))
                assert await got.get() == sent
            assert len(relay.seen) > 2 * len(sent)
            assert SECRET not in relay.seen

    run(main())


async def meet_in_vain(relay: LittleRelay, key: bytes, side: Side) -> None:
    one = await Pipe.meet(relay.key(key), side)
    with pytest.raises(NobodyThere):
        await one.greet()


def test_whoever_has_another_key_is_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """A relay can show the token of others, but does not have their key."""
    monkeypatch.setattr(pipe, "token_of", lambda key: b"t" * 64)

    async def main() -> None:
        async with LittleRelay().serve() as relay, asyncio.TaskGroup() as tasks:
            for key, side in ((b"k", Side.HOST), (b"x", Side.GUEST)):
                tasks.create_task(meet_in_vain(relay, key, side))

    run(main())


@pytest.mark.parametrize("size", [0, 1, 31, 32, 33, 48, 999])
@pytest.mark.parametrize("side", list(Side))
def test_whoever_speaks_something_else_is_nobody(size: int, side: Side) -> None:
    """Whatever a relay says in place of the other side."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(pipe.MET + size.to_bytes(2) + bytes(size))
        with contextlib.suppress(OSError):
            await reader.read()
        writer.transport.abort()

    async def main() -> None:
        async with await asyncio.start_server(talk, "127.0.0.1", 0) as relay:
            key = FarKey("7-velvet-harbor", b"k" * 32, f"tcp:127.0.0.1:{relay.sockets[0].getsockname()[1]}")
            one = await Pipe.meet(key, side)
            with pytest.raises(NobodyThere):
                await one.greet()
            await settled()

    run(main())


def test_where_nobody_waits_a_guest_waits_for_a_moment_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipe, "MEET_SECONDS", 0.2)

    async def main() -> None:
        async with LittleRelay().serve() as relay:
            with pytest.raises(NobodyThere):
                await Pipe.meet(relay.key(), Side.GUEST)

    run(main())


def test_without_a_relay_nothing_is_reached() -> None:
    async def main() -> None:
        async with LittleRelay().serve() as relay:
            key = relay.key()
        with pytest.raises(NoRelay):
            await Pipe.meet(key, Side.GUEST)
        with pytest.raises(NoRelay):
            await Pipe.meet(replace(key, relay="tcp:nowhere.invalid:1"), Side.HOST)

    run(main())
