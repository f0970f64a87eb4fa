#!/bin/sh
# with-perf.sh - what perf sees of a traced program and what the program says itself, on one timeline.
#
# usage: with-perf.sh DIR PROGRAM ARG...
#
# Runs PROGRAM, which is built with libltt-probe, under `ltt record` and `perf record` at once, and prints the events of
# both in one order. Leaves in DIR, which is not there yet, trace/ (the program's own), perf.data, and
# perf/ (the same as a trace).
set -eu

usage() {
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
}

case ${1-} in --help | -h) usage; exit 0 ;; esac
[ $# -ge 2 ] || { usage >&2; exit 2; }
dir=$1
shift
mkdir "$dir"

# With the monotonic clock, perf writes down how far that is from the wall clock; `ltt dump` finds it.
ltt record -o "$dir/trace" -- perf record -q -k mono -o "$dir/perf.data" -- "$@" >&2
ltt import "$dir/perf.data" -o "$dir/perf" >&2
ltt dump "$dir/trace" "$dir/perf"
