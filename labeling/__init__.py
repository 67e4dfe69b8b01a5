"""Models and people attach labels."""
