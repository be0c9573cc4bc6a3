"""System 3: history as native messages with paired tool calls."""
