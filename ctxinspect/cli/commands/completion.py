"""`ctxinspect completion SHELL`: the script that lets a shell complete commands, options and file names."""

from __future__ import annotations

import click

from ctxinspect.cli.stdio import emit

__all__ = ["command"]

_EPILOG = """\b
bash   ctxinspect completion bash > ~/.local/share/bash-completion/completions/ctxinspect
zsh    ctxinspect completion zsh > ~/.zfunc/_ctxinspect     (and fpath+=~/.zfunc before compinit)
fish   ctxinspect completion fish > ~/.config/fish/completions/ctxinspect.fish
"""


@click.command(epilog=_EPILOG)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script of a shell."""
    from click.shell_completion import ShellComplete, get_completion_class  # noqa: PLC0415

    from ctxinspect.cli.group import cli  # noqa: PLC0415

    kind = get_completion_class(shell)
    assert kind is not None
    # The method of the base class: that of bash looks for a bash to ask for its version.
    emit(ShellComplete.source(kind(cli, {}, "ctxinspect", "_CTXINSPECT_COMPLETE")))
