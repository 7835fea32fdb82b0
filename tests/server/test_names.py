"""To which names a server answers, and whose pages may ask it: DNS rebinding, origins, contradicting headers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from astragal.core.types import AstragalError
from astragal.server.hosts import Hosts, check_origin
from astragal.server.settings import Settings
from tests.server.raw import UPGRADE, Answer, ask, exchange, knock, request
from tests.server.running import Server, threaded

JSON = ("Content-Type", "application/json")


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server behind a proxy that browsers know by another name."""
    origins = ("https://games.example.org", "http://club.example:8080")
    with threaded(tmp_path_factory.mktemp("names") / "named.db", origins=origins, proxies="127.0.0.2") as server:
        yield server


def test_only_names_the_server_was_started_with_are_answered(named: Server) -> None:
    port = named.port
    ours = ["127.0.0.1:{}", "localhost:{}", "LOCALHOST:{}", "[::1]:{}", "127.0.0.5:{}", "[::ffff:127.0.0.1]:{}"]
    for host in [*(name.format(port) for name in ours), "games.example.org", "Games.Example.org", "club.example:8080"]:
        assert ask(port, "/health", ("Host", host)).status == 200, host
    others = ["evil.example:{}", "localhost", "localhost:1", "127.0.0.1", "localhost.:{}", "localhost.evil.example:{}"]
    others += [
        "evil.localhost:{}",
        "192.0.2.7:{}",
        "[2001:db8::1]:{}",
        "127.0.0.1:{}.evil.example",
        "",
        "user@localhost:{}",
    ]
    others += [
        "club.example",
        "games.example.org:80",
        "games.example.org.",
        "0x7f000001:{}",
        "2130706433:{}",
        "127.1:{}",
    ]
    for host in [name.format(port) for name in others]:
        for answered in (
            ask(port, "/health", ("Host", host)),
            ask(port, "/api/hall", JSON, ("Host", host), method="POST"),
        ):
            assert (answered.status, answered.code) == (421, "host"), host
        assert knock(port, "/api/matches/none/socket", ("Host", host)).status == 421, host
    told = ask(port, "/health?lang=de", ("Host", f"evil.example:{port}"))
    assert f"--origin http://evil.example:{port}" in told.body.decode()
    assert ask(port, "/health", ("Host", '"><script>')).body.count(b"script") == 0


def test_the_name_is_checked_before_there_is_a_route(named: Server) -> None:
    for path in ("/", "/nothing", "/metrics", "/api/nothing", "/assets/none.js"):
        assert ask(named.port, path, ("Host", "evil.example")).code == "host"
    assert exchange(named.port, b"GET /health HTTP/1.0\r\n\r\n").code == "host"


def test_own_addresses_are_names_and_others_are_not() -> None:
    hosts = Hosts("games.lan", ())
    assert hosts.fits("192.168.1.5:8484", "http", ("192.168.1.5", 8484))
    assert hosts.fits("192.168.1.5:8484", "http", ("::ffff:192.168.1.5", 8484))
    assert hosts.fits("[2001:db8:0::5]", "https", ("2001:db8::5", 443))
    assert hosts.fits("games.lan", "http", ("192.168.1.5", 80))
    assert not hosts.fits("192.168.1.6:8484", "http", ("192.168.1.5", 8484))
    assert not hosts.fits("192.168.1.5:8485", "http", ("192.168.1.5", 8484))
    assert not hosts.fits("localhost:8484", "http", None)


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://Games.Example.org", "https://games.example.org"),
        ("https://games.example.org/", "https://games.example.org"),
        ("https://games.example.org:443", "https://games.example.org"),
        ("http://games.example.org:443", "http://games.example.org:443"),
        ("http://[2001:db8::1]:8080", "http://[2001:db8::1]:8080"),
    ],
)
def test_an_origin_is_kept_as_browsers_write_it(text: str, origin: str) -> None:
    assert Settings(origins=(text,)).checked().origins == (origin,)


@pytest.mark.parametrize(
    "text",
    ["games.example.org", "ftp://a.org", "https://", "https://a.org/path", "https://a.org:x", "https://*.org", "null"],
)
def test_what_is_no_origin_is_refused(text: str) -> None:
    with pytest.raises(AstragalError, match="no address of a page"):
        check_origin(text)


def test_an_origin_is_compared_whole(named: Server) -> None:
    def post(origin: str | None, *headers: tuple[str, str]) -> Answer:
        named_origin = [] if origin is None else [("Origin", origin)]
        return ask(named.port, "/api/login", JSON, *named_origin, *headers, method="POST", body=b'{"password": ""}')

    here = f"http://127.0.0.1:{named.port}"
    for good in (None, here, "https://games.example.org", "http://club.example:8080"):
        assert post(good).status == 200, good
    bad = ["null", "", here.replace("http", "https"), f"{here}/", f"{here} ", "http://games.example.org", here.upper()]
    bad += ["https://games.example.org.evil.example", "https://evil.example", f"http://localhost:{named.port}", "*"]
    for origin in bad:
        assert post(origin).code == "origin" or origin == f"{here} ", origin  # a space behind is no part of a header
    assert post(None, ("Cookie", "a=b")).code == "origin"
    assert post(None, ("Cookie", "a=b"), ("Authorization", "Bearer x")).status == 200


