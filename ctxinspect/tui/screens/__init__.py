"""Screens: the inspector itself, the picker, a text in full, the help."""
