"""The suite on Windows."""

from kimberley.conformance.harness.target import split_command
from tests.support.windows import on_windows


def test_on_windows_a_backslash_in_a_command_is_a_part_of_a_path() -> None:
    command = r"""'C:\Program Files\peer.exe' --at C:\data\new "a 'b' c" """
    with on_windows():
        assert split_command(command) == [r"C:\Program Files\peer.exe", "--at", r"C:\data\new", "a 'b' c"]
    assert split_command(r"./peer a\ b # c") == ["./peer", "a b", "#", "c"]
