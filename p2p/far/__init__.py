"""Codes and pipes to tables far away, built on magic-wormhole (docs/far.md)."""
