"""What the report shows of each kind: its columns, its baselines, its figures."""
