"""Who answers questions about the target."""
