"""What every part of the network layer needs: errors, background work, text, rates."""
