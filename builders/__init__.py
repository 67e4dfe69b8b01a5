"""Sources become a catalog."""
