"""Open Images, V3 to V7: CSV files recognised by their headers become a catalog."""
