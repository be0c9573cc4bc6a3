"""Sentences, sanitising, clipping."""
