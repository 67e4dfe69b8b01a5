"""Where question chains come from: files that people wrote, and drafts by models."""
