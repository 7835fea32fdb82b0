"""The command `verify`: what of a record is proved, and by what."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec import Struct

from astragal.console import usage
from astragal.core import recordfile, signing
from astragal.core.fair import Hex
from astragal.core.language import say
from astragal.core.proofs import Report, report
from astragal.core.record import Record
from astragal.core.types import AstragalError

KEY_PATH = "/api/key"
MOST_BYTES = 64 * 1024
SECONDS = 15


class KeyFile(Struct, frozen=True):
    """As much of what a server tells about its keys as is needed here."""

    key: Hex
    former: tuple[KeyFile, ...] = ()


def command(lang: str) -> click.Command:
    """`astragal verify`."""

    def run(file: Path, key: str | None, server: str | None, as_json: bool, lang: str) -> int:
        keys = [*(() if key is None else given_keys(key)), *(() if server is None else server_keys(server))]
        record = recordfile.read(file)
        results = report(record, keys)
        click.echo(_plain(file, record, results) if as_json else _page(results, lang))
        return 0 if results.good else 1

    return usage.Command(
        "verify",
        lang=lang,
        text=say(
            "Check that nobody chose a record's dice, and which server signed it. "
            "Exit code 1 if something is wrong, 2 if the file cannot be read."
        ),
        example="astragal verify my-game.json --server https://play.example.org",
        callback=run,
        params=[
            usage.file_argument(lang, say("The record of a match")),
            usage.option(
                lang,
                "--key",
                "key",
                help=say("The server's public key, in hex or as a file; a record not signed with it is refused"),
                metavar="HEX|FILE",
            ),
            usage.option(
                lang, "--server", "server", help=say("Ask this server for its public keys"), metavar="https://HOST"
            ),
            usage.flag(lang, "--json", "as_json", help=say("As JSON")),
            usage.lang_option(lang),
        ],
    )


def given_keys(text: str) -> Sequence[str]:
    """The keys of the option --key: a key in hex, or a file with one, or with what a server answers at `/api/key`."""
    try:
        return [msgspec.convert(text, Hex)]
    except msgspec.ValidationError:
        pass
    try:
        content = Path(text).read_text(encoding="utf-8")
    except (OSError, ValueError):
        raise AstragalError(say("{key!r} is neither a key of 64 hex digits nor a file with one", key=text)) from None
    return _keys(content, text)


def server_keys(address: str) -> Sequence[str]:
    """The keys that a server publishes."""
    if not address.startswith(("https://", "http://")):
        raise AstragalError(say("{address!r} should begin with https:// or http://", address=address))
    where = address.rstrip("/").removesuffix(KEY_PATH) + KEY_PATH
    import urllib.request  # it brings http and ssl, and only this needs it

    try:
        with urllib.request.urlopen(where, timeout=SECONDS) as answer:  # noqa: S310  http and https only, see above
            content = answer.read(MOST_BYTES).decode()
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise AstragalError(say("{address} does not answer: {reason}", address=where, reason=str(reason))) from None
    return _keys(content, where)


def _keys(content: str, source: str) -> Sequence[str]:
    try:
        if not content.lstrip().startswith("{"):
            return [msgspec.convert(content.strip(), Hex)]
        keys = msgspec.json.decode(content, type=KeyFile)
    except ValueError:
        raise AstragalError(say("{source} holds no public key of a server", source=source)) from None
    return [keys.key, *(former.key for former in keys.former)]


def _page(results: Report, lang: str) -> str:
    signs = {True: say("yes"), False: say("NO"), None: say("open")}
    lines = [f"{signs[verdict.good].to(lang):<10} {verdict.what.to(lang)}" for verdict in results.verdicts]
    proved = {True: say("proved"), False: say("WRONG"), None: say("unproved")}
    lines += ["", say("What is proved, and by what:").to(lang)]
    for proof in results.proofs:
        lines += [f"{proved[proof.proved].to(lang):<10} {proof.what.to(lang)}", f"{'':<10} <- {proof.how.to(lang)}"]
    return "\n".join(lines)


def _plain(file: Path, record: Record, results: Report) -> str:
    signature = record.signature or None
    plain: dict[str, Any] = {
        "file": str(file),
        "good": results.good,
        "verdicts": [{"what": verdict.what.to("en"), "good": verdict.good} for verdict in results.verdicts],
        "proofs": [{"part": proof.part, "by": proof.by, "proved": proof.proved} for proof in results.proofs],
        "signature": {
            "state": results.signature,
            "key": None if signature is None else signature.key,
            "id": None if signature is None else signing.key_id(signature.key),
        },
        "abandoned": [
            {"seat": gone.seat + 1, "name": gone.name, "why": gone.why} for gone in record.header.fair.abandoned
        ],
    }
    return msgspec.json.encode(plain).decode()
