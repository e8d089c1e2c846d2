"""The line that a friend types: what it runs, what it refuses, and that each shell hands it on as it is."""

from __future__ import annotations

import http.server
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

SAYS = b"import sys;print(len(d),sys.argv[1:])".ljust(BEGINNING_SIZE) + b"the rest of the file \x00"
FILE = SharedFile("kimberley.pyz", SAYS)
SHELLS = sorted({Path(path).resolve().name for name in ("sh", "bash", "zsh", "fish") if (path := shutil.which(name))})
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
def typed(tmp_path: Path) -> Callable[[str, str], subprocess.CompletedProcess[str]]:
    """Types a line into a shell on a machine where `python3` is this Python."""
    (tmp_path / "python3").symlink_to(Path(sys.base_prefix, "bin", "python3"))

    def run(shell: str, line: str) -> subprocess.CompletedProcess[str]:
        environ = {"PATH": f"{tmp_path}:/usr/bin:/bin", "HOME": str(tmp_path)}
        return subprocess.run([shell, "-c", line], capture_output=True, text=True, check=False, env=environ, timeout=60)

    return run


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_runs_what_was_shared_and_nothing_that_was_changed(
    shell: str, typed: Callable[[str, str], subprocess.CompletedProcess[str]]
) -> None:
    with served(SAYS) as site:
        line = one_line(CommandShell.SH, site, FILE, "join", "[fe80::1]:7411")
        ran = typed(shell, line)
        assert (ran.returncode, ran.stdout) == (0, f"{len(SAYS)} ['join', '[fe80::1]:7411']\n")
    for place in (0, len(SAYS) - 1):
        changed = bytearray(SAYS)
        changed[place] ^= 1
        with served(bytes(changed)) as other:
            ran = typed(shell, line.replace(site, other))
            assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", "changed: nothing was run\n")


def test_what_the_file_says_of_its_own_hash_counts_for_nothing(
    typed: Callable[[str, str], subprocess.CompletedProcess[str]],
) -> None:
    claims = f"print('run');'{FILE.digits}'==h.sha256(d).hexdigest();h.sha256=lambda d:0#".encode()
    with served(claims.ljust(BEGINNING_SIZE) + FILE.digits.encode()) as site:
        ran = typed("sh", one_line(CommandShell.SH, site, FILE))
        assert (ran.returncode, ran.stdout) == (1, "")


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
    assert (python, option) == ("python3" if shell is CommandShell.SH else "py", "-c")
    assert set(code) & set('"$`\\!%') == set()
    assert code.isascii()
    assert code.isprintable()
    assert arguments == ["join", "[2001:db8::2]:7412"]
    assert line == f'{python} -c "{code}" join "[2001:db8::2]:7412"'
    compile(code, "line", "exec")
