"""Frames and channels between peers: TLS, the hello, the listener, links and relays."""
