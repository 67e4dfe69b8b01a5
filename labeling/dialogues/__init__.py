"""The three kinds of dialogues: what they are made of, how they are checked."""
