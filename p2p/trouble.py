"""What a person must be told."""


class Trouble(Exception):
    """Something went wrong outside of the game. The message is a sentence for a person; it says what to do."""
