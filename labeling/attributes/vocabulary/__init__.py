"""The words of labels: types, values, their spellings, and where they come from."""
