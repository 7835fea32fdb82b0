"""`astragal hall`: one's own computer first, the local network when its host says so."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx

from tests.server.running import free_port


def test_a_hall_opens_closes_and_can_be_opened_to_the_network(tmp_path: Path) -> None:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "astragal", "hall", "--no-browser", "--port", str(port)],
        stdout=subprocess.PIPE,
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path), "PYTHONUTF8": "1"},
        encoding="utf-8",
    )
    assert process.stdout is not None
    with process.stdout as told:
        try:
            for line in told:
                if f"http://localhost:{port}/" in line:
                    break
            here = f"http://127.0.0.1:{port}"
            assert httpx.get(f"{here}/api/hall").json() == {"can_open": True, "addresses": []}
            assert httpx.post(f"{here}/api/hall", json={"password": "abc"}).status_code == 400  # too short
            opened = httpx.post(f"{here}/api/hall", json={"password": "sesame"})
            found = re.fullmatch(r"http://[0-9.]+:(\d+)/", opened.json()["addresses"][0])
            assert found is not None
            assert httpx.get(f"{here}/api/games").status_code == 401  # from now on everybody shows the password
            assert httpx.get(f"{here}/api/games", cookies=dict(opened.cookies)).status_code == 200
            there = f"http://127.0.0.1:{found[1]}"
            assert httpx.get(f"{there}/api/games").status_code == 401
            assert httpx.post(f"{there}/api/login", json={"password": "sesame"}).status_code == 200
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0
        assert "Every match is kept." in told.read()
