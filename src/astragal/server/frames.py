"""The frames of a WebSocket that make up nearly all of its traffic, read and written without the library.

A client of ours sends short messages, each whole in one frame that arrives in one piece, and answers to pings. These
are read here in a fraction of the library's time. Whatever else arrives (parts of frames, several at once, fragments,
other kinds, anything malformed) is none of these, and the library reads it by all the rules of RFC 6455.
"""

from __future__ import annotations

from websockets.frames import Opcode

try:
    from websockets.speedups import apply_mask
except ImportError:  # where the library was installed without its compiled part
    from websockets.utils import apply_mask

FINAL, MASKED = 0x80, 0x80
TEXT = FINAL | Opcode.TEXT
PONG = bytes([FINAL | Opcode.PONG, MASKED])  # how an answer to our ping begins, which had no content
PING = bytes([FINAL | Opcode.PING, 0])
LONG, LONGEST = 126, 127  # the length stands in the next two bytes, or in the next eight


def text_of(data: bytes) -> str | None:
    """The message, if this is exactly one frame with a whole message of less than 64 KiB; None for anything else."""
    if len(data) < 6 or data[0] != TEXT or data[1] < MASKED:
        return None
    length, start = data[1] - MASKED, 2
    if length == LONGEST:
        return None
    if length == LONG:
        length, start = int.from_bytes(data[2:4], "big"), 4
    if len(data) != start + 4 + length:
        return None
    try:
        return apply_mask(data[start + 4 :], data[start : start + 4]).decode()
    except UnicodeDecodeError:
        return None


def is_pong(data: bytes) -> bool:
    """Whether this is exactly one answer to one of our pings."""
    return len(data) == 6 and data.startswith(PONG)


def head_of_text(length: int) -> bytes:
    """What stands before a message of so many bytes in a server's frame."""
    if length < LONG:
        return bytes((TEXT, length))
    if length < 1 << 16:
        return bytes((TEXT, LONG)) + length.to_bytes(2, "big")
    return bytes((TEXT, LONGEST)) + length.to_bytes(8, "big")
