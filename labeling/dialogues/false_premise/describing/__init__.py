"""Targets described truly by models, with the questions that hold the description."""
