"""The hidden-target protocol (AMIGO): who asks, who answers, who checks, and what it comes to."""
