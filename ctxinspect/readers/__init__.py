"""Foreign files in, sessions out."""
