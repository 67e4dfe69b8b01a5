"""Gathering the vocabulary: by rule from a catalog, then by what several models agree on."""
