"""Voters' weights, from votes on labels that are known."""
