"""The stages of the solver `genetic`, one file each, and the table of which run when."""
