"""What answers to candidate sets come to (CandVG, section 4; definitions 19 to 21)."""
