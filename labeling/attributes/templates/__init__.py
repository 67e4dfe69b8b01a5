"""Templates: paraphrases of the yes/no question that asks for a value."""
