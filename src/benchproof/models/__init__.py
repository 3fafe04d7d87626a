"""Models: one protocol, and the backends that speak it."""
