"""Files that survive a crash: identity, journal, records."""
