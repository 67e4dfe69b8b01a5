"""Audits in the FiftyOne App: database, datasets, server, and what auditors do there."""
