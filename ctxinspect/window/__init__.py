"""System 2: how much of the history goes along."""
