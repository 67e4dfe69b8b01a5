"""Audits without a database: pages to judge on, CSV files to fill in, and reading them back."""
