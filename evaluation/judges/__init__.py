"""Judges of an evaluation, tried out on what people labelled."""
