"""What an evaluation reads of a release: by ``datasets`` alone."""
