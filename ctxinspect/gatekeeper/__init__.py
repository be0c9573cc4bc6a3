"""System 4: which old turns are worth their tokens."""
