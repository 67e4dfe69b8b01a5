"""Labels that were decided by vote, measured against labels that are known."""
