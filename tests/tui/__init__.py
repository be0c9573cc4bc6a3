"""The terminal inspector."""
