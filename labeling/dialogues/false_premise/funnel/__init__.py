"""How many dialogues each step leaves, and why it loses the others."""
