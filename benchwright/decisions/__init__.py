"""What people decided: the journal of it, and which decisions stand."""
