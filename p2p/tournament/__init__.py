"""Tournaments as their players and pages know them: joining one, its events, pairings, standings, and the signed file.

The referee, who runs them, is in a room of its own.
"""
