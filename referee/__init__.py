"""The referee, a peer without a seat: it pairs, keeps clocks, rules and signs each result."""
