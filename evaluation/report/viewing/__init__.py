"""What a person pages through: episodes and dialogues, turn by turn, with their pictures."""
