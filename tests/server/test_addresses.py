"""Who a caller is: addresses compared as addresses, proxies believed as far as they are trusted, bans that keep out."""

from __future__ import annotations

import ipaddress
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from astragal import cli
from astragal.core.types import AstragalError
from astragal.server import addresses, admin
from astragal.server.addresses import Networks
from astragal.server.rate_limit import RateLimit
from astragal.server.settings import Settings
from astragal.server.store import Store
from tests.server.running import Server, closing, threaded
from tests.server.test_gate import until_status
from tests.server.test_players import eventually
from tests.server.test_store import with_store


def test_an_address_is_read_however_it_is_written() -> None:
    same = ("2001:DB8::1", "2001:db8:0:0:0:0:0:1", " 2001:db8::0001 ", "2001:db8::1%eth0")
    assert {str(addresses.read(text)) for text in same} == {"2001:db8::1"}
    assert str(addresses.read("::ffff:192.0.2.7")) == str(addresses.read("::FFFF:c000:207")) == "192.0.2.7"
    for text in ("localhost", "", "1.2.3", "192.0.2.07", "0x7f.1", "192.0.2.7/32", "192.0.2.7%eth0", "unknown", "-"):
        assert addresses.read(text) is None, text


def test_who_counts_as_one() -> None:
    assert addresses.household("2001:DB8:1:2::1") == addresses.household("2001:db8:1:2:ffff::9") == "2001:db8:1:2::/64"
    assert addresses.household("2001:db8:1:3::1") != addresses.household("2001:db8:1:2::1")
    assert addresses.household("::ffff:192.0.2.7") == addresses.household("192.0.2.7") == "192.0.2.7"
    assert addresses.household("::ffff:192.0.2.8") != addresses.household("::ffff:192.0.2.7")


@pytest.mark.parametrize(
    ("forwarded", "caller"),
    [
        ([], "10.0.0.1"),
        (["203.0.113.9"], "203.0.113.9"),
        (["198.51.100.1, 203.0.113.9"], "203.0.113.9"),  # what the caller made up stands to the left
        (["198.51.100.1", "203.0.113.9"], "203.0.113.9"),
        (["203.0.113.9, 10.0.0.7"], "203.0.113.9"),  # two proxies of ours
        (["198.51.100.1, 203.0.113.9, 10.0.0.7, 10.0.0.8"], "203.0.113.9"),
        (["localhost"], "10.0.0.1"),
        (["203.0.113.9, localhost"], "10.0.0.1"),
        (["203.0.113.9, localhost, 10.0.0.7"], "10.0.0.7"),
        (["203.0.113.9, "], "10.0.0.1"),
        (["unknown"], "10.0.0.1"),
        (["127.0.0.1"], "127.0.0.1"),  # an address, and yet nobody local: that is told by the connection
        (["203.0.113.9:5000"], "203.0.113.9"),
        (["[2001:DB8::1]:5000"], "2001:db8::1"),
        (["2001:db8::1"], "2001:db8::1"),
        (["::ffff:203.0.113.9"], "203.0.113.9"),
        (["10.0.0.9"], "10.0.0.9"),
    ],
)
def test_a_proxy_is_believed_as_far_as_it_is_trusted(forwarded: list[str], caller: str) -> None:
    trusted = addresses.proxies("10.0.0.0/8, 192.0.2.1")
    assert str(addresses.caller(ipaddress.ip_address("10.0.0.1"), forwarded, trusted)) == caller
    stranger = ipaddress.ip_address("203.0.113.200")
    assert addresses.caller(stranger, forwarded, trusted) == stranger
    assert addresses.caller(stranger, forwarded, Networks()) == stranger


@given(st.lists(st.text("0123456789.:,[] abcdefxlocalhost%", max_size=40), max_size=4))
def test_whatever_a_proxy_says_a_caller_has_an_address(forwarded: list[str]) -> None:
    peer = ipaddress.ip_address("10.0.0.1")
    address = addresses.caller(peer, forwarded, addresses.proxies("10.0.0.0/8"))
    assert addresses.read(str(address)) == address


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("192.0.2.7", "192.0.2.7"),
        (" 192.0.2.7 ", "192.0.2.7"),
        ("192.0.2.7/32", "192.0.2.7"),
        ("192.0.2.7/24", "192.0.2.0/24"),
        ("2001:DB8::1", "2001:db8::/64"),
        ("2001:DB8::1/128", "2001:db8::1/128"),
        ("2001:DB8::/32", "2001:db8::/32"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.0/120", "192.0.2.0/24"),
    ],
)
def test_a_ban_is_kept_in_one_form(text: str, stored: str) -> None:
    assert addresses.name(addresses.network(text)) == stored
    assert addresses.network(stored) == addresses.network(text)


NONSENSE = ["somebody", "", "192.0.2.", "192.0.2.256", "192.0.2.0/33", "192.0.2.0/x", "0.0.0.0/0", "::/0", "1.2.3.4/-1"]
NONSENSE += ["192.0.2.0/24/24", "192.0.2.0/255.255.255.0", "::ffff:192.0.2.7/64", "192.0.2.7/２４", "localhost"]


