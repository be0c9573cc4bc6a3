"""One rule, one file; each offers `RULE`. Rules import nothing of each other."""
