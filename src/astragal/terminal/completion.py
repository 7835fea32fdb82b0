"""The command `astragal completion`: what a shell needs to complete with Tab."""

from __future__ import annotations

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from astragal.console import usage
from astragal.core.language import say

SHELLS: dict[str, type[ShellComplete]] = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


def command(lang: str) -> click.Command:
    """`astragal completion`."""

    def run(shell: str) -> None:
        root = click.get_current_context().find_root().command
        click.echo(SHELLS[shell](root, {}, "astragal", "_ASTRAGAL_COMPLETE").source())

    return usage.Command(
        "completion",
        lang=lang,
        text=say("What your shell needs to complete commands, games, options, bots and files with Tab."),
        example='eval "$(astragal completion bash)"  # a line for ~/.bashrc',
        callback=run,
        params=[
            usage.argument(lang, "shell", say("Your shell"), type=click.Choice(list(SHELLS))),
            usage.lang_option(lang, shared=True),
        ],
    )
