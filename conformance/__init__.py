"""The conformance suite: tells whether a peer, in any language, speaks the protocol of SPEC.md (docs/conformance.md).

Beside the code are the vectors of the protocol (SPEC.md, section 27) and the schema of a target's lines (section 29).
"""
