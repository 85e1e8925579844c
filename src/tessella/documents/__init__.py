"""Shredded documents: strips of paper, the row they make, and the pages it is cut into."""
