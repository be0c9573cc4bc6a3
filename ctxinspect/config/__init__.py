"""Configuration: what changes the screen and the commands' defaults, where each value came from, and keys by id."""

from __future__ import annotations

from ctxinspect.config.files import log_folder, project_file, state_folder, user_file
from ctxinspect.config.keys import Bindings, resolve_keys
from ctxinspect.config.load import load_config
from ctxinspect.config.options import Config, LayoutConfig, LintConfig, Origin

__all__ = [
    "Bindings",
    "Config",
    "LayoutConfig",
    "LintConfig",
    "Origin",
    "load_config",
    "log_folder",
    "project_file",
    "resolve_keys",
    "state_folder",
    "user_file",
]
