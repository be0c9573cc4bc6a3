"""The commands, one file each; every module has a `command`."""
