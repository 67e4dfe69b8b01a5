"""The small CLIP that comes with the package: how it is trained, and how good it is."""