def test_a_socket_is_for_pages_of_this_server_and_for_programs(named: Server) -> None:
    made = named.create("ur", ["open", "open"])
    path, cookie = f"/api/matches/{made['match']}/socket", ("Cookie", f"astragal-seat-0={made['secret']}")
    here = ("Origin", f"http://127.0.0.1:{named.port}")
    assert knock(named.port, path, here, cookie).status == 101
    assert knock(named.port, path).status == 101
    assert knock(named.port, path, ("Authorization", f"Bearer {made['secret']}")).status == 101
    for wrong in (("Origin", "null"), ("Origin", "http://evil.example"), ("Origin", "")):
        assert knock(named.port, path, wrong, cookie).code == "origin"
    assert knock(named.port, path, cookie).code == "origin"  # a browser would have said where it comes from
    assert knock(named.port, path, here, ("Origin", "http://evil.example")).status == 400
    assert exchange(named.port, request(path, *UPGRADE, port=named.port, method="POST"), wait=False).status == 405


def test_a_refused_handshake_is_no_error_of_the_server(server: Server) -> None:
    for n in range(3):
        assert knock(server.port, f"//{n}").code == "malformed"
    assert "handshake" not in server.said()


def test_scripts_of_other_pages_do_not_even_read(named: Server) -> None:
    for site in ("cross-site", "same-site"):
        script = (("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", "no-cors"))
        assert ask(named.port, "/api/matches", *script).code == "origin"
        assert ask(named.port, "/", *script).code == "origin"
        assert ask(named.port, "/", ("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", "navigate")).status == 200  # a link
    assert ask(named.port, "/api/matches", ("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Mode", "cors")).status == 200
    ours = ("Origin", "https://games.example.org")
    assert (
        ask(named.port, "/api/matches", ours, ("Sec-Fetch-Site", "same-site"), ("Sec-Fetch-Mode", "cors")).status == 200
    )


@pytest.mark.parametrize("name", ["Host", "Origin", "Authorization", "Cookie", "Content-Type", "Astragal-Pass"])
def test_a_header_that_decides_is_sent_once(named: Server, name: str) -> None:
    value = {"Host": f"127.0.0.1:{named.port}", "Origin": named.address, "Content-Type": "application/json"}.get(
        name, "a"
    )
    assert ask(named.port, "/api/phrases", (name, value), (name, value)).status == 400
    assert ask(named.port, "/api/phrases", (name, value), (name.upper(), "evil.example")).status == 400


def test_one_request_is_not_two(named: Server) -> None:
    """What two servers in a row could take for different numbers of requests is refused, and the connection closed."""
    port = named.port
    hidden = request("/metrics", port=port)
    keep = ("Connection", "keep-alive")
    framed = [
        (("Content-Length", str(5 + len(hidden))), ("Transfer-Encoding", "chunked")),
        (("Transfer-Encoding", "chunked"), ("Content-Length", "3")),
        (("Content-Length", "5"), ("Content-Length", "6")),
        (("Content-Length", "5, 6"),),
        (("Content-Length", "+5"),),
        (("Content-Length", "-5"),),
        (("Content-Length", "0x5"),),
        (("Transfer-Encoding", "xchunked"),),
        (("Transfer-Encoding", "chunked, identity"),),
        (("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "identity")),
        (("Transfer-Encoding ", "chunked"),),
    ]
    for headers in framed:
        body = b"0\r\n\r\n" + hidden
        answered = exchange(port, request("/api/login", JSON, *headers, keep, method="POST", port=port, body=body))
        assert answered.status in (400, 501), headers
        assert answered.rest == b"", headers
    answered = exchange(port, request("/health", ("X", "a\r\n\tb"), ("Bad Name", "x"), port=port))
    assert answered.status == 400


def test_headers_have_a_size(named: Server) -> None:
    port = named.port
    assert ask(port, "/health", ("X", "a" * 30_000)).status == 200
    assert ask(port, "/health", ("X", "a" * 100_000)).status in (400, 413)  # h11 refuses it if it comes in parts
    assert ask(port, "/health", *[("X", "a")] * 200).code == "too_large"
    assert ask(port, f"/health?{'a' * 40_000}").status in (400, 413)
    assert knock(port, "/api/matches/none/socket", *[("X", "a")] * 200).status in (400, 413, 431)


def test_a_pass_among_other_programs_cookies(tmp_path: Path) -> None:
    """Cookies are shared between the ports of a host, so that there may be any others, and one of our name."""
    with threaded(tmp_path / "cookies.db", password="sesame") as server:
        pass_ = server.post("/api/login", {"password": "sesame"}).json()["pass"]
        for others in ("", 'a={"b": 1}; ', "a; =; ;;", "astragal-pass=stolen; ", 'x="unclosed; '):
            answered = ask(server.port, "/api/phrases", ("Cookie", f"{others}astragal-pass={pass_}"))
            assert answered.status == 200, others
        for wrong in (f"astragal-pass={pass_}x", f"ASTRAGAL-PASS={pass_}", f'x="; astragal-passs={pass_}', pass_):
            assert ask(server.port, "/api/phrases", ("Cookie", wrong)).code == "password"
