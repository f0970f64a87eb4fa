#!/bin/sh
# run.sh - builds libltt for another architecture and runs its tests under QEMU's user emulation.
#
# usage: run.sh ARCHITECTURE FOLDER [PART OF A TEST'S NAME]...      for example: s390x build/cross
#
# FOLDER is kept, so that a second run only builds what has changed. Tests that record in the kernel, or
# that run programs of this machine beside those of the other, are not among the default ones.
set -eu
cd "$(dirname "$0")/../.."
. tests/packages.sh

architecture=$1
folder=$(realpath -m "$2")/$architecture
shift 2
case $architecture in
arm64) triplet=aarch64-linux-gnu qemu=qemu-aarch64 ;;
s390x) triplet=s390x-linux-gnu qemu=qemu-s390x ;;
*)
	say "$architecture: not one of arm64 and s390x" >&2
	exit 2
	;;
esac
mkdir -p "$folder"
need_packages $build_packages "gcc-$triplet" "g++-$triplet" qemu-user python3

say "downloading libraries for $architecture"
sh tests/cross/sysroot.sh "$architecture" "$folder" libc6-dev libstdc++-12-dev libglib2.0-dev libxml2-dev libarchive-dev \
	libzstd-dev zlib1g-dev libsqlite3-dev libedit-dev libdw-dev libmicrohttpd-dev libcunit1-dev >"$folder.log" 2>&1 || {
	tail "$folder.log" >&2
	exit 1
}
root=$folder/root
emulator="$qemu -L $root"

# Programs of an earlier run are scripts now, which the build would take for its results.
find "$folder/source/build" -name obj -prune -o -type f -name '.*' -print 2>/dev/null | while read -r program; do
	mv "$program" "$(dirname "$program")/$(basename "$program" | cut -c 2-)"
done
mkdir -p "$folder/source"
tar -c --exclude=./build --exclude=./.git --exclude=./viewer/node_modules . | tar -x -C "$folder/source"
cd "$folder/source"

say "building for $architecture"
PKG_CONFIG_LIBDIR="$root/usr/lib/$triplet/pkgconfig:$root/usr/share/pkgconfig" PKG_CONFIG_SYSROOT_DIR=$root \
	LTT_PYTHON_INCLUDE=/nonexistent scons -Q -j"$(nproc)" CC="$triplet-gcc --sysroot=$root" CXX="$triplet-g++ --sysroot=$root" \
	TEST_CC="$triplet-gcc --sysroot=$root" TEST_CXX="$triplet-g++ --sysroot=$root" SANITIZERS= EMULATOR="$emulator" \
	build/bin build/lib build/libexec build/share build/samples build/probe build/sanitize/bin build/sanitize/libexec \
	build/sanitize/tests build/sanitize/samples build/sanitize/probe >"$folder.log" 2>&1 || {
	tail -n 30 "$folder.log" >&2
	exit 1
}
python3 tests/cross/emulate.py "$emulator" build

say "running tests on $architecture"
status=0
for part in "${@:-test-}"; do
	python3 tests/harness.py --build build/sanitize --use build --only "$part" || status=1
done
exit $status
