"""The frame of every run: items played many at once, kept in runs/NAME, and what they would cost.

It knows no protocol: one names its items, how one of them is played, and what is written of it.
"""
