"""A person in the place of a model: the same requests, answered in a browser."""
