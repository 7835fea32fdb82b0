"""Options read from a game's own options type, so that no client has a list of its own.

A field of an options struct may be a bool, an int with bounds, one of several words, `Begins`, a word or a struct
(the name of something shipped with the game, or a host's own from a file), or a list of words or groups of numbers.
"""

from __future__ import annotations

import itertools
import re
import types
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from astragal.core.bounds import MOST_BYTES, explained, shortened
from astragal.core.language import say
from astragal.core.types import BadFile, BadOptions, Schema

if TYPE_CHECKING:
    from astragal.core.rules import AnyRules


class Field(Struct, frozen=True, kw_only=True):
    """One option, as a client needs it to offer and to read it."""

    name: str
    default: Any
    help: str = ""
    words: tuple[Any, ...] = ()  # the named values
    low: int | None = None  # the bounds of a number, when it may be one
    high: int | None = None
    numbers: int = 1  # how many numbers belong together, as in `75/60/45`
    file_type: Any = None  # the struct that a file may hold, when it may be one; its `load` reads and checks it
    each: Field | None = None  # for a list, what each of its items may be

    @property
    def flag(self) -> str:
        """`--another-name`, as typed on a command line."""
        return "--" + self.name.replace("_", "-")

    @property
    def shape(self) -> str:
        """What may be written for it: `1-7`, `royal|lanes|FILE`, `on|off`."""
        if isinstance(self.default, bool):
            return "on|off"
        if self.each is not None:
            return f"{self.each.shape},..."
        parts = [str(word) for word in self.words]
        if self.low is not None:
            shift = int(self.name == "begins")  # people count seats from 1
            parts.append("/".join([f"{self.low + shift}-{(self.high or 0) + shift}"] * self.numbers))
        if self.file_type is not None:
            parts.append("FILE")
        return "|".join(parts)

    def written(self, value: Any) -> str:
        """A value as a person writes it; empty for one that has no short form, such as a whole deck."""
        if isinstance(value, bool):
            return "on" if value else "off"
        if self.each is not None and isinstance(value, tuple):
            return ",".join(map(self.each.written, value))
        if isinstance(value, tuple):
            return "/".join(map(str, value))
        if type(value) is int and self.name == "begins":  # people count seats from 1
            return str(value + 1)
        return str(value) if isinstance(value, int | str) else ""

    def samples(self) -> tuple[Any, ...]:
        """A few values that stand for all of them: every word, both ends of a range."""
        if isinstance(self.default, bool):
            return (False, True)
        numbers = () if self.low is None else (self.low, self.high)
        return tuple(dict.fromkeys((self.default, *self.words, *numbers)))

    def read(self, text: str) -> Any:
        """The value that a person wrote. Raises BadOptions; a file's own faults are BadFile."""
        if isinstance(self.default, bool):
            truth = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}
            if text.lower() not in truth:
                raise self.refusal(text)
            return truth[text.lower()]
        if self.each is not None:
            return self._read_list(self.each, text)
        for word in self.words:
            if text == str(word):
                return word
        if self.low is not None and re.fullmatch(r"-?[0-9]{1,9}", text):
            number = int(text)
            if self.name == "begins":  # people count seats from 1
                number -= 1
            if self.low <= number <= (self.high if self.high is not None else number):
                return number
        elif self.file_type is not None and ("." in text or "/" in text):
            return self.file_type.load(Path(text))
        raise self.refusal(text)

    def allows(self, value: Any) -> bool:
        """Whether an options struct may hold this value."""
        if isinstance(self.default, bool):
            return isinstance(value, bool)
        if self.each is not None:
            return isinstance(value, tuple) and all(map(self.each._allows_item, value))
        if self.file_type is not None and isinstance(value, self.file_type):
            return True
        if any(value == word and type(value) is type(word) for word in self.words):
            return True
        return (
            self.low is not None
            and type(value) is int
            and self.low <= value <= (value if self.high is None else self.high)
        )

    def _allows_item(self, value: Any) -> bool:
        if self.numbers > 1 and isinstance(value, tuple):
            return len(value) == self.numbers and all(map(self.allows, value))
        return self.allows(value) and not (self.numbers > 1 and isinstance(value, int))

    def read_file(self, content: str, name: str) -> Any:
        """The value in a file that somebody sent. Raises BadFile under the name that it has there."""
        if self.file_type is None:
            raise BadOptions(self.name, say("this option is not read from a file"))
        with TemporaryDirectory() as folder:
            file = Path(folder) / "sent.toml"
            file.write_text(content, "utf-8")
            try:
                return self.file_type.load(file)
            except BadFile as error:
                raise BadFile(name, error.line, error.text) from None

    def _read_list(self, each: Field, text: str) -> tuple[Any, ...]:
        try:
            return tuple(each._read_item(item.strip()) for item in text.split(",")) if text.strip() else ()
        except BadOptions:
            raise self.refusal(text) from None

    def _read_item(self, text: str) -> Any:
        """An item of a list: a word, a number, or several numbers that belong together."""
        if self.numbers == 1 or text in self.words:
            return self.read(text)
        parts = text.split("/")
        if len(parts) != self.numbers or "" in parts:
            raise self.refusal(text)
        return tuple(self.read(part) for part in parts)

    def refusal(self, value: Any) -> BadOptions:
        """What is said of a value that is not possible."""
        if value is None:
            return BadOptions(self.name, say("nothing is given; possible is {shape}", shape=self.shape))
        shown = value if isinstance(value, str | int | float | tuple | None) else type(value).__name__
        return BadOptions(self.name, say("{value!r} is not one of {shape}", value=shown, shape=self.shape))


