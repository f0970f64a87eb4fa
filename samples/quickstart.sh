#!/bin/sh
# quickstart.sh - record a program on a bare Debian 12 and take a first look at its trace.
#
# usage: sh samples/quickstart.sh
#
# Installs missing packages, builds, records a program that hashes the files under /usr/include with
# four threads, and shows the events of the program and the state of the machine. The trace is
# removed at the end.
set -eu

cd "$(dirname "$0")/.."
. tests/packages.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

# The tests set LTT_BUILT to their own build.
if [ -z "${LTT_BUILT-}" ]; then
	need_packages $build_packages
	say "building (about a minute the first time)"
	if ! scons -Q -j"$(nproc)" >"$folder/build.log" 2>&1; then
		cat "$folder/build.log" >&2
		exit 2
	fi
fi
PATH=${LTT_BUILT:-$PWD/build}/bin:$PATH
cd "$folder"

# Prints a heading.
step() {
	printf '\n---- %s ----\n' "$*"
}

# Prints a command line and runs it.
show() {
	printf '\n$ %s\n' "$*"
	"$@"
}

built=${LTT_BUILT:-$OLDPWD/build}

step "recording a program that hashes all files under /usr/include"
show ltt record -o trace -- "$built/samples/hash-files" /usr/include 4

step "a summary of the trace"
show ltt info trace

step "the number of events by type, tracefile and thread"
show ltt stat trace

step "how long the files took, and which thread was busy for how long"
show ltt latency hash_files.file_open hash_files.file_done trace
show ltt sql trace "SELECT tid, count(*) AS files, dur(sum(dur)) AS busy FROM spans GROUP BY tid"

step "the first events of the program"
printf '\n$ %s\n' "ltt dump --event 'hash_files.*' trace | head -8"
ltt dump --event 'hash_files.*' trace | head -8

step "the machine: its first interrupts and processes, and an event as JSON"
printf '\n$ %s\n' "ltt dump --event 'interrupts.*' trace | head -5"
ltt dump --event 'interrupts.*' trace | head -5
printf '\n$ %s\n' "ltt dump --event 'processes.*' trace | head -5"
ltt dump --event 'processes.*' trace | head -5
printf '\n$ ltt dump --format=json trace | tail -1\n'
ltt dump --format=json trace | tail -1

step "the trace has no problems"
show ltt check trace

printf '\n'
say "done; build/bin/ltt help lists all commands, doc/guide.md goes on from here"
