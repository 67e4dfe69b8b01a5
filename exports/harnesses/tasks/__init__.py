"""What is copied into the folder of a task, and runs there beside a harness.

A module is copied as it stands, under its own name; only this package's name goes from its imports.
"""
