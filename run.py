"""Sets Astragal up and starts it, with nothing but Python: what `make` does, also where there is no make.

python run.py play                 sets everything up the first time, then opens the game hall in your browser
python run.py test                 installs what the tests need, runs the checks, then the tests
python run.py astragal play ur     the program itself, set up if need be
python run.py setup | web | lint | check    the parts of these: what playing needs; the browser client; the checks
                                   of the code; and those of the browser client
python run.py tool ruff format     a program of the development environment

Words after the command go to what it starts: `python run.py play --no-browser`, `python run.py test -k clock`.
uv is used where the machine has it, plain pip where not; both install exactly what the lock files name.
"""

from __future__ import annotations  # an old Python must be able to read this file, to say that it is too old

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
OLDEST = (3, 11)
BUILD, NODE = "requirements-build.lock", "requirements-node.lock"
LOCKS = {"play": ["requirements.lock", BUILD], "dev": ["requirements-dev.lock"]}
FOUND_BY = ("python3.14", "python3.13", "python3.12", "python3.11", "python3", "python")

LINT = (
    ("ruff", "check", "--quiet", "."),
    ("ruff", "format", "--check", "--quiet", "."),
    ("mypy",),
    ("lint-imports",),
    ("deptry", "src"),
    ("vulture",),
    ("python", "tools/names.py"),
    ("python", "tools/texts.py", "--check"),
    ("python", "tools/texts.py", "--check", "--package", "examples/goats/src/goats"),
    ("python", "tools/docs.py", "--check"),
    ("python", "tools/solutions.py", "write", "--check"),
    ("python", "tools/web.py", "--check"),
    ("python", "tools/third_party.py", "--check"),
)


def main(words: list[str]) -> int:
    """Does what the first word says, with the others."""
    commands: dict[str, Callable[[list[str]], int]] = {
        "play": play,
        "test": test,
        "astragal": astragal,
        "setup": setup,
        "tool": tool,
        "web": lambda _rest: web(),
        "lint": lambda _rest: lint(),
        "check": lambda _rest: check_client(),
    }
    if not words or words[0] not in commands:
        print(__doc__)
        return 0 if words in (["-h"], ["--help"]) else 2
    os.chdir(ROOT)
    os.environ.setdefault("PIP_DISABLE_PIP_VERSION_CHECK", "1")
    return commands[words[0]](words[1:])


def play(rest: list[str]) -> int:
    """The game hall."""
    return install("play") or web() or start("astragal", "hall", *rest)


def astragal(rest: list[str]) -> int:
    """The program, with the browser client only for commands that show it."""
    shows = rest[:1] in (["hall"], ["serve"])
    return install("play") or (web() if shows else 0) or start("astragal", *rest)


def test(rest: list[str]) -> int:
    """Everything, as CI does."""
    failed = install("dev") or web() or side_by_side([*lint_commands(), *client_commands()])
    if not failed and shutil.which("sh"):  # Debian's programs that some tests want
        failed = call("sh", "tools/browser.sh") or call("sh", "tools/servers.sh")
    workers = 2 * (os.cpu_count() or 1)  # most tests wait for servers, browsers and clocks more than they compute
    wanted = ["-n", str(workers), "--dist", "worksteal", "--durations", "20", "-m", "not long", *rest]
    return failed or call(str(PYTHON), "-m", "pytest", *wanted)


def tool(rest: list[str]) -> int:
    """A program of the development environment."""
    return install("dev") or call(str(program(rest[0] if rest else "python")), *rest[1:])


def setup(rest: list[str]) -> int:
    """The virtual environment: for playing, or with `dev` for working on it."""
    return install("dev" if rest == ["dev"] else "play")


def lint() -> int:
    """Style, types, layers and texts. The check of generated types needs what the browser client is built with."""
    return install("dev") or web() or side_by_side(lint_commands())


def lint_commands() -> list[Command]:
    """The checks of the code."""
    return [Command((str(program(words[0])), *words[1:])) for words in LINT]


def web() -> int:
    """Builds the browser client if it is stale. Where the machine has no Node, it comes from PyPI."""
    needs_node = call(str(PYTHON), "hatch_build.py", "--need-node") == 0
    return (pip("-r", NODE) if needs_node else 0) or call(str(PYTHON), "hatch_build.py")


