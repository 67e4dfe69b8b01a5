"""Stand-ins for what tests and benchmarks cannot reach: real servers with scripted answers.

They are for development only and are not part of the wheel.
"""
