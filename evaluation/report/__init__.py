"""Runs beside each other: one page with tables, figures and the episodes, and a table of text."""
