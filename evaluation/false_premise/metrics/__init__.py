"""What runs of false premises come to: figures, agreement, and how far the findings hold."""
