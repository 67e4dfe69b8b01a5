"""Figures of runs of question chains, from the answers and the chains alone."""
