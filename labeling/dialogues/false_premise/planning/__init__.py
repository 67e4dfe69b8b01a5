"""Which pictures the dialogues with a false premise are about."""
