"""One recorded-session format, one file."""
