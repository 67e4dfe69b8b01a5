"""Asking an ensemble: who is asked, what is shown, when to stop."""
