"""One server for all tests that do not hurt it, and one PostgreSQL for those that need it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.postgres import Postgres
from tests.server.running import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("store") / "matches.db") as running:
        yield running


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with Postgres() as running:
        yield running


@pytest.fixture
def database(postgres: Postgres) -> str:
    """The address of a database of the test's own."""
    return postgres.new()


@pytest.fixture(scope="session")
def servers(postgres: Postgres) -> Iterator[tuple[Server, Server]]:
    """Two servers on one database, for all tests that hurt neither; each calls it by another name."""
    address = postgres.new()
    with Server(address) as first, Server(postgres.by_socket(address)) as second:
        yield first, second
