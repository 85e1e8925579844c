"""``tessella bench paper``: all tables of the paper, as far as records and time go."""
