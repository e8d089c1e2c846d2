"""What a platform must provide: background work, random numbers, clocks, files and sockets. All of p2p/ and client/ ask
for them here.

The platform here is an operating system. Another one, such as a browser, brings its own `Platform` and calls
`set_platform` before anything else runs. Timers and `loop.time` come from the event loop, which every platform has.
"""

from __future__ import annotations

import array
import asyncio
import contextlib
import errno
import functools
import os
import signal
import socket
import ssl
import struct
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any, Final, ParamSpec, Protocol, TypeVar

from kimberley.p2p.base.endings import EndRequests
from kimberley.p2p.base.errors import NoHomeError
from kimberley.p2p.base.outlet import unblocked_output

if TYPE_CHECKING:
    from zeroconf.asyncio import AsyncZeroconf

    from kimberley.p2p.base.message_socket import MessageSocket

T = TypeVar("T")
P = ParamSpec("P")
ProtocolT = TypeVar("ProtocolT", bound=asyncio.Protocol)

UNSYNCED_FOLDER: Final = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EBADF})
"""Errors of network and shared file systems that cannot sync a folder. They keep its names durable themselves, or not
at all.
"""
SIOCETHTOOL: Final = 0x8946
ETHTOOL_GDRVINFO: Final = 3
"""Linux's request for the name of an interface's driver."""
SIOCDEVPRIVATE: Final = 0x89F0
BRCTL_GET_PORT_LIST: Final = 7
"""Linux's request for the interfaces that a bridge connects."""
MOST_PORTS: Final = 1024
MOST_WINDOWS_PROCESSES: Final = 61
"""The most processes of one pool on Windows, which can wait for at most 64 objects."""
LOCAL_NETWORK: Final = (
    "On a Mac, your terminal program also needs permission: System Settings, Privacy & Security, Local Network."
)


class Worker(Protocol):
    """Runs one piece of work after another, all on the same thread."""

    def run(self, work: Callable[[], T]) -> Awaitable[T]:
        """Returns the result of `work`, or its error. It runs even if nobody still waits for it."""

    def close(self) -> None:
        """Accepts no more work. To be called when nothing is running."""


class Platform(Protocol):
    """What p2p/ and client/ need in addition to Python and an event loop."""

    # -- work ----------------------------------------------------------------------------------------------------------

    def in_background(self, work: Callable[[], T]) -> Awaitable[T]:
        """Returns the result of work that computes for a long time or waits for a disk. With threads, the event loop
        runs on.
        """

    def open_worker(self) -> Worker:
        """Opens a thread for what only one thread may use, such as a connection to a database."""

    def start_thread(self, work: Callable[[], None]) -> None:
        """Starts work that blocks for as long as the program runs, such as reading what is typed."""

    def while_busy(self, call: Callable[[], None]) -> Callable[[], None]:
        """Makes `call` happen about twice a second while work computes and blocks the event loop. Where the loop is
        never blocked, it never happens. Returns a function that ends this.
        """

    def uninterrupted(self) -> AbstractContextManager[None]:
        """Postpones the calls of `while_busy` until a block of code has ended."""

    @property
    def has_processes(self) -> bool:
        """Whether further processes can be started, to compute on other cores."""

    # -- chance --------------------------------------------------------------------------------------------------------

    def random_bytes(self, size: int) -> bytes:
        """Returns bytes that nobody can guess."""

    def chance(self) -> Random:
        """Returns numbers that nobody can guess."""

    # -- clocks --------------------------------------------------------------------------------------------------------

    def wall_time(self) -> float:
        """Returns seconds since 1970. May jump."""

    def monotonic(self) -> float:
        """Returns seconds of a clock that never goes back."""

    # -- storage -------------------------------------------------------------------------------------------------------

    def data_folder(self) -> Path:
        """Returns the user's folder for the identity, journals and records. Raises NoHomeError."""

    def state_folder(self) -> Path:
        """Returns the folder for state that must not come back with an old copy of the data folder. Raises
        NoHomeError.
        """

    def sync_file(self, handle: int) -> None:
        """Makes what was written, and the file's new length, durable. Raises OSError."""

    def sync_folder(self, path: Path) -> None:
        """Makes new names in a folder durable. Raises OSError."""

    # -- transports ----------------------------------------------------------------------------------------------------

    def listen(
        self, protocol: Callable[[], asyncio.Protocol], bind: str | None, port: int
    ) -> Awaitable[asyncio.Server]:
        """Returns a server that accepts connections once its `start_serving` is called: at all addresses unless `bind`
        names one, at any free port if `port` is 0. Raises OSError.
        """

    def connect(
        self, protocol: Callable[[], ProtocolT], host: str, port: int, *, tls: ssl.SSLContext | None, **options: Any
    ) -> Awaitable[tuple[asyncio.Transport, ProtocolT]]:
        """Connects, by TLS if `tls` is given. The options are those of `loop.create_connection`. Raises OSError."""

    @property
    def has_only_web_sockets(self) -> bool:
        """Whether peers are reached by `open_web_socket`, not by `connect`."""

    def open_web_socket(
        self, host: str, port: int, path: str, on_message: Callable[[bytes], None], on_close: Callable[[str], None]
    ) -> Awaitable[MessageSocket]:
        """Connects to a peer that serves a page there, by a WebSocket at that path of the page. Raises OSError, when
        awaited, if nobody answers, or the place is out of reach.
        """

    def open_multicast(self, interfaces: Sequence[str | int], *, six: bool, alone: bool) -> AsyncZeroconf:
        """Opens mDNS, to find others on the local network, on these interfaces; with `six` over IPv6, too; with `alone`
        at its own ports. Raises OSError or RuntimeError if there is no multicast.
        """


