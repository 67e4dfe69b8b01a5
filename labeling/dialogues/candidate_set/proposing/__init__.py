"""First proposals by a model: which boxes it holds plausible, for people to look at."""
