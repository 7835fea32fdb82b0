#!/bin/sh
# Makes the virtual environment: setup.sh play|dev PYTHON VENV
# uv is used where the machine has it, plain pip where not; both install exactly what the lock files name.
set -eu
mode=$1 wanted=$2 venv=$3

python=
for candidate in "$wanted" python3.14 python3.13 python3.12 python3.11; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    echo "Astragal needs Python 3.11 or newer; name it with: make PYTHON=/path/to/python3" >&2
    exit 2
fi

case $mode in
    play) lock=requirements.lock ;;
    dev) lock=requirements-dev.lock ;;
    *) echo "setup.sh play|dev PYTHON VENV" >&2; exit 2 ;;
esac

echo "Setting up $venv (once; later starts are quick) ..."
if command -v uv >/dev/null 2>&1; then
    [ -x "$venv/bin/python" ] || uv venv --quiet --python "$python" "$venv"
    uv pip install --quiet --python "$venv/bin/python" --require-hashes -r "$lock"
    uv pip install --quiet --python "$venv/bin/python" --no-deps -e .
else
    if [ ! -x "$venv/bin/python" ] && ! "$python" -m venv "$venv"; then
        echo "$python cannot make virtual environments; on Debian and Ubuntu: apt install python3-venv" >&2
        rm -rf "$venv"
        exit 2
    fi
    "$venv/bin/python" -m pip install --quiet --require-hashes -r "$lock"
    "$venv/bin/python" -m pip install --quiet --no-deps -e .
fi
