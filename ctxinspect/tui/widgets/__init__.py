"""Widgets that know nothing of sessions: they draw tables and text, line by line, only what is visible."""
