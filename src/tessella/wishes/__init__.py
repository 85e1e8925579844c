"""What a person knows of an answer: the type, its files, and how answers come to hold to it."""

from tessella.wishes.wish import Barred, Code, Fixed, Wishes

__all__ = ["Barred", "Code", "Fixed", "Wishes"]
