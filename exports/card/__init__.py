"""The card of a release: what the Hub reads, what we measured, and a person's own words."""
