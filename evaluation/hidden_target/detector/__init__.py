"""Finds questions that break the rules of the protocol: by rules, and by a model after them."""
