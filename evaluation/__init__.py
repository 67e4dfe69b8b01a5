"""Models are run on releases, and runs are scored."""
