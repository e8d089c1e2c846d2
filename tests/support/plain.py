"""Plain values of every kind and size, for hypothesis."""

from typing import Final

from hypothesis import strategies as st

from kimberley.protocol.encoding import GREATEST_INT, LEAST_INT

CHARACTERS: Final = st.characters(exclude_categories=["Cs"])
"""All that UTF-8 can encode. In a fresh clone, `st.text()` would try each code point for that, for a second."""
TEXTS: Final = st.text(CHARACTERS)
ATOMS: Final = st.none() | st.booleans() | st.integers(LEAST_INT, GREATEST_INT) | TEXTS | st.binary()
PLAIN: Final = st.recursive(ATOMS, lambda entries: st.lists(entries, max_size=10).map(tuple), max_leaves=20)
