"""Solvers, one file each; see `tessella.solving` for what a solver is."""
