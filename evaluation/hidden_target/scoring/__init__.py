"""How hidden-target runs, and those made elsewhere, are read and scored."""
