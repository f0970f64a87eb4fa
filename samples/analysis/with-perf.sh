#!/bin/sh
# with-perf.sh - print the events of perf and the events of a traced program on one timeline.
#
# usage: with-perf.sh DIR PROGRAM ARG...
#
# Runs PROGRAM, which is built with libltt-probe, under `ltt record` and `perf record`, and prints the merged events of
# both. Creates DIR with trace/ (the events of the program), perf.data, and perf/ (perf.data as a trace).
set -eu

usage() {
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
}

case ${1-} in --help | -h) usage; exit 0 ;; esac
[ $# -ge 2 ] || { usage >&2; exit 2; }
dir=$1
shift
mkdir "$dir"

# With the monotonic clock, perf.data contains the offset to the wall clock, which `ltt dump` uses.
ltt record -o "$dir/trace" -- perf record -q -k mono -o "$dir/perf.data" -- "$@" >&2
ltt import "$dir/perf.data" -o "$dir/perf" >&2
ltt dump "$dir/trace" "$dir/perf"
