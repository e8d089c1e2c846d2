"""What the bots, judges and reviews of all games share: a floor above the rules, which know nothing of it."""
