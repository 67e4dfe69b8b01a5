"""Attribute labels: vocabulary, normalisation, votes."""
