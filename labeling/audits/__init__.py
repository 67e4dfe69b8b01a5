"""Audits: what people are to judge, what they decided, and how right the labels are."""
