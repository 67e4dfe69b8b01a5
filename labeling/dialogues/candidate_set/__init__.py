"""Which objects a dialogue still allows after each turn (CandVG, section 3)."""
