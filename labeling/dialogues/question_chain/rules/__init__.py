"""The rules that a chain keeps: its steps, its options, its words."""
