"""Measures everything that docs/performance.md has figures for.

.venv/bin/python -m tests.benchmarks                  all of it: about half an hour on two cores
.venv/bin/python -m tests.benchmarks --only start     the rows of these benchmarks (again: --only wire)
.venv/bin/python -m tests.benchmarks --quick          small runs, printed and not written
"""

from tests.benchmarks.page import main

if __name__ == "__main__":
    main()
