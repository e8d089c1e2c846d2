r"""A fake of what Windows does differently, for tests on Linux: of the functions of the system, not of ours.

- Files are opened as text unless O_BINARY is given: a line feed is written as two bytes, and a byte 26 ends the file.
- Nobody else can read or write bytes that are locked. A file that is open anywhere can be neither deleted nor replaced,
  and `os.rename` never replaces one. There are no links.
- No name of a file or folder has one of `<>:"/\|?*`, a dot or space at its end, or is that of a device (CON, COM1).
- `fcntl`, `pwd`, `termios`, `resource`, `os.fork`, `os.geteuid` and SIGWINCH do not exist, but SIGBREAK does. A loop
  takes no signals. Other processes of this program are spawned: they import it anew.
- The usual event loop hears no datagrams, as on Windows after one came back from a closed port, and watches no sockets.
  The other one starts no processes.
- A console tells when its window is closed, and nothing else.
- Nothing sets TERM. `os.write` to a closed pipe fails with EINVAL.

Paths, sockets, the terminal and what starts processes stay those of this system. `on_windows` is for one test;
`tests/support/on_windows` holds a sitecustomize.py that makes whole programs run like that.
"""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import ctypes
import errno
import fcntl
import io
import multiprocessing.connection
import multiprocessing.context
import multiprocessing.popen_spawn_posix
import multiprocessing.queues
import multiprocessing.resource_tracker
import multiprocessing.spawn
import multiprocessing.synchronize
import multiprocessing.util
import os
import re
import signal
import struct
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any, Final

O_BINARY: Final = 0x8000
MISSING: Final = ("fcntl", "grp", "pwd", "resource", "termios", "tty")
END_OF_TEXT: Final = b"\x1a"
FORBIDDEN: Final = re.compile(r'[\x00-\x1f<>:"\\|?*]|[. ]$')
DEVICE: Final = re.compile("(?i:con|prn|aux|nul|(com|lpt)[0-9¹²³])")

_REAL: Final = types.SimpleNamespace(
    open=os.open,
    read=os.read,
    write=os.write,
    rename=os.rename,
    replace=os.replace,
    unlink=os.unlink,
    mkdir=os.mkdir,
    io_open=io.open,
)
_ABSENT: Final = object()
_STARTS_PROCESSES: Final = (
    multiprocessing.connection, multiprocessing.context, multiprocessing.popen_spawn_posix, multiprocessing.queues,
    multiprocessing.resource_tracker, multiprocessing.spawn, multiprocessing.synchronize, multiprocessing.util,
)  # fmt: skip
_text: set[int] = set()
"""The handles that were opened as text."""
_for_good: Final = contextlib.ExitStack()


def _open(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
    if flags & os.O_CREAT:
        _refuse_name(path)
    handle: int = _REAL.open(path, flags & ~O_BINARY, mode, dir_fd=dir_fd)
    (_text.discard if flags & O_BINARY else _text.add)(handle)
    return handle


def _make_folder(path: Any, mode: int = 0o777, **more: Any) -> None:
    _refuse_name(path)
    _REAL.mkdir(path, mode, **more)


def _refuse_name(path: Any) -> None:
    """Raises OSError for a name that no file can have."""
    name = os.path.basename(os.fsdecode(path))
    if FORBIDDEN.search(name) or DEVICE.fullmatch(name.partition(".")[0].rstrip()):
        raise OSError(errno.EINVAL, "The filename, directory name, or volume label syntax is incorrect", path)


def _read(handle: int, size: int) -> bytes:
    if _is_file(handle):
        _refuse_locked(handle, os.lseek(handle, 0, os.SEEK_CUR), size, fcntl.F_RDLCK)
    data: bytes = _REAL.read(handle, size)
    return data.partition(END_OF_TEXT)[0].replace(b"\r\n", b"\n") if handle in _text else data


def _write(handle: int, data: Any) -> int:
    data = bytes(data)
    if _is_file(handle):
        _refuse_locked(handle, os.lseek(handle, 0, os.SEEK_CUR), len(data), fcntl.F_WRLCK)
        if handle in _text:
            _REAL.write(handle, data.replace(b"\n", b"\r\n"))
            return len(data)
    try:
        return int(_REAL.write(handle, data))
    except BrokenPipeError:
        raise OSError(errno.EINVAL, "Invalid argument") from None


def _open_stream(file: Any, mode: str = "r", *more: Any, **options: Any) -> Any:
    # Python itself opens every file as binary, and translates line ends in its own layer.
    stream = _REAL.io_open(file, mode, *more, **options)
    with contextlib.suppress(io.UnsupportedOperation):
        handle = stream.fileno()
        _text.discard(handle)
        if _is_file(handle) and (size := os.fstat(handle).st_size):
            _refuse_locked(handle, 0, size, fcntl.F_RDLCK)
    return stream


def _is_file(handle: int) -> bool:
    return os.path.isfile(f"/proc/self/fd/{handle}")


def _refuse_locked(handle: int, start: int, size: int, kind: int) -> None:
    """Raises PermissionError if another handle, of any process, has locked a part of this."""
    asked = struct.pack("hhqqi", kind, os.SEEK_SET, start, size, 0)
    if struct.unpack("hhqqi", fcntl.fcntl(handle, fcntl.F_OFD_GETLK, asked))[0] != fcntl.F_UNLCK:
        raise PermissionError(errno.EACCES, "The process cannot access the file: a part of it is locked")


def _locking(handle: int, mode: int, size: int) -> None:
    """Locks like msvcrt.locking, from the place where the handle is. Raises PermissionError."""
    start = os.lseek(handle, 0, os.SEEK_CUR)
    try:
        wanted = struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, start, size, 0)
        fcntl.fcntl(handle, fcntl.F_OFD_SETLK, wanted)
    except OSError:
        raise PermissionError(errno.EACCES, "Permission denied") from None