def fields(rules: AnyRules) -> tuple[Field, ...]:
    """The options of a game in the order of its options type, and last what all games have."""
    return _fields(rules.options_type, max(rules.spec.players))


@cache
def _fields(options_type: Schema, most_players: int) -> tuple[Field, ...]:
    hints = get_type_hints(options_type, include_extras=True)
    infos = sorted(msgspec.structs.fields(options_type), key=lambda info: info.name == "begins")
    return tuple(_field(info.name, hints[info.name], info.default, most_players) for info in infos)


def check_values(rules: AnyRules, chosen: Any) -> None:
    """Refuses options with a value that is not possible, wherever they come from. Raises BadOptions."""
    if not isinstance(chosen, rules.options_type):
        expected = f"{rules.options_type.__module__}.{rules.options_type.__name__}"
        text = say("{value!r} is not one of {shape}", value=type(chosen).__name__, shape=expected)
        raise BadOptions("options", text)
    for field in fields(rules):
        value = getattr(chosen, field.name)
        is_seat = field.name == "begins" and type(value) is int  # `check_begins` says it better
        if not is_seat and not field.allows(value):
            raise field.refusal(value)


def build(rules: AnyRules, preset: str | None = None, given: Mapping[str, Any] | None = None) -> Any:
    """Options from a preset (the first, if none is named) and what was given on top of it."""
    name = preset or next(iter(rules.presets))
    if name not in rules.presets:
        known = ", ".join(rules.presets)
        raise BadOptions("preset", say("{value!r} is not one of {shape}", value=shortened(name), shape=known))
    known_fields = [field.name for field in fields(rules)]
    for field in given or {}:
        if field not in known_fields:
            raise BadOptions(
                shortened(field),
                say("{game} has no such option; it has {options}", game=rules.spec.id, options=", ".join(known_fields)),
            )
    merged = msgspec.to_builtins(rules.presets[name]) | msgspec.to_builtins(dict(given or {}))
    return convert(rules, merged)


