"""Near-duplicates: found, clustered, reported; and leaks between catalogs and splits."""
