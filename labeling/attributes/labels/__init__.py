"""Labels: decided from votes and people's decisions, written, and read."""
