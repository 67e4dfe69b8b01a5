"""Voters look: whether the true description holds, and the false one nowhere in the picture."""
