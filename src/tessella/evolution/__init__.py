"""The loop that all genetic solvers share: who breeds, on how many islands, until when."""
