"""Question chains: what a model would ask next, what it answers, and whether that helps (V-REX)."""
