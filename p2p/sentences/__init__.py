"""Sentences about tables and tournaments, for all interfaces."""
