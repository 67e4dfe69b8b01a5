"""Other grounding sets, from their own files, as releases that candidate-set runs play."""
