#!/bin/sh
# quickstart.sh - from a bare Debian 12 to a first look at a trace: of a program at work on this machine.
#
# usage: sh samples/quickstart.sh
#
# Installs what is missing, builds, records a program that hashes the files under /usr/include with
# four threads, and looks at its trace and at what the trace says of the machine. It is removed at the end.
set -eu

cd "$(dirname "$0")/.."
. tests/packages.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

# The tests run this script on what they have built.
if [ -z "${LTT_BUILT-}" ]; then
	need_packages $build_packages
	say "building (a minute or so, the first time)"
	if ! scons -Q -j"$(nproc)" >"$folder/build.log" 2>&1; then
		cat "$folder/build.log" >&2
		exit 2
	fi
fi
PATH=${LTT_BUILT:-$PWD/build}/bin:$PATH
cd "$folder"

# Shows a command line and runs it.
show() {
	printf '\n$ %s\n' "$*"
	"$@"
}

built=${LTT_BUILT:-$OLDPWD/build}

say "recording a program that hashes all files under /usr/include"
show ltt record -o trace -- "$built/samples/hash-files" /usr/include 4

say "what the trace is"
show ltt info trace

say "how much there is of what"
show ltt stat trace

say "its first events"
printf '\n$ ltt dump --event hash_files.* trace | head -8\n'
ltt dump --event 'hash_files.*' trace | head -8

say "the machine: its first interrupts and processes, as lines for people and for programs"
printf '\n$ ltt dump --event interrupts.* trace | head -5\n'
ltt dump --event 'interrupts.*' trace | head -5
printf '\n$ ltt dump --event processes.* trace | head -5\n'
ltt dump --event 'processes.*' trace | head -5
printf '\n$ ltt dump --format=json trace | tail -1\n'
ltt dump --format=json trace | tail -1

say "nothing is wrong with it"
show ltt check trace

say "done; build/bin/ltt help says what else there is"
