"""Reads sessions: the native format strictly, foreign ones forgivingly; what cannot be read is always said."""

from ctxinspect.readers.follow import Change, Follower
from ctxinspect.readers.load import load, load_bytes, sniff

__all__ = ["Change", "Follower", "load", "load_bytes", "sniff"]
