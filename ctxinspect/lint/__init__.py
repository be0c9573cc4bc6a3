"""Rules that judge a message sequence, one rule per file."""
