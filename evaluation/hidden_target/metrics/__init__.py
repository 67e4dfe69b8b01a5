"""What a played hidden-target episode comes to (AMIGO, section 5; definitions 13 to 16)."""
