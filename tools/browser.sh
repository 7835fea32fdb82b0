#!/bin/sh
# Installs Debian's Chromium for the tests, where that is possible: as root, with apt. Elsewhere they are NOT RUN.
set -eu
if command -v chromium >/dev/null 2>&1; then exit 0; fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing Chromium for the tests (once) ..."
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y chromium >/dev/null
fi
