"""What a page needs for a seat in the browser: Python, this program, and the page's own files.

The program is a zip archive, as in `archive`, without what a page cannot do. A list (`LIST`) names all files, each with
its SHA-256. The SHA-256 of the list stands for all of them, and the digits in the link to the page stand for that and
the host's key: the page runs nothing that the list does not name, and joins no other host. The same installation always
gives the same bytes.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from kimberley.p2p.base.extras import BROWSER, require
from kimberley.p2p.sharing.archive import LEFT_OUT, own_files, own_metadata, package_files, zipped
from kimberley.p2p.sharing.launcher import DIGITS
from kimberley.p2p.sharing.server import ServedFile

PATH: Final = "/p"
"""Where the page is served. The link has to be short, so that its code fits on a small screen."""
FOLDER: Final = "/play/"
"""Where its files are."""
LIST: Final = "files.json"
HOST: Final = "host"
"""What is served with the program, and differs from host to host: the host's key, in hexadecimal."""
PROGRAM: Final = "program.zip"
PAGE: Final = "index.html"
SERVICE_WORKER: Final = "service_worker.js"
PAGE_FILES: Final = "client/browser/page"
PLAYING: Final = "Playing on a phone or in a browser"
"""What the extra `browser` is needed for."""
RUNTIME: Final = "kimberley_browser_runtime"
NEEDED: Final[Mapping[str, str]] = {
    "confusable-homoglyphs": "confusable_homoglyphs",
    "msgpack": "msgpack",
    "segno": "segno",
    "wcwidth": "wcwidth",
}
"""The packages that the program needs in a page: the name of each, and of its folder."""
NOT_IN_PAGES: Final = (
    *(pattern for pattern in LEFT_OUT if not pattern.startswith("client/browser/")),
    f"{PAGE_FILES}/*",
    "client/cli/*",
    "client/ui/terminal_keys.py",
    "client/ui/terminal_window.py",
    *(f"p2p/far/{name}.py" for name in ("__main__", "meeting", "pipe")),
)
TYPES: Final[Mapping[str, str]] = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
}
FOREVER: Final = ("Cache-Control", "public, max-age=31536000, immutable")
"""The header of files that the page requests by their hash: a newer file has another name."""
WHOLE_SITE: Final = ("Service-Worker-Allowed", "/")
"""The header that lets the service worker answer for all paths, not only those in its folder."""
POLICY: Final = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self' blob: 'wasm-unsafe-eval'",
        "worker-src 'self' blob:",
        "connect-src 'self' ws:",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)


@dataclass(frozen=True)
class PageProgram:
    """All files of the page by their paths, and the SHA-256 that stands for them."""

    files: Mapping[str, ServedFile]
    sha256: bytes

    def served_by(self, host_key: bytes) -> dict[str, ServedFile]:
        """Returns all that the host with this key serves."""
        return {**self.files, f"{FOLDER}{HOST}": ServedFile(host_key.hex().encode(), (("Content-Type", "text/plain"),))}

    def digits(self, host_key: bytes) -> str:
        """Returns the first 88 bits of the SHA-256 of this program's and the host's key, in hexadecimal."""
        return hashlib.sha256(self.sha256 + host_key).hexdigest()[:DIGITS]

    def link(self, site: str, host_key: bytes) -> str:
        """Returns what a friend opens: the page at that site, with the digits that it compares with what it gets
        there.
        """
        return f"{site}{PATH}#{self.digits(host_key)}"


def build_page_program() -> PageProgram:
    """Builds the page's program from the running installation.

    Takes a second. Raises MissingExtra if what it runs on is not installed, and UserError if this installation is not
    there as files.
    """
    require(BROWSER, PLAYING)
    return with_runtime(own_page_files())


def own_page_files() -> dict[str, bytes]:
    """Returns the files of the page by their names, without what the program runs on. Raises UserError."""
    return {PROGRAM: _program(), **_page_files()}


def with_runtime(own: Mapping[str, bytes]) -> PageProgram:
    """Adds what the program runs on to these files."""
    known = json.loads((files(RUNTIME) / "files" / LIST).read_bytes())
    packed = {name: (files(RUNTIME) / "files" / f"{name}.gz").read_bytes() for name in known}
    known |= {name: {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)} for name, data in own.items()}
    listed = json.dumps(known, indent=1, sort_keys=True).encode()
    served = {f"{FOLDER}{name}": _served(name, data) for name, data in {**own, LIST: listed}.items()}
    for name, data in packed.items():
        served[f"{FOLDER}{name}"] = ServedFile(data, (*_headers(name), FOREVER, ("Content-Encoding", "gzip")))
    served[PATH] = served[f"{FOLDER}{PAGE}"]
    return PageProgram(served, hashlib.sha256(listed).digest())


def _program() -> bytes:
    files = dict(own_files(NOT_IN_PAGES)) | own_metadata()
    for name, folder in NEEDED.items():
        files |= package_files(name, folder)
    return zipped(files)


def _page_files() -> dict[str, bytes]:
    """Returns what the page is made of, without the program."""
    folder = Path(__file__).parents[2] / PAGE_FILES
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix in TYPES}


def _served(name: str, data: bytes) -> ServedFile:
    if name == PROGRAM:
        return ServedFile(data, (*_headers(name), FOREVER))
    lasting = (FOREVER, WHOLE_SITE) if name == SERVICE_WORKER else ()
    return ServedFile(gzip.compress(data, 9, mtime=0), (*_headers(name), *lasting, ("Content-Encoding", "gzip")))


def _headers(name: str) -> tuple[tuple[str, str], ...]:
    kind = ("Content-Type", TYPES[Path(name).suffix])
    return (kind, ("Content-Security-Policy", POLICY)) if name == PAGE else (kind,)
