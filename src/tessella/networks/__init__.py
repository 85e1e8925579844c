"""The learned measure's networks, free of deep-learning packages: their form and scores."""
