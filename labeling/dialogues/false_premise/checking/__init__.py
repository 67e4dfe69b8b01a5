"""Drafts that the rules and the voters let pass, for people to review."""
