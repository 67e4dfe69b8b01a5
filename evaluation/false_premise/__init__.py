"""Dialogues whose later questions presuppose something false (FPCO-Dialog)."""
