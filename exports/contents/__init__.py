"""What a release holds: one module for each kind of config."""
