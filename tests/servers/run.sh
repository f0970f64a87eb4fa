#!/bin/sh
# run.sh - installs what building the servers takes, then runs try_servers.py with the same arguments.
set -eu
cd "$(dirname "$0")/../.."
. tests/packages.sh
need_packages $build_packages make dpkg-dev libevent-dev
exec python3 tests/servers/try_servers.py "$@"
