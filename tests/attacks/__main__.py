"""Runs attacks on the real program, and prints one line of JSON for each: its name, whether the program held, its
figure.

    .venv/bin/python -m tests.attacks list
    .venv/bin/python -m tests.attacks all
    .venv/bin/python -m tests.attacks NAME [NAME ...]

Each module `on_*.py` of this folder has its attacks in `ATTACKS`. The exit status is 1 if any attack succeeded.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path

from tests.attacks.attack import Attack


def attacks() -> dict[str, Attack]:
    """Returns all attacks by name, in the order of their modules."""
    modules = sorted(path.stem for path in Path(__file__).parent.glob("on_*.py"))
    found = [attack for name in modules for attack in importlib.import_module(f"tests.attacks.{name}").ATTACKS]
    return {attack.name: attack for attack in found}


def main() -> int:
    known = attacks()
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description="Runs attacks on the program again.")
    parser.add_argument("names", nargs="+", metavar="NAME", choices=[*known, "all", "list"], help="or all, or list")
    names = parser.parse_args().names
    if "list" in names:
        print("\n".join(f"{name:24} {attack.title}" for name, attack in known.items()))
        return 0
    held = True
    for attack in known.values() if "all" in names else [known[name] for name in names]:
        outcome = attack.run()
        held &= outcome.held
        print(json.dumps({"attack": attack.name, "held": outcome.held, "figure": outcome.figure}), flush=True)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