def check_client() -> int:
    """Types and tests of the browser client."""
    return side_by_side(client_commands())


def client_commands() -> list[Command]:
    """The checks of the browser client."""
    path = os.pathsep.join([str(BIN), os.environ.get("PATH", "")])
    npm = shutil.which("npm", path=path)
    if npm is None:
        return [Command((str(PYTHON), "-c", "raise SystemExit('The checks of the browser client need Node.')"))]
    return [Command((npm, "--silent", *words), ROOT / "web", path) for words in (("run", "check"), ("test",))]


def install(mode: str) -> int:
    """Makes the virtual environment, unless its stamp is newer than all that it depends on."""
    stamp = VENV / f".{mode}"
    inputs = [ROOT / name for name in ("pyproject.toml", *LOCKS[mode])]
    if stamp.is_file() and stamp.stat().st_mtime >= max(file.stat().st_mtime for file in inputs):
        return 0
    python = new_enough()
    if python is None:
        print(
            "Astragal needs Python {}.{} or newer; start this file with it: /path/to/python run.py".format(*OLDEST),
            file=sys.stderr,
        )
        return 2
    print(f"Setting up {VENV.name} (once; later starts are quick) ...", flush=True)
    locks = [word for name in LOCKS[mode] for word in ("-r", name)]
    failed = make_venv(python) or pip(*locks) or pip("--no-deps", "--no-build-isolation", "-e", ".", hashed=False)
    if not failed:
        for name in ("play", "dev")[: 1 if mode == "play" else 2]:
            (VENV / f".{name}").touch()
    return failed


def make_venv(python: str) -> int:
    """An empty virtual environment, where there is none."""
    if PYTHON.exists():
        return 0
    uv = shutil.which("uv")
    made = call(uv, "venv", "--quiet", "--python", python, str(VENV)) if uv else call(python, "-m", "venv", str(VENV))
    if made:
        print(f"{python} cannot make virtual environments; on Debian: apt install python3-venv", file=sys.stderr)
        shutil.rmtree(VENV, ignore_errors=True)
    return made


def pip(*words: str, hashed: bool = True) -> int:
    """Installs; what a lock file names only with the hashes that stand there."""
    uv = shutil.which("uv")
    program = [uv, "pip", "install", "--python", str(PYTHON)] if uv else [str(PYTHON), "-m", "pip", "install"]
    return call(*program, "--quiet", *(["--require-hashes"] if hashed else []), *words)


def new_enough() -> str | None:
    """A Python to make the environment with: this one if it is new enough, or the newest on the path."""
    if sys.version_info >= OLDEST:
        return sys.executable
    asked = f"import sys; sys.exit(sys.version_info < {OLDEST})"
    for name in FOUND_BY:
        path = shutil.which(name)
        if path and subprocess.call([path, "-c", asked], stderr=subprocess.DEVNULL) == 0:
            return path
    return None


def program(name: str) -> Path:
    """A program of the virtual environment."""
    return BIN / (name + ".exe" if os.name == "nt" else name)


def call(*words: str) -> int:
    """Runs a program to its end."""
    return subprocess.call(words, cwd=ROOT)


class Command(NamedTuple):
    """A check, the folder it runs in, and where it looks for programs."""

    words: tuple[str, ...]
    folder: Path = ROOT
    path: str | None = None

    def run(self) -> subprocess.CompletedProcess[bytes]:
        env = {**os.environ, **({} if self.path is None else {"PATH": self.path})}
        return subprocess.run(
            self.words, cwd=self.folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )


def side_by_side(commands: list[Command]) -> int:
    """Runs checks, as many at once as there are cores, and says what each had to say; how the first to fail failed."""
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for command, done in zip(commands, pool.map(Command.run, commands), strict=True):
            sys.stdout.flush()
            sys.stdout.buffer.write(done.stdout)
            sys.stdout.flush()
            if done.returncode:
                print(f"failed: {' '.join(command.words)}", file=sys.stderr)
            failed = failed or done.returncode
    return failed


def start(name: str, *words: str) -> int:
    """Becomes a program, or where a process cannot do that waits for it."""
    path = str(program(name))
    if os.name == "nt":
        try:
            return call(path, *words)
        except KeyboardInterrupt:
            return 130
    os.execv(path, [path, *words])  # noqa: S606
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
