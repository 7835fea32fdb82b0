#!/bin/sh
# Installs Debian's Chromium for the tests, where that is possible: as root, with apt. Elsewhere they are NOT RUN.
set -eu
if command -v chromium >/dev/null 2>&1 && command -v chromium-headless-shell >/dev/null 2>&1; then exit 0; fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing Chromium for the tests (once) ..."
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y chromium >/dev/null
    # without windows, which is quicker; older releases have no package of it, and then Chromium does everything
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y chromium-headless-shell >/dev/null || true
fi
