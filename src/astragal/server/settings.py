"""How a server was asked to run. Worker processes get the same settings through their environment."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from astragal.console.folders import own_folder
from astragal.core.language import say
from astragal.core.types import AstragalError
from astragal.server import addresses, hosts
from astragal.server.limits import Limits
from astragal.server.mail import Post

_VARIABLE = "ASTRAGAL_SERVER"


class Settings(Limits, frozen=True, kw_only=True):
    """Everything `astragal serve` can be told: the limits, and these."""

    host: str = "127.0.0.1"
    port: int = 8484
    database: str = ""  # a URL; empty: the embedded store in the user's data folder
    workers: int = 1
    password: str = ""  # empty: everybody may come in
    origins: tuple[str, ...] = ()  # other addresses the browser client may be served from
    proxies: str = ""  # whose word about the caller's address is taken: addresses and networks, with commas
    host_page_from: str = ""  # who may open the host's page besides this computer: addresses, networks, or anywhere
    bot_processes: int = 1  # processes for thinking bots, in each worker
    check_seconds: float = 60.0  # after that a check is given up
    one_address: bool = False  # count rated matches of people who share an address, as in a club or a school
    think_seconds: float = 90.0  # after that a bot is taken to hang
    smtp: str = ""  # the server that takes our mail: smtp://USER:PASSWORD@HOST:587; empty: no e-mail
    mail_from: str = ""  # whose mail it is
    push_inside: bool = False  # push messages may go to addresses of the host's own network, and without TLS
    reminder_seconds: int = 60  # after so long without a move whoever is away is told that it is their turn
    lang: str = "en"

    @property
    def url(self) -> str:
        """The database's address, with the driver that we use for it."""
        address = self.database or f"sqlite:///{default_file()}"
        for scheme, driver in (
            ("sqlite://", "sqlite+aiosqlite://"),
            ("postgresql://", "postgresql+asyncpg://"),
            ("postgres://", "postgresql+asyncpg://"),
        ):
            if address.startswith(scheme):
                return driver + address.removeprefix(scheme)
        if address.startswith(("sqlite+aiosqlite://", "postgresql+asyncpg://")):
            return address
        if "://" not in address:
            return f"sqlite+aiosqlite:///{Path(address).absolute()}"
        raise AstragalError(
            say("{url!r} is no database we know; write sqlite:///FILE or postgresql://USER@HOST/NAME", url=address)
        )

    def checked(self) -> Settings:
        """The same, with origins as browsers write them. Raises AstragalError for what is no address."""
        addresses.proxies(self.proxies)
        addresses.host_page(self.host_page_from)
        if self.smtp:
            Post(self.smtp, self.mail_from).close()
        return msgspec.structs.replace(self, origins=tuple(hosts.check_origin(origin) for origin in self.origins))

    @property
    def embedded(self) -> bool:
        """Whether the store is a file of our own."""
        return self.url.startswith("sqlite")

    def hand_on(self) -> None:
        """Leaves the settings for the worker processes."""
        os.environ[_VARIABLE] = msgspec.json.encode(self).decode()

    @classmethod
    def inherit(cls) -> Settings:
        """The settings this process was started with."""
        return msgspec.json.decode(os.environ.get(_VARIABLE, "{}"), type=cls)


def default_file() -> Path:
    """The embedded store of a user who named none."""
    return own_folder() / "server.db"
