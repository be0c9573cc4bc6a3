"""The replay: the only package that sees all the systems."""
