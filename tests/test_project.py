"""What belongs to the project beside its code: releases, the list of licences, containers and CI."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import astragal
from astragal import hosting

ROOT = Path(__file__).parent.parent


def git(*words: str, cwd: Path) -> str:
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"]
    done = subprocess.run(["git", *identity, *words], cwd=cwd, capture_output=True, text=True, check=True)
    return done.stdout


def tool(name: str, *words: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, f"tools/{name}", *words], cwd=cwd, capture_output=True, text=True, timeout=900, check=False
    )


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone with what is not committed here yet, committed there."""
    target = tmp_path / "astragal"
    git("clone", "--quiet", str(ROOT), str(target), cwd=tmp_path)
    for name in git("ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT).split("\0"):
        if name and (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    git("add", "-A", cwd=target)
    git("commit", "--quiet", "--allow-empty", "-m", "as it is here", cwd=target)
    return target


def test_the_list_of_licences_is_complete_and_notices_what_is_new(clone: Path) -> None:
    assert tool("third_party.py", "--check", cwd=clone).returncode == 0
    listed = (clone / "THIRD_PARTY.md").read_text("utf-8")
    pins = set(re.findall(r"^([a-z0-9._-]+)==", (clone / "requirements.lock").read_text("utf-8"), re.MULTILINE))
    assert all(f"| {name} |" in listed for name in pins)
    lock = clone / "requirements.lock"
    lock.write_text(lock.read_text("utf-8") + "nobodys-package==1.0 \\\n    --hash=sha256:00\n", "utf-8")
    assert "stale" in tool("third_party.py", "--check", cwd=clone).stderr
    assert "licence not known: nobodys-package" in tool("third_party.py", cwd=clone).stderr


def test_a_release_is_refused_while_something_is_missing(clone: Path) -> None:
    changelog = clone / "CHANGELOG.md"
    changelog.write_text("# What is new\n\n## Unreleased\n", "utf-8")
    (clone / "README.md").write_text("changed", "utf-8")
    (clone / "CITATION.cff").write_text("version: 0.0.0\n", "utf-8")
    git("tag", f"v{astragal.__version__}", cwd=clone)
    said = tool("release.py", cwd=clone).stderr
    assert f"CHANGELOG.md has no section '## {astragal.__version__}'" in said
    assert "there are changes that are not committed" in said
    assert "CITATION.cff does not name version" in said
    assert f"the tag v{astragal.__version__} is there already" in said
    assert not (clone / "dist").exists()


@pytest.mark.long
def test_a_release_is_built_tried_out_and_tagged(clone: Path) -> None:
    git("config", "user.name", "Test", cwd=clone)
    git("config", "user.email", "test@example.org", cwd=clone)
    done = tool("release.py", cwd=clone)
    assert done.returncode == 0, done.stderr
    assert (clone / "dist" / "NOTES.md").read_text("utf-8").startswith(f"# Astragal {astragal.__version__}")
    assert git("tag", "--list", cwd=clone).split() == [f"v{astragal.__version__}"]


def test_ci_runs_every_python_we_say_we_support_and_other_systems() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))["jobs"]
    assert jobs["linux"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]
    systems = jobs["elsewhere"]["strategy"]["matrix"]["os"]
    assert {name.partition("-")[0] for name in systems} == {"macos", "windows"}
    commands = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    for path in re.findall(r"\b(?:tests|docs|tools|\.ci)/[\w./]+|README\.md|run\.py", " ".join(commands)):
        assert (ROOT / path).exists(), path


def test_containers_use_files_flags_and_variables_that_are_there() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text("utf-8")
    for lock in re.findall(r"requirements[\w-]*\.lock", dockerfile):
        assert (ROOT / lock).is_file()
    assert dockerfile.count("--require-hashes") == 2
    services = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]
    flags = {opt for param in hosting.serve("en").params for opt in param.opts}
    command = services["astragal"]["command"]
    assert {word for word in command if word.startswith("--")} <= flags
    variables = {str(getattr(param, "envvar", None)) for param in hosting.serve("en").params}
    assert set(services["astragal"]["environment"]) <= variables
    assert services["database"]["image"].startswith("postgres:")


def test_pre_commit_runs_our_own_checks() -> None:
    [repository] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
    assert repository["repo"] == "local"
    for hook in repository["hooks"]:
        assert hook["entry"].startswith("python3 run.py ")
