#!/bin/sh
# run.sh - builds libltt for another architecture and runs its tests under QEMU's user emulation.
#
# usage: run.sh ARCHITECTURE FOLDER [PART OF A TEST'S NAME]...      for example: s390x build/cross
#
# FOLDER is kept, so that a second run only builds what has changed. Tests that record in the kernel, or
# that run programs of this machine beside those of the other, are not among the default ones.
set -eu
cd "$(dirname "$0")/../.."
. tests/cross/prepare.sh
prepare "$1" "$2"
shift 2

# Programs of an earlier run are scripts now, which the build would take for its results.
find "$folder/source/build" -name obj -prune -o -type f -name '.*' -print 2>/dev/null | while read -r program; do
	mv "$program" "$(dirname "$program")/$(basename "$program" | cut -c 2-)"
done
build_in source build/bin build/lib build/libexec build/share build/samples build/probe build/sanitize/bin build/sanitize/libexec \
	build/sanitize/tests build/sanitize/samples build/sanitize/probe
# Clients in Python are those of this machine.
need_python build/venv tests/requirements.txt
ln -sfn "$PWD/build/venv" "$folder/source/build/venv"
cd "$folder/source"
python3 tests/cross/emulate.py "$emulator" build

say "running tests on $architecture"
status=0
for part in "${@:-test-}"; do
	python3 tests/harness.py --build build/sanitize --use build --only "$part" || status=1
done
exit $status
