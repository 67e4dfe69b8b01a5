"""Shortcuts of question chains: what tells the true option to one who does not look."""
