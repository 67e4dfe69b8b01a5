"""Candidate sets for tests: a release with dialogues about boxes, and models that answer them."""
