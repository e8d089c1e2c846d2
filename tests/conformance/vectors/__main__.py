"""Checks the vectors against the code, or writes them again.

python -m tests.conformance.vectors            prints the names of files that differ from what the code gives
python -m tests.conformance.vectors --write    writes all files
"""

from __future__ import annotations

import sys

from tests.conformance.vectors.files import FOLDER, files


def main() -> None:
    for name, text in files().items():
        path = FOLDER / name
        if "--write" in sys.argv[1:]:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            sys.stdout.write(f"{name} differs\n")


if __name__ == "__main__":
    main()
