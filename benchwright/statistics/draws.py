"""How many draws a bootstrap makes where nobody says otherwise."""

DRAWS = 2_000
