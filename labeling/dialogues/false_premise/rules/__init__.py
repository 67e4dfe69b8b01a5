"""The rules that a false premise keeps, and the English that they rest on."""
