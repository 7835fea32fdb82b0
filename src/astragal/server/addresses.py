"""Addresses of callers: read once, written one way, and compared as what they are, never as text.

An IPv6 customer is given a whole network, so limits and bans count IPv6 by its /64. An IPv4 address that arrives
inside an IPv6 one (`::ffff:192.0.2.7`) is that IPv4 address.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Sequence

from astragal.core.language import say
from astragal.core.types import AstragalError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

CUSTOMER = 64  # bits of the IPv6 network that one customer is given
MAPPED = 96  # bits before an IPv4 address inside an IPv6 one


def read(text: str) -> Address | None:
    """The address, or None for what is none."""
    plain = text.strip()
    try:
        address = ipaddress.ip_address(plain.partition("%")[0] if ":" in plain else plain)  # a zone is no part of it
    except ValueError:
        return None
    mapped = address.ipv4_mapped if address.version == 6 else None
    return mapped or address


_TRANSLATED = (
    "64:ff9b::/96",
    "64:ff9b:1::/48",
    "2002::/16",
    "2001::/32",
)  # IPv4 addresses stand in these, also inner ones
_INNER = ("fec0::/10", "3fff::/20")  # site-local and documentation: Python takes them to be global
_REFUSED = tuple(ipaddress.ip_network(text) for text in (*_TRANSLATED, *_INNER))


def is_public(address: Address) -> bool:
    """Whether this is an address of the internet, and of nothing in the host's own network."""
    if not address.is_global or address.is_multicast or address.is_reserved or address.is_unspecified:
        return False
    return not any(address.version == network.version and address in network for network in _REFUSED)


def household(text: str) -> str:
    """Whom a limit counts as one: an address, or with IPv6 the network of one customer."""
    address = read(text)
    if address is None:
        return text
    return str(address) if address.version == 4 else str(ipaddress.ip_network((address, CUSTOMER), strict=False))


def network(text: str) -> Network:
    """What a ban of this address or network keeps out; of an IPv6 address its whole /64. Raises AstragalError."""
    written, slash, bits = text.strip().partition("/")
    address = read(written)
    try:
        if address is None or (slash and not (bits.isascii() and bits.isdecimal())):
            raise ValueError
        prefix = int(bits) if slash else CUSTOMER if address.version == 6 else address.max_prefixlen
        if slash and address.version == 4 and ":" in written:
            prefix -= MAPPED
        if prefix == 0:
            raise ValueError
        return ipaddress.ip_network((address, prefix), strict=False)
    except ValueError:
        raise AstragalError(
            say("{value!r} is no address; write one like 192.0.2.7, 192.0.2.0/24 or 2001:db8::/64", value=text)
        ) from None


def name(network: Network) -> str:
    """How a network is written and stored: a single IPv4 address without its `/32`."""
    return str(network.network_address) if network.prefixlen == 32 and network.version == 4 else str(network)


class Networks:
    """Addresses and networks, to ask whether one is among them."""

    def __init__(self, networks: Iterable[Network] = ()) -> None:
        self._networks = frozenset(networks)
        # An address is looked up in each size of network that there is, so that many bans cost no more than a few.
        self._sizes = frozenset((network.version, network.prefixlen) for network in self._networks)

    def __contains__(self, address: object) -> bool:
        parsed = address if isinstance(address, Address) else read(str(address))
        if parsed is None:
            return False
        return any(
            ipaddress.ip_network((parsed, bits), strict=False) in self._networks
            for version, bits in self._sizes
            if version == parsed.version
        )

    @classmethod
    def stored(cls, texts: Iterable[str]) -> tuple[Networks, list[str]]:
        """The networks of stored bans, and the stored texts that are no address (an older version took any text)."""
        good, bad = [], []
        for text in texts:
            try:
                good.append(network(text))
            except AstragalError:
                bad.append(text)
        return cls(good), bad


def proxies(text: str) -> Networks:
    """The trusted proxies of `--proxies`, exactly as named. Raises AstragalError."""
    networks = []
    for proxy in filter(None, (part.strip() for part in text.split(","))):
        try:
            networks.append(ipaddress.ip_network(proxy))
        except ValueError:
            raise AstragalError(
                say("{value!r} is no address of a proxy; write one like 127.0.0.1 or 10.0.0.0/8", value=proxy)
            ) from None
    return Networks(networks)


ANYWHERE = "anywhere"


def host_page(text: str) -> Networks | None:
    """Where the host's page opens besides this computer (`--host-page-from`); None: anywhere. Raises AstragalError."""
    return None if text.strip() == ANYWHERE else Networks(network(part) for part in text.split(",") if part.strip())


def caller(peer: Address, forwarded: Sequence[str], trusted: Networks) -> Address:
    """Who asks: whoever is connected, or whom a chain of trusted proxies names.

    Each proxy adds the address it was called from at the right end of `X-Forwarded-For`. So the list is read from
    there, and only as long as a trusted proxy has written; what is no address ends it.
    """
    named = [part for line in forwarded for part in line.split(",")]
    while peer in trusted and named:
        hop = read(_without_port(named.pop().strip()))
        if hop is None:
            break
        peer = hop
    return peer


def _without_port(text: str) -> str:
    """Some proxies write the port as well: `192.0.2.7:5000`, `[2001:db8::1]:5000`."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text
