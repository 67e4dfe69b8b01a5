"""The way of every record by its id: from the score back to the row of the source."""
