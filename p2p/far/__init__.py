"""Codes and pipes to tables far away, on the engine magic-wormhole (docs/far.md)."""
