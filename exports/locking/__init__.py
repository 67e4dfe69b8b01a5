"""release.lock.json: all that a release was made of, and the hash of all that it is."""
