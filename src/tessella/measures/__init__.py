"""Compatibility measures, one file each; see `tessella.measuring` for what a measure is."""
