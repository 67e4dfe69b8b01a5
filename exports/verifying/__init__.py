"""Proving a release: that it is what its lock says, that it loads, and that it follows."""
