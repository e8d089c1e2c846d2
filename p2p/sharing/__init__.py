"""Giving the program to somebody who has only Python: one file, a line that fetches and checks it, and its server."""