class _ThreadWorker:
    """A separate thread."""

    def __init__(self) -> None:
        from concurrent.futures import ThreadPoolExecutor

        self._thread = ThreadPoolExecutor(1)

    def run(self, work: Callable[[], T]) -> Awaitable[T]:
        return asyncio.get_running_loop().run_in_executor(self._thread, work)

    def close(self) -> None:
        self._thread.shutdown(wait=False)


class SystemPlatform:
    """An operating system, with threads, files and sockets."""

    def in_background(self, work: Callable[[], T]) -> Awaitable[T]:
        return asyncio.to_thread(work)

    def open_worker(self) -> Worker:
        return _ThreadWorker()

    def start_thread(self, work: Callable[[], None]) -> None:
        threading.Thread(target=work, daemon=True).start()

    def while_busy(self, call: Callable[[], None]) -> Callable[[], None]:
        return lambda: None

    def uninterrupted(self) -> AbstractContextManager[None]:
        return contextlib.nullcontext()

    @property
    def has_processes(self) -> bool:
        return True

    def random_bytes(self, size: int) -> bytes:
        return os.urandom(size)

    def chance(self) -> Random:
        return SystemRandom()

    def wall_time(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    def data_folder(self) -> Path:
        from platformdirs import user_data_dir

        return _in_home(user_data_dir)

    def state_folder(self) -> Path:
        from platformdirs import user_state_dir

        folder = _in_home(user_state_dir)
        # On some systems the folder for data is also the one for state.
        return folder if folder != self.data_folder() else folder.with_name(f"{folder.name}-state")

    def sync_file(self, handle: int) -> None:
        if hasattr(os, "fdatasync"):
            os.fdatasync(handle)
        else:
            _sync(handle)

    def sync_folder(self, path: Path) -> None:
        # A system that cannot sync a folder keeps its names durable itself.
        if sys.platform == "win32":
            return
        handle = os.open(path, os.O_RDONLY)
        try:
            _sync(handle)
        except OSError as error:
            if error.errno not in UNSYNCED_FOLDER:
                raise
        finally:
            os.close(handle)

    async def listen(self, protocol: Callable[[], asyncio.Protocol], bind: str | None, port: int) -> asyncio.Server:
        if bind is not None:
            family, _, _, _, where = socket.getaddrinfo(bind, port, type=socket.SOCK_STREAM)[0]
            listener = socket.create_server(where, family=family, backlog=128)
        elif socket.has_dualstack_ipv6():
            listener = socket.create_server(("", port), family=socket.AF_INET6, backlog=128, dualstack_ipv6=True)
        else:
            listener = socket.create_server(("", port), backlog=128)
        return await asyncio.get_running_loop().create_server(protocol, sock=listener, start_serving=False)

    async def connect(
        self, protocol: Callable[[], ProtocolT], host: str, port: int, *, tls: ssl.SSLContext | None, **options: Any
    ) -> tuple[asyncio.Transport, ProtocolT]:
        return await asyncio.get_running_loop().create_connection(
            protocol, host, port, ssl=tls, server_hostname=None if tls is None else "", **options
        )

    @property
    def has_only_web_sockets(self) -> bool:
        return False

    async def open_web_socket(
        self, host: str, port: int, path: str, on_message: Callable[[bytes], None], on_close: Callable[[str], None]
    ) -> MessageSocket:
        raise OSError("only a page opens WebSockets")

    def open_multicast(self, interfaces: Sequence[str | int], *, six: bool, alone: bool) -> AsyncZeroconf:
        from zeroconf import IPVersion
        from zeroconf.asyncio import AsyncZeroconf

        version = IPVersion.All if six else IPVersion.V4Only
        return AsyncZeroconf(interfaces=list(interfaces), ip_version=version, unicast=alone)


def _in_home(find: Callable[..., str]) -> Path:
    """Returns this program's folder in the user's home, as a function of platformdirs finds it. Raises NoHomeError."""
    try:
        folder = Path(find("kimberley", appauthor=False))
    except RuntimeError:
        raise NoHomeError from None
    if not folder.is_absolute():  # What older versions of platformdirs make of an unknown home begins with "~".
        raise NoHomeError
    return folder


def _sync(handle: int) -> None:
    """Raises OSError."""
    if sys.platform == "darwin":
        import fcntl

        # On macOS, fsync leaves the bytes in the cache of the disk. File systems that lack this refuse it.
        with contextlib.suppress(OSError):
            fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
            return
    os.fsync(handle)


_current: Platform = SystemPlatform()


def set_platform(platform: Platform) -> Platform:
    """Sets the `platform` to use from now on. Returns the former one."""
    global _current
    former, _current = _current, platform
    return former


def lock() -> AbstractContextManager[bool]:
    """Returns a lock between the threads of `in_background`."""
    return threading.Lock()


async def in_background(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Returns the result of a call that computes for a long time or waits for a disk, while the event loop runs on."""
    return await _current.in_background(functools.partial(work, *args, **kwargs))


def open_worker() -> Worker:
    return _current.open_worker()


def start_thread(work: Callable[[], None]) -> None:
    _current.start_thread(work)


def while_busy(call: Callable[[], None]) -> Callable[[], None]:
    return _current.while_busy(call)


def uninterrupted() -> AbstractContextManager[None]:
    return _current.uninterrupted()


def has_processes() -> bool:
    return _current.has_processes


def random_bytes(size: int) -> bytes:
    return _current.random_bytes(size)


def chance() -> Random:
    return _current.chance()


def wall_time() -> float:
    return _current.wall_time()


def monotonic() -> float:
    return _current.monotonic()


def data_folder() -> Path:
    return _current.data_folder()


def state_folder() -> Path:
    return _current.state_folder()


def sync_file(handle: int) -> None:
    _current.sync_file(handle)


def sync_folder(path: Path) -> None:
    _current.sync_folder(path)


def listen(protocol: Callable[[], asyncio.Protocol], bind: str | None, port: int) -> Awaitable[asyncio.Server]:
    return _current.listen(protocol, bind, port)


def connect(
    protocol: Callable[[], ProtocolT], host: str, port: int, *, tls: ssl.SSLContext | None, **options: Any
) -> Awaitable[tuple[asyncio.Transport, ProtocolT]]:
    return _current.connect(protocol, host, port, tls=tls, **options)


def has_only_web_sockets() -> bool:
    return _current.has_only_web_sockets


def open_web_socket(
    host: str, port: int, path: str, on_message: Callable[[bytes], None], on_close: Callable[[str], None]
) -> Awaitable[MessageSocket]:
    return _current.open_web_socket(host, port, path, on_message, on_close)


def open_multicast(interfaces: Sequence[str | int], *, six: bool, alone: bool) -> AsyncZeroconf:
    return _current.open_multicast(interfaces, six=six, alone=alone)


# -- what differs between operating systems ----------------------------------------------------------------------------


def run_loop(main: Coroutine[Any, Any, T], *, subprocesses: bool = False) -> T:
    """Runs a program's coroutine on a new event loop, as asyncio.run does. Meanwhile, nothing that it prints waits for
    a reader. A signal that asks the program to end cancels the coroutine, so that it says goodbye, and raises
    SystemExit.

    The usual loop of Windows reads nothing more from a datagram socket once a datagram was bounced by a closed port,
    which makes mDNS deaf. The other loop cannot start `subprocesses`.
    """
    loop_factory = None
    if sys.platform == "win32" and not subprocesses:
        loop_factory, main = asyncio.SelectorEventLoop, _interruptible(main)
    requests = EndRequests()
    with requests, unblocked_output(), asyncio.Runner(loop_factory=loop_factory) as runner:
        try:
            return runner.run(requests.cancel_by(main))
        except asyncio.CancelledError:
            if requests.number is None:
                raise
            raise SystemExit(requests.status) from None


async def _interruptible(main: Coroutine[Any, Any, T]) -> T:
    """Lets Ctrl-C wake the loop: on Windows, it does not interrupt a wait for sockets by itself."""
    awake, signals = socket.socketpair()
    awake.setblocking(False)
    signals.setblocking(False)
    loop = asyncio.get_running_loop()
    loop.add_reader(awake, awake.recv, 64)
    before = signal.set_wakeup_fd(signals.fileno(), warn_on_full_buffer=False)
    try:
        return await main
    finally:
        signal.set_wakeup_fd(before)
        loop.remove_reader(awake)
        awake.close()
        signals.close()


def most_processes() -> int:
    """Returns how many processes a pool may have."""
    return MOST_WINDOWS_PROCESSES if sys.platform == "win32" else sys.maxsize


def scope_id(interface: str, index: int) -> str:
    """Returns how an IPv6 address names an interface. On Windows the names are sentences, with spaces."""
    return str(index) if sys.platform == "win32" else interface


def is_bridge(interface: str) -> bool:
    """Returns whether an interface is a Linux bridge, whatever its name. Bridges connect containers and virtual
    machines.
    """
    if sys.platform != "linux":
        return False
    import fcntl

    driver = array.array("B", struct.pack("=I192x", ETHTOOL_GDRVINFO))
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            fcntl.ioctl(asking, SIOCETHTOOL, struct.pack("16sP16x", interface.encode(), driver.buffer_info()[0]))
    except OSError:
        return False
    return bytes(driver[4:36]).rstrip(b"\0") == b"bridge"


def bridged(interface: str) -> list[str]:
    """Returns the interfaces that a Linux bridge connects; none for any other interface. Asks the kernel, since /sys
    may belong to another network namespace.
    """
    if sys.platform != "linux":
        return []
    import fcntl

    indices = array.array("i", bytes(4 * MOST_PORTS))
    request = array.array("L", [BRCTL_GET_PORT_LIST, indices.buffer_info()[0], MOST_PORTS, 0])
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            fcntl.ioctl(asking, SIOCDEVPRIVATE, struct.pack("16sP16x", interface.encode(), request.buffer_info()[0]))
        return [socket.if_indextoname(index) for index in indices if index]
    except OSError:
        return []


def unreachable_hint(error: OSError) -> str:
    """Returns a sentence on what this system may require before it lets a program reach its neighbors; or nothing."""
    return LOCAL_NETWORK if sys.platform == "darwin" and error.errno == errno.EHOSTUNREACH else ""


def is_closed_pipe(error: OSError) -> bool:
    """Returns whether an error means that nobody reads the pipe any more. Windows calls that an invalid argument."""
    return isinstance(error, BrokenPipeError) or (sys.platform == "win32" and error.errno == errno.EINVAL)


@contextlib.contextmanager
def unread_output_dropped() -> Iterator[None]:
    """Drops the output of a block of code once nobody reads it."""
    try:
        yield
    except OSError as error:
        if not is_closed_pipe(error):
            raise
