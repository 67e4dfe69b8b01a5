"""What a player said: a guess, a question, or nothing; and what it said during the upload."""
