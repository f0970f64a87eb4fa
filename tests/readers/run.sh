#!/bin/sh
# run.sh - reads Arrow streams with ClickHouse; `scons try-clickhouse` runs it.
#
# usage: sh tests/readers/run.sh BUILD FOLDER
set -eu

cd "$(dirname "$0")/../.."
. tests/packages.sh

need_python "$2" tests/readers/requirements.txt
exec "$2/bin/python" tests/readers/try_clickhouse.py "$1"
