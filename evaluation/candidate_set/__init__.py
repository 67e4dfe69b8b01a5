"""Candidate sets: which objects may still be meant after each turn of a dialogue (CandVG)."""

CONFIG = "candidate-set"
