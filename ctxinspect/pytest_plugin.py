"""The pytest plugin that comes with the package; loading it imports nothing of ctxinspect."""
