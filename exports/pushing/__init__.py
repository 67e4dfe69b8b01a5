"""Releases on the Hugging Face Hub: pushed in one commit, read back, fetched."""
