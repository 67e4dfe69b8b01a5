"""Who checks which chain: two rounds, dealt by seed, and what becomes of what was checked."""