@pytest.mark.parametrize("text", NONSENSE)
def test_nonsense_is_not_banned(text: str) -> None:
    with pytest.raises(AstragalError, match="no address; write one like"):
        addresses.network(text)


def test_networks_hold_what_is_in_them() -> None:
    kept_out = Networks(map(addresses.network, ("192.0.2.7", "198.51.100.0/24", "2001:db8::1", "2001:db8:ff00::/40")))
    for inside in ("192.0.2.7", "::ffff:192.0.2.7", "198.51.100.200", "2001:DB8::ffff", "2001:db8:ff12::1"):
        assert inside in kept_out, inside
    for outside in ("192.0.2.8", "198.51.101.1", "2001:db8:0:1::1", "2001:db8:fe00::1", "-", "localhost", ""):
        assert outside not in kept_out, outside


def test_bans_keep_out_whoever_they_name(tmp_path: Path) -> None:
    store = tmp_path / "bans.db"
    with threaded(store, proxies="127.0.0.1") as server:

        def status(caller: str) -> int:
            where = f"{server.address}/api/matches/none"
            return httpx.get(where, headers={"X-Forwarded-For": caller}).status_code

        url = Settings(database=str(store)).url
        for text in ("2001:DB8::1", "198.51.100.0/24", "::ffff:192.0.2.7"):
            assert "kept out" in admin.carry_out(url, "ban", "en", address=text)
        assert admin.carry_out(url, "bans", "en", as_json=True) == '["192.0.2.7","198.51.100.0/24","2001:db8::/64"]'
        eventually(lambda: status("192.0.2.7") == 403)
        for caller in ("2001:db8::1", "2001:db8::abcd", "2001:DB8:0:0:1::", "198.51.100.9", "::ffff:192.0.2.7"):
            assert status(caller) == 403, caller
        for caller in ("2001:db8:0:1::1", "198.51.101.9", "192.0.2.8"):
            assert status(caller) == 404, caller
        with pytest.raises(AstragalError, match="is not kept out"):
            admin.carry_out(url, "unban", "en", address="192.0.2.8")
        admin.carry_out(url, "unban", "en", address="2001:db8:0:0::99")  # however it is written
        eventually(lambda: status("2001:db8::1") == 404)
        assert status("192.0.2.7") == 403


def test_bans_of_an_older_version_are_read_as_far_as_they_mean_anything(tmp_path: Path) -> None:
    url = Settings(database=str(tmp_path / "old.db")).url

    async def older(store: Store) -> None:
        for text in ("2001:DB8::1", "nonsense", "::ffff:127.0.0.1"):
            await store.ban(text)

    with_store(url, older)
    with threaded(tmp_path / "old.db") as server:
        assert server.get("/health").json()["code"] == "banned"
    assert admin.carry_out(url, "unban", "en", address="nonsense")
    assert admin.carry_out(url, "unban", "en", address="127.0.0.1")
    assert admin.carry_out(url, "bans", "en", as_json=True) == '["2001:DB8::1"]'
    with threaded(tmp_path / "old.db") as server:
        assert server.get("/health").status_code == 200


def test_the_command_refuses_nonsense_with_a_sentence(server: Server) -> None:
    def run(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(cli.commands("en"), ["admin", *words, "--database", server.database])
        return done.exit_code, f"{done.output}{done.exception}"

    code, told = run("ban", "somebody")
    assert code != 0
    assert "'somebody' is no address; write one like 192.0.2.7, 192.0.2.0/24 or 2001:db8::/64" in told
    assert run("ban", "2001:DB8::5")[0] == 0
    assert "2001:db8::/64" in run("bans")[1]
    assert run("unban", "2001:db8::6")[0] == 0


def test_a_banned_network_loses_its_open_connections(tmp_path: Path) -> None:
    with threaded(tmp_path / "open.db") as server, closing(server.table("ur", 1, 1)) as players:
        players[0].hear()
        admin.carry_out(Settings(database=server.database).url, "ban", "en", address="127.0.0.0/8")
        until_status(server, 403)
        with pytest.raises(ConnectionClosed):
            players[0].until(lambda message: False)


def test_limits_count_mapped_addresses_apart_and_a_network_as_one() -> None:
    bucket = RateLimit(2)
    assert bucket.take(addresses.household("::ffff:192.0.2.1"))
    assert bucket.take(addresses.household("::ffff:192.0.2.2"))
    assert not bucket.take(addresses.household("192.0.2.1"))
    assert bucket.take(addresses.household("2001:db8::1"))
    assert not bucket.take(addresses.household("2001:DB8::2"))


def test_many_callers_do_not_make_each_request_slower(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is remembered is looked through now and then, not with every request of a crowd."""
    monkeypatch.setattr("astragal.server.rate_limit.TIDY", 100)
    bucket = RateLimit(1)
    rebuilt = 0
    before = bucket._left
    for n in range(5_000):
        bucket.take(n)
        rebuilt += bucket._left is not before
        before = bucket._left
    assert 0 < rebuilt < 20
