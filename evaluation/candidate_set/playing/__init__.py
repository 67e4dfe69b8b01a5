"""Runs of candidate sets: what a model is asked for, and how the boxes that it gives are read."""
