"""A time-travel debugger for LLM context."""