def convert(rules: AnyRules, raw: Mapping[str, Any], version: int | None = None) -> Any:
    """Options from plain data, such as a record's header or a request. Raises BadOptions.

    A record names the version of the game it was played under, and its options mean what they meant then.
    """
    if version in rules.spec.earlier:
        raw = rules.earlier_options(version, raw)
    try:
        chosen = msgspec.convert(raw, rules.options_type)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$.")
        unknown = re.search(r"unknown field `(.+)`", reason)
        inside = path.rstrip("`")
        for known in fields(rules):
            if known.name == inside and isinstance(raw[inside], str | int | float | None):
                raise known.refusal(raw[inside]) from None
        field = inside.split(".")[0].split("[")[0] or (unknown[1] if unknown else "options")
        text = explained(reason)
        if inside not in ("", field):  # a part of the option, such as `deck.name`
            text = say("{key}: {reason}", key=shortened(inside), reason=text)
        raise BadOptions(shortened(field), text) from None
    size = len(msgspec.json.encode(chosen))
    if size > MOST_BYTES:
        raise BadOptions("options", say("they take {n} bytes; {most} are allowed", n=size, most=MOST_BYTES))
    return chosen


def to_plain(chosen: Any) -> dict[str, Any]:
    """Options as a record holds them: the plain data that any of its files gives back."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(chosen))
    return plain


def pairwise(rules: AnyRules, rng: Random) -> Iterator[Any]:
    """A few sets of options in which every two values of two options meet at least once."""
    columns = [(field.name, field.samples()) for field in fields(rules)]
    if not columns:
        yield rules.options_type()
        return
    missing = {
        frozenset({(name, a), (other, b)})
        for (name, many), (other, more) in itertools.combinations(columns, 2)
        for a in many
        for b in more
    } or {frozenset({(columns[0][0], value)}) for value in columns[0][1]}
    yield rules.options_type()
    missing -= _pairs(msgspec.structs.asdict(rules.options_type()))
    while missing:
        must = dict(rng.choice(sorted(missing, key=lambda pair: sorted(map(repr, pair)))))
        tries = [{name: must.get(name, rng.choice(values)) for name, values in columns} for _ in range(20)]
        best = max(tries, key=lambda row: len(missing & _pairs(row)))
        missing -= _pairs(best)
        yield convert(rules, best)


def _pairs(row: Mapping[str, Any]) -> set[frozenset[tuple[str, Any]]]:
    # frozensets of one or two (name, value); True and 1 are kept apart by the names
    items = list(row.items())
    singles = {frozenset({item}) for item in items} if len(items) == 1 else set()
    return {frozenset(pair) for pair in itertools.combinations(items, 2)} | singles


def _field(name: str, hint: Any, default: Any, most_players: int) -> Field:
    help, low, high, file_type, each, numbers = "", None, None, None, None, 1
    words: list[Any] = []
    for kind, metas in _members(hint):
        for meta in metas:
            help = meta.description or help
            low = int(meta.ge) if meta.ge is not None else low
            high = int(meta.le) if meta.le is not None else high
        if get_origin(kind) is Literal:
            words += get_args(kind)
        elif isinstance(kind, type) and issubclass(kind, Struct):
            file_type = kind
        elif get_origin(kind) is tuple:
            item, *more = get_args(kind)
            if more == [...]:
                each = _field(name, item, None, most_players)
            else:
                group = _field(name, item, None, most_players)
                low, high, numbers = group.low, group.high, 1 + len(more)
    if name == "begins":
        low, high = 0, most_players - 1
    return Field(
        name=name,
        default=default,
        help=help,
        words=tuple(words),
        low=low,
        high=high,
        numbers=numbers,
        file_type=file_type,
        each=each,
    )


def _members(hint: Any, metas: tuple[msgspec.Meta, ...] = ()) -> Iterator[tuple[Any, tuple[msgspec.Meta, ...]]]:
    """The kinds of value a type hint allows, each with the bounds and descriptions around it."""
    if get_origin(hint) is Annotated:
        inner, *extra = get_args(hint)
        yield from _members(inner, metas + tuple(m for m in extra if isinstance(m, msgspec.Meta)))
    elif get_origin(hint) in (Union, types.UnionType):
        for member in get_args(hint):
            yield from _members(member, metas)
    else:
        yield hint, metas
