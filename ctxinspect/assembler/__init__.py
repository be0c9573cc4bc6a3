"""System 1: priority components under a token budget."""
