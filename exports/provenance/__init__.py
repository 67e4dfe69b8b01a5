"""Where what is released comes from: licences, credits, what was taken down or found wrong."""
