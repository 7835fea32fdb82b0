"""A bot for a server of Astragal, over the plain bot API: a stream of lines in, a POST per action out.

astragal serve                                   # in another terminal
python examples/bot.py http://localhost:8484     # creates a match against a bot of the server, and plays it
python examples/bot.py http://localhost:8484 MATCH INVITE    # or takes a seat in a match of yours
"""

from __future__ import annotations

import json
import random
import sys
import time
import urllib.error
import urllib.request
from typing import Any


def post(address: str, body: dict[str, Any], secret: str = "") -> dict[str, Any]:
    """One request, sent again after as long as the server asks to wait. Other errors say what was wrong."""
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {secret}"} if secret else {})}
    request = urllib.request.Request(address, json.dumps(body).encode(), headers)
    while True:
        try:
            with urllib.request.urlopen(request) as answer:
                answered: dict[str, Any] = json.load(answer)
                return answered
        except urllib.error.HTTPError as error:
            with error:
                problem, wait = error.read().decode(errors="replace"), error.headers.get("Retry-After", "")
            if error.code not in (429, 503) or not wait.isdecimal():
                raise SystemExit(f"{error.code}: {problem}") from None
            print(f"the server asks to wait {wait} s", file=sys.stderr)
            time.sleep(int(wait))


def main(server: str, match: str = "", invite: str = "") -> None:
    """Sits down, and answers every table in which it may act."""
    if match:
        seat = post(f"{server}/api/matches/{match}/seats", {"name": "example", "invite": invite})
    else:
        wanted = {"game": "ur", "seats": ["open", "bot:novice"], "sit": 0, "name": "example", "options": {"pieces": 3}}
        seat = post(f"{server}/api/matches", wanted)
    home, secret = f"{server}/api/matches/{seat['match']}", seat["secret"]
    stream = urllib.request.Request(f"{home}/stream", headers={"Authorization": f"Bearer {secret}"})
    with urllib.request.urlopen(stream) as lines:
        for line in lines:
            table = json.loads(line).get("table", {}) if line.strip() else {}  # an empty line: still here
            if table.get("actions"):
                choice = random.choice(table["actions"])
                post(f"{home}/commands", {"type": "act", "ply": table["ply"], "text": choice["text"]}, secret)
            elif table.get("status") == "over":
                print(table["outcome"])


if __name__ == "__main__":
    main(*sys.argv[1:])
