"""The gate: what a release is checked for before anybody may push it."""
