"""Who plays hidden-target: a model, and three baselines that show what a score is worth."""
