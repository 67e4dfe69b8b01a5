"""How far annotators agree with one of them, as CandVG reports it."""
