"""Frozen session data; pairing of calls and results lives here once."""
