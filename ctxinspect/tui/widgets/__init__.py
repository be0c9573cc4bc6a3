"""Widgets that know rows, cells and texts, and nothing of sessions."""
