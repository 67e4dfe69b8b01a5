"""Question chains: a picture, a question, and the steps that lead to its answer (V-REX)."""