def _refuse_open(path: Any) -> None:
    """Raises PermissionError if any process has this file open."""
    if os.path.lexists(path) and _is_open(os.lstat(path)):
        raise PermissionError(errno.EACCES, "The process cannot access the file: it is in use")


def _is_open(meant: os.stat_result) -> bool:
    for process in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):  # It ended, or belongs to somebody else.
            for handle in os.listdir(f"/proc/{process}/fd"):
                with contextlib.suppress(OSError):
                    if os.path.samestat(os.stat(f"/proc/{process}/fd/{handle}"), meant):
                        return True
    return False


def _unlink(path: Any, **more: Any) -> None:
    _refuse_open(path)
    _REAL.unlink(path, **more)


def _replace(source: Any, target: Any) -> None:
    _refuse_open(source)
    _refuse_open(target)
    _REAL.replace(source, target)


def _rename(source: Any, target: Any) -> None:
    _refuse_open(source)
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, "The file exists already")
    _REAL.rename(source, target)


def _link(*_: object, **__: object) -> None:
    raise OSError(errno.EINVAL, "Incorrect function")


def _missing(*_: object, **__: object) -> Any:
    raise NotImplementedError


class _Deaf(asyncio.DatagramProtocol):
    """Hears no datagrams, and tells its protocol everything else."""

    def __init__(self, protocol: asyncio.DatagramProtocol) -> None:
        self.connection_made = protocol.connection_made  # type: ignore[method-assign]
        self.connection_lost = protocol.connection_lost  # type: ignore[method-assign]


class _ProactorEventLoop(asyncio.SelectorEventLoop):
    add_reader = add_writer = add_signal_handler = _missing

    async def create_datagram_endpoint(self, protocol_factory: Any, *more: Any, **options: Any) -> Any:
        return await super().create_datagram_endpoint(lambda: _Deaf(protocol_factory()), *more, **options)


class _SelectorEventLoop(asyncio.SelectorEventLoop):
    add_signal_handler = subprocess_exec = subprocess_shell = _missing


class Console:
    """What Windows tells of its console: when its window is closed. Everything else fails."""

    def __init__(self) -> None:
        self.handlers: list[Callable[[int], bool]] = []

    def SetConsoleCtrlHandler(self, handler: Callable[[int], bool], on: bool) -> None:
        (self.handlers.append if on else self.handlers.remove)(handler)

    def __getattr__(self, name: str) -> Callable[..., int]:
        return lambda *_: 0


CONSOLE: Final = Console()


class _ThisSystem(types.ModuleType):
    """The module `sys` of a program that is not on Windows."""

    platform = sys.platform

    def __getattr__(self, name: str) -> Any:
        return getattr(sys, name)


def changes() -> Iterator[tuple[object, str, object]]:
    """Yields what is different: an object, the name of an attribute, and its value."""
    yield sys, "platform", "win32"
    yield os, "O_BINARY", O_BINARY
    for name, does in (
        ("open", _open), ("read", _read), ("write", _write), ("rename", _rename), ("replace", _replace),
        ("unlink", _unlink), ("remove", _unlink), ("link", _link), ("mkdir", _make_folder),
    ):  # fmt: skip
        yield os, name, does
    for module in _STARTS_PROCESSES:
        yield module, "sys", _ThisSystem("sys")
    # What `multiprocessing.set_start_method` sets, and refuses to set again.
    yield multiprocessing.context._default_context, "_actual_context", multiprocessing.get_context("spawn")
    for name in ("fork", "forkpty", "fdatasync", "fchmod", "geteuid", "getuid", "nice"):
        yield os, name, _ABSENT
    yield io, "open", _open_stream
    yield builtins, "open", _open_stream
    yield signal, "SIGWINCH", _ABSENT
    yield signal, "SIGBREAK", signal.SIGUSR2
    yield ctypes, "windll", types.SimpleNamespace(kernel32=CONSOLE)
    yield ctypes, "WINFUNCTYPE", lambda *_: lambda function: function
    yield errno, "WSAEINVAL", errno.EINVAL
    yield asyncio, "SelectorEventLoop", _SelectorEventLoop
    yield asyncio.events, "new_event_loop", _ProactorEventLoop


def modules() -> dict[str, types.ModuleType | None]:
    """Returns the modules that are different; None is one that does not exist."""
    msvcrt = types.ModuleType("msvcrt")
    msvcrt.locking, msvcrt.LK_NBLCK = _locking, 2  # type: ignore[attr-defined]
    return {"msvcrt": msvcrt, **dict.fromkeys(MISSING)}


@contextlib.contextmanager
def on_windows() -> Iterator[None]:
    """Makes everything in the block run as on Windows."""
    term = os.environ.pop("TERM", None)
    former_modules = {name: sys.modules.get(name, _ABSENT) for name in modules()}
    former = [(owner, name, getattr(owner, name, _ABSENT)) for owner, name, _ in changes()]
    sys.modules.update(modules())  # type: ignore[arg-type]
    for owner, name, value in changes():
        _set(owner, name, value)
    try:
        yield
    finally:
        for owner, name, value in former:
            _set(owner, name, value)
        for name, module in former_modules.items():
            if module is _ABSENT:
                del sys.modules[name]
            else:
                sys.modules[name] = module  # type: ignore[assignment]
        if term is not None:
            os.environ["TERM"] = term


def _set(owner: object, name: str, value: object) -> None:
    if value is not _ABSENT:
        setattr(owner, name, value)
    elif hasattr(owner, name):
        delattr(owner, name)


def install() -> None:
    """Makes this whole program run as on Windows from now on."""
    _for_good.enter_context(on_windows())
