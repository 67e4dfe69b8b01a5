"""False descriptions of the planned class, by models."""
