"""Click in three languages: commands, their help and their errors.

Click's own sentences are English only, so that headings and errors are written here, from the catalogue.
"""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from astragal.core import options, registry
from astragal.core.language import LANGUAGES, Text, choose_language, say
from astragal.core.rules import Game, GameCommand
from astragal.core.types import BadOptions


def take_language(words: Sequence[str]) -> tuple[str, list[str]]:
    """The language asked for with --lang anywhere on the line, or that of the locale; and the line without it."""
    wanted, rest = None, []
    line = iter(words)
    for word in line:
        if word == "--lang" or word.startswith("--lang="):
            wanted = word.removeprefix("--lang=") if "=" in word else next(line, "")
        else:
            rest.append(word)
    if wanted is not None and wanted not in LANGUAGES:
        raise BadOptions("lang", say("{value!r} is not one of {shape}", value=wanted, shape=", ".join(LANGUAGES)))
    return choose_language(wanted), rest


def with_game(example: str) -> str:
    """An example of a command line, with the id of an installed game in the place of `{game}`."""
    return example.format(game=next(iter(registry.games()), say("GAME"))) if "{game}" in example else example


class _Spoken(click.Command):
    """A command whose help page speaks the user's language and ends with an example."""

    lang: str
    text: Text
    example: str  # `{game}` in it stands for the id of an installed game

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, prefix=say("Usage:").to(self.lang) + " ")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(self.text.to(self.lang))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        params = self.get_params(ctx)
        for heading, kind in ((say("Arguments"), click.Argument), (say("Options"), click.Option)):
            records = [param.get_help_record(ctx) for param in params if isinstance(param, kind)]
            if rows := [row for row in records if row is not None]:
                with formatter.section(heading.to(self.lang)):
                    formatter.write_dl(rows)

    def format_arguments(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Nothing: `format_options` writes them too, under a heading in the user's language."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(say("Example").to(self.lang)):
            formatter.write_text(with_game(self.example))

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = say("Show this page").to(self.lang)
        return option


class Command(_Spoken):
    """A command."""

    def __init__(self, name: str, *, lang: str, text: Text, example: str, **rest: Any) -> None:
        super().__init__(name, short_help=text.to(lang), options_metavar=say("[OPTIONS]").to(lang), **rest)
        self.lang, self.text, self.example = lang, text, example


class Group(_Spoken, click.Group):
    """A command with commands of its own."""

    def __init__(self, name: str, *, lang: str, text: Text, example: str, **rest: Any) -> None:
        rest.setdefault("subcommand_metavar", say("COMMAND ...").to(lang))
        super().__init__(name, short_help=text.to(lang), options_metavar=say("[OPTIONS]").to(lang), **rest)
        self.lang, self.text, self.example = lang, text, example

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _Spoken.format_options(self, ctx, formatter)
        rows = [(name, self.about(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section(say("Commands").to(self.lang)):
            formatter.write_dl(rows)

    def about(self, ctx: click.Context, name: str) -> str:
        """One line about one of the commands."""
        command = self.get_command(ctx, name)
        return "" if command is None else command.get_short_help_str(limit=200)


class MainGroup(Group):
    """The command `astragal`: its own commands, and those that games bring.

    Games are loaded only for the help page and for a command that is none of our own.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*self.commands, *self.brought()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        own = super().get_command(ctx, cmd_name)
        if own is not None or cmd_name not in self.brought():
            return own
        return self.brought()[cmd_name].load(self.lang)

    def about(self, ctx: click.Context, name: str) -> str:
        if name in self.commands:
            return super().about(ctx, name)
        return say(self.brought()[name].help).to(self.lang)

    def brought(self) -> Mapping[str, GameCommand]:
        """The commands of all games by their names; one whose name is taken is reported and left out."""
        if self._brought is None:
            self._brought = {}
            for game in registry.games().values():
                for command in game.commands:
                    if command.name in self.commands or command.name in self._brought:
                        warnings.warn(
                            f"game {game.id}: there is a command {command.name} already; its own is left out",
                            stacklevel=2,
                        )
                    else:
                        self._brought[command.name] = command
        return self._brought

    _brought: dict[str, GameCommand] | None = None


class GameGroup(Group):
    """A command that is followed by a game; what the game's flags are is found out when it is named."""

    def __init__(
        self, name: str, *, make: Callable[[str], click.Command], names: Callable[[], list[str]], **rest: Any
    ) -> None:
        lang = rest["lang"]
        params = [lang_option(lang, shared=True)]
        super().__init__(name, subcommand_metavar=say("GAME ...").to(lang), params=params, **rest)
        self.make, self.names = make, names

    def list_commands(self, ctx: click.Context) -> list[str]:
        return self.names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return self.make(cmd_name)


def of_games(
    name: str,
    lang: str,
    text: Any,
    example: str,
    run: Callable[..., int | None],
    table: Callable[[str, Game], list[click.Option]],
    needed: str = "",
) -> click.Command:
    """A command with one sub-command a game, whose flags are the game's own options; `needed` is for its example."""

    def make(id: str) -> click.Command:
        game = registry.game(id)
        fields = options.fields(game.rules)
        flags = [
            option(
                lang,
                field.flag,
                field.name,
                help=say(field.help),
                metavar=field.shape,
                shown=field.written(field.default),
                shell_complete=completing([part for part in field.shape.split("|") if part != "FILE"]),
            )
            for field in fields
        ]
        named = " | ".join(game.rules.presets)
        return Command(
            id,
            lang=lang,
            text=say("{title}. {summary}", title=say(game.rules.spec.title), summary=say(game.rules.spec.summary)),
            example=f"astragal {name} {id} --preset {list(game.rules.presets)[-1]}{needed}",
            callback=lambda **given: run(game, **given),
            params=[
                option(
                    lang,
                    "--preset",
                    "preset",
                    help=say("A named set of options: {names}", names=named),
                    shell_complete=completing(list(game.rules.presets)),
                ),
                *flags,
                *table(lang, game),
                *screen_options(lang),
            ],
        )

    return GameGroup(name, lang=lang, text=text, example=example, make=make, names=lambda: list(registry.games()))


def chosen(game: Game, preset: str | None, given: Mapping[str, str | None]) -> Any:
    """The options that the flags of a game ask for."""
    known = {field.name: field for field in options.fields(game.rules)}
    asked = {name: known[name].read(text) for name, text in given.items() if text is not None}
    return options.build(game.rules, preset, asked)


class SpokenOption(click.Option):
    """An option that says what it is when it is not given; what it may be is said by its metavar."""

    def __init__(self, *given: Any, lang: str, shown: str = "", **rest: Any) -> None:
        super().__init__(*given, **rest)
        self.lang, self.shown = lang, shown

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        default = self.shown or (str(self.default) if isinstance(self.default, str | int | float) else "")
        if self.is_flag:
            default = ""
        added = [say("default: {value}", value=default).to(self.lang)] if default else []
        if self.envvar:
            added.append(say("variable {name}", name=self.envvar).to(self.lang))
        names = self.get_help_spec(ctx)
        return names, f"{self.help}  [{'; '.join(added)}]" if added else self.help or ""


def option(lang: str, flag: str, name: str, *, help: Text, **rest: Any) -> click.Option:
    """An option with its help in this language; `shown` is its default in words, where that is not its value."""
    return SpokenOption([flag, name], help=help.to(lang), lang=lang, **rest)


def completing(words: Sequence[str] | Callable[[], Sequence[str]]) -> Callable[..., list[str]]:
    """What the shell offers for an option or argument."""

    def complete(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[str]:
        known = words() if callable(words) else words
        return [word for word in known if word.startswith(typed)]

    return complete


def own_bots(lang: str, help: Text) -> click.Option:
    """`--bot`, which lets bots of one's own play (`bots.own.admit`)."""
    return option(lang, "--bot", "own_bots", help=help, multiple=True, metavar="MODULE:CLASS")


def flag(lang: str, flag: str, name: str, *, help: Text) -> click.Option:
    """An option that is there or not."""
    return click.Option([flag, name], is_flag=True, help=help.to(lang))


def lang_option(lang: str, *, shared: bool = False) -> click.Option:
    """`--lang`, for the help page: `take_language` has read it before any command is made.

    `shared` where the sub-commands have it too and the command itself needs it only for its page.
    """
    text = say("The language").to(lang)
    return click.Option(
        ["--lang", "lang"], type=click.Choice(LANGUAGES), default=lang, help=text, expose_value=not shared
    )


def _or_given_before(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
    """What was given to this command, or else to `astragal` before it: `astragal --plain watch ur`."""
    name = param.name or ""
    given = ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT
    return value if given else ctx.find_root().params.get(name, value)


def screen_options(lang: str) -> list[click.Option]:
    """How to write to the screen. Given before a command they hold for it too."""
    plain = say("Sentences only, for screen readers: no drawings, no colours").to(lang)
    return [
        lang_option(lang),
        click.Option(["--plain", "plain"], is_flag=True, help=plain, callback=_or_given_before),
        click.Option(
            ["--colour/--no-colour", "--color/--no-color", "colour"],
            default=None,
            callback=_or_given_before,
            help=say("Colours, or none (otherwise as the terminal can)").to(lang),
        ),
    ]


def version_option(lang: str, version: str) -> click.Option:
    """`--version`."""

    def tell(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
        if value:
            click.echo(f"astragal {version}")
            ctx.exit()

    text = say("Show the version").to(lang)
    return click.Option(["--version"], is_flag=True, expose_value=False, is_eager=True, callback=tell, help=text)


class Seconds(click.FloatRange):
    """A number of seconds between bounds; `nan` is within any, but none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        seconds = super().convert(value, param, ctx)
        if seconds != seconds:
            self.fail("nan", param, ctx)
        return seconds


def file_argument(lang: str, help: Text, name: str = "file", *, required: bool = True) -> click.Argument:
    """A file named on the command line, which the shell completes."""
    return argument(lang, name, help, type=click.Path(path_type=Path), required=required)


def argument(lang: str, name: str, help: Text, **rest: Any) -> click.Argument:
    """An argument with its help in this language."""
    return click.Argument([name], help=help.to(lang), **rest)


def game_argument(lang: str) -> click.Argument:
    """The id of a game."""
    return argument(
        lang,
        "game",
        say("The game: `astragal games` lists them"),
        shell_complete=completing(lambda: [*registry.games()]),
    )


def explain(error: click.ClickException) -> Text:
    """A complaint about the command line as one sentence that says what would be right."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "astragal"
    return say("{problem} (see {help})", problem=_problem(error), help=f"{path} --help")


def _problem(error: click.ClickException) -> Text:
    if isinstance(error, click.NoSuchOption):
        near = difflib.get_close_matches(error.option_name, error.possibilities or (), n=1, cutoff=0)
        if near:
            return say("there is no option {name}; did you mean {near}?", name=error.option_name, near=near[0])
        return say("there is no option {name}", name=error.option_name)
    if isinstance(error, click.exceptions.NoSuchCommand):
        if error.possibilities:
            name, meant = error.command_name, error.possibilities[0]
            return say("there is no command {name!r}; did you mean {near}?", name=name, near=meant)
        return say("there is no command {name!r}", name=error.command_name)
    if isinstance(error, click.exceptions.NoArgsIsHelpError):  # `astragal play` and nothing else, or `astragal cards`
        game = error.ctx is not None and isinstance(error.ctx.command, GameGroup)
        return say("{name} is missing", name=say("GAME") if game else say("COMMAND"))
    if isinstance(error, click.MissingParameter):
        name = error.param.opts[0] if error.param is not None else ""
        return say("{name} is missing", name=name.upper())
    if isinstance(error, click.BadParameter):
        name = error.param.opts[0] if error.param is not None else ""
        shape = error.param.make_metavar(error.ctx) if error.param is not None and error.ctx is not None else ""
        return _range(name, error.param) or say("{name} takes {shape}", name=name, shape=shape)
    return Text("{reason}", {"reason": error.format_message().rstrip(".")})


def _range(name: str, param: click.Parameter | None) -> Text | None:
    """What an option takes that wants a number within bounds; None if it wants something else."""
    kind = None if param is None else param.type
    if not isinstance(kind, click.IntRange | click.FloatRange) or kind.min is None:
        return None
    whole = isinstance(kind, click.IntRange)
    bounds = {"name": name, "low": kind.min, "high": kind.max}
    if kind.max is None:
        return (
            say("{name} takes a whole number, {low} or more", **bounds)
            if whole
            else say("{name} takes a number, {low} or more", **bounds)
        )
    return (
        say("{name} takes a whole number from {low} to {high}", **bounds)
        if whole
        else say("{name} takes a number from {low} to {high}", **bounds)
    )
