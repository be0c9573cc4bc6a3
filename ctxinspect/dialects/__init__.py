"""Neutral messages out, as the JSON of each provider."""
