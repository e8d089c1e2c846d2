"""The referee of a tournament: a peer that holds no seat. It pairs, keeps clocks, rules, and signs each result."""
