"""The vocabulary every system explains itself with."""
