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
        found = ipaddress.ip_address(plain.partition("%")[0] if ":" in plain else plain)  # a zone is no part of it
    except ValueError:
        return None
    mapped = found.ipv4_mapped if found.version == 6 else None
    return mapped or found


def household(text: str) -> str:
    """Whom a limit counts as one: an address, or with IPv6 the network of one customer."""
    found = read(text)
    if found is None:
        return text
    return str(found) if found.version == 4 else str(ipaddress.ip_network((found, CUSTOMER), strict=False))


def network(text: str) -> Network:
    """What a ban of this address or network keeps out; of an IPv6 address its whole /64. Raises AstragalError."""
    address, slash, bits = text.strip().partition("/")
    found = read(address)
    try:
        if found is None or (slash and not (bits.isascii() and bits.isdecimal())):
            raise ValueError
        prefix = int(bits) if slash else CUSTOMER if found.version == 6 else found.max_prefixlen
        if slash and found.version == 4 and ":" in address:
            prefix -= MAPPED
        if prefix == 0:
            raise ValueError
        return ipaddress.ip_network((found, prefix), strict=False)
    except ValueError:
        raise AstragalError(
            say("{value!r} is no address; write one like 192.0.2.7, 192.0.2.0/24 or 2001:db8::/64", value=text)
        ) from None


def name(found: Network) -> str:
    """How a network is written and stored: a single IPv4 address without its `/32`."""
    return str(found.network_address) if found.prefixlen == 32 and found.version == 4 else str(found)


class Networks:
    """Addresses and networks, to ask whether one is among them."""

    def __init__(self, found: Iterable[Network] = ()) -> None:
        self._found = frozenset(found)
        # An address is looked up in each size of network that there is, so that many bans cost no more than a few.
        self._sizes = frozenset((one.version, one.prefixlen) for one in self._found)

    def __contains__(self, address: object) -> bool:
        found = address if isinstance(address, Address) else read(str(address))
        if found is None:
            return False
        return any(
            ipaddress.ip_network((found, bits), strict=False) in self._found
            for version, bits in self._sizes
            if version == found.version
        )

    @classmethod
    def stored(cls, texts: Iterable[str]) -> tuple[Networks, list[str]]:
        """Of bans as they were stored, and those of an older version that mean nothing."""
        good, bad = [], []
        for text in texts:
            try:
                good.append(network(text))
            except AstragalError:
                bad.append(text)
        return cls(good), bad


def proxies(text: str) -> Networks:
    """The trusted proxies of `--proxies`, exactly as named. Raises AstragalError."""
    found = []
    for proxy in filter(None, (part.strip() for part in text.split(","))):
        try:
            found.append(ipaddress.ip_network(proxy))
        except ValueError:
            raise AstragalError(
                say("{value!r} is no address of a proxy; write one like 127.0.0.1 or 10.0.0.0/8", value=proxy)
            ) from None
    return Networks(found)


def caller(peer: Address, forwarded: Sequence[str], trusted: Networks) -> Address:
    """Who asks: whoever is connected, or whom a chain of trusted proxies names.

    Each proxy adds the address it was called from at the right end of `X-Forwarded-For`. So the list is read from
    there, and only as long as a trusted proxy has written; what is no address ends it.
    """
    named = [part for line in forwarded for part in line.split(",")]
    while peer in trusted and named:
        found = read(_without_port(named.pop().strip()))
        if found is None:
            break
        peer = found
    return peer


def _without_port(text: str) -> str:
    """Some proxies write the port as well: `192.0.2.7:5000`, `[2001:db8::1]:5000`."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text
