#!/bin/sh
# Installs Debian's PostgreSQL and nginx for the tests, where that is possible: as root, with apt. Elsewhere their tests
# are NOT RUN. Nothing is started here: the tests run servers of their own, on loopback.
set -eu
missing=""
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null 2>&1 || missing="postgresql"
[ -x /usr/sbin/nginx ] || command -v nginx >/dev/null 2>&1 || missing="$missing nginx"
if [ -z "$missing" ]; then exit 0; fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "Some tests of the server will not run; install for them:" $missing
    exit 0
fi
echo "Installing for the tests (once):" $missing "..."
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then # by this the packages learn not to start their services
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
    trap 'rm -f "$policy"' EXIT
fi
apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y $missing >/dev/null
