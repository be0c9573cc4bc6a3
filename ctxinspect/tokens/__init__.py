"""Counters and the one cost of a message."""
