"""One seat at one table, from the open door to the verdict."""
