"""Dialogues whose later questions presuppose something false (FPCO-Dialog, section 3)."""
