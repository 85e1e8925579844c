"""The hot loops, compiled; each has a plain twin that the tests compare it with."""
