"""Scores of runs: what all protocols share of them, and the command."""
