#!/bin/sh
# Installs the other simulators that `make bench` compares with: peers.sh VENV
set -u
venv=$1
if "$venv/bin/python" -c 'import jax, pgx, pygame, pyspiel, royalur' 2>/dev/null; then
    exit 0
fi
echo "Installing the peers of the benchmark (once) ..."
if command -v uv >/dev/null 2>&1; then
    uv pip install --quiet --python "$venv/bin/python" -e '.[bench]'
else
    "$venv/bin/python" -m pip install --quiet -e '.[bench]'
fi || echo "some peers could not be installed; the benchmark goes without them" >&2
