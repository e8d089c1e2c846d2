"""Turns a code into a key that two programs share: with magic-wormhole, through its mailbox server.

The mailbox server sees that two programs use the same number, not the words of the code. Whoever guesses the words
wrong has used up the code (SPAKE2).
"""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Callable
from typing import Any, Final

from twisted.internet import reactor
from twisted.internet.error import ConnectError, DNSLookupError
from wormhole import create, errors
from wormhole._wordlist import PGPWordList
from wormhole.cli import public_relay

from kimberley.p2p.far.codes import KEY_SIZE, FarKey, FarServers, is_relay

APPLICATION: Final = "kimberley/far/1"
WORDS: Final = 2
"""Words of a code, after its number: 16 bits, for a single guess."""
MAILBOX_SECONDS: Final = 20.0
"""How long the mailbox server may take to answer."""
ANSWER_SECONDS: Final = 15.0
"""How long the host, who waits there, may take to answer."""


class MeetingError(Exception):
    """The two did not meet. The message is one of `server`, `spelling`, `code` and `nobody`."""


async def invite(servers: FarServers, on_code: Callable[[str], None]) -> FarKey:
    """Calls `on_code` with a new code, and returns the key that it became once somebody has typed it.

    Raises MeetingError: no server; or somebody typed the number of the code with other words.
    """
    relay = servers.relay or public_relay.TRANSIT_RELAY
    meeting = _open(servers)
    try:
        meeting.allocate_code(WORDS)
        code = await _within(MAILBOX_SECONDS, meeting.get_code(), "server")
        on_code(code)
        meeting.send_message(json.dumps({"relay": relay}).encode())
        await _within(None, meeting.get_message(), "code")
        return FarKey(code, meeting.derive_key(APPLICATION, KEY_SIZE), relay)
    finally:
        await _close(meeting)


async def answer(servers: FarServers, code: str) -> FarKey:
    """Returns the key that a typed code becomes. Raises MeetingError."""
    words = code.partition("-")[2]
    # A code takes one guess, so what cannot be one is not tried.
    if words not in PGPWordList().get_completions(words, WORDS):
        raise MeetingError("spelling")
    meeting = _open(servers)
    try:
        meeting.set_code(code)
        await _within(MAILBOX_SECONDS, meeting.get_welcome(), "server")
        meeting.send_message(b"{}")
        reply = json.loads(await _within(ANSWER_SECONDS, meeting.get_message(), "nobody"))
        if not is_relay(relay := reply["relay"]):
            raise MeetingError("nobody")
        return FarKey(code, meeting.derive_key(APPLICATION, KEY_SIZE), relay)
    except (ValueError, KeyError, TypeError) as error:
        raise MeetingError("nobody") from error
    finally:
        await _close(meeting)


def _open(servers: FarServers) -> Any:
    # The server's messages to people are meant for other programs.
    return create(APPLICATION, servers.mailbox or public_relay.MAILBOX_RELAY, reactor, stderr=io.StringIO())


async def _within(seconds: float | None, result: Any, late: str) -> Any:
    """Returns the result of a deferred. Raises MeetingError, with `late` if it takes too long or is refused."""
    try:
        async with asyncio.timeout(seconds):
            return await result.asFuture(asyncio.get_running_loop())
    except TimeoutError:
        raise MeetingError(late) from None
    except errors.WrongPasswordError:
        raise MeetingError("code") from None
    except errors.ServerError as error:
        # Most likely somebody else came first: two at one number are all that the server takes.
        raise MeetingError(late) from error
    except (errors.WormholeError, ConnectError, DNSLookupError) as error:
        raise MeetingError("server") from error


async def _close(meeting: Any) -> None:
    """Leaves the mailbox, if the server still answers."""
    try:
        async with asyncio.timeout(MAILBOX_SECONDS):
            await meeting.close().asFuture(asyncio.get_running_loop())
    except (TimeoutError, errors.WormholeError, ConnectError, DNSLookupError):
        pass
