"""The sections of the generated block of a card: each a function of the facts, in Markdown."""
