"""The screens: choosing a session, inspecting it, reading one thing in full, the keys."""
