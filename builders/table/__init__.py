"""Tables (CSV, TSV, JSON Lines, Parquet) as a source."""
