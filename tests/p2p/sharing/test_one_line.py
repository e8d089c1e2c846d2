"""The line that a friend types: what it runs, what it refuses, and that each shell hands it on as it is."""

from __future__ import annotations

import http.server
import os
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kimberley.p2p.sharing.archive import BEGINNING_SIZE, SharedFile
from kimberley.p2p.sharing.one_line import PATH, CommandShell, one_line
from tests.support.effort import first_is_quick

Typed = Callable[[str, str], subprocess.CompletedProcess[str]]

SAYS = b"import sys;print(len(d),sys.argv[1:])".ljust(BEGINNING_SIZE) + b"the rest of the file \x00"
FILE = SharedFile("kimberley.pyz", SAYS)
WINDOWS = os.name == "nt"
SHELLS = (
    {"cmd": CommandShell.CMD, "powershell": CommandShell.POWERSHELL}
    if WINDOWS
    else {
        Path(path).resolve().name: CommandShell.SH
        for name in ("sh", "bash", "zsh", "fish")
        if (path := shutil.which(name)) is not None
    }
)
SITES = ("http://192.168.100.100:65535", "http://[2001:db8::1]:7480")


@contextmanager
def served(data: bytes) -> Iterator[str]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == PATH else 404)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def typed(tmp_path: Path) -> Typed:
    """Types a line into a shell, on a machine where `python3` or `py` is some Python without any package."""

    def on_windows(shell: str, line: str) -> list[str]:
        script = tmp_path / ("line.ps1" if shell == "powershell" else "line.cmd")
        script.write_text(f"{line}\nexit $LASTEXITCODE\n" if shell == "powershell" else f"@{line}\n")
        before = ["-ExecutionPolicy", "Bypass", "-File"] if shell == "powershell" else ["/d", "/c"]
        return [shell, *before, str(script)]

    def run(shell: str, line: str) -> subprocess.CompletedProcess[str]:
        environ = {**os.environ, "HOME": str(tmp_path), "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
        command = on_windows(shell, line) if WINDOWS else [shell, "-c", line]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env=environ, timeout=60, cwd=tmp_path
        )

    if not WINDOWS:
        (tmp_path / "python3").symlink_to(Path(sys.base_prefix, "bin", "python3"))
    return run


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS if WINDOWS else first_is_quick(*SHELLS))
def test_a_shell_runs_what_was_shared_and_nothing_that_was_changed(shell: str, typed: Typed) -> None:
    with served(SAYS) as site:
        line = one_line(SHELLS[shell], site, FILE, "join", "[fe80::1]:7411")
        ran = typed(shell, line)
        assert (ran.returncode, ran.stdout) == (0, f"{len(SAYS)} ['join', '[fe80::1]:7411']\n"), ran.stderr
    for place in (0, len(SAYS) - 1):
        changed = bytearray(SAYS)
        changed[place] ^= 1
        with served(bytes(changed)) as other:
            ran = typed(shell, line.replace(site, other))
            assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", "changed: not run\n")


def test_what_the_file_says_of_its_own_hash_counts_for_nothing(typed: Typed) -> None:
    claims = f"print('run');'{FILE.digits}'==h.sha256(d).hexdigest();h.sha256=lambda d:0#".encode()
    shell = next(iter(SHELLS))
    with served(claims.ljust(BEGINNING_SIZE) + FILE.digits.encode()) as site:
        ran = typed(shell, one_line(SHELLS[shell], site, FILE))
        assert (ran.returncode, ran.stdout) == (1, "")


def test_no_module_of_the_folder_where_it_is_typed_runs(typed: Typed, tmp_path: Path) -> None:
    for name in ("hashlib", "random"):
        (tmp_path / f"{name}.py").write_text("print('planted')\n")
    shell = next(iter(SHELLS))
    with served(SAYS) as site:
        ran = typed(shell, one_line(SHELLS[shell], site, FILE))
        assert (ran.returncode, ran.stdout) == (0, f"{len(SAYS)} []\n"), ran.stderr


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("shell", CommandShell)
def test_a_line_holds_80_bits_and_takes_three_rows_of_80_columns(shell: CommandShell, site: str) -> None:
    line = one_line(shell, site, FILE, "join", "192.168.100.100:65535")
    assert FILE.digits in line
    assert len(FILE.digits) * 4 >= 80
    assert len(line) <= 3 * 80
    assert "\n" not in line


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("shell", CommandShell)
def test_nothing_between_the_quotes_is_special_to_any_shell(shell: CommandShell, site: str) -> None:
    r"""Within double quotes, sh reads $ ` \ and an interactive bash also !, PowerShell $ and `, cmd % and, with
    delayed expansion, !. A second pair of quotes would end the first in all of them.
    """
    line = one_line(shell, site, FILE, "join", "[2001:db8::2]:7412")
    python, option, code, *arguments = shlex.split(line)
    assert (python, option) == ("python3" if shell is CommandShell.SH else "py", "-Ic")
    assert set(code) & set('"$`\\!%') == set()
    assert code.isascii()
    assert code.isprintable()
    assert arguments == ["join", "[2001:db8::2]:7412"]
    assert line == f'{python} -Ic "{code}" join "[2001:db8::2]:7412"'
    compile(code, "line", "exec")
