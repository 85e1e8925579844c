"""Training the learned measure, and scoring on a GPU. Everything here needs torch."""
