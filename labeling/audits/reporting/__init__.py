"""`review-labels report`: what audits found of the labels, of the voters and of each other."""
