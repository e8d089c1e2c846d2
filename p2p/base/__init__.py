"""What every part of the network layer needs: the platform, background work, retries, errors, text, rates."""
