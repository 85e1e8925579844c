"""Post-processing of scores into compatibilities, one file each."""
