"""Training data made of runs: steps with rewards, and pairs of questions (AMIGO, section 8)."""
