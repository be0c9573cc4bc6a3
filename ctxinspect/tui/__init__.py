"""The terminal inspector; the only package that knows Textual."""
