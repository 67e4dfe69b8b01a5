"""Somebody who does what the pages of the documentation say, in the worlds that they speak of."""
