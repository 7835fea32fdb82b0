"""What the server counts and what it writes into its log: one JSON document a line, or at a terminal plain lines."""

from __future__ import annotations

import json
import logging
import sys
import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from astragal.server.recent_log import RecentLog, added

logger = logging.getLogger("astragal.server")

registry = CollectorRegistry()
sockets = Gauge("astragal_sockets", "Open connections that follow a match", registry=registry)
halls = Gauge("astragal_halls", "Open connections of halls", registry=registry)
rooms = Gauge("astragal_rooms", "Matches in memory", registry=registry)
matches = Gauge("astragal_matches", "Matches in the store", ["status"], registry=registry)
unreadable = Gauge("astragal_unreadable", "Matches that could not be read from the store", registry=registry)
queue = Gauge("astragal_queue", "Appends that wait for a commit", registry=registry)
waiting_for_bots = Gauge("astragal_bot_queue", "Moves that wait for a thinking process", registry=registry)
loop_delay = Gauge(
    "astragal_loop_delay_seconds", "How late the event loop was, the worst of a minute", registry=registry
)
checks = Counter("astragal_checks", "Own boards and decks that were checked", registry=registry)
bots_replaced = Counter("astragal_bots_replaced", "Moves played at random because a bot failed", registry=registry)
conflicts = Counter("astragal_conflicts", "Appends that another process had made first", registry=registry)
refusals = Counter("astragal_refusals", "Refused commands and requests", ["code"], registry=registry)
group_size = Histogram(
    "astragal_group_size", "Appends that shared a commit", registry=registry, buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256)
)
QUICK = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
action_seconds = Histogram(
    "astragal_action_seconds", "From a command's arrival to its commit", registry=registry, buckets=QUICK
)
bot_seconds = Histogram("astragal_bot_seconds", "Time that bots think", registry=registry, buckets=(*QUICK, 10, 30))


def page() -> bytes:
    """All figures, as Prometheus reads them."""
    figures: bytes = generate_latest(registry)
    return figures


recent = RecentLog()


class _Lines(logging.Formatter):
    """A log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= added(record)
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)


class _ForPeople(logging.Formatter):
    """A log record as a person reads it: the time here, what happened, and to whom."""

    def format(self, record: logging.LogRecord) -> str:
        more = [f"{key}={value}" for key, value in added(record).items()]
        level = "" if record.levelno == logging.INFO else f"{record.levelname.lower()}: "
        line = " ".join([time.strftime("%H:%M:%S", time.localtime(record.created)), level + record.getMessage(), *more])
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def start_log(level: int = logging.INFO) -> None:
    """Sends the log to stderr: for a person where that is a terminal, else as lines of JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_ForPeople() if sys.stderr.isatty() else _Lines())
    for name in ("astragal.server", "uvicorn", "uvicorn.error"):
        named = logging.getLogger(name)
        named.handlers, named.propagate = [handler, recent] if name != "uvicorn.error" else [], name == "uvicorn.error"
        named.setLevel(level)
