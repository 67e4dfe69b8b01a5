"""Free questions mapped to the vocabulary of a release (definition 16)."""
