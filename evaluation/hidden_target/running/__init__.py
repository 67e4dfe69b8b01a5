"""Runs of hidden-target: game, parts and frame bound together."""
