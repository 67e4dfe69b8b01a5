"""Does a voter see pictures: plain colours are shown to it and their names are asked."""
