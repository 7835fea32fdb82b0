"""What all tests share."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["pytester", "tests.not_run"]

# Two cores and many workers: time limits a test itself does not ask for would only make it flaky.
settings.register_profile("other", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=60)
settings.register_profile("same", settings.get_profile("other"), derandomize=True)


def pytest_configure(config: pytest.Config) -> None:
    """The same examples in every run, so that none fails by luck; `--hypothesis-profile other` looks for others.

    And what tests start ends by Ctrl-C, or when its terminal is gone, also where a shell in the background or nohup
    has that ignored.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # which Windows has not
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if config.getoption("--hypothesis-profile") is None:
        settings.load_profile("same")


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test writes into the user's own folders or depends on the user's language."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR"):
        monkeypatch.delenv(variable, raising=False)
    return home
