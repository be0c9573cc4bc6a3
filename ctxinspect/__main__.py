"""`python -m ctxinspect` and the console script."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line and leave with its exit code."""
    from ctxinspect.cli import run  # noqa: PLC0415 - importing ctxinspect alone stays cheap

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
