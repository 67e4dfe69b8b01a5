"""Making a release: shards, card, lock, all in a folder that appears when it is whole."""
