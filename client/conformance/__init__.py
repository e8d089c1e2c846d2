"""What a peer in another language checks itself against: vectors of the wire protocol (SPEC.md, "Vectors")."""
