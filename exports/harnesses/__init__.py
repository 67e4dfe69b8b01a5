"""Ready-made tasks of a release for evaluation harnesses of others."""
