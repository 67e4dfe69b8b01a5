"""Runs of question chains: planning, following, the last question with and without the chain."""
