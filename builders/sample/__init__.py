"""The built-in sample: drawn dresses with exact attributes."""
