"""Signatures and encryption in pure Python."""

from kimberley.protocol.crypto.chacha import decrypt, encrypt
from kimberley.protocol.crypto.eddsa import public, sign, verify

__all__ = ["decrypt", "encrypt", "public", "sign", "verify"]
