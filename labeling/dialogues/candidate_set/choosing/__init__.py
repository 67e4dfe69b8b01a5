"""Which dialogues candidate sets are made of: those that keep rules, and a balanced sample of them.

Source: CandVG, section 3, which went from 2,998 dialogues to 2,171 by rules and to 1,620 by sample.
"""
