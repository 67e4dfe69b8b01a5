"""Versioned releases and other formats out."""
