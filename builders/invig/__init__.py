"""InViG in all its layouts: dialogues of a human and an agent about an object of a picture."""
