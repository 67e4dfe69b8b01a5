"""From stored votes to labels: pure functions, no model is asked and no workspace touched."""
