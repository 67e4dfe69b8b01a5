"""Who turns a question into a constraint on all pictures."""
