"""What a voter's server really does with what it is asked: a probe for each promise."""
