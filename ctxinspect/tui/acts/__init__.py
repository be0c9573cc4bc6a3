"""What the actions of the inspector do: one function an action, given the screen; one module a family.

A module maps action ids to functions in `ACTS`. Functions move the navigator or the desk, ask, or start work; drawing
is the screen's.
"""
