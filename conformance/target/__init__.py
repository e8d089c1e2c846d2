"""This program as a target of the suite (SPEC.md, section 29)."""
