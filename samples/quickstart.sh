#!/bin/sh
# quickstart.sh - from a bare Debian 12 to a first look at a trace: of this machine, as it is now.
#
# usage: sh samples/quickstart.sh
#
# Installs what is missing, builds, records the machine's system, interrupts and processes, and
# looks at them with `ltt info`, `ltt dump` and `ltt check`. The trace is removed at the end.
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

say "recording this machine as it is now"
show ltt record -o machine || [ $? -eq 1 ] # 1: some process could not be looked at

say "what the trace is"
show ltt info machine

say "its first interrupts and processes, as lines for people and for programs"
printf '\n$ ltt dump --event interrupts.* machine | head -5\n'
ltt dump --event 'interrupts.*' machine | head -5
printf '\n$ ltt dump --event processes.* machine | head -5\n'
ltt dump --event 'processes.*' machine | head -5
printf '\n$ ltt dump --format=json machine | tail -1\n'
ltt dump --format=json machine | tail -1

say "nothing is wrong with it"
show ltt check machine

say "done; build/bin/ltt help says what else there is"
