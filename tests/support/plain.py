"""Plain values of every kind and size, for hypothesis."""

from typing import Final

from hypothesis import strategies as st

from kimberley.protocol.encoding import GREATEST_INT, LEAST_INT

ATOMS: Final = st.none() | st.booleans() | st.integers(LEAST_INT, GREATEST_INT) | st.text() | st.binary()
PLAIN: Final = st.recursive(ATOMS, lambda entries: st.lists(entries, max_size=20).map(tuple), max_leaves=40)
