#!/bin/sh
# run.sh - everything that must hold before a change goes in: builds all, runs the tests and the linters.
#
# usage: sh tests/run.sh [SCONS ARGUMENT]...     for example ONLY=dump
#
# Works on a bare Debian 12 with nothing but sh and apt-get: what is missing is installed first.
set -eu

cd "$(dirname "$0")/.."
. tests/packages.sh

need_packages $build_packages $test_packages
need_viewer
# What only the tests need is installed during the build.
need_python build/venv tests/requirements.txt &
python=$!
need_npm build/npm speedscope@1.25.0 apache-arrow@21.2.0 &
npm=$!
jobs=$(nproc)

say "building, $jobs jobs"
scons -Q -j"$jobs" "$@"
wait "$python"
wait "$npm"
# What is built is enough for the linters.
nice python3 tests/lint.py lint >build/lint.log 2>&1 &
lint=$!
say "running the tests"
failed=0
scons -Q -j"$jobs" test "$@" || failed=1
say "the linters report"
wait "$lint" || failed=1
cat build/lint.log
[ "$failed" = 0 ] || exit 1
say "all is well"
