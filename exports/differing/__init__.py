"""What changed from one release to another, why, and which version that asks for."""
