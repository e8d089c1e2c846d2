"""Finding tables and lost peers on the local network, and being found."""
